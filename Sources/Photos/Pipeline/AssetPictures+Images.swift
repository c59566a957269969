import Foundation
internal import Imaging
internal import LibraryStore
import UIKit

/// A picture that is stored already.
struct StoredImage: Sendable {
  var image: UIImage
  /// Whether it shows all that the request asks for.
  var isSufficient: Bool
}

extension AssetPictures {
  /// Returns a stored rendition, not decoded yet: the smallest that is sufficient, else the
  /// smallest. Returns `nil` if none is stored, or if the version shows another picture.
  func storedImage(_ specification: ImageSpecification) throws -> StoredImage? {
    guard try showsRenditions(specification.version) else { return nil }
    var smallest: Rendition?
    for kind in Self.storedKinds {
      // A kind that is too small is only of use if no smaller one is stored.
      guard smallest == nil || isSatisfied(specification, by: kind.size(of: pixelSize)) else { continue }
      guard let rendition = storedRendition(kind) else { continue }
      // A rendition that has to be cropped or resized is only a preview of the result.
      if isSatisfied(specification, by: rendition.size), isDeliverable(rendition, specification) {
        return StoredImage(image: UIImage(rendition: rendition), isSufficient: true)
      }
      smallest = smallest ?? rendition
    }
    return smallest.map { StoredImage(image: UIImage(rendition: $0), isSufficient: false) }
  }

  /// Returns the renditions from which the image may be made instead of the original.
  func sufficientKinds(_ specification: ImageSpecification) -> [RenditionKind] {
    Self.storedKinds.filter { isSatisfied(specification, by: $0.size(of: pixelSize)) }
  }

  private func isSatisfied(_ specification: ImageSpecification, by size: PixelSize) -> Bool {
    specification.isSatisfied(by: size, of: pixelSize, isVideo: record.mediaType == PHAssetMediaType.video.rawValue)
  }

  /// Returns whether a rendition is delivered unchanged. A grid picture is small enough for every
  /// request that is not exact.
  private func isDeliverable(_ rendition: Rendition, _ specification: ImageSpecification) -> Bool {
    !specification.picture.isExact && rendition.kind == .grid
      || specification.picture.accepts(rendition.size, of: pixelSize)
  }

  /// The kinds in the database, from small to large.
  private static let storedKinds: [RenditionKind] = [.grid, .screen]

  /// Returns the screen rendition, which is too small for the request, if it is larger than the
  /// image that was sent.
  func secondaryStoredImage(_ specification: ImageSpecification, betterThan image: UIImage) throws -> UIImage? {
    guard RenditionKind.screen.size(of: pixelSize).longSide > Int(max(image.size.width, image.size.height)),
      try showsRenditions(specification.version)
    else { return nil }
    return storedRendition(.screen).map(UIImage.init(rendition:))
  }

  /// Decodes the thumbnail inside the original. Returns `nil` if there is none.
  func thumbnailInOriginal(_ version: PHImageRequestOptionsVersion) throws -> UIImage? {
    try decoding(.thumbnail, of: resource(for: version)) { file in
      try embeddedThumbnail(of: file).map(UIImage.init(pixels:))
    }
  }

  /// Makes the requested image. If a rendition is sufficient, the image is made from it, and a
  /// missing rendition is made and stored first.
  func makeImage(_ specification: ImageSpecification) throws -> UIImage {
    try withPhotosErrors {
      let files = try files()
      let shown = try resource(for: specification.version, in: files)
      if try shown == resource(for: .current, in: files) {
        for kind in sufficientKinds(specification) {
          if let stored = storedRendition(kind) {
            do {
              if let found = try image(specification, of: stored) { return found }
              // The rendition was made from a raw file's preview. Making it again would not enlarge
              // it.
              continue
            } catch let error as ImagingError where error.isCausedByFile {}
            // The stored rendition is damaged. It is made again.
          }
          if let image = try image(specification, of: makeRendition(kind)) { return image }
        }
      }
      return try decoding(.picture, of: shown) { file, metadata in
        UIImage(pixels: try makePicture(of: file, metadata: metadata, specification.picture))
      }
    }
  }

  /// Makes the image from a rendition. Returns `nil` if the rendition is too small, and throws if
  /// it can't be decoded.
  private func image(_ specification: ImageSpecification, of rendition: Rendition) throws -> UIImage? {
    guard isSatisfied(specification, by: rendition.size) else { return nil }
    let isWhole = isDeliverable(rendition, specification)
    let request = isWhole ? PictureRequest(.whole) : specification.picture
    return UIImage(pixels: try rendition.pixels(request, whole: isWhole ? rendition.size : pixelSize))
  }

  /// Returns the stored rendition of what the asset shows. A rendition that can't be read or is
  /// truncated counts as missing: the one that is made instead replaces it.
  func storedRendition(_ kind: RenditionKind) -> Rendition? {
    let stored = try? store.renditions.picture(
      uuid: record.uuid, kind: kind.rawValue, version: record.renditionVersion)
    guard let stored, var rendition = Rendition(stored) else { return nil }
    if rendition.data.isEmpty { rendition.data = shownFileData ?? Data() }
    return rendition.data.isWholePicture ? rendition : nil
  }

  /// The bytes of the shown file. An empty screen rendition in the database means that this file is
  /// used in its place. The import decides that, if the file has the same pixels and is not larger.
  private var shownFileData: Data? {
    guard let file = try? files().current.map(open),
      file.byteCount <= Self.largestServingFile
    else { return nil }
    return (try? file.read(file.byteCount, at: 0)).map { Data($0) }
  }

  private static let largestServingFile = 16 << 20

  /// Returns whether the renditions show the same picture as this version.
  private func showsRenditions(_ version: PHImageRequestOptionsVersion) throws -> Bool {
    if version == .current { return true }
    let files = try files()
    return try resource(for: version, in: files) == resource(for: .current, in: files)
  }
}

extension Data {
  /// Whether a JPEG or WebP file has its beginning and its end. Only decoding checks the bytes
  /// between them.
  fileprivate var isWholePicture: Bool {
    if starts(with: [0xFF, 0xD8, 0xFF]) { return suffix(2).elementsEqual([0xFF, 0xD9]) }
    guard starts(with: "RIFF".utf8), count > 12 else { return false }
    let length = dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    return count >= length + 8
  }
}

extension Rendition {
  fileprivate var size: PixelSize { PixelSize(width: pixelWidth, height: pixelHeight) }
}
