import Synchronization

/// Counts the bytes of answers in memory, between reading them from a file and the client's
/// receipt.
///
/// Answers don't wait for each other: the more bytes are in flight, the smaller are the pieces in
/// which files are sent.
final class BytesInFlight: Sendable {
  private let limit: Int
  private let count = Atomic(0)

  init(limit: Int) { self.limit = limit }

  static let pieceSizes = (16 << 10)...(256 << 10)

  var value: Int { count.load(ordering: .relaxed) }

  /// The number of bytes to read next.
  var pieceSize: Int {
    min(max((limit - value) / 8, Self.pieceSizes.lowerBound), Self.pieceSizes.upperBound)
  }

  func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
  func remove(_ bytes: Int) { count.wrappingSubtract(bytes, ordering: .relaxed) }
}
