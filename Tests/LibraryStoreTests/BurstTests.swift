import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite struct BurstTests {
  let folder: TemporaryFolder
  let store: LibraryStore
  /// A client that sees only the assets selected for it.
  let client: ClientRecord

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    client = try store.commit { try $0.save(ClientRecord(identifier: "c", name: "C", creationDate: .distantPast)) }
  }

  /// Adds a frame of the burst, as the client or as the owner.
  @discardableResult
  private func add(_ bytes: String, by client: ClientRecord? = nil) throws -> AssetRecord {
    let staged = try store.stage(.data(Data(bytes.utf8)))
    let name = "\(bytes).jpg"
    let placement = Placement(staged: staged, originalFilename: name, creationDate: .distantPast, timeZoneOffset: 0)
    return try store.commit(placing: [placement]) { transaction in
      var frame = AssetRecord.sample()
      frame.burstIdentifier = "burst"
      return try transaction.insert(
        frame, .sample, resources: [(record: .sample(name: name), sha256: staged.sha256)], by: client)
    }
  }

  private func trash(_ frame: AssetRecord) throws {
    try store.commit { try $0.trash(try #require(try $0.asset(uuid: frame.uuid))) }
  }

  /// Returns the frames that represent the burst for the client or for the owner.
  private func representatives(for client: ClientRecord?) throws -> [Int64] {
    try store.assets(ids: 1...10, limitedToClient: client?.id).filter(\.representsBurst).map(\.id)
  }

  /// Returns the assets that the client finds.
  private func found(
    _ source: FetchQuery.Source = .assets, _ change: (inout FetchQuery) -> Void = { _ in }
  ) throws -> [Int64] {
    var query = FetchQuery(source)
    query.limitedToClient = client.id
    change(&query)
    return try store.fetch(query).ids
  }

  @Test func `a client's history is unchanged if its frame becomes the owner's representative`() throws {
    let frames = try ["one", "two", "three"].map { try add($0) }
    try store.commit { try $0.select([frames[1].id], for: client) }
    let before = try store.latestPosition(of: client)
    try trash(frames[0])
    #expect(try representatives(for: nil) == [frames[1].id])
    #expect(try store.latestPosition(of: client) == before)
    try trash(frames[1])
    #expect(try representatives(for: nil) == [frames[2].id])
    #expect(try store.latestPosition(of: client) == before + 1)
  }

  @Test func `undoing the deletion of an unseen frame leaves a client's history unchanged too`() throws {
    let frames = try ["one", "two", "three"].map { try add($0) }
    try store.commit { try $0.select([frames[1].id], for: client) }
    let before = try store.latestPosition(of: client)
    let seen = try store.assets(ids: [frames[1].id])
    try store.commit(by: .owner) { try $0.trash(try #require(try $0.asset(uuid: frames[0].uuid))) }
    try store.commit(by: .owner) { try $0.apply($0.reversal(.undo, of: nil, by: .owner)) }
    #expect(try representatives(for: nil) == [frames[0].id])
    #expect(try store.latestPosition(of: client) == before)
    #expect(try store.assets(ids: [frames[1].id]) == seen)
  }

  @Test func `a client's undo passes over changes of frames that it does not see any more`() throws {
    let author = TransactionAuthor.client(identifier: "c")
    let frames = try ["one", "two", "three"].map { try add($0) }
    try store.commit { try $0.select(frames.map(\.id), for: client) }
    func change(_ frames: ArraySlice<AssetRecord>, _ change: (inout AssetRecord) -> Void) throws {
      try store.commit(by: author) { transaction in
        for frame in frames {
          var frame = try #require(try transaction.asset(uuid: frame.uuid))
          change(&frame)
          try transaction.update(frame)
        }
      }
    }
    try change(frames[1...1]) { $0.isHidden = true }
    try change(frames[...]) { $0.isFavorite = true }
    let position = try store.latestPosition(of: client)
    try store.commit { try $0.deselect([frames[0].id, frames[2].id], for: client) }
    #expect(throws: UnseenAssets.self) {
      try store.inspect { try $0.reversal(.undo, of: position, by: author, limitedTo: client) }
    }
    try store.commit(by: author) { try $0.apply($0.reversal(.undo, of: nil, by: author, limitedTo: client)) }
    let found = try store.assets(ids: frames.map(\.id))
    #expect(found.map(\.isFavorite) == [true, true, true])
    #expect(found.map(\.isHidden) == [false, false, false])
  }

  @Test func aSelectedFrameIsForItsClientABurstOfItsOwn() throws {
    let frames = try ["one", "two", "three"].map { try add($0) }
    try store.commit { try $0.select([frames[1].id], for: client) }
    #expect(try found() == [frames[1].id])
    #expect(try found { $0.burstIdentifier = "burst" } == [frames[1].id])
    #expect(try found(.assetsInSmartAlbum(.bursts)) == [frames[1].id])
    let seen = try #require(try store.assets(ids: [frames[1].id], limitedToClient: client.id).first)
    #expect(seen.representsBurst)
    #expect(seen.burstSelectionTypes == AssetRecord.autoPick)
    #expect(try representatives(for: nil) == [frames[0].id])
  }

  @Test func theFirstOfSeveralSelectedFramesRepresentsTheBurst() throws {
    let frames = try ["one", "two", "three"].map { try add($0) }
    try store.commit { try $0.select([frames[2].id, frames[1].id], for: client) }
    #expect(try found() == [frames[1].id])
    #expect(try found { $0.includesAllBurstAssets = true } == [frames[1].id, frames[2].id])
    #expect(try store.assets(ids: [frames[2].id], limitedToClient: client.id).first?.burstSelectionTypes == 0)
    try trash(frames[1])
    #expect(try found() == [frames[2].id])
  }

  @Test func theRepresentativeOfAllFramesIsNoneForAClientThatSeesAnEarlierOne() throws {
    let frames = try ["one", "two"].map { try add($0) }
    try trash(frames[0])
    try store.commit { try $0.restore(try #require(try $0.asset(uuid: frames[0].uuid))) }
    #expect(try representatives(for: nil) == [frames[1].id])
    try store.commit { try $0.select(frames.map(\.id), for: client) }
    #expect(try found() == [frames[0].id])
    #expect(try representatives(for: client) == [frames[0].id])
  }

  @Test func theOnlySelectedFrameRepresentsTheBurstInTheTrashToo() throws {
    let frames = try ["one", "two"].map { try add($0) }
    try store.commit { try $0.select([frames[0].id], for: client) }
    try trash(frames[0])
    #expect(try representatives(for: client) == [frames[0].id])
    #expect(try representatives(for: nil) == [frames[1].id])
  }

  @Test func collectionsCountAndDateWhatTheClientFinds() throws {
    let frames = try ["one", "two", "three"].map { try add($0) }
    try store.commit { try $0.select([frames[1].id, frames[2].id], for: client) }
    let albums = try store.fetch(FetchQuery(.collections(.smartAlbum, subtype: nil))).ids
    let seen = try store.collections(ids: albums, limitedToClient: client.id)
    for album in [SmartAlbum.userLibrary, .bursts] {
      let record = try #require(seen.first { $0.subtype == album.rawValue })
      #expect(record.assetCount == 1)
      let dated = try found(.collections(.smartAlbum, subtype: album.rawValue)) {
        $0.condition = .comparison(.key(.startDate), .notEqual, .value(.null))
      }
      #expect(dated == [record.id])
    }
  }

  @Test func aFrameThatAClientAddsRepresentsTheBurstForItAlone() throws {
    let unseen = try add("owner's")
    let first = try add("first", by: client)
    try add("second", by: client)
    #expect(try found() == [first.id])
    #expect(try representatives(for: client).first == first.id)
    #expect(try representatives(for: nil) == [unseen.id])
  }

  @Test func aFrameThatComesOrGoesChangesTheOthersOfTheSelection() throws {
    let frames = try ["one", "two", "three"].map { try add($0) }
    try store.commit { try $0.select([frames[1].id, frames[2].id], for: client) }
    var query = FetchQuery(.assets)
    query.limitedToClient = client.id
    let before = try store.fetch(query)
    try trash(frames[1])
    let change = try #require(try StoreChange(store.database, at: store.databasePath, since: before.transaction))
    let update = try change.update(of: before.ids, query, after: before.transaction, isIncremental: true)
    #expect(update?.after == [frames[2].id])
    let objects = try #require(change.objects)
    #expect(try change.assets(objects, limitedToClient: client.id).keys.sorted() == [frames[1].id, frames[2].id])
    #expect(try change.assets(objects, limitedToClient: nil) == objects.assets)
    #expect(try change.asset(id: frames[2].id, limitedToClient: client.id)?.representsBurst == true)
    #expect(try change.asset(id: frames[2].id)?.representsBurst == false)
  }

  @Test func aFrameThatTheClientDoesNotSeeChangesNothingForIt() throws {
    let frames = try ["one", "two", "three"].map { try add($0) }
    try store.commit { try $0.select([frames[0].id], for: client) }
    let before = try store.latestTransaction()
    try trash(frames[1])
    let change = try #require(try StoreChange(store.database, at: store.databasePath, since: before))
    let objects = try #require(change.objects)
    #expect(try change.assets(objects, limitedToClient: client.id)[frames[0].id] == nil)
  }

  @Test func theFramesOfABurstAreFoundByAnIndex() throws {
    var query = FetchQuery(.assets)
    query.limitedToClient = client.id
    let plan = try store.explanation(of: query).split(separator: "\n").map { $0.trimmingPrefix("  ") }
    #expect(plan.contains("SEARCH frame USING INDEX asset_by_burst (burst_identifier=?)"))
    #expect(!plan.contains { $0.hasPrefix("SCAN frame") || $0.hasPrefix("SCAN client_asset") })
  }

  @Test func `for full access the burst columns are read without a join`() {
    #expect(AssetRecord.selection(limitedToClient: nil) == "SELECT * FROM asset")
    #expect(SmartAlbum.bursts.condition(limitedToClient: nil) == "represents_burst = 1")
  }
}
