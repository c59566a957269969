import Foundation
internal import Imaging
internal import LibraryStore

extension AssetPictures {
  /// Makes a grid or screen rendition of the current picture, and stores both.
  func makeRendition(_ kind: RenditionKind) throws -> Rendition {
    try withPhotosErrors {
      let (primary, shown) = try shownFile()
      let made = try makeSmallRenditions(of: primary)
      // A rendition that can't be stored is made again the next time. One of a damaged file would
      // still be there when the file is whole again.
      if try !hasDamagedFiles() { try? store.renditions.store([RenditionStore.Entry(made, of: shown)]) }
      guard let rendition = made.renditions.first(where: { $0.kind == kind }) else { throw missing("picture") }
      return rendition
    }
  }

  /// Returns the current picture in full size, in a format that browsers show: the original, or a
  /// rendition that is made and stored.
  func makeFullRendition() throws -> AssetRendition {
    try withPhotosErrors {
      let (primary, shown) = try shownFile()
      let file = try open(primary)
      let metadata = try MediaMetadata(of: file)
      guard metadata.showsInBrowsers else {
        return try decoding(.picture, of: primary) { try fullRendition($0, metadata, of: shown) }
      }
      let reader = FileReader(primary, in: store.originals, byteCount: file.byteCount)
      return AssetRendition(reader, pixelWidth: shown.pixelWidth, pixelHeight: shown.pixelHeight)
    }
  }

  /// Returns the file of the current picture, and the asset's record for the version that it shows.
  /// Renditions are stored under that version, since the asset may have been edited since it was
  /// fetched.
  private func shownFile() throws -> (ResourceRecord, AssetRecord) {
    let files = try files()
    guard let primary = files.current else { throw missing("photo") }
    return (primary, record.showing(files))
  }

  private func hasDamagedFiles() throws -> Bool { try files().resources.contains(where: store.isDamaged) }

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
    // A picture that can't be stored, and one of a damaged file, is made again the next time.
    guard try !hasDamagedFiles(), (try? store.renditions.write(made.data, to: path)) != nil else {
      return AssetRendition(made)
    }
    let reader = FileReader(
      byteCount: made.data.count, uniformTypeIdentifier: made.uniformTypeIdentifier, url: url)
    return AssetRendition(reader, pixelWidth: made.pixelWidth, pixelHeight: made.pixelHeight)
  }

  /// Returns the full-size rendition that was stored before. Its first bytes determine its type.
  private static func storedFullRendition(at url: URL) -> FileReader? {
    guard let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int else { return nil }
    var reader = FileReader(byteCount: size, uniformTypeIdentifier: "org.webmproject.webp", url: url)
    guard let start = try? reader.data(in: 0..<jpegSignature.count) else { return nil }
    if start.elementsEqual(jpegSignature) { reader.uniformTypeIdentifier = "public.jpeg" }
    return reader
  }

  private static let jpegSignature: [UInt8] = [0xFF, 0xD8, 0xFF]

  func renditionFile(_ name: String, of shown: AssetRecord) throws -> String {
    try store.renditions.file(uuid: shown.uuid, version: shown.renditionVersion, name: name)
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
