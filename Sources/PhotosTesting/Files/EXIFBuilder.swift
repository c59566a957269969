import Foundation

/// Builds an EXIF block like a phone's.
///
///     let block = EXIFBuilder(metadata, size: .small).block()   // a TIFF: "MM\0*" …
///
/// JPEG, PNG, WebP and HEIC embed this block. Identifiers are in a MakerNote of Apple's form.
public struct EXIFBuilder: Sendable {
  public var metadata: SampleMetadata
  /// The size in pixels as stored, before the orientation is applied.
  public var size: PictureSize
  /// The thumbnail, a JPEG.
  var thumbnail: Data?

  public init(_ metadata: SampleMetadata, size: PictureSize) {
    self.metadata = metadata
    self.size = size
  }

  public func block() -> [UInt8] { directory().file(followedBy: thumbnail.map(thumbnailDirectory)) }

  private func thumbnailDirectory(_ thumbnail: Data) -> TIFFDirectoryBuilder {
    var directory = TIFFDirectoryBuilder()
    directory[0x0103] = .short([6])
    directory[0x0201] = .position(Array(thumbnail))
    directory[0x0202] = .long([thumbnail.count])
    return directory
  }

  /// Returns the main directory, for files that are TIFFs themselves.
  func directory() -> TIFFDirectoryBuilder {
    var main = TIFFDirectoryBuilder()
    main[0x010F] = (metadata.camera?.make).map { .ascii($0) }
    main[0x0110] = (metadata.camera?.model).map { .ascii($0) }
    main[0x0112] = .short([metadata.orientation])
    main[0x011A] = .rational([72])
    main[0x011B] = .rational([72])
    main[0x0128] = .short([2])
    main[0x0131] = metadata.software.map { .ascii($0) }
    main[0x0132] = metadata.captureDate.map { .ascii(localTime($0).exif) }
    main[0x8769] = .directory(captureDirectory())
    main[0x8825] = metadata.place.map { .directory(gpsDirectory($0)) }
    return main
  }

  private func localTime(_ date: Date) -> ClockTime { ClockTime(date, offset: metadata.offset ?? 0) }

  private func captureDirectory() -> TIFFDirectoryBuilder {
    var exif = TIFFDirectoryBuilder()
    exif[0x9000] = .undefined(Array("0232".utf8))
    if let date = metadata.captureDate {
      for tag in [0x9003, 0x9004] { exif[tag] = .ascii(localTime(date).exif) }
      if let offset = metadata.offset { for tag in 0x9010...0x9012 { exif[tag] = .ascii(ClockTime.zone(offset)) } }
      if let subseconds = metadata.subseconds {
        for tag in [0x9291, 0x9292] { exif[tag] = .ascii(padded(subseconds, 3)) }
      }
    }
    if let camera = metadata.camera {
      exif[0x829A] = camera.exposureTime.map { .rational([$0]) }
      exif[0x829D] = camera.fNumber.map { .rational([$0]) }
      exif[0x8827] = camera.iso.map { .short([$0]) }
      exif[0x920A] = camera.focalLength.map { .rational([$0]) }
      exif[0xA433] = .ascii(camera.make)
      exif[0xA434] = camera.lens.map { .ascii($0) }
    }
    if metadata.needsAppleMakerNote { exif[0x927C] = .undefined(appleMakerNote()) }
    exif[0x9286] = metadata.userComment.map { .undefined(Array("ASCII\0\0\0".utf8) + Array($0.utf8)) }
    // The color space: sRGB.
    exif[0xA001] = .short([1])
    exif[0xA002] = .long([size.width])
    exif[0xA003] = .long([size.height])
    exif[0xA401] = metadata.customRendered.map { .short([$0]) }
    return exif
  }

  /// Returns the MakerNote: "Apple iOS", a version, a byte order and a directory. Its positions
  /// count from the start of the note.
  private func appleMakerNote() -> [UInt8] {
    let header = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8)
    var note = TIFFDirectoryBuilder()
    // The version of the note.
    note[0x0001] = .signedLong([15])
    // The value 3 marks the merged picture.
    if metadata.isHDR { note[0x000A] = .signedLong([3]) }
    note[0x000B] = metadata.burstIdentifier.map { .ascii($0) }
    note[0x0011] = metadata.contentIdentifier.map { .ascii($0) }
    return header + note.serialized(at: header.count)
  }

  private func gpsDirectory(_ place: SampleMetadata.Place) -> TIFFDirectoryBuilder {
    var gps = TIFFDirectoryBuilder()
    gps[0x0000] = .bytes([2, 3, 0, 0])
    gps[0x0001] = .ascii(place.latitude < 0 ? "S" : "N")
    gps[0x0002] = .rational(Self.degreesMinutesSeconds(place.latitude))
    gps[0x0003] = .ascii(place.longitude < 0 ? "W" : "E")
    gps[0x0004] = .rational(Self.degreesMinutesSeconds(place.longitude))
    if let altitude = place.altitude {
      gps[0x0005] = .bytes([altitude < 0 ? 1 : 0])
      gps[0x0006] = .rational([(abs(altitude) * 100).rounded() / 100])
    }
    if let date = metadata.captureDate {
      let time = ClockTime(date, offset: 0)
      gps[0x0007] = .rational([Double(time.hour), Double(time.minute), Double(time.second)])
      gps[0x001D] = .ascii(time.exifDay)
    }
    return gps
  }

  private static func degreesMinutesSeconds(_ degrees: Double) -> [Double] {
    let hundredths = Int((abs(degrees) * 360_000).rounded())
    return [Double(hundredths / 360_000), Double(hundredths / 6000 % 60), Double(hundredths % 6000) / 100]
  }
}
