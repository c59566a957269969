import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LibraryStore

/// Makes random sequences of changes and undoes them one by one. After each undo the library has to
/// be what it was before the change, and after each redo what it was after it.
@Suite struct RandomUndoTests {
  private static let sequences = Soak.count(few: 8, many: 200)
  private static let length = 50

  @Test func `Y-01: undoing a sequence of changes one by one leaves the library as it was`() throws {
    let folder = try TemporaryFolder()
    let store = try LibraryStore(
      path: folder.library, create: true, clock: { Date(timeIntervalSince1970: 1_700_000_000) }, trustsClock: true)
    var actor = try RandomEditor(store, seed: Soak.seed(20_261_122))
    var undone = 0
    for sequence in 0..<Self.sequences {
      var states = [try Dump(store)]
      var numbers: [Int64] = []
      for _ in 0..<Self.length {
        let before = try store.latestTransaction()
        try actor.act()
        let after = try store.latestTransaction()
        guard after > before, try store.isUndoable(after) else { continue }
        numbers.append(after)
        states.append(try Dump(store))
      }
      for index in numbers.indices.reversed() {
        try #require(try store.reverse(.undo) == numbers[index], "sequence \(sequence)")
        try states[index].check(store, "undo in sequence \(sequence)")
      }
      undone += numbers.count
      for index in numbers.indices {
        try store.reverse(.redo)
        try states[index + 1].check(store, "redo in sequence \(sequence)")
      }
    }
    #expect(undone > Self.sequences * Self.length / 2)
    let findings = Mutex<[VerificationFinding]>([])
    try store.verify(
      isCancelled: { false }, progress: { _ in }, found: { finding in findings.withLock { $0.append(finding) } })
    #expect(findings.withLock { $0 } == [])
  }
}

extension LibraryStore {
  /// Undoes or redoes a transaction as the owner. Returns the transaction that was undone.
  @discardableResult
  func reverse(
    _ direction: UndoDirection, _ number: Int64? = nil, by author: TransactionAuthor = .owner
  ) throws -> Int64 {
    try commit(by: author) { transaction in
      let reversal = try transaction.reversal(direction, of: number, by: author)
      try transaction.apply(reversal)
      return reversal.number
    }
  }

  func isUndoable(_ number: Int64) throws -> Bool {
    try transactions(TransactionQuery(limit: 1, before: number + 1)).first?.isUndoable ?? false
  }
}

/// All rows of a library that a person can change, without modification dates.
struct Dump: Equatable {
  private var rows: [String: [[Value]]]
  private let newestAsset: Int

  private static let tables = [
    "asset": """
    SELECT id, uuid, media_type, media_subtypes, creation_date, time_zone_offset, local_date, local_day, added_date,
      pixel_width, pixel_height, duration, is_favorite, is_hidden, is_unreadable, burst_identifier, represents_burst,
      burst_selection_types, has_adjustments, rating, traits, trashed_date, visibility, latitude, longitude, altitude,
      rendition_version FROM asset ORDER BY id
    """,
    "asset_detail": "SELECT * FROM asset_detail ORDER BY asset_id",
    "asset_search": "SELECT rowid, filename, title, caption, keywords FROM asset_search ORDER BY rowid",
    "resource": """
    SELECT asset_id, type, sha256, original_filename, resource.pixel_width FROM resource
    JOIN original ON original.id = original_id ORDER BY asset_id, type
    """,
    "collection": """
    SELECT id, uuid, kind, subtype, title, parent_id, rank, creation_date, key_asset_id FROM collection ORDER BY id
    """,
    "collection_asset": "SELECT asset_id, collection_id, rank, visibility FROM collection_asset ORDER BY 1, 2",
  ]

  init(_ store: LibraryStore) throws {
    rows = try store.read { db in
      try Self.tables.mapValues { sql in try db.rows(sql).map(\.values) }
    }
    newestAsset = rows["asset"]?.last.flatMap { Int($0[0]) } ?? 0
  }

