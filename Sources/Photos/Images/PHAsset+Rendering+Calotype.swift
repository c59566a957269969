import CoreGraphics
import Foundation
internal import Imaging
internal import LibraryStore
import UniformTypeIdentifiers

extension PHAsset {
  /// Returns the picture as a new file, in any size and in another format. For a video it is the
  /// poster.
  ///
  ///     let size = CGSize(width: 1024, height: 1024)
  ///     let webP = try asset.renderedImageData(as: .webP, fitting: size)
  ///
  /// - The picture is upright and in sRGB. It fits into `size` (pixels; `nil` is the full size),
  ///   and is never enlarged.
  /// - Camera and texts come from the file. Date and place come from the library, where they may
  ///   have been changed since the import.
  /// - JPEG draws transparent parts on white.
  /// - `quality` is from 0 to 1, for lossy formats.
  /// - Throws if the asset can't be read, or if `supportedRenderedImageTypes` does not contain the
  ///   type.
  /// - An asset that is known to be unreadable is tried nevertheless. If it is readable by now, the
  ///   library records that.
  /// - Takes as long as a decode, so don't call it on the main thread.
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
      let file = try photoLibrary.store.originals.mediaFile(of: source)
      var metadata = try MediaMetadata(of: file)
      let request = Self.request(size, of: PixelSize(width: source.pixelWidth, height: source.pixelHeight))
      // Failures are remembered for the full size only: a file that is too large in full may be
      // readable in a smaller size.
      var pixels =
        size == nil
        ? try decoding(.picture, of: source) { try makePicture(of: $0, metadata: metadata, request) }
        : try makePicture(of: file, metadata: metadata, request)
      if isUnreadable { reconsiderReadability(of: source) }
      if let size {
        // The size of some files is unknown until they are decoded.
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

  /// The types that `renderedImageData` can write.
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

  /// Returns the library's date if it differs from the file's. Returns `nil` if it is only the
  /// modification date of the original's file.
  private func changedDate(from metadata: MediaMetadata) throws -> CaptureDate? {
    if metadata.captureDate.source != .file, isShown(metadata.captureDate) { return nil }
    var known = shownDate(try photoLibrary.store(reading: [rowID]).detail(assetID: rowID))
    // A person sets an instant, not a clock time. The zone counts as known, so that it is written
    // and other machines read the same instant.
    if known.source == .person, known.zoneSource == .machine { known.zoneSource = .file }
    return known.source == .file ? nil : known
  }

  /// Returns whether the library's date is the date in the file.
  ///
  /// The file may have a clock time without a zone, and the machine that imported it may have been
  /// in another zone than this one. Then clock times are compared instead of instants.
  private func isShown(_ date: CaptureDate) -> Bool {
    let isClockTime = date.zoneSource == .machine && date.source != .file
    let shift = isClockTime ? Double(record.timeZoneOffset - date.offset) : 0
    return abs(record.creationDate.timeIntervalSince(date.date) + shift) < 0.001
  }
}

extension MediaMetadata {
  /// Replaces place and date with the library's. Returns which of them differ from the file's.
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
  /// Returns the largest size that fits into the box, without enlarging this one.
  fileprivate func fitting(_ box: CGSize) -> PixelSize {
    guard width > 0, height > 0 else { return self }
    let scale = min(1, box.width / Double(width), box.height / Double(height))
    guard scale.isFinite, scale < 1 else { return self }
    return PixelSize(
      width: max(1, Int((Double(width) * scale).rounded())), height: max(1, Int((Double(height) * scale).rounded())))
  }
}
