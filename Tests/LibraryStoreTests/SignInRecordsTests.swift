import Foundation
import Testing

@testable import LibraryStore

@Suite struct SignInRecordsTests {
  let folder: TemporaryFolder
  let store: LibraryStore
  let owner: PersonRecord
  let now = Date(timeIntervalSince1970: 1_000_000)

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    owner = try store.signIn.owner()
  }

  private func session(_ id: String, _ byte: UInt8, seen: TimeInterval = 0) -> BrowserSessionRecord {
    var session = BrowserSessionRecord(
      id: id, tokenHash: hash(byte), person: owner.id, kind: .ownBrowser, date: now, address: "127.0.0.1",
      device: "Firefox on Linux")
    session.seenDate = now + seen
    return session
  }

  private func hash(_ byte: UInt8) -> Data { Data(repeating: byte, count: 32) }

  @Test func `a library has one owner, without a password`() throws {
    #expect(owner.isOwner)
    #expect(owner.passwordHash == nil)
    #expect(throws: StoreError.self) {
      try store.signInDatabase.write { try $0.execute("INSERT INTO person (name) VALUES ('x')") }
    }
  }

  @Test func `a person besides the owner sees what a client sees`() throws {
    try store.signInDatabase.write {
      try $0.execute("INSERT INTO person (name, client_identifier) VALUES ('Ann', 'person:ann')")
    }
    let ann = try #require(try store.signIn.person(owner.id + 1))
    #expect(ann.name == "Ann" && !ann.isOwner)
    #expect(try store.signIn.owner().id == owner.id)
  }

  @Test func `a session of a person besides the owner is refused`() throws {
    try store.signInDatabase.write {
      try $0.execute("INSERT INTO person (name, client_identifier) VALUES ('Ann', 'person:ann')")
    }
    var anns = session("1", 1)
    anns.person = owner.id + 1
    try store.signIn.insert(anns)
    #expect(try store.signIn.session(tokenHash: hash(1)) == nil)
    #expect(try store.signIn.session("1") == nil)
  }

  @Test func `a session is found by its token, and ends once`() throws {
    let first = session("1", 1, seen: 1)
    let second = session("2", 2, seen: 2)
    for session in [first, second] { try store.signIn.insert(session) }
    #expect(try store.signIn.session(tokenHash: hash(1)) == first)
    #expect(try store.signIn.session(tokenHash: hash(3)) == nil)
    #expect(try store.signIn.sessions(of: owner.id) == [second, first])
    #expect(try !store.signIn.deleteSession("1", of: owner.id + 1))
    #expect(try store.signIn.deleteSession("1", of: owner.id))
    #expect(try !store.signIn.deleteSession("1", of: owner.id))
    #expect(try store.signIn.session(tokenHash: hash(1)) == nil)
  }

  @Test func `all sessions but one end`() throws {
    for number in UInt8(1)...3 { try store.signIn.insert(session("\(number)", number)) }
    try store.signIn.deleteSessions(of: owner.id, except: "2")
    #expect(try store.signIn.sessions(of: owner.id).map(\.id) == ["2"])
  }

  @Test func `signing in leaves no trace in the history`() throws {
    let before = try store.latestTransaction()
    try store.signIn.insert(session("1", 1))
    try store.signIn.setSeen(now + 5, from: "::1", session: "1")
    #expect(try store.latestTransaction() == before)
    let seen = try #require(try store.signIn.session(tokenHash: hash(1)))
    #expect(seen.seenDate == now + 5 && seen.address == "::1")
  }

  @Test func `a code is used once, before it expires, for its purpose`() throws {
    try store.signIn.addCode(hash(1), for: .ownerLink, expiringAt: now + 900, now: now)
    try store.signIn.addCode(hash(2), for: .ownerLink, expiringAt: now + 900, now: now)
    #expect(try !store.signIn.useCode(hash(1), for: .setUp, now: now))
    #expect(try !store.signIn.useCode(hash(1), for: .ownerLink, now: now + 900))
    #expect(try store.signIn.useCode(hash(1), for: .ownerLink, now: now + 899))
    #expect(try !store.signIn.useCode(hash(1), for: .ownerLink, now: now + 899))
    #expect(try store.signIn.hasCode(hash(2), for: .ownerLink, now: now))
  }

  @Test func `a new set-up code replaces the one before`() throws {
    try store.signIn.addCode(hash(1), for: .setUp, expiringAt: .distantFuture, now: now)
    try store.signIn.addCode(hash(2), for: .setUp, expiringAt: .distantFuture, now: now)
    #expect(try !store.signIn.hasCode(hash(1), for: .setUp, now: now))
    #expect(try store.signIn.useCode(hash(2), for: .setUp, now: now))
  }

  @Test func `a session gets another token under its name, once`() throws {
    try store.signIn.insert(session("1", 1))
    #expect(try store.signIn.replaceSession(ofTokenHash: hash(1), with: session("1", 2, seen: 3)))
    #expect(try store.signIn.session("1") == session("1", 2, seen: 3))
    #expect(try store.signIn.session(tokenHash: hash(1)) == nil)
    #expect(try !store.signIn.replaceSession(ofTokenHash: hash(1), with: session("1", 4)))
    #expect(try store.signIn.session("2") == nil)
  }

  @Test func `a password that was replaced meanwhile is not replaced again`() throws {
    #expect(try store.signIn.setPasswordHash("first", of: owner.id, replacing: nil))
    #expect(try !store.signIn.setPasswordHash("second", of: owner.id, replacing: nil))
    #expect(try store.signIn.setPasswordHash("third", of: owner.id, replacing: "first"))
    #expect(try !store.signIn.setPasswordHash(nil, of: owner.id, replacing: "first"))
    #expect(try store.signIn.owner().passwordHash == "third")
  }

  @Test func `a reset removes the password, the sessions and the links, and forgets known browsers`() throws {
    #expect(try store.signIn.setPasswordHash("hash", of: owner.id, replacing: nil))
    try store.signIn.addCode(hash(1), for: .ownerLink, expiringAt: now + 900, now: now)
    #expect(try store.signIn.owner().passwordHash == "hash")
    try store.signIn.insert(session("1", 1))
    #expect(try store.signIn.deviceKey(orElse: hash(7)) == hash(7))
    #expect(try store.signIn.deviceKey(orElse: hash(8)) == hash(7))
    try store.signIn.resetPassword(of: owner.id)
    #expect(try store.signIn.owner().passwordHash == nil)
    #expect(try store.signIn.sessions(of: owner.id) == [])
    #expect(try !store.signIn.hasCode(hash(1), for: .ownerLink, now: now))
    #expect(try store.signIn.deviceKey() == nil)
    #expect(try store.signIn.deviceKey(orElse: hash(8)) == hash(8))
  }

  @Test func `an origin is listed once, and has no salt until it is forgotten`() throws {
    for _ in 0..<2 { try store.signIn.addPickerOrigin("https://b.example", hash(2)) }
    try store.signIn.addPickerOrigin("https://a.example", hash(1))
    #expect(try store.signIn.pickerOrigins() == ["https://a.example", "https://b.example"])
    #expect(try store.signIn.identifierSalt(ofOrigin: hash(1)) == nil)
  }

  @Test func `a forgotten origin keeps its salt and no name, also if it was not listed`() throws {
    try store.signIn.addPickerOrigin("https://a.example", hash(1))
    for origin: UInt8 in [1, 2] { try store.signIn.forgetPickerOrigin(hash(origin), salt: hash(origin + 6)) }
    #expect(try store.signIn.pickerOrigins() == [])
    let names: [String] = try store.signInDatabase.read { db in
      try db.values("SELECT origin FROM picker_origin WHERE origin IS NOT NULL")
    }
    #expect(names == [])
    try store.signIn.addPickerOrigin("https://a.example", hash(1))
    #expect(try store.signIn.pickerOrigins() == ["https://a.example"])
    #expect(try store.signIn.identifierSalt(ofOrigin: hash(1)) == hash(7))
    #expect(try store.signIn.identifierSalt(ofOrigin: hash(2)) == hash(8))
  }

  @Test func `failures are counted by address, and the oldest are forgotten`() throws {
    for second in 0..<3 { try store.signIn.noteFailure(from: "203.0.113.9", at: now + Double(second)) }
    try store.signIn.noteFailure(from: "::1", at: now + 9)
    let found = try store.signIn.failures(since: now + 1)
    #expect(found.map(\.address) == ["::1", "203.0.113.9"])
    #expect(found.map(\.count) == [1, 2])
    #expect(found.map(\.latestDate) == [now + 9, now + 2])
    for _ in 0..<SignInRecords.failureLimit { try store.signIn.noteFailure(from: "::2", at: now) }
    #expect(try store.signIn.failures(since: .distantPast).map(\.address) == ["::2"])
  }
}
