import Foundation
import TestSupport
import Testing

@testable import LibraryStore

/// Runs random transactions and follows them with fetches of every kind. The change details,
/// applied to the old result, must give the result of a new fetch.
@Suite struct RandomChangeTests {
  private static let steps = Soak.count(few: 300, many: 5000)

  @Test func aChangeUpdatesAFetchToTheResultOfANewFetch() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    var actor = try RandomActor(store, seed: Soak.seed(20_261_121))
    var fetches = try StandingFetch.all(of: store, albums: actor.albums)
    var seen = try store.latestTransaction()
    for step in 0..<Self.steps {
      for _ in 0..<Int.random(in: 1...4, using: &actor.random) { try actor.act() }
      guard let change = try store.change(since: seen) else { continue }
      seen = change.until
      for index in fetches.indices where step % 3 != index % 3 {
        // Each fetch skips every third change and then gets two changes at once.
        try fetches[index].follow(change, store)
      }
    }
    #expect(fetches.reduce(0) { $0 + $1.differences } > Self.steps)
  }
}

/// A fetch that follows the library's changes.
private struct StandingFetch {
  let query: FetchQuery
  var ids: [Int64]
  var transaction: Int64
  var differences = 0

  static func all(of store: LibraryStore, albums: [Int64]) throws -> [StandingFetch] {
    var queries: [FetchQuery] = []
    func add(_ source: FetchQuery.Source, _ change: (inout FetchQuery) -> Void = { _ in }) {
      var query = FetchQuery(source)
      change(&query)
      queries.append(query)
    }
    add(.assets)
    add(.assets) { $0.includesHidden = true }
    add(.assets) { $0.isOfTrash = true }
    add(.assets) { $0.sort = [.init(.creationDate, ascending: false)] }
    add(.assets) { $0.sort = [.init(.isFavorite, ascending: false), .init(.creationDate, ascending: true)] }
    add(.assets) { $0.sort = [.init(.originalFilename, ascending: true)] }
    add(.assets) { $0.sort = [.init(.latitude, ascending: true)] }
    add(.assets) {
      $0.sort = [.init(.creationDate, ascending: true)]
      $0.limit = 5
    }
    add(.assets) { $0.condition = .comparison(.key(.isFavorite), .equal, .value(.integer(1))) }
    add(.assets) { $0.searchText = "img norway" }
    add(.assets) {
      let isFavorite = Condition.comparison(.key(.isFavorite), .equal, .value(.integer(1)))
      $0.searchTerms = [.init(condition: isFavorite, words: "norway")]
    }
    add(.assets) { $0.limitedToClient = 1 }
    add(.assetsInSmartAlbum(.screenshots))
    add(.assetsInSmartAlbum(.allHidden)) { $0.includesHidden = true }
    for album in albums {
      add(.assetsInAlbum(album))
      add(.assetsInAlbum(album)) { $0.sort = [.init(.creationDate, ascending: false)] }
      add(.assetsInAlbum(album)) { $0.condition = .comparison(.key(.isFavorite), .equal, .value(.integer(1))) }
    }
    add(.collections(.album, subtype: nil))
    add(.collections(.album, subtype: nil)) { $0.sort = [.init(.title, ascending: true)] }
    add(.collections(.album, subtype: nil)) {
      $0.condition = .comparison(.key(.assetCount), .greater, .value(.integer(3)))
    }
    add(.children(of: try store.rootFolder().id))
    return try queries.map { query in
      let found = try store.fetch(query)
      return StandingFetch(query: query, ids: found.ids, transaction: found.transaction)
    }
  }

  mutating func follow(_ change: StoreChange, _ store: LibraryStore) throws {
    let anew = try store.fetch(query).ids
    let update = try change.update(of: ids, query, after: transaction, isIncremental: true)
    transaction = change.until
    guard let update else {
      try #require(anew == ids, "nothing was told of \(query)")
      return
    }
    try #require(update.after == anew, "\(query)")
    if let difference = update.difference {
      differences += 1
      try #require(difference.applied(to: ids, after: anew) == anew, "\(query)")
    }
    ids = anew
  }
}

/// Makes every kind of change to a library at random.
private struct RandomActor {
  let store: LibraryStore
  var random: LinearGenerator
  private(set) var albums: [Int64] = []
  private var assets: [String] = []
  private let original: Data
  private let first: String

