import Foundation

/// The one that has asked for a picker: a program of the library's user, a program elsewhere, or a
/// page of another origin.
struct PickerAsker: Equatable, Sendable {
  /// The web origin; `nil` for a program.
  var origin: String?
  /// The address; `nil` for a program of the library's user, which has asked at the socket.
  var address: String?

  static let ownUser = PickerAsker()

  var isOwnUser: Bool { address == nil }
  fileprivate var sender: String { isOwnUser ? "" : AccessRequests.sender(origin: origin, address: network ?? "") }
  fileprivate var network: String? { address.map(NetworkAddress.network) }

  /// Returns whether another request can be of the same asker. An address may change.
  fileprivate func isLike(_ other: PickerAsker) -> Bool { origin == other.origin && isOwnUser == other.isOwnUser }
}

/// The pickers that programs, and pages without a window, have asked for: a state machine without a
/// clock.
///
/// A session has a secret, which only its program knows, and a public name, which is in the address
/// of its window. A session of anybody but the library's user has a code too, which the program
/// shows: the person types it, and so knows whose picker it is.
struct PickerSessions {
  enum State: String, Encodable, Sendable {
    /// No window shows the picker yet.
    case waiting
    case open
    case picked
    case cancelled
    case expired

    var isFinal: Bool { self != .waiting && self != .open }
  }

  struct Session: Sendable {
    let id: String
    let request: ReadPickerRequest
    let asker: PickerAsker
    /// The program's name, as it says.
    let clientName: String
    /// The program's process, as it says; `nil` for programs elsewhere, and for pages.
    let process: Int?
    /// Two digits; `nil` if none have to be typed.
    let code: String?
    fileprivate(set) var wrongCodeCount = 0
    /// Whether the person has typed the code.
    fileprivate(set) var isConfirmed: Bool
    fileprivate(set) var state = State.waiting
    /// Grows with each change that the program hears of.
    fileprivate(set) var revision = 1
    /// The selected assets; `nil` before the window has said anything.
    fileprivate(set) var assets: [String]?
    /// The random names that assets have in this session.
    fileprivate(set) var items: [String: String] = [:]
    fileprivate(set) var form: HandedOverForm
    fileprivate(set) var commands: [JSONValue] = []
    /// Whether the program has closed the picker.
    fileprivate(set) var isClosed = false
    fileprivate let secretHash: Data
    fileprivate let date: Date
    /// The time at which the program was last seen.
    fileprivate var programTime: SuspendingClock.Instant
    /// The time at which the window was last seen.
    fileprivate var windowTime: SuspendingClock.Instant
    fileprivate var isWindowHidden = false
    fileprivate var endDate: Date?
  }

  typealias Refusal = SenderAttempts.Refusal

  private var sessions: [Session] = []
  private var attempts = SenderAttempts()
  /// The date since which there is no session.
  private var idleDate: Date

  static let openLimit = 5
  /// The limit for all pickers but those of the library's user.
  static let openLimitOfOthers = 100
  /// The limit for one address. A program there can forge many origins.
  static let openLimitOfAddress = 20
  static let wrongCodeLimit = 5
  /// The time in which a window has to show the picker.
  static let waitLimit: TimeInterval = 900
  /// The time after which a silent window counts as closed. For it and for `programTimeout`, time
  /// in which the machine was suspended does not count, since browsers and programs were too.
  static let windowTimeout = Duration.seconds(3)
  /// The same for a hidden window, whose scripts a browser may stop. On a telephone, a person who
  /// looks at something else comes back to the choice.
  static let hiddenWindowTimeout = Duration.seconds(600)
  static let programTimeout = Duration.seconds(60)
  /// The time in which picked items can be loaded.
  static let lifetime: TimeInterval = 3600
  private static let commandLimit = 10_000

  init(at now: PickerMoment) { idleDate = now.date }

