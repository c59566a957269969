import Foundation
import Testing

@testable import LibraryStore

@Suite struct BurstTests {
  /// Adds a frame of one burst for a client, or for the owner.
  private func add(_ bytes: String, to store: LibraryStore, by client: ClientRecord? = nil) throws -> AssetRecord {
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

  /// Whether a frame represents the burst now.
  private func represents(_ frame: AssetRecord, in store: LibraryStore) throws -> Bool? {
    try store.inspect { try $0.asset(uuid: frame.uuid)?.representsBurst }
  }

  @Test func aLimitedClientDoesNotLearnOfFramesThatItDoesNotSee() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    let unseen = try add("owner's", to: store)
    let client = try store.commit { try $0.save(ClientRecord(identifier: "c", name: "C", creationDate: .distantPast)) }
    let first = try add("first", to: store, by: client)
    let second = try add("second", to: store, by: client)
    #expect(first.representsBurst)
    #expect(second.representsBurst == false)
    #expect(try store.selection(of: client) == [first.id, second.id])
    #expect(try represents(unseen, in: store) == true)
  }

  @Test func theNextFrameThatALimitedClientSeesTakesThePlaceOfADeletedOne() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    let unseen = try add("owner's", to: store)
    let client = try store.commit { try $0.save(ClientRecord(identifier: "c", name: "C", creationDate: .distantPast)) }
    let first = try add("first", to: store, by: client)
    let second = try add("second", to: store, by: client)
    try store.commit { try $0.trash(first, by: client) }
    #expect(try represents(second, in: store) == true)
    #expect(try represents(unseen, in: store) == true)
  }
}
