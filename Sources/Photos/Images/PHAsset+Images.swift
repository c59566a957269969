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
      guard let rendition = try storedRendition(kind) else { continue }
      // One that has to be cut or made smaller is a preview of what it becomes.
      if isServed(specification, by: rendition.size), isAccepted(rendition, specification) {
        return PictureAtHand(image: UIImage(rendition: rendition), isSufficient: true)
      }
      smallest = smallest ?? rendition
    }
    return smallest.map { PictureAtHand(image: UIImage(rendition: $0), isSufficient: false) }
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

  /// The better of two stored renditions that are too small.
  func secondaryStoredImage(_ specification: ImageSpecification) throws -> UIImage? {
    guard try showsRenditions(specification.version) else { return nil }
    return try storedRendition(.screen).map(UIImage.init(rendition:))
  }

  /// The thumbnail inside the original.
  func thumbnailInside(_ version: PHImageRequestOptionsVersion) throws -> UIImage? {
    let file = try mediaFile(of: resourceRecord(for: version))
    return try embeddedThumbnail(of: file, metadata: MediaMetadata(of: file)).map(UIImage.init(pixels:))
  }

  /// Decodes what is asked for. Where a rendition serves, it is made and kept.
  func makeImage(_ specification: ImageSpecification) throws -> UIImage {
    do {
      if try showsRenditions(specification.version) {
        for kind in Self.storedKinds where isServed(specification, by: kind.size(of: pixelSize)) {
          let rendition = try storedRendition(kind) ?? Rendition(kind, makeRendition(kind == .grid ? .grid : .screen))
          guard isServed(specification, by: rendition.size) else { continue }
          let isWhole = isAccepted(rendition, specification)
          let request = isWhole ? PictureRequest(.whole) : specification.picture
          return UIImage(pixels: try rendition.pixels(request, whole: isWhole ? rendition.size : pixelSize))
        }
      }
      let file = try mediaFile(of: resourceRecord(for: specification.version))
      return UIImage(pixels: try makePicture(of: file, metadata: MediaMetadata(of: file), specification.picture))
    } catch { throw PHPhotosError(error) }
  }

  private func storedRendition(_ kind: RenditionKind) throws -> Rendition? {
    try photoLibrary.store.renditions.picture(uuid: uuid, kind: kind.rawValue, version: renditionVersion).map {
      Rendition(
        kind: kind, pixelWidth: $0.pixelWidth, pixelHeight: $0.pixelHeight,
        uniformTypeIdentifier: $0.uniformTypeIdentifier, data: $0.data)
    }
  }

  /// Whether the renditions are made of what this version shows.
  private func showsRenditions(_ version: PHImageRequestOptionsVersion) throws -> Bool {
    try version == .current || resourceRecord(for: version) == resourceRecord(for: .current)
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