  /// Adds a session. Throws if there were too many of late, or if too many are open.
  mutating func add(
    id: String, secretHash: Data, _ request: ReadPickerRequest, clientName: String, process: Int? = nil,
    asker: PickerAsker = .ownUser, code: String? = nil, at now: PickerMoment
  ) throws(Refusal) {
    update(at: now)
    try attempts.add(asker.sender, address: asker.network, at: now.date)
    let open = sessions.filter { !$0.state.isFinal }
    guard open.count(where: { $0.asker.sender == asker.sender }) < Self.openLimit,
      asker.isOwnUser
        || open.count(where: { !$0.asker.isOwnUser }) < Self.openLimitOfOthers
          && open.count(where: { $0.asker.network == asker.network }) < Self.openLimitOfAddress
    else { throw .tooMany(seconds: Int(Self.programTimeout.components.seconds)) }
    sessions.append(
      Session(
        id: id, request: request, asker: asker, clientName: clientName, process: process, code: code,
        isConfirmed: code == nil, form: request.form, secretHash: secretHash, date: now.date,
        programTime: now.awakeTime,
        windowTime: now.awakeTime))
  }

  // MARK: The program

  /// Returns the session of a secret, and notes that its program is there.
  mutating func session(secretHash: Data, asker: PickerAsker = .ownUser, at now: PickerMoment) -> Session? {
    update(at: now)
    guard let index = sessions.firstIndex(where: { $0.secretHash == secretHash && $0.asker.isLike(asker) }) else {
      return nil
    }
    sessions[index].programTime = now.awakeTime
    return sessions[index]
  }

  /// Returns whether the session with a public name still exists.
  mutating func hasSession(_ id: String, at now: PickerMoment) -> Bool {
    update(at: now)
    return sessions.contains { $0.id == id }
  }

  /// Adds a command for the window. The command `close` ends the picker.
  mutating func command(_ command: JSONValue, isClose: Bool, id: String, at now: PickerMoment) {
    change(id) { session in
      guard !isClose else {
        session.isClosed = true
        // The program got the list of these items, and may load them later.
        if !session.state.isFinal { session.end(.cancelled, session.assets ?? [], at: now) }
        return
      }
      if !session.state.isFinal, session.commands.count < Self.commandLimit { session.commands.append(command) }
    }
  }

  /// The items that were picked for a page, or for a program elsewhere, and that it can load.
  struct Share: Sendable {
    /// The public name of its session.
    var id: String
    var asker: PickerAsker
    var clientName: String
    var count: Int
    /// The date after which the items can't be loaded any more.
    var endDate: Date
  }

  /// Returns the items that pages, and programs elsewhere, can load.
  mutating func shares(at now: PickerMoment) -> [Share] {
    update(at: now)
    return sessions.compactMap { session in
      let count = (session.assets ?? []).count(where: { session.items[$0] != nil })
      guard !session.asker.isOwnUser, count > 0 else { return nil }
      return Share(
        id: session.id, asker: session.asker, clientName: session.clientName, count: count,
        endDate: (session.endDate ?? now.date) + Self.lifetime)
    }
  }

  mutating func remove(_ id: String, at now: PickerMoment) {
    sessions.removeAll { $0.id == id }
    if sessions.isEmpty { idleDate = now.date }
  }

  /// Removes the sessions of a program that has ended.
  mutating func removeAll(ofProcess process: Int, at now: PickerMoment) {
    let count = sessions.count
    sessions.removeAll { $0.process == process }
    if sessions.isEmpty, count > 0 { idleDate = now.date }
  }

  /// Removes matching sessions, except those of programs of the library's user.
  mutating func removeShared(at now: PickerMoment, where isMatch: (Session) -> Bool) {
    guard sessions.contains(where: { !$0.asker.isOwnUser }) else { return }
    sessions.removeAll { !$0.asker.isOwnUser && isMatch($0) }
    if sessions.isEmpty { idleDate = now.date }
  }

  // MARK: The window

