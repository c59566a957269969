import Foundation

extension MediaMetadata {
  /// The longest plausible side of a picture, in pixels: no format allows a longer one.
  private static let longestSide = 1 << 30
  /// The longest plausible duration: ten thousand years, in seconds.
  package static let longestDuration = 3.2e11

  /// Reads a file's headers in this process.
  ///
  /// - HDR: photos that Apple's camera merged (MakerNote's HDRImageType 3), and photos with a gain
  ///   map.
  /// - Depth effect: photos with a depth map or a portrait matte, and photos that Apple's camera
  ///   marks as portraits.
  /// - Panorama: photos that Apple's camera or Google's GPano marks as one. A long shape is no
  ///   proof.
  /// - Screenshots and screen recordings: files that say so, or whose name does.
  /// - Live: motion photos, which contain their movie. The still of a Live Photo has a
  ///   `contentIdentifier` but is not `live` here, since the caller pairs the files.
  package init(parsing file: MediaFile, machineTimeZone: TimeZone = .current) throws(ImagingError) {
    let source = MediaBytes(file)
    let metadata = Self(source, fileDate: file.modificationDate, machineTimeZone: machineTimeZone)
    if let failure = source.failure { throw failure }
    guard let metadata else {
      throw ImagingError(.unknownType, file.name, reason: "not a photo or a video of a known type")
    }
    self = metadata
  }

  /// Reads only the type and the file's own date, in this process.
  package init(parsingTypeOf file: MediaFile, machineTimeZone: TimeZone) throws(ImagingError) {
    guard let type = try MediaType.detect(in: file) else {
      throw ImagingError(.unknownType, file.name, reason: "not a photo or a video of a known type")
    }
    var found = ParsedValues()
    found.readNameDate(of: file.name)
    let resolver = CaptureDateResolver(machineTimeZone: machineTimeZone)
    self.init(type: type, captureDate: resolver.captureDate(from: found, fileDate: file.modificationDate))
  }

  /// Sets the date from the text that a movie's container stores.
  package mutating func setContainerDate(_ text: String, fileDate: Date, machineTimeZone: TimeZone) {
    var found = ParsedValues()
    found.addDate(.container, text)
    guard !found.dates.isEmpty else { return }
    let resolver = CaptureDateResolver(machineTimeZone: machineTimeZone)
    captureDate = resolver.captureDate(from: found, fileDate: fileDate)
  }

  /// Reads the metadata; nil if the content has no known type.
  package init?(_ source: MediaBytes, fileDate: Date, machineTimeZone: TimeZone) {
    guard let format = FileFormat(source.all), let type = MediaType(format, source.all) else { return nil }
    var found = ParsedValues()
    found.read(source.all, format: format, type: type)
    found.readScreenName(source.name, format: format, type: type)
    found.readNameDate(of: source.name)
    let resolver = CaptureDateResolver(machineTimeZone: machineTimeZone)
    self.init(type: type, captureDate: resolver.captureDate(from: found, fileDate: fileDate))
    keep(found)
  }

  /// Returns an identifier in Apple's spelling: some programs change that of one half of a Live
  /// Photo to small letters, add braces or `urn:uuid:`, or leave out the hyphens.
  private static func spelledAlike(_ identifier: String) -> String {
    var digits = identifier.filter { !"{}-".contains($0) }.uppercased()[...]
    if digits.hasPrefix("URN:UUID:") { digits.removeFirst(9) }
    guard digits.utf8.count == 32, digits.allSatisfy(\.isHexDigit) else { return identifier }
    return [8, 4, 4, 4, 12].map { count in
      defer { digits = digits.dropFirst(count) }
      return String(digits.prefix(count))
    }.joined(separator: "-")
  }

  private mutating func keep(_ found: ParsedValues) {
    var found = found
    orientation = found.formatRotates ? 1 : found.orientation
    if (0...Self.longestSide).contains(found.storedWidth), (0...Self.longestSide).contains(found.storedHeight) {
      let isTurned = orientation >= 5
      pixelWidth = isTurned ? found.storedHeight : found.storedWidth
      pixelHeight = isTurned ? found.storedWidth : found.storedHeight
    } else {
      found.note("The picture's size can't be true and was ignored.")
    }
    duration = (0...Self.longestDuration).contains(found.duration) ? found.duration : 0
    location = found.location
    subtypes = found.subtypes
    contentIdentifier = found.contentIdentifier?.cleaned(limit: Camera.textLimit).map(Self.spelledAlike)
    stillTime = found.stillTime.flatMap { (0...Self.longestDuration).contains($0) ? $0 : nil }
    burstIdentifier = found.burstIdentifier?.cleaned(limit: Camera.textLimit)
    camera = found.camera.cleaned
    isSelfie = found.isFrontCamera || found.camera.isFront
    if !found.texts.isEmpty { keep(found.texts) }
    motionVideo = found.motionVideo
    notes = found.notes
  }

  private mutating func keep(_ texts: TextCandidates) {
    title = texts.words(.title, limit: TextCandidates.titleLimit, camera: camera)
    caption = texts.words(.caption, limit: TextCandidates.captionLimit, camera: camera)
    keywords = texts.keywords
    placeNames = texts.placeNames
    rating = texts.rating
  }
}

extension ParsedValues {
  /// Marks screenshots and screen recordings by the file's name. A picture with an exposure is a
  /// camera's.
  mutating func readScreenName(_ name: String, format: FileFormat, type: MediaType) {
    if type.kind == .video {
      if ScreenName.isRecording(name) { subtypes.insert(.screenRecording) }
    } else if [.png, .jpeg, .webP, .heif, .jpegXL, .bmp].contains(format), !subtypes.contains(.animated),
      camera.exposureTime == nil, camera.fNumber == nil, ScreenName.isScreenshot(name)
    {
      subtypes.insert(.screenshot)
    }
  }

  mutating func read(_ bytes: ByteReader, format: FileFormat, type: MediaType) {
    switch format {
    case .jpeg: readJPEG(bytes)
    case .png: readPNG(bytes)
    case .gif: readGIF(bytes)
    case .webP: readWebP(bytes)
    case .bmp: readBMP(bytes)
    case .tiff: readTIFF(bytes, as: type)
    case .jpegXL: readJPEGXL(bytes)
    case .jpeg2000: readJPEG2000(bytes)
    case .heif: readHEIF(bytes)
    case .movie: readMovie(bytes)
    case .canonRaw3: readCanonRaw3(bytes)
    case .avi: readAVI(bytes)
    case .matroska: readMatroska(bytes)
    case .transportStream: readTransportStream(bytes)
    case .asf: readASF(bytes)
    case .dv: readDV(bytes)
    // The library reads the size and the duration of these with `ffprobe`.
    case .mpeg, .flash, .ogg, .mxf, .realMedia, .wtv, .nut, .swf, .ivf, .roq, .h264, .hevc: formatRotates = true
    case .fujiRaw: readFujiRaw(bytes)
    case .canonRaw1: readCanonRaw1(bytes)
    case .minoltaRaw: readMinoltaRaw(bytes)
    }
  }
}
