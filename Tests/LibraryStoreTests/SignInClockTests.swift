import Foundation
import Testing

@testable import LibraryStore

/// Tests when expired sessions, codes and tokens are removed. Days count from the begin of 2026.
@Suite struct SignInClockTests {
  let folder: TemporaryFolder
  let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  private static let year1971 = -20_000.0
  private static let year2040 = 5_000.0

  private func date(_ day: Double) -> Date { Date(timeIntervalSince1970: 1_767_225_600 + day * 86_400) }

  private func hash(_ day: Double) -> Data { Data("\(day)".utf8) + Data(count: 32 - "\(day)".utf8.count) }

  private func signIn(_ id: String, onDay day: Double, seenOnDay seen: Double? = nil) throws {
    var session = BrowserSessionRecord(
      id: id, tokenHash: Data(id.utf8) + Data(count: 31), person: try store.signIn.owner().id, kind: .ownBrowser,
      date: date(day), address: "127.0.0.1", device: "Firefox on Linux")
    session.seenDate = date(seen ?? day)
    try store.signIn.insert(session)
  }

  private func addCode(onDay day: Double) throws {
    try store.signIn.addCode(hash(day), for: .ownerLink, expiringAt: date(day) + 900, now: date(day))
  }

  private var sessions: [String] {
    get throws { try store.signIn.sessions(of: store.signIn.owner().id).map(\.id).sorted() }
  }

  /// Readings after which an expired session of the first day is still there.
  private static let tooFewReadings: [[Double]] = [
    // It expires after thirty days without use. The reading a day after that removes it.
    [9, 18, 27, 36], [9, 18, 27, 36, 36.5],
    // After a pause, thirty days have to pass.
    [45, 46.5], [45, 54, 63, 72, 76],
    // The clock jumps ahead or back, perhaps for some days.
    [year2040], [year2040, year2040 + 0.1, year2040 + 2, year2040 + 4],
    [9, 18, 27, 29, year2040, year2040 + 2, year2040 + 4], [9, 18, 27, 29, 200, 202, 204],
    [year2040, 1, year2040 + 1, 2, year2040 + 2, 3], [year1971, year1971 + 2, 1, year1971 + 3, 2],
  ]

  @Test(arguments: tooFewReadings)
  func `readings of a wrong clock, or too few, remove no session`(days: [Double]) throws {
    try signIn("A", onDay: 0)
    for day in days { try addCode(onDay: day) }
    #expect(try sessions == ["A"])
  }

  private static let enoughReadings: [[Double]] = [
    [9, 18, 27, 36, 37.5], [45, 54, 63, 72, 76, 77], [year2040, 1, 9, 18, 27, 36, 37.5],
  ]

  @Test(arguments: enoughReadings)
  func `an expired session is removed after thirty days of readings`(days: [Double]) throws {
    try signIn("A", onDay: 0)
    for day in days { try addCode(onDay: day) }
    #expect(try sessions == [])
  }

  @Test func `the use of a session reads the clock`() throws {
    for name in ["A", "B"] { try signIn(name, onDay: 0) }
    for day in [9, 18, 27, 36, 37.5] { try store.signIn.setSeen(date(day), from: "127.0.0.1", session: "B") }
    #expect(try sessions == ["B"])
  }

  @Test func `an old session is removed although it is in use`() throws {
    try signIn("A", onDay: -91, seenOnDay: 36)
    try signIn("B", onDay: 0, seenOnDay: 36)
    for day in [9, 18, 27, 36, 37.5] { try addCode(onDay: day) }
    #expect(try sessions == ["B"])
  }

  @Test func `a session that began in the future is removed in the end`() throws {
    try signIn("A", onDay: Self.year2040)
    for day in [0.0, 9, 18, 27, 36] { try addCode(onDay: day) }
    #expect(try sessions == ["A"])
    try addCode(onDay: 37.5)
    #expect(try sessions == [])
  }

  @Test func `expired codes are removed by the reading after`() throws {
    for day in [0, 9, 18, 27, 36, 37.5] { try addCode(onDay: day) }
    let left: Int? = try store.signInDatabase.read { try $0.value("SELECT COUNT(*) FROM single_use_code") }
    #expect(left == 2)
  }

  @Test func `an expired token is removed by the reading after`() throws {
    let client = try store.commit {
      try $0.save(ClientRecord(identifier: "https://example.com", name: "Example", creationDate: Date()))
    }
    func addToken(_ day: Double) throws {
      try store.clientTokens.insert(
        ClientTokenRecord(
          id: "\(day)", tokenHash: hash(day), client: client.id, start: "cal_abcd", origin: nil,
          creationDate: date(day), expirationDate: date(day) + 86_400))
    }
    for day in [0.0, 9, 18, 27, 36] { try addToken(day) }
    #expect(try store.clientTokens.all().count == 5)
    try addToken(37.5)
    #expect(try store.clientTokens.all().map(\.id) == ["37.5", "36.0"])
  }

  @Test func `a code that was made in the future is refused`() throws {
    let code = hash(Self.year2040)
    try addCode(onDay: Self.year2040)
    for day in [0.0, 400] {
      #expect(try !store.signIn.hasCode(code, for: .ownerLink, now: date(day)))
      #expect(try !store.signIn.hasCode(for: .ownerLink, now: date(day)))
      #expect(try !store.signIn.useCode(code, for: .ownerLink, now: date(day)))
    }
    let earliest = date(Self.year2040) - SignInRecords.clockTolerance
    #expect(try !store.signIn.useCode(code, for: .ownerLink, now: earliest - 1))
    #expect(try store.signIn.useCode(code, for: .ownerLink, now: earliest))
  }
}
