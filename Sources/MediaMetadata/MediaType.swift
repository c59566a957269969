/// The type of a file, detected from its content and never from its name.
///
///     try MediaType.detect(in: file)?.uniformTypeIdentifier  // "public.heic"
public struct MediaType: Hashable, Sendable {
  public enum Kind: Int, Sendable {
    case image = 1
    case video, audio
  }

  public var kind: Kind
  /// Apple's identifier if there is one (`public.jpeg`, `com.adobe.raw-image`,
  /// `com.apple.quicktime-movie`).
  public var uniformTypeIdentifier: String
  /// The extension without the dot, in lower case: `heic`.
  public var preferredFilenameExtension: String
  /// The file contains a camera's sensor data rather than a finished picture.
  public var isRaw: Bool

  public init(kind: Kind, _ uniformTypeIdentifier: String, _ preferredFilenameExtension: String, isRaw: Bool = false) {
    self.kind = kind
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.preferredFilenameExtension = preferredFilenameExtension
    self.isRaw = isRaw
  }
}
