import Foundation
import Synchronization

/// Extension: who uses a library: a program or a web origin, with the access that the library's owner gave it.
///
///     let library = try PHPhotoLibrary(url: url, client: PHClient(identifier: "com.example.Slideshow"))
public struct PHClient: Hashable, Sendable {
  /// Under this the library keeps what the client may do: `com.example.Slideshow`, `https://example.com`.
  public var identifier: String
  /// What the owner is shown.
  public var name: String
  /// Why it wants to see the library: a sentence that the owner is shown when the client asks.
  public var usageDescription: String?
  /// Why it wants to add to the library.
  public var addUsageDescription: String?

  public init(
    identifier: String, name: String? = nil, usageDescription: String? = nil, addUsageDescription: String? = nil
  ) {
    self.identifier = identifier
    self.name = name ?? identifier
    self.usageDescription = usageDescription
    self.addUsageDescription = addUsageDescription
  }

  /// The client that this program is, for `PHPhotoLibrary.shared()`: what the `Info.plist` beside its executable says (`CFBundleIdentifier`,
  /// `CFBundleName`, `NSPhotoLibraryUsageDescription`, `NSPhotoLibraryAddUsageDescription`), else the executable's path and name.
  ///
  /// A program without an `Info.plist` sets it before it touches the shared library.
  public static var current: PHClient {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }

  private static let stored = Mutex(PHClient(executable: Self.executable))

  private static var executable: URL {
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: path ?? CommandLine.arguments.first ?? "program").standardizedFileURL
  }

  init(executable: URL) {
    let file = executable.deletingLastPathComponent().appendingPathComponent("Info.plist")
    let plist = (try? Data(contentsOf: file)).flatMap {
      try? PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any]
    }
    func text(_ key: String) -> String? { (plist?[key] as? String).flatMap { $0.isEmpty ? nil : $0 } }
    self.init(
      identifier: text("CFBundleIdentifier") ?? executable.path,
      name: text("CFBundleName") ?? executable.lastPathComponent,
      usageDescription: text("NSPhotoLibraryUsageDescription"),
      addUsageDescription: text("NSPhotoLibraryAddUsageDescription"))
  }
}
