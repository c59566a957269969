import Foundation
import Photos
import Testing

@testable import PhotosServer

@Suite struct PickerSessionTests {
  private let start = PickerMoment(Date(timeIntervalSince1970: 1_800_000_000))
  private let request: ReadPickerRequest
  private let form = HandedOverForm(representation: .current)

  init() throws {
    request = try ReadPickerRequest(
      .object(["preselected": .array([.string("P/L0/001")]), "identifiers": .bool(true)]))
  }

  private func hash(_ number: Int) -> Data { Data([UInt8(number)]) }

  /// A session that a window shows.
  private func opened(_ request: ReadPickerRequest? = nil) throws -> PickerSessions {
    var sessions = PickerSessions(at: start)
    try sessions.add(id: "1", secretHash: hash(1), request ?? self.request, clientName: "Album", at: start)
    _ = sessions.openWindow(of: "1", at: start)
    return sessions
  }

  @Test func `T-16: the eleventh picker within a minute is refused`() throws {
    var sessions = PickerSessions(at: start)
    for number in 0..<10 {
      try sessions.add(id: "\(number)", secretHash: hash(number), request, clientName: "", at: start + Double(number))
      sessions.remove("\(number)", at: start)
    }
    #expect(throws: PickerSessions.Refusal.tooMany(seconds: 30)) {
      try sessions.add(id: "a", secretHash: hash(10), request, clientName: "", at: start + 30)
    }
    try sessions.add(id: "a", secretHash: hash(10), request, clientName: "", at: start + 60)
  }

  @Test func `T-16: five pickers can be open at once`() throws {
    var sessions = PickerSessions(at: start)
    for number in 0..<5 {
      try sessions.add(id: "\(number)", secretHash: hash(number), request, clientName: "", at: start)
    }
    #expect(throws: PickerSessions.Refusal.self) {
      try sessions.add(id: "5", secretHash: hash(5), request, clientName: "", at: start)
    }
    sessions.remove("0", at: start)
    try sessions.add(id: "5", secretHash: hash(5), request, clientName: "", at: start)
  }

  @Test func `R-30: a window that is silent for three seconds has canceled, and the preselected assets stay`() throws {
    var sessions = try opened()
    #expect(sessions.session(secretHash: hash(1), at: start + 2.9)?.state == .open)
    let found = sessions.session(secretHash: hash(1), at: start + 3)
    let session = try #require(found)
    #expect(session.state == .cancelled)
    #expect(session.assets == ["P"])
  }

  @Test(arguments: [PickerAsker.ownUser, PickerAsker(origin: nil, address: "192.0.2.1")])
  func `R-15: if only the window's end ends a picker, the last choice is the result`(asker: PickerAsker) throws {
    let request = try ReadPickerRequest(
      .object([
        "selection": .string("continuousAndOrdered"), "disabledCapabilities": .array([.string("selectionActions")]),
      ]), of: asker)
    var sessions = try opened(request)
    _ = sessions.answer("1", .open, assets: ["A", "B"], form: form, at: start) { "item" }
    let found = sessions.session(secretHash: hash(1), at: start + 3)
    #expect(found?.state == .picked)
    #expect(found?.assets == ["A", "B"])
  }

  @Test func `R-15: a continuous picker with Cancel is canceled by the window's end`() throws {
    let request = try ReadPickerRequest(
      .object([
        "selection": .string("continuous"), "identifiers": .bool(true), "preselected": .array([.string("P")]),
      ]))
    var sessions = try opened(request)
    _ = sessions.answer("1", .open, assets: ["A"], form: form, at: start) { "item" }
    let found = sessions.session(secretHash: hash(1), at: start + 3)
    #expect(found?.state == .cancelled)
    #expect(found?.assets == ["P"])
  }

  @Test func `R-15: a picker in which nothing was chosen is canceled, even without Cancel`() throws {
    let request = try ReadPickerRequest(
      .object([
        "selection": .string("continuous"), "disabledCapabilities": .array([.string("selectionActions")]),
        "identifiers": .bool(true), "preselected": .array([.string("P")]),
      ]))
    var sessions = try opened(request)
    let found = sessions.session(secretHash: hash(1), at: start + 3)
    #expect(found?.state == .cancelled)
    #expect(found?.assets == ["P"])
  }

  @Test func `the time in which the machine was suspended does not end a picker`() throws {
    var sessions = try opened()
    let waking = PickerMoment(start.date + 30, awakeTime: start.awakeTime + .seconds(2.9))
    #expect(sessions.session(secretHash: hash(1), at: waking)?.state == .open)
  }

  @Test func `a hidden window may be silent for ten minutes, and a visible one again for three seconds`() throws {
    var sessions = try opened()
    func state(at moment: PickerMoment) -> PickerSessions.State? {
      sessions.session(secretHash: hash(1), at: moment)?.state
    }
    _ = sessions.openWindow(of: "1", isHidden: true, at: start)
    for second in stride(from: 30.0, to: 600, by: 30) { #expect(state(at: start + second) == .open) }
    // A request that says nothing of it changes nothing.
    _ = sessions.openWindow(of: "1", at: start + 599)
    #expect(state(at: start + 620) == .open)
    _ = sessions.openWindow(of: "1", isHidden: false, at: start + 621)
    #expect(state(at: start + 624) == .cancelled)
  }

  @Test func `a hidden window that is silent for ten minutes has canceled`() throws {
    var sessions = try opened()
    _ = sessions.openWindow(of: "1", isHidden: true, at: start)
    for second in stride(from: 30.0, to: 600, by: 30) { _ = sessions.session(secretHash: hash(1), at: start + second) }
    #expect(sessions.session(secretHash: hash(1), at: start + 600)?.state == .cancelled)
  }

  @Test func `a picker that no window shows expires after fifteen minutes`() throws {
    var sessions = PickerSessions(at: start)
    try sessions.add(id: "1", secretHash: hash(1), request, clientName: "", at: start)
    for minute in 0..<30 {
      #expect(sessions.session(secretHash: hash(1), at: start + Double(minute * 30))?.state == .waiting)
    }
    #expect(sessions.session(secretHash: hash(1), at: start + 900)?.state == .expired)
  }

  @Test func `a picker is forgotten a minute after its program, and what was picked after an hour`() throws {
    var sessions = try opened()
    #expect(sessions.session(secretHash: hash(1), at: start) != nil)
    for second in 1...60 { _ = sessions.openWindow(of: "1", at: start + Double(second)) }
    #expect(sessions.session(secretHash: hash(1), at: start + 60) == nil)
    sessions = try opened()
    let isTaken = sessions.answer("1", .picked, assets: ["A"], form: form, at: start) { "item" }
    #expect(isTaken)
    #expect(sessions.session(secretHash: hash(1), at: start + 3599)?.assets == ["A"])
    #expect(sessions.session(secretHash: hash(1), at: start + 3600) == nil)
    #expect(sessions.idleTime(at: start + 3660) == 60)
  }

  @Test func `picked items are forgotten with their program, and those of others are not`() throws {
    var sessions = PickerSessions(at: start)
    for (number, process) in [(1, 77), (2, 78), (3, nil)] as [(Int, Int?)] {
      try sessions.add(
        id: "\(number)", secretHash: hash(number), request, clientName: "", process: process, at: start)
      _ = sessions.openWindow(of: "\(number)", at: start)
      _ = sessions.answer("\(number)", .picked, assets: ["A"], form: form, at: start) { "item" }
    }
    sessions.removeAll(ofProcess: 77, at: start + 10)
    #expect((1...3).map { sessions.session(secretHash: hash($0), at: start + 10) != nil } == [false, true, true])
    sessions.removeAll(ofProcess: 78, at: start + 20)
    sessions.remove("3", at: start + 30)
    sessions.removeAll(ofProcess: 78, at: start + 40)
    #expect(sessions.idleTime(at: start + 50) == 20)
  }

  @Test func `items of a continuous selection can be loaded after the program closes the picker`() throws {
    var sessions = try opened()
    _ = sessions.answer("1", .open, assets: ["A"], form: form, at: start) { "item" }
    sessions.command(.object([:]), isClose: true, id: "1", at: start)
    let session = sessions.session(secretHash: hash(1), at: start + 3599)
    #expect(session?.state == .cancelled)
    #expect(session?.assets == ["A"])
  }

  @Test func `a picker takes no answer after its last one`() throws {
    var sessions = try opened()
    _ = sessions.answer("1", .open, assets: ["A"], form: form, at: start) { "item" }
    _ = sessions.answer("1", .cancelled, assets: [], form: form, at: start) { "item" }
    let isTaken = sessions.answer("1", .picked, assets: ["B"], form: form, at: start) { "item" }
    #expect(!isTaken)
    #expect(sessions.session(secretHash: hash(1), at: start)?.state == .cancelled)
  }
}
