import Foundation
internal import Imaging
internal import LibraryStore

// The pipeline uses `Rendition` of Imaging. These are the other forms of the same picture: the
// store's, which knows nothing of Imaging, and the one that programs get.

extension Rendition {
  /// Makes a rendition of a stored picture; `nil` if the store's database is damaged, and its row
  /// contains a kind, size or type of no rendition.
  init?(_ picture: RenditionStore.Picture) {
    guard let kind = RenditionKind(rawValue: picture.kind) else { return nil }
    self.init(
      kind: kind, pixelWidth: picture.pixelWidth, pixelHeight: picture.pixelHeight,
      uniformTypeIdentifier: picture.uniformTypeIdentifier, data: picture.data)
    guard isPossible else { return nil }
  }
}

extension RenditionStore.Entry {
  init(_ renditions: RenditionSet, of asset: AssetRecord) {
    self.init(
      uuid: asset.uuid, version: asset.renditionVersion,
      pictures: renditions.renditions.map {
        // No bytes are stored if the original itself can be shown.
        RenditionStore.Picture(
          kind: $0.kind.rawValue, pixelWidth: $0.pixelWidth, pixelHeight: $0.pixelHeight,
          uniformTypeIdentifier: $0.uniformTypeIdentifier,
          data: $0.kind == .screen && renditions.canServeOriginal ? Data() : $0.data)
      }, placeholder: renditions.placeholder.isEmpty ? nil : Data(renditions.placeholder))
  }
}

extension AssetRendition {
  init(_ rendition: Rendition) {
    self.init(
      data: rendition.data, uniformTypeIdentifier: rendition.uniformTypeIdentifier,
      pixelWidth: rendition.pixelWidth, pixelHeight: rendition.pixelHeight)
  }

  /// Makes a rendition whose bytes are read from a file.
  init(_ file: FileReader, pixelWidth: Int, pixelHeight: Int) {
    self.init(
      data: Data(), uniformTypeIdentifier: file.uniformTypeIdentifier, pixelWidth: pixelWidth,
      pixelHeight: pixelHeight, file: file)
  }
}