  init(_ store: LibraryStore, seed: UInt64) throws {
    self.store = store
    random = LinearGenerator(seed: seed)
    let first = try store.add("bytes")
    original = try store.inspect { try $0.resources(of: first)[0].sha256 }
    assets = [first.uuid]
    self.first = first.uuid
    albums = try store.commit { transaction in
      _ = try transaction.save(ClientRecord(identifier: "client", name: "client", creationDate: transaction.date))
      return try ["Norway", "Sweden"].map { try transaction.insert(.album, uuid: UUID().uuidString, title: $0).id }
    }
  }

  private mutating func any<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  private mutating func some(_ elements: [Int64]) -> [Int64] {
    elements.filter { _ in Bool.random(using: &random) }
  }

  mutating func act() throws {
    let kind = Int.random(in: 0..<16, using: &random)
    let uuid = any(assets)
    let number = Int.random(in: 0..<6, using: &random)
    let album = any(albums)
    let members = try store.fetch(FetchQuery(.assetsInAlbum(album))).ids
    let chosen = some(members)
    let anchor = members.isEmpty ? [] : [any(members)]
    let others = try some(store.fetch(FetchQuery(.assets)).ids)
    let title = any(["Alps", "Norway", "Beach", "2019"])
    let isTrue = Bool.random(using: &random)
    let original = original
    let first = first
    // Limits the number of assets, so that every change affects the fetches.
    let isLarge = assets.count > 60
    let new: AssetRecord = .random(&random)
    var made: String?
    try store.commit { transaction in
      func change(_ body: (inout AssetRecord) -> Void) throws {
        guard var asset = try transaction.asset(uuid: uuid), asset.trashedDate == nil else { return }
        body(&asset)
        try transaction.update(asset)
      }
      let collection = try transaction.collection(id: album)
      switch kind {
      case 0...2:
        var detail = AssetDetailRecord.sample
        detail.originalFilename = "IMG_\(number).JPG"
        _ = try transaction.insert(
          new, detail, resources: [(record: .sample(name: detail.originalFilename), sha256: original)])
        made = new.uuid
      case 3: try change { $0.isFavorite = isTrue }
      case 4: try change { $0.creationDate = Date(timeIntervalSince1970: Double(number)) }
      case 5: try change { $0.isHidden = isTrue }
      case 6:
        if let asset = try transaction.asset(uuid: uuid) {
          if isTrue { try transaction.trash(asset) } else { try transaction.restore(asset) }
        }
      case 7:
        // The first asset is never expunged, because the shared original would go with the last
        // asset.
        if isLarge, uuid != first, let asset = try transaction.asset(uuid: uuid) { try transaction.expunge(asset) }
      case 8, 9: if let collection { try transaction.append(others, to: collection) }
      case 10: if let collection { try transaction.remove(chosen, from: collection) }
      case 11, 12: if let collection { try transaction.place(chosen, in: collection, afterFirstOf: anchor) }
      case 13: _ = try transaction.insert(.album, uuid: UUID().uuidString, title: title)
      case 14:
        let children = try transaction.children(of: transaction.root())
        if number == 0, let last = children.last, !isKept(last) {
          try transaction.delete(last)
        } else {
          try transaction.setChildren(children.reversed(), of: transaction.root())
        }
      default:
        if let client = try transaction.client(identifier: "client") {
          if isTrue {
            try transaction.select(others, for: client)
          } else {
            try transaction.deselect(others, for: client)
          }
        }
      }
    }
    if let made { assets.append(made) }
    if kind == 7, try store.inspect({ try $0.asset(uuid: uuid) }) == nil { assets.removeAll { $0 == uuid } }
  }

  private func isKept(_ collection: CollectionRecord) -> Bool { albums.contains(collection.id) }
}

extension AssetRecord {
  /// Uses few distinct values, so that many assets are equal under a sort key.
  fileprivate static func random(_ random: inout LinearGenerator) -> AssetRecord {
    var asset = AssetRecord.sample(date: Date(timeIntervalSince1970: Double(Int.random(in: 0..<6, using: &random))))
    asset.isFavorite = Bool.random(using: &random)
    asset.isHidden = Int.random(in: 0..<6, using: &random) == 0
    asset.mediaSubtypes = Bool.random(using: &random) ? 4 : 0
    if Bool.random(using: &random) {
      asset.latitude = Double(Int.random(in: 0..<3, using: &random))
      asset.longitude = 0
    }
    asset.burstIdentifier = Int.random(in: 0..<6, using: &random) == 0 ? "burst" : nil
    return asset
  }
}
