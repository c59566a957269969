/// A type in the list: its identifier, supertypes, tags and name.
struct Declaration: Sendable {
  let identifier: String
  let supertypes: [String]
  /// The filename extensions, starting with the preferred one.
  let extensions: [String]
  let mimeTypes: [String]
  let description: String

  init(
    _ identifier: String, _ supertypes: [String], _ extensions: [String] = [], _ mimeTypes: [String] = [],
    _ description: String
  ) {
    self.identifier = identifier
    self.supertypes = supertypes
    self.extensions = extensions
    self.mimeTypes = mimeTypes
    self.description = description
  }

  /// Makes the type of a camera's raw files.
  private init(raw identifier: String, _ extensions: String..., maker: String) {
    self.init(identifier, ["public.camera-raw-image"], extensions, ["image/x-raw"], "\(maker) raw image")
  }

  static let all: [Declaration] = kinds + stills + movies + sounds + raw + other

  static let byIdentifier = Dictionary(all.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
  /// If several types have a tag, the first one in the list gets it.
  static let byExtension = tagged(\.extensions)
  static let byMIMEType = tagged(\.mimeTypes)

  private static func tagged(_ tags: (Declaration) -> [String]) -> [String: String] {
    Dictionary(
      all.flatMap { declaration in tags(declaration).map { ($0, declaration.identifier) } },
      uniquingKeysWith: { first, _ in first })
  }

  private static let kinds: [Declaration] = [
    .init("public.item", [], [], [], "item"),
    .init("public.content", [], [], [], "content"),
    .init("public.data", ["public.item"], [], ["application/octet-stream"], "data"),
    .init("public.audiovisual-content", ["public.data", "public.content"], [], [], "audiovisual content"),
    .init("public.image", ["public.data", "public.content"], [], [], "image"),
    .init("public.movie", ["public.audiovisual-content"], [], [], "movie"),
    .init("public.video", ["public.movie"], [], [], "video"),
    .init("public.audio", ["public.audiovisual-content"], [], [], "audio"),
    .init("public.camera-raw-image", ["public.image"], [], ["image/x-raw"], "raw image"),
    .init("com.apple.live-photo", [], [], [], "Live Photo"),
    .init("com.apple.live-photo-bundle", ["com.apple.live-photo"], ["pvt"], [], "Live Photo bundle"),
    .init("public.heif-standard", ["public.image"], [], [], "HEIF standard image"),
  ]

  private static let stills: [Declaration] = [
    .init("public.jpeg", ["public.image"], ["jpeg", "jpg", "jpe"], ["image/jpeg", "image/jpg"], "JPEG image"),
    .init("public.png", ["public.image"], ["png"], ["image/png"], "PNG image"),
    .init("com.compuserve.gif", ["public.image"], ["gif"], ["image/gif"], "GIF image"),
    .init("org.webmproject.webp", ["public.image"], ["webp"], ["image/webp"], "WebP image"),
    .init("public.tiff", ["public.image"], ["tiff", "tif"], ["image/tiff"], "TIFF image"),
    .init(
      "com.microsoft.bmp", ["public.image"], ["bmp", "dib"], ["image/bmp", "image/x-bmp", "image/x-ms-bmp"],
      "Windows bitmap image"),
    .init("public.heic", ["public.heif-standard"], ["heic", "heics"], ["image/heic"], "HEIC image"),
    .init("public.heif", ["public.heif-standard"], ["heif", "heifs", "hif"], ["image/heif"], "HEIF image"),
    .init("public.avif", ["public.heif-standard"], ["avif", "avifs"], ["image/avif"], "AVIF image"),
    .init("public.jpeg-xl", ["public.image"], ["jxl"], ["image/jxl"], "JPEG XL image"),
    .init("public.jpeg-2000", ["public.image"], ["jp2", "jpf", "jpx", "j2k", "j2c"], ["image/jp2"], "JPEG 2000 image"),
    .init("public.svg-image", ["public.image"], ["svg", "svgz"], ["image/svg+xml"], "SVG image"),
  ]

  private static let movies: [Declaration] = [
    .init("com.apple.quicktime-movie", ["public.movie"], ["mov", "qt"], ["video/quicktime"], "QuickTime movie"),
    .init("public.mpeg-4", ["public.movie"], ["mp4", "mpg4"], ["video/mp4"], "MPEG-4 movie"),
    .init("com.apple.m4v-video", ["public.movie"], ["m4v"], ["video/x-m4v"], "M4V movie"),
    .init(
      "public.avi", ["public.movie"], ["avi", "vfw"], ["video/x-msvideo", "video/avi", "video/msvideo"], "AVI movie"),
    // Files of DVDs and camcorders have other names and the same format.
    .init(
      "public.mpeg", ["public.movie"], ["mpg", "mpeg", "mpe", "m75", "m15", "vob", "mod"], ["video/mpeg"],
      "MPEG movie"),
    .init("public.mpeg-2-video", ["public.movie"], ["m2v"], ["video/mpeg2"], "MPEG-2 video"),
    .init(
      "public.mpeg-2-transport-stream", ["public.movie"], ["ts", "m2t", "tod"], ["video/mp2t"],
      "MPEG-2 transport stream"),
    .init(
      "public.avchd-mpeg-2-transport-stream", ["public.mpeg-2-transport-stream"], ["mts", "m2ts"], ["video/mp2t"],
      "AVCHD MPEG-2 transport stream"),
    .init("com.microsoft.windows-media-wmv", ["public.movie"], ["wmv"], ["video/x-ms-wmv"], "Windows Media video"),
    .init(
      "com.microsoft.advanced-systems-format", ["public.movie"], ["asf"], ["video/x-ms-asf"],
      "Advanced Systems Format"),
    .init("public.dv-movie", ["public.movie"], ["dv", "dif"], ["video/x-dv"], "DV movie"),
    .init("com.adobe.flash.video", ["public.movie"], ["flv", "f4v"], ["video/x-flv"], "Flash video"),
    .init("org.xiph.ogv", ["public.movie"], ["ogv", "ogm"], ["video/ogg"], "Ogg video"),
    .init("org.smpte.mxf", ["public.movie"], ["mxf"], ["application/mxf"], "MXF movie"),
    .init(
      "com.real.realmedia", ["public.movie"], ["rm", "rmvb"], ["application/vnd.rn-realmedia"], "RealMedia movie"),
    .init("org.videolan.wtv", ["public.movie"], ["wtv"], ["video/x-ms-wtv"], "Windows TV recording"),
    .init("org.ffmpeg.nut", ["public.movie"], ["nut"], ["video/x-nut"], "NUT movie"),
    .init(
      "com.macromedia.shockwave-flash", ["public.movie"], ["swf"], ["application/x-shockwave-flash"],
      "Shockwave Flash movie"),
    .init("org.webmproject.ivf", ["public.movie"], ["ivf"], ["video/x-ivf"], "IVF movie"),
    .init("com.idsoftware.roq", ["public.movie"], ["roq"], ["video/x-roq"], "RoQ movie"),
    .init("int.itu.h264", ["public.movie"], ["h264", "264", "avc"], ["video/h264"], "H.264 video"),
    .init("int.itu.hevc", ["public.movie"], ["hevc", "h265", "265"], ["video/h265"], "HEVC video"),
    .init("public.3gpp", ["public.movie"], ["3gp", "3gpp"], ["video/3gpp", "audio/3gpp"], "3GPP movie"),
    .init("public.3gpp2", ["public.movie"], ["3g2", "3gp2"], ["video/3gpp2", "audio/3gpp2"], "3GPP2 movie"),
    .init("org.matroska.mkv", ["public.movie"], ["mkv"], ["video/x-matroska", "video/matroska"], "Matroska movie"),
    .init("org.webmproject.webm", ["public.movie"], ["webm"], ["video/webm"], "WebM movie"),
  ]

  private static let sounds: [Declaration] = [
    .init("public.mp3", ["public.audio"], ["mp3"], ["audio/mpeg", "audio/mp3"], "MP3 audio"),
    .init("public.mpeg-4-audio", ["public.audio"], ["m4a"], ["audio/mp4"], "MPEG-4 audio"),
    .init("com.apple.m4a-audio", ["public.audio"], ["m4a"], ["audio/mp4", "audio/x-m4a"], "Apple MPEG-4 audio"),
    .init(
      "com.microsoft.waveform-audio", ["public.audio"], ["wav", "wave"], ["audio/wav", "audio/x-wav"], "WAVE audio"),
    .init("public.aiff-audio", ["public.audio"], ["aiff", "aif"], ["audio/aiff", "audio/x-aiff"], "AIFF audio"),
  ]

  private static let other: [Declaration] = [
    .init("com.apple.property-list", ["public.data"], ["plist"], ["application/x-plist"], "property list"),
    .init("public.xml", ["public.text"], ["xml"], ["application/xml", "text/xml"], "XML text"),
    .init("public.text", ["public.data", "public.content"], [], [], "text"),
    .init("public.plain-text", ["public.text"], ["txt", "text"], ["text/plain"], "plain text"),
    .init("public.utf8-plain-text", ["public.plain-text"], [], [], "UTF-8 plain text"),
    .init("public.json", ["public.text"], ["json"], ["application/json"], "JSON"),
    .init("com.adobe.pdf", ["public.data", "public.content"], ["pdf"], ["application/pdf"], "PDF document"),
    .init("public.zip-archive", ["public.data"], ["zip"], ["application/zip"], "ZIP archive"),
    .init("public.folder", ["public.item"], [], [], "folder"),
    .init("public.file-url", ["public.url"], [], [], "file URL"),
    .init("public.url", ["public.data"], [], [], "URL"),
  ]

  private static let raw: [Declaration] = [
    .init(raw: "com.adobe.raw-image", "dng", maker: "Adobe"),
    .init(raw: "com.canon.crw-raw-image", "crw", maker: "Canon CRW"),
    .init(raw: "com.canon.cr2-raw-image", "cr2", maker: "Canon CR2"),
    .init(raw: "com.canon.cr3-raw-image", "cr3", maker: "Canon CR3"),
    .init(raw: "com.canon.tif-raw-image", "tif", maker: "Canon TIFF"),
    .init(raw: "com.fuji.raw-image", "raf", maker: "Fuji"),
    .init(raw: "com.panasonic.rw2-raw-image", "rw2", maker: "Panasonic"),
    .init(raw: "com.leica.rwl-raw-image", "rwl", maker: "Leica"),
    .init(raw: "com.olympus.or-raw-image", "orf", maker: "Olympus"),
    .init(raw: "com.konicaminolta.raw-image", "mrw", maker: "Minolta"),
    .init(raw: "com.nikon.raw-image", "nef", maker: "Nikon"),
    .init(raw: "com.sony.arw-raw-image", "arw", maker: "Sony"),
    .init(raw: "com.pentax.raw-image", "pef", maker: "Pentax"),
    .init(raw: "com.samsung.raw-image", "srw", maker: "Samsung"),
    .init(raw: "com.kodak.raw-image", "dcr", "kdc", maker: "Kodak"),
    .init(raw: "com.hasselblad.3fr-raw-image", "3fr", maker: "Hasselblad"),
    .init(raw: "com.phaseone.raw-image", "iiq", maker: "Phase One"),
    .init(raw: "com.leafamerica.raw-image", "mos", maker: "Leaf"),
    .init(raw: "com.epson.raw-image", "erf", maker: "Epson"),
  ]
}

extension UTType {
  public static let item = UTType(known: "public.item")
  public static let content = UTType(known: "public.content")
  public static let data = UTType(known: "public.data")
  public static let audiovisualContent = UTType(known: "public.audiovisual-content")
  public static let image = UTType(known: "public.image")
  public static let movie = UTType(known: "public.movie")
  public static let video = UTType(known: "public.video")
  public static let audio = UTType(known: "public.audio")
  public static let rawImage = UTType(known: "public.camera-raw-image")
  /// The type of a Live Photo on the pasteboard. As files, a Live Photo is two files of other
  /// types.
  public static let livePhoto = UTType(known: "com.apple.live-photo")

