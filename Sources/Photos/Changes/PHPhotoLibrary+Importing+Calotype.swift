import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// Returns the result that a creation request for these files with `joinsExistingAsset` would
  /// have. Nothing is changed.
  ///
  /// A file is hashed only if the library has an original of its size. `edit` contains the files of
  /// an edit. It is left out if the asset has another edit, or had this one and it was reverted,
  /// unless `restoresRevertedEdit` is set. `replaced` contains the files of which the library's own
  /// copies are damaged or missing.
  public func outcome(
    ofImporting files: [(url: URL, inspection: FileInspection)], edit: [URL] = [], restoresRevertedEdit: Bool = false
  ) throws -> (
    outcome: PHAssetCreationRequest.Outcome, leftOutEdit: PHAssetCreationRequest.LeftOutEdit?, replaced: [URL]
  ) {
    return try withPhotosErrors {
      // As in a creation, a client that does not see the whole library must not learn what it
      // contains.
      guard try access().seesEverything else { return (.created, nil, []) }
      let urls = files.map(\.url) + edit
      let hashes = try urls.map { try store.hashIfKnownSize(.file(FilePath($0))) }
      let candidate = CreationCandidate(
        files: zip(files, hashes).map { file, sha256 in
          CreationCandidate.File(part: AssetPart(file.inspection), sha256: sha256)
        }, contentIdentifier: files.lazy.compactMap(\.inspection.contentIdentifier).first,
        shotKey: files.first?.inspection.shotKey,
        edit: edit.isEmpty
          ? nil
          : CreationCandidate.Edit(hashes: Array(hashes.dropFirst(files.count))) { reverted in
            try edit.contains { reverted.contains(try FileInspection.sha256(of: $0)) }
          }, restoresRevertedEdit: restoresRevertedEdit, concealsHidden: try concealsHidden())
      let decision = try store.inspect { try CreationDecision(candidate, in: $0) }
      let replaced = try zip(urls, hashes).filter { url, sha256 in
        try sha256.map { try store.wouldReplace(.file(FilePath(url)), sha256: $0) } ?? false
      }
      return (decision.outcome, decision.leftOutEdit, replaced.map(\.0))
    }
  }
}

extension PHPhotoLibrary {
  /// Returns whether an asset has the still and the movie of the Live Photo with this identifier.
  /// Returns `false` for a client that does not see the whole library.
  package func hasLivePhoto(contentIdentifier: String) throws -> Bool {
    try withPhotosErrors {
      guard try access().seesEverything else { return false }
      return try store.inspect { records in
        try records.assets(contentIdentifier: contentIdentifier).contains { asset in
          let parts = Set(AssetFiles(try records.resources(of: asset)).originals.map { AssetPart($0) })
          return parts.count > 1 && parts.contains(.movie)
        }
      }
    }
  }

  /// Returns those of these sizes for which `wasDeleted` may be true, in one read of the library.
  package func sizesOfDeletedFiles(among byteCounts: Set<Int>) throws -> Set<Int> {
    try withPhotosErrors {
      guard try access().seesEverything else { return [] }
      return try engine.available().sizesOfDeletedOriginals(among: byteCounts)
    }
  }

  /// Returns the identifier of an asset that has a whole original with the same bytes and is not
  /// deleted. Returns `nil` if there is none, or if the client does not see the whole library. The
  /// render of an edit does not count, since it is removed with the edit.
  package func asset(withBytesOfFileAt url: URL) throws -> String? {
    try withPhotosErrors {
      guard let sha256 = try engine.available().hashIfKnownSize(.file(FilePath(url))) else { return nil }
      guard let uuid = try assets(withFiles: [sha256]).first.flatMap(\.self) else { return nil }
      let isOriginal = try store.inspect { records in
        let files = try records.asset(uuid: uuid).map { AssetFiles(try records.resources(of: $0)).originals }
        return files?.contains { $0.sha256 == sha256 } ?? false
      }
      return isOriginal ? PHAsset.localIdentifier(uuid: uuid) : nil
    }
  }

  /// Returns whether a file has the bytes of an original that was deleted, which is in Recently
  /// Deleted or permanently deleted.
  ///
  /// An importer leaves such files out. A program can still add one: that makes an asset, and the
  /// library forgets the deletion. Returns `false` for a client that does not see the whole
  /// library, and if only concealed assets had the bytes.
  package func wasDeleted(_ file: URL) throws -> Bool {
    try withPhotosErrors {
      guard try access().seesEverything else { return false }
      return try engine.available().isDeleted(.file(FilePath(file)), concealsHidden: concealsHidden())
    }
  }
}

extension FileInspection {
  /// Returns the SHA-256 of a file's bytes.
  public static func sha256(of url: URL) throws -> Data {
    try withPhotosErrors { try ByteSource.file(FilePath(url)).sha256() }
  }
}
