import Foundation
internal import Imaging
internal import LibraryStore

extension PHAsset {
  /// Makes a rendition of the current picture, and stores it.
  func makeRendition(_ kind: AssetRendition.Kind) throws -> AssetRendition {
    do {
      // The asset may have been edited since it was fetched. The rendition is stored under the
      // version that it shows.
      let files = try files()
      guard let primary = files.current else { throw missing("photo") }
      let shown = record.showing(files)
      switch kind {
      case .grid, .screen:
        let made = try makeSmallRenditions(of: primary)
        // A rendition that can't be stored is made again the next time.
        try? photoLibrary.store.renditions.store([RenditionStore.Entry(made, of: shown)])
        guard let picture = made.renditions.first(where: { $0.kind.rawValue == kind.rawValue }) else {
          throw missing("picture")
        }
        return AssetRendition(
          data: picture.data, uniformTypeIdentifier: picture.uniformTypeIdentifier, pixelWidth: picture.pixelWidth,
          pixelHeight: picture.pixelHeight)
      case .full:
        let originals = photoLibrary.store.originals
        let file = try originals.mediaFile(of: primary)
        let metadata = try MediaMetadata(of: file)
        guard metadata.showsInBrowsers else {
          return try decoding(.picture, of: primary) { try fullRendition($0, metadata, of: shown) }
        }
        let reader = FileReader(primary, in: originals, byteCount: file.byteCount)
        return AssetRendition(reader, pixelWidth: shown.pixelWidth, pixelHeight: shown.pixelHeight)
      }
    } catch { throw PHPhotosError(error) }
  }

  /// Makes the grid and screen renditions. The library records whether that succeeds as whether the
  /// asset can be read.
  func makeSmallRenditions(of primary: ResourceRecord) throws -> RenditionSet {
    do {
      let made = try decoding(.renditions, of: primary) { file, metadata in
        try makeRenditions(of: file, metadata: metadata, kinds: [.grid, .screen])
      }
      note(made.damage == nil ? .whole : .damaged, of: primary)
      return made
    } catch {
      let error = PHPhotosError(error)
      if error.code == .invalidResource {
        note(.unreadable(reason: error.reason(ofFileNamed: primary.originalFilename)), of: primary)
      }
      throw error
    }
  }

  /// Makes the full-size rendition of a picture in a format that browsers don't show. It is too
  /// large for a blob in the database, so it is stored as a file.
  private func fullRendition(
    _ file: MediaFile, _ metadata: MediaMetadata, of shown: AssetRecord
  ) throws -> AssetRendition {
    let path = try renditionFile("full", of: shown)
    let url = URL(fileURLWithPath: path)
    if let stored = Self.storedFullRendition(at: url) {
      return AssetRendition(stored, pixelWidth: shown.pixelWidth, pixelHeight: shown.pixelHeight)
    }
    guard let made = try makeRenditions(of: file, metadata: metadata, kinds: [.full]).renditions.first else {
      throw missing("picture")
    }
    do { try photoLibrary.store.renditions.write(made.data, to: path) } catch {
      // A rendition that can't be stored is made again the next time.
      return AssetRendition(
        data: made.data, uniformTypeIdentifier: made.uniformTypeIdentifier, pixelWidth: made.pixelWidth,
        pixelHeight: made.pixelHeight)
    }
    let reader = FileReader(
      byteCount: made.data.count, uniformTypeIdentifier: made.uniformTypeIdentifier, url: url)
    return AssetRendition(reader, pixelWidth: made.pixelWidth, pixelHeight: made.pixelHeight)
  }

  /// Returns the full-size rendition that was stored before. Its first bytes determine its type.
  private static func storedFullRendition(at url: URL) -> FileReader? {
    guard let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int else { return nil }
    var reader = FileReader(byteCount: size, uniformTypeIdentifier: "org.webmproject.webp", url: url)
    guard let start = try? reader.data(in: 0..<jpegStart.count) else { return nil }
    if start.elementsEqual(jpegStart) { reader.uniformTypeIdentifier = "public.jpeg" }
    return reader
  }

  private static let jpegStart: [UInt8] = [0xFF, 0xD8, 0xFF]

  func renditionFile(_ name: String, of shown: AssetRecord) throws -> String {
    try photoLibrary.store.renditions.file(uuid: shown.uuid, version: shown.renditionVersion, name: name)
  }
}

extension AssetRendition {
  fileprivate init(_ file: FileReader, pixelWidth: Int, pixelHeight: Int) {
    self.init(
      data: Data(), uniformTypeIdentifier: file.uniformTypeIdentifier, pixelWidth: pixelWidth, pixelHeight: pixelHeight,
      file: file)
  }
}

extension MediaMetadata {
  /// Whether browsers show the original itself upright. They respect a JPEG's orientation, but not
  /// reliably that of other formats.
  fileprivate var showsInBrowsers: Bool {
    switch type.uniformTypeIdentifier {
    case "public.jpeg": true
    case "public.png", "com.compuserve.gif", "org.webmproject.webp", "public.avif": orientation == 1
    default: false
    }
  }
}
