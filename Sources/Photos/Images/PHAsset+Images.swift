import Foundation
internal import Imaging
internal import LibraryStore
import UIKit

/// A picture that was at hand.
struct PictureAtHand: Sendable {
  var image: UIImage
  /// Whether it shows all that was asked for.
  var isSufficient: Bool
}

extension PHAsset {
  var pixelSize: PixelSize { PixelSize(width: record.pixelWidth, height: record.pixelHeight) }

  /// What the library's renditions have of it, not yet decoded: the smallest that serves, else the smallest there is.
  func storedImage(_ specification: ImageSpecification) throws -> PictureAtHand? {
    guard try showsRenditions(specification.version) else { return nil }
    var smallest: Rendition?
    for kind in Self.storedKinds {
      // One that can't serve is of use only where there is no other.
      guard smallest == nil || isServed(specification, by: kind.size(of: pixelSize)) else { continue }
      guard let rendition = storedRendition(kind) else { continue }
      // One that has to be cut or made smaller is a preview of what it becomes.
      if isServed(specification, by: rendition.size), isAccepted(rendition, specification) {
        return PictureAtHand(image: UIImage(rendition: rendition), isSufficient: true)
      }
      smallest = smallest ?? rendition
    }
    return smallest.map { PictureAtHand(image: UIImage(rendition: $0), isSufficient: false) }
  }

  /// The renditions that an image may be made of instead of the original.
  func kindsServing(_ specification: ImageSpecification) -> [RenditionKind] {
    Self.storedKinds.filter { isServed(specification, by: $0.size(of: pixelSize)) }
  }

  private func isServed(_ specification: ImageSpecification, by size: PixelSize) -> Bool {
    specification.isServed(by: size, of: pixelSize, isVideo: mediaType == .video)
  }

  /// Whether a rendition is handed out as it is: a cell of the grid is small enough for everything.
  private func isAccepted(_ rendition: Rendition, _ specification: ImageSpecification) -> Bool {
    !specification.picture.isExact && rendition.kind == .grid
      || specification.picture.accepts(rendition.size, of: pixelSize)
  }

  /// From small to large.
  private static let storedKinds: [RenditionKind] = [.grid, .screen]

  /// The better of two stored renditions that are too small, where it is better than what was sent.
  func secondaryStoredImage(_ specification: ImageSpecification, betterThan image: UIImage) throws -> UIImage? {
    guard RenditionKind.screen.size(of: pixelSize).longSide > Int(max(image.size.width, image.size.height)),
      try showsRenditions(specification.version)
    else { return nil }
    return storedRendition(.screen).map(UIImage.init(rendition:))
  }

  /// The thumbnail inside the original.
  func thumbnailInside(_ version: PHImageRequestOptionsVersion) throws -> UIImage? {
    try decoding(.thumbnail, of: resourceRecord(for: version)) { file in
      try embeddedThumbnail(of: file).map(UIImage.init(pixels:))
    }
  }

  /// Decodes what is asked for. Where a rendition serves, it is made and kept.
  func makeImage(_ specification: ImageSpecification) throws -> UIImage {
    do {
      let files = try files()
      let shown = try resourceRecord(for: specification.version, of: files)
      if try shown == resourceRecord(for: .current, of: files) {
        for kind in kindsServing(specification) {
          if let stored = storedRendition(kind) {
            do {
              if let found = try image(specification, of: stored) { return found }
              // Of a raw file's preview: it would not become larger.
              continue
            } catch let error as ImagingError where error.isOfTheFile {}
            // What is stored is damaged.
          }
          let made = Rendition(kind, try makeRendition(kind == .grid ? .grid : .screen))
          if let image = try image(specification, of: made) { return image }
        }
      }
      return try decoding(.picture, of: shown) { file, metadata in
        UIImage(pixels: try makePicture(of: file, metadata: metadata, specification.picture))
      }
    } catch { throw PHPhotosError(error) }
  }

  /// `nil` where it is too small; throws where it can't be decoded.
  private func image(_ specification: ImageSpecification, of rendition: Rendition) throws -> UIImage? {
    guard isServed(specification, by: rendition.size) else { return nil }
    let isWhole = isAccepted(rendition, specification)
    let request = isWhole ? PictureRequest(.whole) : specification.picture
    return UIImage(pixels: try rendition.pixels(request, whole: isWhole ? rendition.size : pixelSize))
  }

  private func storedRendition(_ kind: RenditionKind) -> Rendition? {
    storedPicture(kind.rawValue).map { Rendition(kind, $0) }
  }

  /// What the library keeps of what the asset shows. What can't be read, or is cut off, counts as none: what is made instead replaces it.
  func storedPicture(_ kind: String) -> PHRendition? {
    let stored = try? photoLibrary.store.renditions.picture(uuid: uuid, kind: kind, version: renditionVersion)
    guard var stored else { return nil }
    if stored.data.isEmpty { stored.data = shownFileData ?? Data() }
    return stored.data.isWholePicture ? PHRendition(stored) : nil
  }

  /// The bytes of the shown file if it is used in place of a screen rendition. Its size was checked
  /// at import.
  private var shownFileData: Data? {
    guard let file = try? files().current.map({ try mediaFile(of: $0) }), file.byteCount <= Self.largestServingFile
    else { return nil }
    return (try? file.read(file.byteCount, at: 0)).map { Data($0) }
  }

  private static let largestServingFile = 16 << 20

  /// Whether the renditions are made of what this version shows.
  private func showsRenditions(_ version: PHImageRequestOptionsVersion) throws -> Bool {
    if version == .current { return true }
    let files = try files()
    return try resourceRecord(for: version, of: files) == resourceRecord(for: .current, of: files)
  }
}

extension Data {
  /// Whether the ends of a JPEG or WebP file are there. What lies between them is seen when it is decoded.
  fileprivate var isWholePicture: Bool {
    if starts(with: [0xFF, 0xD8, 0xFF]) { return suffix(2).elementsEqual([0xFF, 0xD9]) }
    guard starts(with: "RIFF".utf8), count > 12 else { return false }
    let length = dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    return count >= length + 8
  }
}

extension Rendition {
  fileprivate var size: PixelSize { PixelSize(width: pixelWidth, height: pixelHeight) }

  fileprivate init(_ kind: RenditionKind, _ rendition: PHRendition) {
    self.init(
      kind: kind, pixelWidth: rendition.pixelWidth, pixelHeight: rendition.pixelHeight,
      uniformTypeIdentifier: rendition.uniformTypeIdentifier, data: rendition.data)
  }
}
