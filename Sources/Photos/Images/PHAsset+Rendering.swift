import CoreGraphics
import Foundation
internal import Imaging
internal import LibraryStore
import UniformTypeIdentifiers

extension PHAsset {
  /// Extension: the picture as a file of its own, in any size and in another format; of a video its poster.
  ///
  ///     let size = CGSize(width: 1024, height: 1024)
  ///     let webP = try asset.renderedImageData(as: .webP, fitting: size)
  ///
  /// - Upright and in sRGB, as large as fits into `size` (pixels; `nil` is every pixel) and never enlarged. Camera and words come
  ///   along from the file, date and place from the library, where they may have been changed since; JPEG puts transparent parts on white.
  /// - `quality` is from 0 to 1, for formats that lose something.
  /// - Throws for an asset that can't be read, and for a type that `supportedRenderedImageTypes` doesn't list. An asset that is known to be
  ///   unreadable is tried all the same: where it can be read by now, the library says so from then on.
  /// - It takes as long as decoding does, so it does not belong on the main thread.
  public func renderedImageData(
    as contentType: UTType, fitting size: CGSize? = nil, quality: Double = 0.92,
    version: PHImageRequestOptionsVersion = .current
  ) throws -> Data {
    guard Self.supportedRenderedImageTypes.contains(contentType) else {
      let names = Self.supportedRenderedImageTypes.map(\.identifier).joined(separator: ", ")
      throw PHPhotosError(.invalidResource, "\(contentType.identifier): a picture is written as one of \(names)")
    }
    do {
      try checkAccess()
      let source = try resourceRecord(for: version)
      if !isUnreadable { try checkIsDecodable() }
      let file = try mediaFile(of: source)
      var metadata = try MediaMetadata(of: file)
      let request = Self.request(size, of: PixelSize(width: source.pixelWidth, height: source.pixelHeight))
      // What is too large in full may be small enough in less.
      var pixels =
        size == nil
        ? try decoding(.picture, of: source) { try makePicture(of: $0, metadata: metadata, request) }
        : try makePicture(of: file, metadata: metadata, request)
      if isUnreadable { reconsiderReadability(of: source) }
      if let size {
        // Of some files the size is known only now.
        let decoded = PixelSize(width: pixels.width, height: pixels.height)
        pixels = pixels.resized(to: decoded.fitting(size))
      }
      if contentType == .jpeg { pixels = pixels.flattened() }
      let changes = try metadata.say(shownLocation, changedDate(from: metadata))
      let carried = try CarriedMetadata(
        from: file, metadata: metadata, changes: changes, width: pixels.width, height: pixels.height,
        keepsGeometry: metadata.orientation == 1)
      return try encode(
        pixels, as: contentType.identifier, quality: Int((min(max(quality, 0), 1) * 100).rounded()), carrying: carried)
    } catch { throw PHPhotosError(error) }
  }

  /// Extension: what `renderedImageData` can write.
  public static let supportedRenderedImageTypes: [UTType] = [
    .jpeg, .heic, .png, .webP, UTType(importedAs: "public.avif"), UTType(importedAs: "public.jpeg-xl"),
  ]

  private static func request(_ size: CGSize?, of whole: PixelSize) -> PictureRequest {
    guard let size else { return PictureRequest(.whole) }
    let fitting = whole.fitting(size)
    return fitting == whole
      ? PictureRequest(.whole)
      : PictureRequest(.fitting(width: fitting.width, height: fitting.height), isExact: true)
  }
}

extension PHAsset {
  private var shownLocation: Location? {
    record.latitude.flatMap { latitude in
      record.longitude.map { Location(latitude: latitude, longitude: $0, altitude: record.altitude) }
    }
  }

  /// The library's date, if it is another one than the file's; `nil` if it was only the date of the original's file.
  private func changedDate(from metadata: MediaMetadata) throws -> CaptureDate? {
    if metadata.captureDate.source != .file, isShown(metadata.captureDate) { return nil }
    var known = shownDate(try photoLibrary.store(reading: [rowID]).detail(assetID: rowID))
    // Whoever sets a date sets an instant: it is to be the same on a machine in another zone.
    if known.source == .person, known.zoneSource == .machine { known.zoneSource = .file }
    return known.source == .file ? nil : known
  }

  /// Whether the library has the date that the file says. Where that is a clock's time without a zone, the machine that imported it may
  /// have had another zone than this one has: then the clock's time counts, and not the instant.
  private func isShown(_ date: CaptureDate) -> Bool {
    let isClockTime = date.zoneSource == .machine && date.source != .file
    let shift = isClockTime ? Double(record.timeZoneOffset - date.offset) : 0
    return abs(record.creationDate.timeIntervalSince(date.date) + shift) < 0.001
  }
}

extension MediaMetadata {
  /// Takes over what the library says, and tells what of it the file doesn't.
  fileprivate mutating func say(_ location: Location?, _ changedDate: CaptureDate?) -> MetadataChanges {
    var changes: MetadataChanges = location == self.location ? [] : .location
    self.location = location
    if let changedDate {
      captureDate = changedDate
      changes.insert(.date)
    }
    return changes
  }
}

extension PixelSize {
  /// As large as fits inside, and not larger than this.
  fileprivate func fitting(_ box: CGSize) -> PixelSize {
    guard width > 0, height > 0 else { return self }
    let scale = min(1, box.width / Double(width), box.height / Double(height))
    guard scale.isFinite, scale < 1 else { return self }
    return PixelSize(
      width: max(1, Int((Double(width) * scale).rounded())), height: max(1, Int((Double(height) * scale).rounded())))
  }
}
