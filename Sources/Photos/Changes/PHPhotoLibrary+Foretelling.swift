import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// Extension: what would become of a creation request for these files with `joinsExistingAsset`; nothing is changed.
  ///
  /// Files are hashed only where the library has an original of their size. `hasEdit`: an edit of them comes along.
  public func outcome(
    ofImporting files: [(url: URL, inspection: PHFileInspection)], hasEdit: Bool = false
  ) throws -> PHAssetCreationRequest.Outcome {
    do {
      // As in the creation: who does not see everything is not told what is there already.
      guard try access().seesEverything else { return .created }
      let candidate = CreationCandidate(
        files: try files.map { file in
          CreationCandidate.File(
            part: AssetPart(file.inspection), sha256: try store.hashIfKnownSize(.file(path: file.url.path)))
        }, contentIdentifier: files.lazy.compactMap(\.inspection.contentIdentifier).first,
        shotKey: files.first?.inspection.shotKey)
      return try store.inspect { transaction in
        switch try candidate.resolve(in: transaction) {
        case .create: .created
        case .join(let asset, _): .joined(localIdentifier: PHAsset.localIdentifier(uuid: asset.uuid))
        case .existing(let asset) where hasEdit && !asset.hasAdjustments:
          .joined(localIdentifier: PHAsset.localIdentifier(uuid: asset.uuid))
        case .existing(let asset): .existing(localIdentifier: PHAsset.localIdentifier(uuid: asset.uuid))
        }
      }
    } catch { throw PHPhotosError(error) }
  }
}

extension PHFileInspection {
  /// SHA-256 of a file's bytes.
  public static func sha256(of url: URL) throws -> Data {
    do { return try ByteSource.file(path: url.path).sha256() } catch { throw PHPhotosError(error) }
  }
}
