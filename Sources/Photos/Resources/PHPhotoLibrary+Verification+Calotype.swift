import Foundation
internal import LibraryStore
import Synchronization

extension PHPhotoLibrary {
  /// A fault that was found in a library. The description is a sentence that names the file.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable { case database, missing, unreadable, changed, stray, emptyAsset }
    public var kind: Kind
    /// The path relative to the library's folder; `nil` if the fault concerns no file.
    public var path: String?
    public var description: String
  }

  /// The progress of a long piece of work.
  public struct WorkProgress: Sendable {
    public var files: Int
    public var totalFiles: Int
    public var bytes: Int
    public var totalBytes: Int
  }

  /// Checks the database's integrity, every original against its SHA-256, and that every file
  /// belongs to an asset.
  ///
  /// The handlers are called on several threads, one call at a time. The library records which
  /// files are damaged, so that an import of the same file replaces its copy. It also records which
  /// photos in them can't be shown whole. Damaged files in `renditions/` are removed, and made
  /// again when they are needed. Nothing else is changed. A finding can be about any file,
  /// so a client that does not see the whole library gets an error.
  public func verify(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progressHandler: @escaping @Sendable (WorkProgress) -> Void = { _ in },
    findingHandler: @escaping @Sendable (Finding) -> Void
  ) throws {
    try withPhotosErrors {
      guard try access().seesEverything else {
        throw PHPhotosError(.accessUserDenied, "\(clientName) does not see the whole library")
      }
      let changed = Mutex<[String]>([])
      try store.verify(
        isCancelled: isCancelled,
        progress: { done in
          self.asShared {
            progressHandler(
              WorkProgress(
                files: done.files, totalFiles: done.totalFiles, bytes: done.bytes, totalBytes: done.totalBytes))
          }
        },
        found: { finding in
          if case .changed(let path) = finding { changed.withLock { $0.append(path) } }
          self.asShared { findingHandler(Finding(finding)) }
        })
      for path in changed.withLock(\.self) where !isCancelled() { try decodeAgain(assetsWithFileAt: path) }
    }
  }

  /// Records which photos of a changed file can't be shown whole. The stored renditions of the
  /// whole file are kept, since no better ones can be made now.
  private func decodeAgain(assetsWithFileAt path: String) throws {
    for asset in assets(try store.assets(withFileAt: path).map(PHAsset.localIdentifier(uuid:))) {
      guard let shown = try asset.pictures.files().current, shown.path == path else { continue }
      // An error needs no report: the file is already a finding.
      _ = try? asset.pictures.makeSmallRenditions(of: shown)
    }
    AssetPictures.waitForReadabilityWrites()
  }

  /// Makes the grid pictures of all assets with these files again after the damaged files were
  /// replaced. This also records whether the photos are whole now.
  func redraw(assetsWithFiles hashes: Set<Data>) throws {
    let uuids = try store.inspect { try $0.assets(holdingAnyOf: hashes).map(\.uuid) }
    for asset in assets(uuids.map(PHAsset.localIdentifier(uuid:))) { _ = try? asset.pictures.makeRendition(.grid) }
  }

  /// Returns assets, also those in Recently Deleted.
  private func assets(_ identifiers: [String]) -> [PHAsset] {
    let options = PHFetchOptions()
    options.photoLibrary = self
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    return [false, true].flatMap { isOfTrash in
      let found: PHFetchResult<PHAsset> = PHFetchOptions.fetch(options, in: self, .assets, for: .asset) {
        $0.uuids = identifiers.map(PHObject.uuid(localIdentifier:))
        $0.isOfTrash = isOfTrash
      }
      return (0..<found.count).map { found[$0] }
    }
  }
}

extension PHPhotoLibrary.Finding {
  init(_ finding: VerificationFinding) {
    switch finding {
    case .database(let file, let message): self.init(kind: .database, description: "\(file): \(message)")
    case .renditions(let file, let message):
      self.init(
        kind: .database, path: file,
        description: "\(file): \(message); no photo is lost; damaged renditions are made again")
    case .missing(let path):
      self.init(kind: .missing, path: path, description: "\(path): \(StoreError.missingFile)")
    case .cannotRead(let path, let reason):
      self.init(kind: .unreadable, path: path, description: "\(path): can't be read: \(reason)")
    case .changed(let path):
      self.init(
        kind: .changed, path: path,
        description: "\(path): its bytes are not the ones that were imported; \(StoreError.remedy)")
    case .stray(let path): self.init(kind: .stray, path: path, description: "\(path): belongs to no asset")
    case .copy(let path, let original, let uuid):
      self.init(
        kind: .stray, path: path,
        description: "\(path): belongs to no asset; it is a copy of \(original), a file of the asset "
          + "\(PHAsset.localIdentifier(uuid: uuid)), so you may delete it")
    case .emptyAsset(let uuid):
      self.init(kind: .emptyAsset, description: "asset \(uuid) has no resource")
    }
  }
}
