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

  /// What the library's renditions have of it: the smallest that serves, else the smallest there is.
  func storedImage(_ specification: ImageSpecification) throws -> PictureAtHand? {
    guard try showsRenditions(specification.version) else { return nil }
    var smallest: Rendition?
    for kind in Self.storedKinds {
      // One that can't serve is of use only where there is no other.
      guard smallest == nil || specification.isServed(by: kind.size(of: pixelSize), of: pixelSize) else { continue }
      guard let rendition = try storedRendition(kind) else { continue }
      if specification.isServed(by: rendition.size, of: pixelSize) {
        return PictureAtHand(image: try image(of: rendition, specification), isSufficient: true)
      }
      smallest = smallest ?? rendition
    }
    return smallest.map { PictureAtHand(image: UIImage(rendition: $0), isSufficient: false) }
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
        for kind in Self.storedKinds where specification.isServed(by: kind.size(of: pixelSize), of: pixelSize) {
          let rendition = try storedRendition(kind) ?? Rendition(kind, makeRendition(kind == .grid ? .grid : .screen))
          guard specification.isServed(by: rendition.size, of: pixelSize) else { continue }
          return try decodedImage(of: rendition, specification)
        }
      }
      let file = try mediaFile(of: resourceRecord(for: specification.version))
      return UIImage(pixels: try makePicture(of: file, metadata: MediaMetadata(of: file), specification.picture))
    } catch { throw PHPhotosError(error) }
  }

  private func image(of rendition: Rendition, _ specification: ImageSpecification) throws -> UIImage {
    // One that is about as large as was asked for is decoded by whoever draws it.
    specification.picture.accepts(rendition.size, of: pixelSize)
      ? UIImage(rendition: rendition) : try decodedImage(of: rendition, specification)
  }

  private func decodedImage(of rendition: Rendition, _ specification: ImageSpecification) throws -> UIImage {
    UIImage(pixels: try rendition.pixels(specification.picture, whole: pixelSize))
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
