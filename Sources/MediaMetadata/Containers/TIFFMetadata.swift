extension ParsedValues {
  /// Reads a TIFF, or a RAW file with the structure of a TIFF.
  mutating func readTIFF(_ bytes: ByteReader, as type: MediaType) {
    guard let tiff = TIFFReader(bytes), let first = tiff.directory(at: tiff.firstDirectory) else {
      return note("The TIFF has no directory.")
    }
    let page = type.isRaw ? nil : tiff.mainPage
    let main = page?.directory ?? first
    readEXIF(main: main, in: tiff)
    if let page, page.number > 0 || page.subdirectory != nil {
      // Programs that put a reduced copy first write the photo's facts there, too, or only there.
      let mainOrientation = orientation
      readEXIF(main: first, in: tiff)
      // Another page has its own orientation. A subdirectory without one has the first page's.
      if page.number > 0 || main[0x0112] != nil { orientation = mainOrientation }
    }
    (storedWidth, storedHeight) = type.isRaw ? Self.rawSize(type, main: main, tiff: tiff) : Self.size(main)
    // Panasonic writes EXIF into the preview, and little into the main directory.
    if type == .panasonicRaw || type == .leicaRaw, let preview = main.window(0x002E), preview.u16(0) == 0xFFD8 {
      readPreview(preview)
    }
    if let packet = main.window(0x02BC) ?? first.window(0x02BC), packet.count <= XMP.byteLimit,
      let xmp = packet.bytes(0, packet.count)
    {
      readXMP(xmp)
    }
    if let iptc = main.window(0x83BB) ?? first.window(0x83BB) { readIPTC(iptc) }
    if let resources = main.window(0x8649) ?? first.window(0x8649) { readPhotoshop(resources, from: 0) }
    if storedWidth == 0 || storedHeight == 0 { note("The file has no picture size.") }
  }

  /// Reads the metadata of the JPEG inside a RAW file. Its size is used only if no other is known.
  mutating func readPreview(_ preview: ByteReader) {
    let size = (storedWidth, storedHeight)
    var found = ParsedValues()
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

  /// Returns the size of the finished picture: DNG's default crop, else the size of the largest
  /// directory that is not a preview.
  private static func rawSize(_ type: MediaType, main: TIFFDirectory, tiff: TIFFReader) -> (Int, Int) {
    if type == .panasonicRaw || type == .leicaRaw, let crop = panasonicCrop(main) { return crop }
    var best = (0, 0)
    for directory in tiff.pictureDirectories {
      // In a CR2, the main directory has the size of the picture. The sensor data's directory
      // includes a border.
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

  /// Returns Panasonic's size: the difference of the picture's borders on the sensor, else the
  /// sensor's size.
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
