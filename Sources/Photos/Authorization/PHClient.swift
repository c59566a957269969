import Foundation

/// Extension: who uses a library: a program or a web origin, with the access that the library's owner gave it.
///
///     let library = try PHPhotoLibrary(url: url, client: PHClient(identifier: "com.example.Slideshow"))
public struct PHClient: Hashable, Sendable {
  /// Under this the library keeps what the client may do: `com.example.Slideshow`, `https://example.com`.
  public var identifier: String
  /// What the owner is shown.
  public var name: String

  public init(identifier: String, name: String? = nil) {
    self.identifier = identifier
    self.name = name ?? identifier
  }

  /// The client that this program is: the `CFBundleIdentifier` of the `Info.plist` beside its executable, else the executable's path.
  public static let current: PHClient = {
    let executable = URL(fileURLWithPath: CommandLine.arguments.first ?? "program").standardizedFileURL
    return PHClient(identifier: executable.path, name: executable.lastPathComponent)
  }()
}