  /// Checks that the library is in this state. Assets that were created later are in the trash.
  func check(_ store: LibraryStore, _ comment: String) throws {
    var present = try Dump(store)
    let later = present.rows["asset"]?.filter { isLater($0) } ?? []
    try #require(later.allSatisfy { $0[21] != .null }, "a created asset is not in the trash: \(comment)")
    for table in present.rows.keys where table != "collection" { present.rows[table]?.removeAll { isLater($0) } }
    for (table, wanted) in rows {
      let found = present.rows[table] ?? []
      let difference = zip(wanted, found).first { $0 != $1 }
      try #require(
        wanted == found, "\(table), \(comment): \(difference.map { "\($0) is \($1)" } ?? "\(wanted.count) rows")")
    }
  }

  private func isLater(_ row: [Value]) -> Bool { (Int(row[0]) ?? 0) > newestAsset }
}

/// Makes every kind of change that can be undone, several in one transaction.
private struct RandomEditor {
  let store: LibraryStore
  var random: LinearGenerator
  private var assets: [Int64] = []

  init(_ store: LibraryStore, seed: UInt64) throws {
    self.store = store
    random = LinearGenerator(seed: seed)
    for number in 0..<8 { assets.append(try add(number)) }
    try store.commit { transaction in
      for title in ["Norway", "Sweden", "Alps"] {
        let album = try transaction.insert(.album, uuid: UUID().uuidString, title: title)
        try transaction.append(assets.filter { _ in Bool.random(using: &random) }, to: album)
      }
      let folder = try transaction.insert(.folder, uuid: UUID().uuidString, title: "Travels")
      _ = try transaction.insert(.album, uuid: UUID().uuidString, title: "Finland", in: folder)
    }
  }

  /// Adds an asset. Every fourth one is the RAW file and the picture of one shot, and every fourth
  /// one a frame of a burst.
  private mutating func add(_ number: Int) throws -> Int64 {
    let names = number % 4 == 1 ? ["\(number).JPG", "\(number).DNG"] : ["\(number).JPG"]
    let staged = try names.map { try store.stage(.data(Data("\($0)".utf8))) }
    let placements = zip(staged, names).map {
      Placement(
        staged: $0, originalFilename: $1, creationDate: Date(timeIntervalSince1970: Double(number)), timeZoneOffset: 0)
    }
    return try store.commit(placing: placements, by: .owner) { transaction in
      var asset = AssetRecord.sample(date: Date(timeIntervalSince1970: Double(number)))
      asset.renditionVersion = AssetRecord.renditionVersion(of: [staged[0].sha256])
      asset.burstIdentifier = number % 4 == 2 ? "burst" : nil
      var detail = AssetDetailRecord.sample
      detail.originalFilename = names[0]
      let types = [ResourceType.photo, .alternatePhoto]
      let resources = zip(zip(names, types), staged).map { name, staged in
        (
          record: ResourceRecord(
            type: name.1.rawValue, originalFilename: name.0,
            uniformTypeIdentifier: name.1 == .photo ? "public.jpeg" : "com.adobe.raw-image", pixelWidth: 4,
            pixelHeight: 3), sha256: staged.sha256
        )
      }
      return try transaction.insert(asset, detail, resources: resources).id
    }
  }

  private mutating func any<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