  public static let jpeg = UTType(known: "public.jpeg")
  public static let png = UTType(known: "public.png")
  public static let gif = UTType(known: "com.compuserve.gif")
  public static let webP = UTType(known: "org.webmproject.webp")
  public static let tiff = UTType(known: "public.tiff")
  public static let bmp = UTType(known: "com.microsoft.bmp")
  public static let heic = UTType(known: "public.heic")
  public static let heif = UTType(known: "public.heif")
  public static let svg = UTType(known: "public.svg-image")

  public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
  public static let mpeg4Movie = UTType(known: "public.mpeg-4")
  public static let avi = UTType(known: "public.avi")
  public static let mpeg = UTType(known: "public.mpeg")
  public static let mpeg2Video = UTType(known: "public.mpeg-2-video")
  public static let mpeg2TransportStream = UTType(known: "public.mpeg-2-transport-stream")

  public static let mp3 = UTType(known: "public.mp3")
  public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio")
  public static let wav = UTType(known: "com.microsoft.waveform-audio")
  public static let aiff = UTType(known: "public.aiff-audio")

  public static let propertyList = UTType(known: "com.apple.property-list")
  public static let xml = UTType(known: "public.xml")
  public static let text = UTType(known: "public.text")
  public static let plainText = UTType(known: "public.plain-text")
  public static let utf8PlainText = UTType(known: "public.utf8-plain-text")
  public static let json = UTType(known: "public.json")
  public static let pdf = UTType(known: "com.adobe.pdf")
  public static let zip = UTType(known: "public.zip-archive")
  public static let folder = UTType(known: "public.folder")
  public static let fileURL = UTType(known: "public.file-url")
  public static let url = UTType(known: "public.url")
}
