import Foundation
internal import Imaging
internal import LibraryStore

/// Hands out pictures of assets.
///
///     let picture = try await PHImageManager.default().rendition(.grid, for: asset)
///
/// Any thread may use it. Requests for the same picture share one decode.
public final class PHImageManager: NSObject, Sendable {
  private static let shared = PHImageManager()
  public class func `default`() -> PHImageManager { shared }

  private let renditions = Coalescer<RenditionKey, PHRendition>(width: ProcessInfo.processInfo.activeProcessorCount)
  /// One at a time: a conversion takes minutes and all cores, and pictures are waited for meanwhile.
  private let movies = Coalescer<RenditionKey, PHFileReader>(width: 1)

  let requests = RunningRequests()

  private struct RenditionKey: Hashable {
    var library: ObjectIdentifier
    var asset: String
    var version: String
    var kind: PHRenditionKind?

    init(_ asset: PHAsset, _ kind: PHRenditionKind? = nil) {
      library = ObjectIdentifier(asset.photoLibrary)
      self.asset = asset.uuid
      version = asset.renditionVersion
      self.kind = kind
    }
  }

  /// The request calls its handler once with `PHImageCancelledKey`; one that is done already is left alone.
  public func cancelImageRequest(_ requestID: PHImageRequestID) { requests.cancel(requestID) }

  // MARK: Extensions of PhotoKit's API

  /// The picture of an asset in one of the sizes that the library keeps; made and kept where it isn't there yet.
  ///
  /// An asset that can't be read has a picture that says so.
  public func rendition(_ kind: PHRenditionKind, for asset: PHAsset) async throws -> PHRendition {
    try asset.checkAccess()
    if asset.isUnreadable { return .unreadable(reason: try asset.details()?.unreadableReason) }
    if kind != .full, let stored = try storedRendition(kind, for: asset) { return stored }
    return try await renditions.value(for: RenditionKey(asset, kind)) { try asset.makeRendition(kind) }
  }

  /// A few pixels of each asset that has them at hand, by the assets' identifiers: a byte of width, a byte of height (each 1
  /// to 6), then width × height × RGB.
  public func placeholders(for assets: [PHAsset]) throws -> [String: Data] {
    guard let library = assets.first?.photoLibrary else { return [:] }
    let versions = Dictionary(assets.map { ($0.uuid, $0.renditionVersion) }, uniquingKeysWith: { first, _ in first })
    do {
      let found = try library.store(reading: assets.map(\.rowID)).renditions.placeholders(for: versions)
      return Dictionary(uniqueKeysWithValues: found.map { (PHAsset.localIdentifier(uuid: $0.key), $0.value) })
    } catch { throw PHPhotosError(error) }
  }

  /// The asset's movie – a video's, or a Live Photo's – as browsers play it; made and kept where the original is none such.
  public func playableMovie(for asset: PHAsset) async throws -> PHFileReader {
    try asset.checkAccess()
    return try await movies.value(for: RenditionKey(asset)) { try asset.makePlayableMovie() }
  }

  private func storedRendition(_ kind: PHRenditionKind, for asset: PHAsset) throws -> PHRendition? {
    do {
      return try asset.photoLibrary.store.renditions.picture(
        uuid: asset.uuid, kind: kind.rawValue, version: asset.renditionVersion
      ).map(PHRendition.init)
    } catch { throw PHPhotosError(error) }
  }
}

extension PHAsset {
  /// Throws where the client may not see the asset any more.
  func checkAccess() throws {
    do { _ = try photoLibrary.store(reading: [rowID]) } catch { throw PHPhotosError(error) }
  }
}

extension PHRendition {
  init(_ picture: RenditionStore.Picture) {
    self.init(
      data: picture.data, uniformTypeIdentifier: picture.uniformTypeIdentifier, pixelWidth: picture.pixelWidth,
      pixelHeight: picture.pixelHeight)
  }

  /// A picture that says that there is none, and why.
  static func unreadable(reason: String?) -> PHRendition {
    let escaped = (reason ?? "").replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="360" height="360" viewBox="0 0 360 360" font-family="sans-serif">
      <rect width="360" height="360" fill="#8e8e93"/>
      <path d="M150 120h60l20 20v70h-100v-70z M140 215l90-90" fill="none" stroke="#fff" stroke-width="6"/>
      <text x="180" y="262" fill="#fff" font-size="22" text-anchor="middle">Can’t be read</text>
      <text x="180" y="290" fill="#fff" font-size="13" text-anchor="middle">\(escaped.prefix(48))</text>
      </svg>
      """
    return PHRendition(
      data: Data(svg.utf8), uniformTypeIdentifier: "public.svg-image", pixelWidth: 360, pixelHeight: 360)
  }
}
