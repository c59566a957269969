import Foundation
import Synchronization

/// A new original on its way into the library: copied, hashed, not yet named by a transaction.
///
/// Dropping it without committing removes its file.
public final class StagedOriginal: Sendable {
  public let sha256: Data
  public let byteCount: Int
  /// Where its bytes can be read until the commit.
  public let path: String
  /// The library has these bytes already; `path` is then theirs, and nothing was copied.
  public let isAlreadyStored: Bool
  private let synchronization: Synchronization?

  init(sha256: Data, byteCount: Int, path: String, synchronization: Synchronization?) {
    self.sha256 = sha256
    self.byteCount = byteCount
    self.path = path
    self.isAlreadyStored = synchronization == nil
    self.synchronization = synchronization
  }

  deinit { if !isAlreadyStored { unlink(path) } }

  /// Returns when the bytes are on the disk.
  func waitUntilDurable() throws(StoreError) { try synchronization?.wait() }

  /// An `fsync` that goes on while the picture is decoded.
  final class Synchronization: Sendable {
    /// Serial ones, with threads of their own: the global queues have as many as there are processors, and Swift's tasks need them.
    private static let queues = (0..<8).map { _ in DispatchQueue(label: "calotype.synchronization") }

    private let group = DispatchGroup()
    private let failure = Mutex<StoreError?>(nil)

    /// Closes the descriptor when it is done.
    init(descriptor: Int32, name: String) {
      Self.queues[Int(descriptor) % Self.queues.count].async(group: group) { [self] in
        if fsync(descriptor) != 0 {
          let error = FileOperations.error(errno, name)
          failure.withLock { $0 = error }
        }
        close(descriptor)
      }
    }

    func wait() throws(StoreError) {
      group.wait()
      if let error = failure.withLock({ $0 }) { throw error }
    }
  }
}

extension LibraryStore {
  /// Copies bytes to where a transaction can take them from.
  ///
  /// Where an original of the same size exists the source is hashed first, so that known bytes are not copied again. A file that is given
  /// away – nobody writes to it any more – needs no copy where it lies on the library's disk.
  public func stage(_ source: ByteSource, isGivenAway: Bool = false) throws -> StagedOriginal {
    if try hasOriginal(byteCount: source.byteCount()) {
      let sha256 = try source.sha256()
      if let known = try original(sha256: sha256), access(absolute(known.path), R_OK) == 0 {
        return StagedOriginal(
          sha256: sha256, byteCount: known.byteCount, path: absolute(known.path), synchronization: nil)
      }
    }
    let path = try incoming.nextPath()
    let adopted = isGivenAway ? try FileOperations.adopt(source, to: path) : nil
    let copied = try adopted ?? FileOperations.copy(source, to: path)
    source.copyModificationDate(to: copied.descriptor)
    return StagedOriginal(
      sha256: copied.sha256, byteCount: copied.byteCount, path: path,
      synchronization: StagedOriginal.Synchronization(descriptor: copied.descriptor, name: source.name))
  }

  func absolute(_ relativePath: String) -> String { "\(path)/\(relativePath)" }
}
