import Foundation
import Photos
import Synchronization

// The dry run.

extension FolderImporter {
  func dryRun(_ plan: ImportPlan, _ report: inout ImportReport) throws {
    let files = plan.assets.flatMap(\.files)
    var copies = SourceCopies(files, isCancelled: isCancelled, progress)
    let deletedSizes = try sizesOfDeletedFiles(among: plan.assets)
    var done = ImportProgress(phase: .lookingUp, totalFiles: files.count)
    for planned in plan.assets where !isCancelled() {
      done.files += planned.files.count
      defer { progress(done) }
      guard let asset = try leaveOutDeleted(planned, ofSizes: deletedSizes, &report) else { continue }
      do {
        let known = try asset.files.map { try copies.isInLibrary($0) }
        if known.contains(nil) {
          let (outcome, leftOut, replaced) = try outcome(of: asset)
          for file in asset.files { copies.note(file, isInLibrary: outcome == .alreadyThere) }
          note(asset, outcome, leftOut: leftOut, replaced: replaced, &report)
        } else {
          note(asset, known.contains(false) ? .copy : .alreadyThere, leftOut: nil, &report)
        }
      } catch let error as PHPhotosError where [.missingResource, .invalidResource].contains(error.code) {
        for file in asset.files { fail(file.path, error.localizedDescription, &report) }
      }
    }
  }

  private func outcome(
    of asset: PlannedAsset
  ) throws -> (ImportEvent.Outcome, leftOut: LeftOutFiles?, replaced: [FoundFile]) {
    let files = asset.originals.map { (url: $0.file.path.url, inspection: $0.inspection) }
    let found = try library?.outcome(
      ofImporting: files, edit: asset.edit?.files.map(\.path.url) ?? [], restoresRevertedEdit: bringsBackDeleted)
    let leftOut = LeftOutFiles(asset.edit, found?.leftOutEdit)
    let replaced = asset.files.filter { file in
      leftOut?.files.contains(file) != true && found?.replaced.contains(file.path.url) == true
    }
    return switch found?.outcome {
    case .created, nil: (.added, leftOut, replaced)
    case .joined: (.completed, leftOut, replaced)
    case .existing: (.alreadyThere, leftOut, replaced)
    }
  }
}

/// Finds files of a source with the same bytes as an earlier one. Hashes only files of the same
/// size, beginning and end.
private struct SourceCopies {
  /// The hashes of files that may be copies. A file that can't be read has an error, which its
  /// importer reports.
  private let hashes: [FoundFile.Identity: Result<Data, any Error>]
  /// Whether the library has the bytes of the earlier files.
  private var seen: [Key: Bool] = [:]

  private enum Key: Hashable {
    case hash(Data)
    /// A file that has no copies, except for hard links to itself.
    case identity(FoundFile.Identity)
  }

  /// A key that files of the same bytes share. Other files rarely do, since the metadata of a
  /// camera's files differ. Some programs store them at the end of the file.
  private struct Fingerprint: Hashable {
    var byteCount: Int
    /// A hash instead of the bytes, since there may be a million files. All unreadable files of one
    /// size have the same hash.
    var ends: Int

    private static let endByteCount = 16 << 10

    init(_ file: FoundFile) {
      byteCount = file.byteCount
      var hasher = Hasher()
      let descriptor = open(file.path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      if descriptor >= 0 {
        defer { close(descriptor) }
        withUnsafeTemporaryAllocation(byteCount: Self.endByteCount, alignment: 1) { bytes in
          for offset in [0, max(0, file.byteCount - bytes.count)] {
            let count = pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<max(0, count)]))
          }
        }
      }
      ends = hasher.finalize()
    }
  }

  init(
    _ files: [FoundFile], isCancelled: @Sendable () -> Bool, _ progress: @Sendable (ImportProgress) -> Void
  ) {
    var found: Set<FoundFile.Identity> = []
    let distinct = files.filter { found.insert($0.identity).inserted }
    let ofOneSize = Dictionary(grouping: distinct, by: \.byteCount).values.filter { $0.count > 1 }.flatMap(\.self)
    let fingerprints = Mutex<[Fingerprint: [Int]]>([:])
    DispatchQueue.concurrentPerform(iterations: ofOneSize.count) { index in
      guard !isCancelled() else { return }
      let fingerprint = Fingerprint(ofOneSize[index])
      fingerprints.withLock { $0[fingerprint, default: []].append(index) }
    }
    let alike = fingerprints.withLock { fingerprints in
      fingerprints.values.filter { $0.count > 1 }.flatMap(\.self).sorted()
    }
    let hashes = Mutex<[FoundFile.Identity: Result<Data, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: alike.count) { index in
      guard !isCancelled() else { return }
      let file = ofOneSize[alike[index]]
      let hash = Result { try FileInspection.sha256(of: file.path.url) }
      hashes.withLock { hashes in
        hashes[file.identity] = hash
        progress(ImportProgress(phase: .comparing, files: hashes.count, totalFiles: alike.count))
      }
    }
    self.hashes = hashes.withLock(\.self)
  }

  /// Returns whether the library has the bytes, if an earlier file of this import had them;
  /// otherwise `nil`.
  func isInLibrary(_ file: FoundFile) throws -> Bool? { seen[try key(file)] }

  mutating func note(_ file: FoundFile, isInLibrary: Bool) {
    if let key = try? key(file), seen[key] == nil { seen[key] = isInLibrary }
  }

  private func key(_ file: FoundFile) throws -> Key {
    try hashes[file.identity].map { .hash(try $0.get()) } ?? .identity(file.identity)
  }
}
