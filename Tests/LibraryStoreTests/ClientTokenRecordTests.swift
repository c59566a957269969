import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite struct ClientTokenRecordTests {
  let folder: TemporaryFolder
  let store: LibraryStore
  let client: ClientRecord
  let now = Date(timeIntervalSince1970: 1_000_000)

  init() throws {
    folder = try TemporaryFolder()
    let store = try folder.open()
    self.store = store
    client = try store.commit { [now] in
      try $0.save(ClientRecord(identifier: "https://example.com", name: "Example", creationDate: now))
    }
  }

  private func token(_ byte: UInt8, age: TimeInterval = 0) -> ClientTokenRecord {
    ClientTokenRecord(
      id: "\(byte)", tokenHash: hash(byte), client: client.id, start: "cal_abcd", origin: "https://example.com",
      creationDate: now - age, expirationDate: now - age + 100)
  }

  private func hash(_ byte: UInt8) -> Data { Data(repeating: byte, count: 32) }

  @Test func `a token is found by its hash, with its client`() throws {
    try store.clientTokens.insert(token(1))
    let found = try #require(try store.clientTokens.token(hash: hash(1)))
    #expect(found.token == token(1))
    #expect(found.client == client)
    #expect(try store.clientTokens.token(hash: hash(2))?.token == nil)
  }

  @Test func `a token's uses are added up`() throws {
    try store.clientTokens.insert(token(1))
    for count in [2, 3] { try store.clientTokens.noteUses(count, of: "1", latest: now, from: "127.0.0.1") }
    let used = try #require(try store.clientTokens.all().first)
    #expect(used.useCount == 5)
    #expect(used.useDate == now)
    #expect(used.address == "127.0.0.1")
  }

  @Test func `a token that was renewed is kept as long as its new date`() throws {
    try store.clientTokens.insert(token(1, age: 100))
    try store.clientTokens.setExpirationDate(now + 1, of: "1")
    try store.clientTokens.insert(token(2))
    let found = try #require(try store.clientTokens.token(hash: hash(1)))
    #expect(found.token.expirationDate == now + 1)
    #expect(try store.clientTokens.all().map(\.id) == ["2", "1"])
  }

  @Test func `a token is revoked once`() throws {
    try store.clientTokens.insert(token(1))
    #expect(try store.clientTokens.delete("1"))
    #expect(try !store.clientTokens.delete("1"))
    #expect(try store.clientTokens.token(hash: hash(1))?.token == nil)
  }

  @Test func `a client that is forgotten loses its tokens`() throws {
    try store.clientTokens.insert(token(1))
    try store.commit { [client] in try $0.forget(client) }
    #expect(try store.clientTokens.all() == [])
  }

  @Test func `a client that asks again has none of its tokens from before`() throws {
    try store.clientTokens.insert(token(1))
    try store.commit { [client] in try $0.forget(client) }
    let again = try store.commit { [now] in
      try $0.save(ClientRecord(identifier: "https://example.com", name: "Example", creationDate: now))
    }
    #expect(again.id != client.id)
    #expect(try store.clientTokens.token(hash: hash(1)) == nil)
  }

  /// Rows get the numbers of others if a backup of the library comes back.
  @Test func `a token is of no other client with the number of its own`() throws {
    try store.clientTokens.insert(token(1))
    try store.database.write { try $0.execute("UPDATE client SET identifier = 'https://other.example'") }
    #expect(try store.clientTokens.token(hash: hash(1)) == nil)
    #expect(try store.clientTokens.all() == [])
  }

  @Test func `a client that is gone gets no token`() throws {
    try store.commit { [client] in try $0.forget(client) }
    #expect(throws: StoreError.self) { try store.clientTokens.insert(token(1)) }
  }

  @Test func `tokens are not in the history`() throws {
    let latest = try store.latestTransaction()
    try store.clientTokens.insert(token(1))
    try store.clientTokens.noteUses(1, of: "1", latest: now, from: "127.0.0.1")
    #expect(try store.latestTransaction() == latest)
  }

  @Test func `the database refuses two tokens with the same hash`() throws {
    try store.clientTokens.insert(token(1))
    var second = token(1)
    second.id = "2"
    let duplicate = second
    #expect(throws: (any Error).self) { try store.clientTokens.insert(duplicate) }
  }

  @Test func `a request is kept until it is asked again`() throws {
    var asking = client
    (asking.askedDate, asking.askedLevel, asking.usageDescription) = (now, 2, "Shows your photos.")
    _ = try store.commit { [asking] in try $0.save(asking) }
    #expect(try store.client(identifier: client.identifier) == asking)
  }
}
