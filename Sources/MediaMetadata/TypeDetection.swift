extension MediaType {
  /// Returns the type of a file; nil if the content is neither a photo nor a movie (a text, an AAE
  /// sidecar, an empty file).
  public static func detect(in file: MediaFile) throws(ImagingError) -> MediaType? {
    let source = MediaBytes(file)
    let type = FileFormat(source.all).flatMap { MediaType($0, source.all) }
    if let failure = source.failure { throw failure }
    return type
  }

  /// Finds the type of a file whose format is known; nil for an EBML file that is neither Matroska
  /// nor WebM.
  package init?(_ format: FileFormat, _ bytes: ByteReader) {
    switch format {
    case .jpeg: self = .jpeg
    case .png: self = .png
    case .gif: self = .gif
    case .webP: self = .webP
    case .bmp: self = .bmp
    case .tiff: self = Self.tiffType(bytes)
    case .jpegXL: self = .jpegXL
    case .jpeg2000: self = Self.jpeg2000(bytes)
    case .heif: self = bytes.box("ftyp").map { Brands($0).imageType } ?? .heif
    case .movie: self = Self.movieType(bytes)
    case .canonRaw3: self = .canonRaw3
    case .avi: self = .avi
    case .matroska:
      guard let type = Self.matroskaType(bytes) else { return nil }
      self = type
    case .mpeg: self = .mpeg
    case .transportStream: self = TransportPackets(bytes)?.hasClock == true ? .avchd : .transportStream
    case .asf: self = ASFHeader(bytes).hasPicture ? .windowsMedia : .windowsMedia.withoutPicture
    case .dv: self = .dv
    case .flash: self = (bytes.u8(4) ?? 0) & 5 == 4 ? .flash.withoutPicture : .flash
    case .ogg: self = Self.oggHasPicture(bytes) ? .ogg : .ogg.withoutPicture
    case .mxf: self = .mxf
    case .realMedia: self = Self.realMediaHasPicture(bytes) ? .realMedia : .realMedia.withoutPicture
    case .wtv: self = .wtv
    case .nut: self = .nut
    case .swf: self = .swf
    case .ivf: self = .ivf
    case .roq: self = .roq
    case .h264: self = .h264
    case .hevc: self = .hevc
    case .fujiRaw: self = .fujiRaw
    case .canonRaw1: self = .canonRaw1
    case .minoltaRaw: self = .minoltaRaw
    }
  }

  private static func jpeg2000(_ bytes: ByteReader) -> MediaType {
    var type = MediaType.jpeg2000
    if bytes.u16(0) == 0xFF4F { type.preferredFilenameExtension = "j2k" }
    return type
  }

  /// Returns the type of a movie file. A file with a sound track and no video track is audio. A
  /// file without an index has the type of its brand.
  private static func movieType(_ bytes: ByteReader) -> MediaType {
    let type = bytes.box("ftyp").map { Brands($0).movieType } ?? .quickTimeMovie
    guard type.kind == .video, let moov = bytes.box("moov") else { return type }
    let handlers = QuickTimeMovie.handlers(moov)
    guard handlers.contains("soun"), !handlers.contains("vide") else { return type }
    var sound = MediaType.mp4Audio
    if type != .mp4 { sound = type.withoutPicture }
    return sound
  }

  private static func matroskaType(_ bytes: ByteReader) -> MediaType? {
    let header = bytes.ebmlElements.first { _ in true }
    switch header?.content.ebmlElements.prefix(32).first(where: { $0.id == 0x4282 })?.content.text(limit: 32) {
    case "webm": return .webM
    case "matroska": return .matroska
    default: return nil
    }
  }

  /// Examines the first page of each stream. All of these pages are at the file's beginning.
  private static func oggHasPicture(_ bytes: ByteReader) -> Bool {
    var page = 0
    for _ in 0..<32 {
      guard bytes.starts(with: "OggS", at: page), let flags = bytes.u8(page + 5), flags & 2 != 0,
        let segments = bytes.u8(page + 26)
      else { return false }
      let content = page + 27 + segments
      let isPicture =
        ["theora", "video"].contains { bytes.starts(with: $0, at: content + 1) }
        || ["BBCD", "OVP80"].contains { bytes.starts(with: $0, at: content) }
      if isPicture { return true }
      page = content + (0..<segments).reduce(0) { $0 + (bytes.u8(page + 27 + $1) ?? 0) }
    }
    return false
  }

  private static func realMediaHasPicture(_ bytes: ByteReader) -> Bool {
    let head = bytes.bytes(0, min(bytes.count, 16 << 10)) ?? []
    return head.firstRange(of: Array("video/x-pn-realvideo".utf8)) != nil
  }

  // MARK: TIFF and the RAW formats that are built like it

  /// Compressions that only sensor data uses.
  private static let rawCompressions: Set<Int> = [32767, 32769, 32770, 32772, 32867, 34316, 34713, 34892, 65000, 65535]
  /// A color filter array, and LinearRaw.
  private static let rawPhotometrics: Set<Int> = [32803, 34892]

  private static func tiffType(_ bytes: ByteReader) -> MediaType {
    guard let tiff = TIFFReader(bytes) else { return .tiff }
    switch tiff.version {
    case 0x55:
      let maker = tiff.directory(at: tiff.firstDirectory)?.text(0x010F)?.uppercased() ?? ""
      return maker.hasPrefix("LEICA") ? .leicaRaw : .panasonicRaw
    case 0x4F52, 0x5352: return .olympusRaw
    default: break
    }
    if bytes.starts(with: "CR", at: 8), bytes.u8(10) == 2 { return .canonRaw2 }
    let directories = tiff.pictureDirectories
    guard let main = directories.first else { return .tiff }
    if main[0xC612] != nil { return .dng }
    let isRaw = directories.contains {
      rawCompressions.contains($0.int(0x0103) ?? 0) || rawPhotometrics.contains($0.int(0x0106) ?? 0)
    }
    guard isRaw, let maker = main.text(0x010F)?.uppercased() else { return .tiff }
    return rawByMaker.first { maker.hasPrefix($0.maker) }?.type ?? .tiff
  }
}

