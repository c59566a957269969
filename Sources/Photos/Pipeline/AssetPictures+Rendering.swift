import CoreGraphics
import Foundation
internal import Imaging
internal import LibraryStore
import UniformTypeIdentifiers

extension AssetPictures {
  /// Makes the picture as a new file (`PHAsset.renderedImageData`).
  func rendered(
    as contentType: UTType, fitting size: CGSize?, quality: Double, version: PHImageRequestOptionsVersion
  ) throws -> Data {
    let source = try resource(for: version)
    if !record.isUnreadable { try checkIsDecodable() }
    let file = try open(source)
    var metadata = try MediaMetadata(of: file)
    let request = Self.request(size, of: PixelSize(width: source.pixelWidth, height: source.pixelHeight))
    // Failures are remembered for the full size only: a file that is too large in full may be
    // readable in a smaller size.
    var pixels =
      size == nil
      ? try decoding(.picture, of: source) { try makePicture(of: $0, metadata: metadata, request) }
      : try makePicture(of: file, metadata: metadata, request)
    if record.isUnreadable { retryReadability(of: source) }
    if let size {
      // The size of some files is unknown until they are decoded.
      let decoded = PixelSize(width: pixels.width, height: pixels.height)
      pixels = pixels.resized(to: decoded.fitting(size))
    }
    if contentType == .jpeg { pixels = pixels.flattened() }
    let changes = try metadata.replace(location: libraryLocation, differingDate: differingDate(from: metadata))
    let carried = try CarriedMetadata(
      from: file, metadata: metadata, changes: changes, width: pixels.width, height: pixels.height,
      keepsGeometry: metadata.orientation == 1)
    return try encode(
      pixels, as: contentType.identifier, quality: Int((min(max(quality, 0), 1) * 100).rounded()), carrying: carried)
  }

  private static func request(_ size: CGSize?, of whole: PixelSize) -> PictureRequest {
    guard let size, whole.fitting(size) != whole else { return PictureRequest(.whole) }
    // The request has the box. The rounded sides of the result would change its scale.
    func side(_ length: CGFloat, _ whole: Int) -> Int { Int(max(1, min(CGFloat(whole), length)).rounded()) }
    return PictureRequest(
      .fitting(width: side(size.width, whole.width), height: side(size.height, whole.height)), isExact: true)
  }
}

extension AssetPictures {
  private var libraryLocation: Location? {
    record.latitude.flatMap { latitude in
      record.longitude.map { Location(latitude: latitude, longitude: $0, altitude: record.altitude) }
    }
  }

  /// Returns the library's date if it differs from the file's. Returns `nil` if it is only the
  /// modification date of the original's file, or the one in its name.
  private func differingDate(from metadata: MediaMetadata) throws -> CaptureDate? {
    if !metadata.captureDate.source.isGuess, isLibraryDate(metadata.captureDate) { return nil }
    var known = record.shownDate(try library.store(reading: [record.id]).detail(assetID: record.id))
    // A person sets an instant, not a clock time. The zone counts as known, so that it is written
    // and other machines read the same instant.
    if known.source == .person, known.zoneSource == .machine { known.zoneSource = .file }
    return known.source.isGuess ? nil : known
  }

  /// Returns whether the library's date is the date in the file.
  ///
  /// The file may have a clock time without a zone, and the machine that imported it may have been
  /// in another zone than this one. Then clock times are compared instead of instants.
  private func isLibraryDate(_ date: CaptureDate) -> Bool {
    let isClockTime = date.zoneSource == .machine && date.source != .file
    let shift = isClockTime ? Double(record.timeZoneOffset - date.offset) : 0
    return abs(record.creationDate.timeIntervalSince(date.date) + shift) < 0.001
  }
}

extension MediaMetadata {
  /// Replaces place and date with the library's. Returns which of them differ from the file's.
  fileprivate mutating func replace(location: Location?, differingDate: CaptureDate?) -> MetadataChanges {
    var changes: MetadataChanges = location == self.location ? [] : .location
    self.location = location
    if let differingDate {
      captureDate = differingDate
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