  /// Returns the session of a name for its window, and notes that the window is there. `isHidden`
  /// is what the window says of itself, if it does.
  mutating func openWindow(of id: String, isHidden: Bool? = nil, at now: PickerMoment) -> Session? {
    update(at: now)
    change(id) { session in
      session.windowTime = now.awakeTime
      if let isHidden { session.isWindowHidden = isHidden }
      if session.state == .waiting {
        session.state = .open
        session.revision += 1
      }
    }
    return sessions.first { $0.id == id }
  }

  /// Returns whether a code is that of the session; `nil` if the picker has ended. The fifth wrong
  /// one cancels it.
  mutating func confirm(_ id: String, code: String, at now: PickerMoment) -> Bool? {
    update(at: now)
    var isRight: Bool?
    change(id) { session in
      guard session.state == .open else { return }
      if code == session.code {
        isRight = true
        session.isConfirmed = true
        return
      }
      session.wrongCodeCount += 1
      guard session.wrongCodeCount < Self.wrongCodeLimit else {
        return session.end(.cancelled, session.request.preselected, at: now)
      }
      isRight = false
    }
    return isRight
  }

  /// Returns the form in which a program wants items; nil if the picker is forgotten.
  func form(askedForBy id: String) -> HandedOverForm? { sessions.first { $0.id == id }?.request.form }

  /// Takes the selection, and the end, from a window. Returns false if the picker has ended, or if
  /// its code was not typed.
  /// `makeName` makes the random name of an asset.
  mutating func answer(
    _ id: String, _ state: State, assets: [String], form: HandedOverForm, at now: PickerMoment, makeName: () -> String
  ) -> Bool {
    update(at: now)
    var isTaken = false
    change(id) { session in
      guard session.state == .open, session.isConfirmed || state == .cancelled else { return }
      isTaken = true
      session.form = form
      for asset in assets where session.items[asset] == nil { session.items[asset] = makeName() }
      session.end(state, assets, at: now)
    }
    return isTaken
  }

  /// Returns how long there has been no session.
  mutating func idleTime(at now: PickerMoment) -> TimeInterval {
    update(at: now)
    return sessions.isEmpty ? now.date.timeIntervalSince(idleDate) : 0
  }

  private mutating func change(_ id: String, _ body: (inout Session) -> Void) {
    guard let index = sessions.firstIndex(where: { $0.id == id }) else { return }
    body(&sessions[index])
  }

  /// Ends the pickers whose window has gone, and forgets those whose program has.
  private mutating func update(at now: PickerMoment) {
    for index in sessions.indices {
      let session = sessions[index]
      if session.state == .waiting, now.date.timeIntervalSince(session.date) >= Self.waitLimit {
        sessions[index].end(.expired, [], at: now)
      } else if session.state == .open, session.windowTime.duration(to: now.awakeTime) >= session.windowTimeout {
        sessions[index].endWithoutWindow(at: now)
      }
    }
    guard !sessions.isEmpty else { return }
    sessions.removeAll { session in
      if let end = session.endDate { return now.date.timeIntervalSince(end) >= Self.lifetime }
      return session.programTime.duration(to: now.awakeTime) >= Self.programTimeout
    }
    if sessions.isEmpty { idleDate = now.date }
  }
}

extension PickerSessions.Session {
  fileprivate var windowTimeout: Duration {
    isWindowHidden ? PickerSessions.hiddenWindowTimeout : PickerSessions.windowTimeout
  }

  /// Ends a session whose window has gone. If nothing else could end it, the last choice is its
  /// result. Otherwise, it is canceled.
  fileprivate mutating func endWithoutWindow(at now: PickerMoment) {
    guard request.endsWithLastChoice, let assets else { return end(.cancelled, request.preselected, at: now) }
    end(.picked, assets, at: now)
  }

  fileprivate mutating func end(_ state: PickerSessions.State, _ assets: [String], at now: PickerMoment) {
    self.state = state
    self.assets = assets
    revision += 1
    if state.isFinal { endDate = now.date }
  }
}
