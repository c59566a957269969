import Foundation
internal import Imaging
internal import LibraryStore

extension PHImageManager {
  /// Returns the picture of an asset in one of the sizes that the library stores. A missing picture
  /// is made and stored.
  ///
  /// If the asset can't be read, returns a picture that says so. Its file is tried again once a
  /// day, and after an update of Calotype. Throws if only `full` can't be made. Throws
  /// `CancellationError` if the task is canceled. Work that has not begun is dropped once no task
  /// waits for it.
  public func rendition(_ kind: AssetRendition.Kind, for asset: PHAsset) async throws -> AssetRendition {
    let pictures = asset.pictures
    if let known = try await WorkQueue.requests.value({ try Self.knownRendition(kind, of: asset) }) { return known }
    do {
      return try await pipeline.renditions.value(for: .init(asset: pictures.key, kind: kind)) {
        switch kind {
        case .grid: AssetRendition(try pictures.makeRendition(.grid))
        case .screen: AssetRendition(try pictures.makeRendition(.screen))
        case .full: try pictures.makeFullRendition()
        }
      }
    } catch let error as PHPhotosError where error.code == .invalidResource {
      return try await WorkQueue.requests.value {
        if kind == .full, pictures.storedRendition(.screen) != nil { throw error }
        let name = (try? pictures.files())?.current?.originalFilename
        return .unreadable(reason: error.reason(ofFileNamed: name ?? ""))
      }
    }
  }

  /// Returns the rendition that is stored, or the reason for which there is none. `nil` if it is to
  /// be made.
  private static func knownRendition(_ kind: AssetRendition.Kind, of asset: PHAsset) throws -> AssetRendition? {
    let pictures = asset.pictures
    try pictures.checkAccess()
    if asset.isUnreadable, !pictures.isDueForAnotherAttempt {
      return .unreadable(reason: try asset.details()?.unreadableReason)
    }
    return kind == .full ? nil : pictures.storedRendition(kind == .grid ? .grid : .screen).map(AssetRendition.init)
  }

  /// Returns tiny pictures of assets, by local identifier; assets without one are left out. A
  /// picture has a byte of width, a byte of height (each 1 to 6), then width × height × RGB.
  package func placeholders(for assets: [PHAsset]) throws -> [String: Data] {
    guard let library = assets.first?.photoLibrary else { return [:] }
    let versions = Dictionary(assets.map { ($0.uuid, $0.renditionVersion) }, uniquingKeysWith: { first, _ in first })
    return try withPhotosErrors {
      let found = try library.store(reading: assets.map(\.rowID)).renditions.placeholders(for: versions)
      // A damaged database may contain anything.
      let whole = found.filter { PixelBuffer.isPlaceholder($0.value) }
      return Dictionary(uniqueKeysWithValues: whole.map { (PHAsset.localIdentifier(uuid: $0.key), $0.value) })
    }
  }

  /// The number of images that were made without a subscriber during the last 100 ms of the work.
  /// The benchmark of scrolling reports it.
  package static var lateImageCount: Int { ImagePipeline.shared.images.unwanted }
}
