import Synchronization

/// The change requests that one block makes; there is one while a change block runs, and none else.
final class ChangeCollector: @unchecked Sendable {
  // What is in it stands behind a lock.

  @TaskLocal static var current: ChangeCollector?

  private let state = Mutex(State())

  private struct State: @unchecked Sendable {
    // Requests are made on the thread of their block and read there once it has returned.
    var requests: [PHChangeRequest] = []
    var isClosed = false
  }

  /// Takes a request; not one that a task which the block has started makes after it has returned.
  func add(_ request: PHChangeRequest) -> Bool {
    let request = Handed(request: request)
    return state.withLock { state in
      if !state.isClosed { state.requests.append(request.request) }
      return !state.isClosed
    }
  }

  /// The request that creates an asset, among those made so far.
  func creation(ofAsset localIdentifier: String) -> PHAssetCreationRequest? {
    state.withLock { state in
      let request = state.requests.lazy.compactMap { $0 as? PHAssetCreationRequest }
        .first { PHAsset.localIdentifier(uuid: $0.uuid) == localIdentifier }
      return request.map { HandedCreation(request: $0) }
    }?.request
  }

  private struct HandedCreation: @unchecked Sendable {
    // As State.
    let request: PHAssetCreationRequest
  }

  /// The requests that `block` makes.
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

  private struct Handed: @unchecked Sendable {
    // As State.
    let request: PHChangeRequest
  }
}
