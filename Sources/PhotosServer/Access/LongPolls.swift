import Synchronization

/// The requests that wait for an answer of the owner.
///
/// A connection with such a request has no deadline and is never idle, so strangers with many of
/// them could keep the owner out. Only one request waits for each answer, and a few for each
/// sender. A newer one ends the oldest, which is answered that nothing has happened yet.
final class LongPolls: Sendable {
  private struct Poll {
    var place: Int
    var topic: String
    var sender: String
  }

  private struct State {
    var polls: [Poll] = []
    var lastPlace = 0
  }

  private let limit: Int
  private let limitOfSender: Int
  private let state = Mutex(State())

  init(limit: Int, limitOfSender: Int) {
    self.limit = limit
    self.limitOfSender = limitOfSender
  }

  /// Takes a place for a request that waits for the answer to a topic.
  func begin(_ topic: String, by sender: String) -> Int {
    state.withLock { state in
      state.polls.removeAll { $0.topic == topic }
      if state.polls.count(where: { $0.sender == sender }) >= limitOfSender,
        let oldest = state.polls.firstIndex(where: { $0.sender == sender })
      {
        state.polls.remove(at: oldest)
      }
      if state.polls.count >= limit { state.polls.removeFirst() }
      state.lastPlace += 1
      state.polls.append(Poll(place: state.lastPlace, topic: topic, sender: sender))
      return state.lastPlace
    }
  }

  /// Returns whether a request still has its place.
  func goesOn(_ place: Int) -> Bool { state.withLock { $0.polls.contains { $0.place == place } } }

  /// The number of requests that wait.
  var count: Int { state.withLock(\.polls.count) }

  func end(_ place: Int) { state.withLock { $0.polls.removeAll { $0.place == place } } }
}
