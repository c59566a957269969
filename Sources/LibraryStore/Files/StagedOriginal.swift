import Foundation
import Synchronization

/// A new original on its way into the library: copied and hashed, but no transaction refers to it
/// yet.
///
/// Releasing it without a commit removes its file.
public final class StagedOriginal: Sendable {
  public let sha256: Data
  public let byteCount: Int
  /// The path at which its bytes can be read until the commit.
  public var path: String { folder.absolute(relativePath) }
  /// Whether the library has these bytes already. Then nothing was copied, and `path` is the
  /// library's file.
  public let isAlreadyStored: Bool
  /// Whether the library's own copy of these bytes is damaged or missing, so that the commit
  /// replaces it.
  public let isReplacement: Bool
  /// Whether the file is in the library already and only lacks a row. Such a file is never removed.
  /// It is moved only if it replaces a damaged or missing copy.
  let isInPlace: Bool
  let relativePath: String
  private let folder: LibraryFolder
  private let synchronization: Synchronization?

  init(
    sha256: Data, byteCount: Int, path: String, in folder: LibraryFolder, isReplacement: Bool = false,
    isInPlace: Bool = false, synchronization: Synchronization?
  ) {
    self.sha256 = sha256
    self.byteCount = byteCount
    self.isReplacement = isReplacement
    self.isInPlace = isInPlace
    relativePath = path
    self.folder = folder
    self.isAlreadyStored = synchronization == nil && !isInPlace
    self.synchronization = synchronization
  }

  deinit { if needsPlace { try? folder.remove(relativePath) } }

  /// Whether the file is in `incoming` and needs its final path.
  var needsPlace: Bool { synchronization != nil }

  /// Waits until the bytes are on the disk.
  func waitUntilDurable() throws(StoreError) { try synchronization?.wait() }

  /// An `fsync` that runs while the picture is decoded.
  final class Synchronization: Sendable {
    /// Serial queues, with threads of their own. The global queues have only as many threads as
    /// there are processors, and Swift's tasks need them.
    private static let queues = (0..<8).map { _ in DispatchQueue(label: "calotype.synchronization") }

    private let group = DispatchGroup()
    private let failure = Mutex<StoreError?>(nil)

    /// Starts the `fsync`, and closes the descriptor at its end.
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
  /// Copies bytes to a file from which a transaction can add them.
  ///
  /// If an original of the same size exists, the source is hashed first, so that known bytes are
  /// not copied again. `allowsLinking` says that nothing writes to the source any more: on the
  /// library's disk it is then linked instead of copied. `isRemovedAfterwards` says that the caller
  /// removes the source afterward. The library's own copy must then be hashed before it counts as
  /// whole. A copy that `verify` found damaged is hashed too.
  ///
  /// `copiesKnownBytes` is for a client that must not learn what the library contains, not even by
  /// the time that this takes: the source is always copied, and the library's own copy is not read.
  /// The commit drops a copy of known bytes.
  public func stage(
    _ source: ByteSource, allowsLinking: Bool = false, isRemovedAfterwards: Bool = false,
    copiesKnownBytes: Bool = false
  ) throws -> StagedOriginal {
    var isReplacement = false
    if !copiesKnownBytes, try hasOriginal(byteCount: source.byteCount()) {
      let sha256 = try source.sha256()
      if let known = try original(sha256: sha256) {
        isReplacement = try !isWhole(
          known.path, sha256, like: source, isHashed: isRemovedAfterwards || known.isDamaged)
        if !isReplacement {
          return StagedOriginal(
            sha256: sha256, byteCount: known.byteCount, path: known.path, in: folder, synchronization: nil)
        }
      }
    }
    let path = try incoming.nextPath()
    let (copied, descriptor) = try linkOrCopy(source, allowsLinking: allowsLinking, as: path)
    source.copyModificationDate(to: descriptor, now: clock())
    if copiesKnownBytes, let known = try original(sha256: copied.sha256) {
      isReplacement = try known.isDamaged || folder.status(known.path).map { Int($0.st_size) } != copied.byteCount
    }
    return StagedOriginal(
      sha256: copied.sha256, byteCount: copied.byteCount, path: path, in: folder, isReplacement: isReplacement,
      synchronization: StagedOriginal.Synchronization(descriptor: descriptor, name: source.name))
  }

  /// Returns whether staging a file with this hash would replace the library's own copy of it.
  public func wouldReplace(_ source: ByteSource, sha256: Data) throws -> Bool {
    guard let known = try original(sha256: sha256) else { return false }
    return try !isWhole(known.path, sha256, like: source, isHashed: known.isDamaged)
  }

  /// Returns whether the library's copy of a file contains the same bytes.
  ///
  /// A copy with the size and the date of the source counts as whole, because the copy took over
  /// that date. Any other copy is hashed. `isHashed` requests a hash in all cases, because a disk
  /// may change bytes without a new date.
  func isWhole(_ path: String, _ sha256: Data, like source: ByteSource, isHashed: Bool) throws -> Bool {
    guard let status = try folder.status(path) else { return false }
    if !isHashed, Int(status.st_size) == (try source.byteCount()),
      source.modificationTime?.tv_sec == status.st_mtim.tv_sec
    {
      return true
    }
    let stored = OpenFile(descriptor: try folder.openOriginal(path), name: absolute(path))
    // A copy that can't be read counts as missing.
    return (try? stored.digest()) == sha256
  }

  /// Links or copies bytes to a path in `incoming`; the caller closes the descriptor.
  private func linkOrCopy(
    _ source: ByteSource, allowsLinking: Bool, as path: String
  ) throws(StoreError) -> (FileOperations.Copied, Int32) {
    var descriptor: Int32 = -1
    do throws(StoreError) {
      if allowsLinking, case .file(let sourcePath) = source, let adopted = try folder.adopt(sourcePath, as: path) {
        descriptor = adopted
        let linked = ByteSource.file(path: absolute(path))
        return (FileOperations.Copied(sha256: try linked.sha256(), byteCount: try linked.byteCount()), descriptor)
      }
      descriptor = try folder.open(path, O_WRONLY | O_CREAT | O_EXCL)
      return (try FileOperations.copy(source, to: descriptor, absolute(path)), descriptor)
    } catch {
      if descriptor >= 0 { close(descriptor) }
      try? folder.remove(path)
      throw error
    }
  }

  func absolute(_ relativePath: String) -> String { folder.absolute(relativePath) }
}