  mutating func act() throws {
    let kind = Int.random(in: 0..<20, using: &random)
    if kind == 0, assets.count < 60 { return assets.append(try add(assets.count)) }
    if kind <= 2 { return try edit() }
    var random = random
    let assets = assets
    try store.commit(by: .owner) { transaction in
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        try Self.change(transaction, assets, &random)
      }
    }
    self.random = random
  }

  /// Edits an asset with one of a few renders, so that the bytes of former edits come again.
  private mutating func edit() throws {
    guard let id = any(assets), let asset = try store.inspect({ try $0.asset(id: id) }) else { return }
    let number = Int.random(in: 0..<4, using: &random)
    let staged = try ["render \(number)", "data \(number) \(id)"].map { try store.stage(.data(Data($0.utf8))) }
    let names = ["FullSizeRender.jpg", "Adjustments.plist"]
    let placements = zip(staged, names).map { Placement(staged: $0, adjustmentFilename: $1, assetUUID: asset.uuid) }
    try store.commit(placing: placements, by: .owner) { transaction in
      guard var edited = try transaction.asset(id: id) else { return }
      let types = [ResourceType.fullSizePhoto, .adjustmentData]
      try transaction.edit(
        &edited,
        resources: zip(zip(types, names), staged).map { type, staged in
          (
            ResourceRecord(
              type: type.0.rawValue, originalFilename: type.1, uniformTypeIdentifier: "public.jpeg",
              pixelWidth: number + 1, pixelHeight: 1), staged.sha256
          )
        })
      try transaction.update(edited)
    }
  }

  private static func change(
    _ transaction: StoreTransaction, _ assets: [Int64], _ random: inout LinearGenerator
  ) throws {
    let number = Int.random(in: 0..<6, using: &random)
    let isTrue = Bool.random(using: &random)
    let some = assets.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
    guard let id = assets.randomElement(using: &random), var asset = try transaction.asset(id: id) else { return }
    let collections = try transaction.db.rows(
      "SELECT *, NULL AS asset_count FROM collection WHERE kind <> 2 ORDER BY id"
    )
    .map(CollectionRecord.init)
    let albums = collections.filter { $0.kind == .album }
    let folders = collections.filter { $0.kind == .folder }
    let album = albums.randomElement(using: &random)
    let folder = folders.randomElement(using: &random)
    switch Int.random(in: 0..<18, using: &random) {
    case 0: asset.isFavorite = isTrue
    case 1: asset.isHidden = isTrue
    case 2:
      asset.creationDate = Date(timeIntervalSince1970: Double(number) * 100_000.5)
      asset.timeZoneOffset = number * 3600
    case 3: (asset.latitude, asset.longitude) = isTrue ? (Double(number), 10.7522) : (nil, nil)
    case 4: asset.rating = min(number, 5)
    case 5: if isTrue { asset.traits.insert(.stillOnly) } else { asset.traits.remove(.stillOnly) }
    case 6:
      guard var detail = try transaction.detail(of: asset) else { return }
      detail.title = isTrue ? "Title \(number)" : nil
      detail.caption = "Caption \(number)"
      detail.keywords = number == 0 ? [] : ["sea", "word \(number)"]
      return try transaction.update(detail, of: asset)
    case 7: return try transaction.trash(asset)
    case 8: for id in some { try transaction.asset(id: id).map(transaction.restore) }
    case 9:
      try transaction.revert(&asset)
    case 10:
      try transaction.exchangeOriginals(of: &asset)
    case 11: if let album { return try transaction.append(some, to: album) }
    case 12: if let album { return try transaction.remove(some, from: album) }
    case 13:
      if let album { return try transaction.place(some, in: album, afterFirstOf: [id]) }
    case 14:
      let made = try transaction.insert(
        isTrue ? .album : .folder, uuid: UUID().uuidString, title: "New \(number)", in: folder)
      if made.kind == .album { return try transaction.append(some, to: made) }
    case 15:
      guard var renamed = collections.filter({ !$0.isRoot }).randomElement(using: &random) else { return }
      renamed.title = "Renamed \(number)"
      if renamed.kind == .album { renamed.keyAssetID = isTrue ? id : nil }
      return try transaction.update(renamed)
    case 16:
      guard let folder, let moved = collections.filter({ !$0.isRoot }).randomElement(using: &random) else { return }
      // The change of a client would be refused, and its transaction rolled back.
      guard try !transaction.isAncestor(moved, of: folder) else { return }
      let others = try transaction.children(of: folder).filter { $0.id != moved.id }.shuffled(using: &random)
      return try transaction.setChildren([moved] + others, of: folder)
    default:
      guard collections.count > 6, let gone = collections.filter({ !$0.isRoot }).randomElement(using: &random) else {
        return
      }
      return try transaction.delete(gone)
    }
    try transaction.update(asset)
  }
}