extension QuickTimeMovie {
  /// Returns the handler of each track: the kind of its media.
  package static func handlers(_ moov: ByteReader) -> [FourCC] {
    moov.boxes().lazy.filter { $0.type == "trak" }.prefix(64).compactMap {
      $0.content.box("mdia")?.box("hdlr")?.fourCC(8)
    }
  }
}

extension MediaBytes {
  /// Whether a movie has, or may have, several tracks of pictures. Only these containers are used
  /// for such movies.
  package var hasSeveralPictureTracks: Bool {
    switch FileFormat(all) {
    case .movie: all.box("moov").map { QuickTimeMovie.handlers($0).count { $0 == "vide" } != 1 } ?? true
    case .matroska: all.matroskaPictureCount != 1
    case .avi: all.aviPictures.count != 1
    case .asf: ASFHeader(all).pictureCount != 1
    case .transportStream: (TransportPackets(all)?.pictureCount ?? 0) > 1
    default: false
    }
  }

  /// Whether a movie's container turns a picture; true if its tracks can't be found. Only
  /// QuickTime, MP4 and Matroska can turn a picture.
  package var isTurnedByContainer: Bool {
    switch FileFormat(all) {
    case .movie:
      all.box("moov").map {
        QuickTimeMovie($0).tracks.contains { ["vide", "pict"].contains($0.handler) && $0.isTurned }
      } ?? true
    case .matroska: all.isMatroskaTurned
    default: false
    }
  }
}

extension TIFFReader {
  /// The main directories, and the subdirectories that contain a RAW file's sensor data.
  package var pictureDirectories: [TIFFDirectory] {
    var result = directories(from: firstDirectory, limit: 8)
    for directory in result {
      for offset in directory.ints(0x014A, limit: 8) ?? [] where result.count < 32 {
        if let sub = self.directory(at: offset) { result.append(sub) }
      }
    }
    return result
  }
}
