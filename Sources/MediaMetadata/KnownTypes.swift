extension MediaType {
  package static let jpeg = MediaType(kind: .image, "public.jpeg", "jpg")
  package static let png = MediaType(kind: .image, "public.png", "png")
  package static let gif = MediaType(kind: .image, "com.compuserve.gif", "gif")
  package static let webP = MediaType(kind: .image, "org.webmproject.webp", "webp")
  package static let bmp = MediaType(kind: .image, "com.microsoft.bmp", "bmp")
  package static let tiff = MediaType(kind: .image, "public.tiff", "tiff")
  package static let heic = MediaType(kind: .image, "public.heic", "heic")
  package static let heif = MediaType(kind: .image, "public.heif", "heif")
  package static let avif = MediaType(kind: .image, "public.avif", "avif")
  package static let jpegXL = MediaType(kind: .image, "public.jpeg-xl", "jxl")
  package static let jpeg2000 = MediaType(kind: .image, "public.jpeg-2000", "jp2")

  package static let quickTimeMovie = MediaType(kind: .video, "com.apple.quicktime-movie", "mov")
  package static let mp4 = MediaType(kind: .video, "public.mpeg-4", "mp4")
  package static let m4v = MediaType(kind: .video, "com.apple.m4v-video", "m4v")
  package static let threeGP = MediaType(kind: .video, "public.3gpp", "3gp")
  package static let threeGP2 = MediaType(kind: .video, "public.3gpp2", "3g2")
  package static let avi = MediaType(kind: .video, "public.avi", "avi")
  package static let matroska = MediaType(kind: .video, "org.matroska.mkv", "mkv")
  package static let webM = MediaType(kind: .video, "org.webmproject.webm", "webm")

  package static let mpeg = MediaType(kind: .video, "public.mpeg", "mpg")
  package static let transportStream = MediaType(kind: .video, "public.mpeg-2-transport-stream", "ts")
  package static let avchd = MediaType(kind: .video, "public.avchd-mpeg-2-transport-stream", "mts")
  package static let windowsMedia = MediaType(kind: .video, "com.microsoft.windows-media-wmv", "wmv")
  package static let dv = MediaType(kind: .video, "public.dv-movie", "dv")
  package static let flash = MediaType(kind: .video, "com.adobe.flash.video", "flv")
  package static let ogg = MediaType(kind: .video, "org.xiph.ogv", "ogv")
  package static let mxf = MediaType(kind: .video, "org.smpte.mxf", "mxf")
  package static let realMedia = MediaType(kind: .video, "com.real.realmedia", "rm")
  package static let wtv = MediaType(kind: .video, "org.videolan.wtv", "wtv")
  package static let nut = MediaType(kind: .video, "org.ffmpeg.nut", "nut")
  package static let swf = MediaType(kind: .video, "com.macromedia.shockwave-flash", "swf")
  package static let ivf = MediaType(kind: .video, "org.webmproject.ivf", "ivf")
  package static let roq = MediaType(kind: .video, "com.idsoftware.roq", "roq")
  package static let h264 = MediaType(kind: .video, "int.itu.h264", "h264")
  package static let hevc = MediaType(kind: .video, "int.itu.hevc", "hevc")

  package static let m4a = MediaType(kind: .audio, "com.apple.m4a-audio", "m4a")
  package static let mp4Audio = MediaType(kind: .audio, "public.mpeg-4-audio", "mp4")

  package static let dng = raw("com.adobe.raw-image", "dng")
  package static let canonRaw1 = raw("com.canon.crw-raw-image", "crw")
  package static let canonRaw2 = raw("com.canon.cr2-raw-image", "cr2")
  package static let canonRaw3 = raw("com.canon.cr3-raw-image", "cr3")
  package static let fujiRaw = raw("com.fuji.raw-image", "raf")
  package static let panasonicRaw = raw("com.panasonic.rw2-raw-image", "rw2")
  package static let leicaRaw = raw("com.leica.rwl-raw-image", "rwl")
  package static let olympusRaw = raw("com.olympus.or-raw-image", "orf")
  package static let minoltaRaw = raw("com.konicaminolta.raw-image", "mrw")

  /// The types of RAW files that are TIFFs, by the beginning of the Make tag in capitals.
  package static let rawByMaker: [(maker: String, type: MediaType)] = [
    ("NIKON", raw("com.nikon.raw-image", "nef")),
    ("SONY", raw("com.sony.arw-raw-image", "arw")),
    ("PENTAX", raw("com.pentax.raw-image", "pef")),
    ("RICOH", raw("com.pentax.raw-image", "pef")),
    ("SAMSUNG", raw("com.samsung.raw-image", "srw")),
    ("KODAK", raw("com.kodak.raw-image", "dcr")),
    ("EASTMAN KODAK", raw("com.kodak.raw-image", "kdc")),
    ("HASSELBLAD", raw("com.hasselblad.3fr-raw-image", "3fr")),
    ("PHASE ONE", raw("com.phaseone.raw-image", "iiq")),
    ("LEAF", raw("com.leafamerica.raw-image", "mos")),
    ("SEIKO EPSON", raw("com.epson.raw-image", "erf")),
    ("CANON", raw("com.canon.tif-raw-image", "tif")),
    ("LEICA", leicaRaw),
    ("PANASONIC", panasonicRaw),
    ("OLYMPUS", olympusRaw),
  ]

  /// The containers that store size and duration only in their streams or not at all; `ffprobe`
  /// reads them.
  package static let withoutHeader: Set<MediaType> = [
    mpeg, transportStream, avchd, windowsMedia, dv, flash, ogg, mxf, realMedia, wtv, nut, swf, ivf, roq, h264,
    hevc,
  ]

  /// The movies whose frames have no times. `ffmpeg` can't seek in them. Their extensions are its
  /// names of the formats.
  package static let withoutTimes: Set<MediaType> = [swf, roq, h264, hevc]

  /// The type of a file in this container that has sound but no picture.
  package var withoutPicture: MediaType {
    MediaType(kind: .audio, uniformTypeIdentifier, preferredFilenameExtension)
  }

  /// All types that can be detected.
  package static let known: Set<MediaType> = {
    let stills = [jpeg, png, gif, webP, bmp, tiff, heic, heif, avif, jpegXL, jpeg2000]
    let codestream = MediaType(kind: .image, jpeg2000.uniformTypeIdentifier, "j2k")
    let movies = [quickTimeMovie, mp4, m4v, threeGP, threeGP2, avi, matroska, webM] + withoutHeader
    let sounds = movies.map(\.withoutPicture)
    let raws = [dng, canonRaw1, canonRaw2, canonRaw3, fujiRaw, panasonicRaw, leicaRaw, olympusRaw, minoltaRaw]
    return Set(stills + [codestream] + movies + sounds + [m4a, mp4Audio] + raws + rawByMaker.map(\.type))
  }()

  private static func raw(_ identifier: String, _ filenameExtension: String) -> MediaType {
    MediaType(kind: .image, identifier, filenameExtension, isRaw: true)
  }
}
