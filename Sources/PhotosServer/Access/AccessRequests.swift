import Foundation
import Photos

/// The requests for access that clients have made over HTTP: a state machine without a clock.
///
/// A request waits for the owner as long as its client asks for the answer. The client fetches the
/// answer, and a token, with the secret of the request.
struct AccessRequests {
  /// A client's wish for access.
  struct Wish: Sendable {
    /// The client, as it names itself.
    var client: LibraryClient
    /// Whether the sender has proved to be this client: by its origin, or by its token.
    var isProven: Bool
    /// The web origin that asks; `nil` for a program.
    var origin: String?
    /// The network of the sender.
    var address: String
    var level: PHAccessLevel
    var usageDescription: String
  }

  /// A wish that was counted and waits for its answer. It has the wish's properties too.
  @dynamicMemberLookup
  struct Request: Sendable {
    var id: String
    var secretHash: Data
    var wish: Wish
    /// Two digits, which the client shows too. No two requests that wait have the same.
    var code = ""
    var date: Date

    /// The one whose requests are limited together.
    var sender: String { AccessRequests.sender(origin: wish.origin, address: wish.address) }

    subscript<Value>(dynamicMember property: KeyPath<Wish, Value>) -> Value { wish[keyPath: property] }
  }

  /// Returns the name by which requests are counted. It contains the address, because a program can
  /// forge an origin, and would use up the requests of the real page.
  static func sender(origin: String?, address: String) -> String { "\(origin ?? "a program") at \(address)" }

  enum State: Sendable {
    case waiting
    /// The owner has answered, and the answer is being recorded.
    case deciding
    /// `tokenFor` is the client that gets a token, until it was given.
    case answered(PHAuthorizationStatus, tokenFor: RecordedClient?)
  }

  typealias Refusal = SenderAttempts.Refusal

  private struct Entry {
    var request: Request
    var state: State
    /// The date at which the client asked for the answer last.
    var pollDate: Date

    var isOpen: Bool { if case .answered = state { false } else { true } }
  }

  private var entries: [Entry] = []
  private var attempts = SenderAttempts()

  /// The time after which a request is dropped if its client does not ask for the answer.
  static let pollTimeout: TimeInterval = 120
  /// There are as many codes.
  static let openLimit = codes.count
  static let openLimitOfAddress = 20
  private static let codes = (0...99).map { $0 < 10 ? "0\($0)" : "\($0)" }

  /// Counts an attempt of a sender. Throws if there are too many of it, or of its address.
  mutating func attempt(origin: String?, address: String, at now: Date) throws(Refusal) {
    try attempts.add(Self.sender(origin: origin, address: address), address: address, at: now)
  }

  /// Adds a request, and returns its code: one that no open request has, by a random number.
  /// Throws if the sender has a request that waits, or if too many others do.
  mutating func add(
    _ request: Request, _ state: State = .waiting, codeNumber: Int
  ) throws(Refusal) -> String {
    removeAbandoned(at: request.date)
    let open = entries.filter(\.isOpen)
    if case .waiting = state {
      if let own = open.first(where: { $0.request.sender == request.sender }) {
        throw .tooMany(seconds: SenderAttempts.seconds(until: own.pollDate + Self.pollTimeout, request.date))
      }
      let ofAddress = open.count(where: { $0.request.address == request.address })
      guard open.count < Self.openLimit, ofAddress < Self.openLimitOfAddress else {
        throw .tooMany(seconds: Int(Self.pollTimeout))
      }
    }
    let taken = Set(open.map(\.request.code))
    let free = Self.codes.filter { !taken.contains($0) }
    // A request that is answered already needs no code of its own.
    let choices = free.isEmpty ? Self.codes : free
    var request = request
    request.code = choices[codeNumber % choices.count]
    entries.append(Entry(request: request, state: state, pollDate: request.date))
    return request.code
  }

  /// Returns the requests that wait for the owner, the oldest first.
  mutating func waiting(at now: Date) -> [Request] {
    removeAbandoned(at: now)
    return entries.filter { if case .waiting = $0.state { true } else { false } }.map(\.request)
  }

  /// Returns the state of a request for its client; `nil` if there is no such request.
  mutating func poll(_ id: String, secretHash: Data, origin: String?, at now: Date) -> (Request, State)? {
    removeAbandoned(at: now)
    guard let index = index(of: id), entries[index].request.secretHash == secretHash,
      entries[index].request.origin == origin
    else { return nil }
    entries[index].pollDate = now
    return (entries[index].request, entries[index].state)
  }

  /// Returns a request that the owner answers now; `nil` if there is none. Throws if it was
  /// answered before.
  mutating func beginAnswer(_ id: String) throws -> Request? {
    guard let index = index(of: id) else { return nil }
    guard case .waiting = entries[index].state else {
      throw Failure(.conflict, "the request \(id) was answered before")
    }
    entries[index].state = .deciding
    return entries[index].request
  }

  /// Answers a request that still waits. Returns false if it doesn't.
  mutating func close(_ id: String, _ status: PHAuthorizationStatus) -> Bool {
    guard let index = index(of: id), case .waiting = entries[index].state else { return false }
    entries[index].state = .answered(status, tokenFor: nil)
    return true
  }

  mutating func setState(_ state: State, of id: String) {
    if let index = index(of: id) { entries[index].state = state }
  }

  /// Returns the client that gets a token for a request, once.
  mutating func takeToken(of id: String) -> RecordedClient? {
    guard let index = index(of: id), case .answered(let status, let client?) = entries[index].state else { return nil }
    entries[index].state = .answered(status, tokenFor: nil)
    return client
  }

  mutating func remove(_ id: String) { entries.removeAll { $0.request.id == id } }

  private func index(of id: String) -> Int? { entries.firstIndex { $0.request.id == id } }

  private mutating func removeAbandoned(at now: Date) {
    entries.removeAll { abs(now.timeIntervalSince($0.pollDate)) >= Self.pollTimeout }
  }
}
