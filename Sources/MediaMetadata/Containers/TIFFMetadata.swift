extension Findings {
  /// Reads a TIFF, or a RAW file that is built like one.
  mutating func readTIFF(_ bytes: ByteReader, as type: MediaType) {
    guard let tiff = TIFFReader(bytes), let main = tiff.directory(at: tiff.firstDirectory) else {
      return note("The TIFF has no directory.")
    }
    readEXIF(main: main, in: tiff)
    (storedWidth, storedHeight) = type.isRaw ? Self.rawSize(type, main, tiff) : Self.size(main)
    // Panasonic keeps its EXIF in the preview, and little beside the sensor's data.
    if type == .panasonicRaw || type == .leicaRaw, let preview = main.window(0x002E), preview.u16(0) == 0xFFD8 {
      readPreview(preview)
    }
    if let packet = main.window(0x02BC), packet.count <= XMP.byteLimit, let xmp = packet.bytes(0, packet.count) {
      readXMP(xmp)
    }
    if let iptc = main.window(0x83BB) { readIPTC(iptc) }
    if storedWidth == 0 || storedHeight == 0 { note("The file has no picture size.") }
  }

  /// Reads what the JPEG inside of a RAW file says, save its size.
  mutating func readPreview(_ preview: ByteReader) {
    let size = (storedWidth, storedHeight)
    var found = Findings()
    found.readJPEGSegments(preview)
    if size.0 == 0 { (storedWidth, storedHeight) = (found.storedWidth, found.storedHeight) }
    if orientation == 1 { orientation = found.orientation }
    dates += found.dates
    gpsInstant = gpsInstant ?? found.gpsInstant
    location = location ?? found.location
    texts.add(found.texts)
    isFrontCamera = isFrontCamera || found.isFrontCamera
    if camera.make == nil { camera = found.camera }
    camera.lens = camera.lens ?? found.camera.lens
    camera.exposureTime = camera.exposureTime ?? found.camera.exposureTime
    camera.fNumber = camera.fNumber ?? found.camera.fNumber
    camera.iso = camera.iso ?? found.camera.iso
    camera.focalLength = camera.focalLength ?? found.camera.focalLength
  }

  private static func size(_ directory: TIFFDirectory) -> (Int, Int) {
    (directory.int(0x0100) ?? 0, directory.int(0x0101) ?? 0)
  }

  /// The picture that the sensor data makes: DNG's default crop, else the largest directory that isn't a preview.
  private static func rawSize(_ type: MediaType, _ main: TIFFDirectory, _ tiff: TIFFReader) -> (Int, Int) {
    if type == .panasonicRaw || type == .leicaRaw, let crop = panasonicCrop(main) { return crop }
    var best = (0, 0)
    for directory in tiff.pictureDirectories {
      // Of a CR2 the main picture says the size; its sensor data has a border.
      let isPreview = directory.int(0x00FE).map { $0 & 1 == 1 } ?? false
      var candidate = size(directory)
      if type == .dng, let crop = directory.rationals(0xC620, limit: 2), crop.count == 2,
        crop.allSatisfy({ $0 >= 1 && $0 < 1e6 })
      {
        candidate = (Int(crop[0].rounded()), Int(crop[1].rounded()))
      }
      if !isPreview, candidate.0.multipliedReportingOverflow(by: candidate.1).partialValue > best.0 &* best.1 {
        best = candidate
      }
    }
    return best.0 > 0 ? best : size(main)
  }

  /// Panasonic gives the sensor's size and the borders of the picture on it.
  private static func panasonicCrop(_ main: TIFFDirectory) -> (Int, Int)? {
    if let top = main.int(4), let left = main.int(5), let bottom = main.int(6), let right = main.int(7), right > left,
      bottom > top
    {
      return (right - left, bottom - top)
    }
    guard let width = main.int(2), let height = main.int(3) else { return nil }
    return (width, height)
  }
}
