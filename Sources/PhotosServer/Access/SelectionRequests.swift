import Foundation
import Photos

/// The requests of limited clients that the owner may change what they see
/// (`presentLimitedLibraryPicker`): a state machine without a clock. A client has one at a time.
struct SelectionRequests {
  struct Request: Sendable {
    var id: String
    var client: LibraryClient
    var date: Date
  }

  private struct Entry {
    var request: Request
    /// The identifiers of the assets that were added; `nil` while the request waits.
    var added: [String]?
    var pollDate: Date
  }

  private var entries: [Entry] = []
  private var attempts = SenderAttempts()

  /// Counts an attempt of a client to ask. Throws if there are too many.
  mutating func attempt(_ client: LibraryClient, at now: Date) throws(SenderAttempts.Refusal) {
    try attempts.add(client.identifier, address: nil, at: now)
  }

  /// Adds a request. Returns its identifier, or that of the one that waits already.
  mutating func add(_ request: Request) -> String {
    removeAbandoned(at: request.date)
    if let waiting = entries.first(where: {
      $0.added == nil && $0.request.client.identifier == request.client.identifier
    }) {
      return waiting.request.id
    }
    entries.append(Entry(request: request, pollDate: request.date))
    return request.id
  }

  /// Returns the requests that wait for the owner, the oldest first.
  mutating func waiting(at now: Date) -> [Request] {
    removeAbandoned(at: now)
    return entries.filter { $0.added == nil }.map(\.request)
  }

  enum State {
    case unknown
    case waiting
    case done(added: [String])
  }

  mutating func poll(_ id: String, of client: LibraryClient, at now: Date) -> State {
    removeAbandoned(at: now)
    guard
      let index = entries.firstIndex(where: {
        $0.request.id == id && $0.request.client.identifier == client.identifier
      })
    else { return .unknown }
    entries[index].pollDate = now
    return entries[index].added.map { .done(added: $0) } ?? .waiting
  }

  /// Answers the requests of a client that wait. Returns whether there was one.
  mutating func finish(ofClient identifier: String, added: [String]) -> Bool {
    let waiting = entries.indices.filter {
      entries[$0].added == nil && entries[$0].request.client.identifier == identifier
    }
    for index in waiting { entries[index].added = added }
    return !waiting.isEmpty
  }

  /// Answers a request that the owner has canceled. Returns false if it doesn't wait.
  mutating func cancel(_ id: String) -> Bool {
    guard let index = entries.firstIndex(where: { $0.request.id == id && $0.added == nil }) else { return false }
    entries[index].added = []
    return true
  }

  private mutating func removeAbandoned(at now: Date) {
    entries.removeAll { abs(now.timeIntervalSince($0.pollDate)) >= AccessRequests.pollTimeout }
  }
}
