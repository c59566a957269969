/// The change requests that one block makes; there is one while a change block runs, and none else.
final class ChangeCollector: @unchecked Sendable {
  // Made, filled and read on the library's change queue alone.

  @TaskLocal static var current: ChangeCollector?

  private(set) var requests: [PHChangeRequest] = []

  func add(_ request: PHChangeRequest) { requests.append(request) }

  /// The requests that `block` makes.
  static func requests(of block: () -> Void) -> [PHChangeRequest] {
    let collector = ChangeCollector()
    $current.withValue(collector) { block() }
    return collector.requests
  }
}
