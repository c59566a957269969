import Synchronization

/// Counts the bytes of answers that are in memory: read from a file, or waiting for a client to take them.
///
/// No answer waits for another one: the more is in flight, the smaller are the pieces that files are sent in.
final class BytesInFlight: Sendable {
  private let limit: Int
  private let count = Atomic(0)

  init(limit: Int) { self.limit = limit }

  static let pieceSizes = (16 << 10)...(256 << 10)

  var value: Int { count.load(ordering: .relaxed) }

  /// How much of a file to read next.
  var pieceSize: Int {
    min(max((limit - value) / 8, Self.pieceSizes.lowerBound), Self.pieceSizes.upperBound)
  }

  func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
  func remove(_ bytes: Int) { count.wrappingSubtract(bytes, ordering: .relaxed) }
}
