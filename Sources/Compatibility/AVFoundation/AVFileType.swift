/// A container, named by its uniform type identifier. An export writes QuickTime movies and MPEG-4;
/// the other names are for comparisons.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static let mov = AVFileType("com.apple.quicktime-movie")
  public static let mp4 = AVFileType("public.mpeg-4")
  public static let m4v = AVFileType("com.apple.m4v-video")

  public static let mobile3GPP = AVFileType("public.3gpp")
  public static let mobile3GPP2 = AVFileType("public.3gpp2")
  public static let m4a = AVFileType("com.apple.m4a-audio")
  public static let mp3 = AVFileType("public.mp3")
  public static let wav = AVFileType("com.microsoft.waveform-audio")
  public static let jpg = AVFileType("public.jpeg")
  public static let heic = AVFileType("public.heic")
  public static let heif = AVFileType("public.heif")
  public static let avci = AVFileType("public.avci")
  public static let tif = AVFileType("public.tiff")
  public static let dng = AVFileType("com.adobe.raw-image")

  init(filenameExtension: String) {
    switch filenameExtension.lowercased() {
    case "mp4": self = .mp4
    case "m4v": self = .m4v
    default: self = .mov
    }
  }
}
