import Synchronization

/// The change requests that one block makes. A collector exists only while its change block runs.
final class ChangeCollector: @unchecked Sendable {
  // The state is guarded by a lock.

  @TaskLocal static var current: ChangeCollector?

  private let state = Mutex(State())

  private struct State: @unchecked Sendable {
    // Requests are made on the thread of their block, and read there after the block has returned.
    var requests: [PHChangeRequest] = []
    var isClosed = false
  }

  /// Adds a request. Returns false once the block has returned: a task that the block started can't
  /// add requests any more.
  func add(_ request: PHChangeRequest) -> Bool {
    let request = SendableRequest(request: request)
    return state.withLock { state in
      if !state.isClosed { state.requests.append(request.request) }
      return !state.isClosed
    }
  }

  var count: Int { state.withLock { $0.requests.count } }

  /// Returns the request made so far that creates an asset; `nil` if there is none.
  func creation(ofAsset localIdentifier: String) -> PHAssetCreationRequest? {
    state.withLock { state in
      let request = state.requests.lazy.compactMap { $0 as? PHAssetCreationRequest }
        .first { PHAsset.localIdentifier(uuid: $0.uuid) == localIdentifier }
      return request.map { SendableCreation(request: $0) }
    }?.request
  }

  private struct SendableCreation: @unchecked Sendable {
    // See `State`.
    let request: PHAssetCreationRequest
  }

  /// Runs a block and returns the requests that it makes.
  static func requests(of block: () -> Void) -> [PHChangeRequest] {
    let collector = ChangeCollector()
    $current.withValue(collector) { block() }
    return collector.close().requests
  }

  private func close() -> State {
    state.withLock { state in
      state.isClosed = true
      return state
    }
  }

  private struct SendableRequest: @unchecked Sendable {
    // See `State`.
    let request: PHChangeRequest
  }
}
