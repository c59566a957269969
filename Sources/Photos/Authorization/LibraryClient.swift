import Foundation
import Synchronization

/// A program or a web origin that uses a library with the access that the library's owner gave it.
///
///     let client = LibraryClient(identifier: "com.example.Slideshow")
///     let library = try PHPhotoLibrary(url: url, client: client)
///
/// The library recognizes a client by its `identifier`. The other properties are shown to the owner
/// if the client asks for access.
public struct LibraryClient: Hashable, Sendable {
  /// The key of the client's access in the library: `com.example.Slideshow`, `https://example.com`.
  public var identifier: String
  /// The name that the owner is shown.
  public var name: String
  /// The reason for seeing photos: the value of `NSPhotoLibraryUsageDescription`.
  public var usageDescription: String?
  /// The reason for adding photos: the value of `NSPhotoLibraryAddUsageDescription`.
  public var addUsageDescription: String?

  public init(
    identifier: String, name: String? = nil, usageDescription: String? = nil, addUsageDescription: String? = nil
  ) {
    self.identifier = identifier
    self.name = name ?? identifier
    self.usageDescription = usageDescription
    self.addUsageDescription = addUsageDescription
  }

  /// The client that stands for this program.
  ///
  /// Identifier, name and usage descriptions come from the `Info.plist` beside the executable
  /// (`CFBundleIdentifier`, `CFBundleName`, …). Without an identifier there, the executable's path
  /// is the identifier.
  ///
  ///     LibraryClient.current.usageDescription = "Shows your photos, one after the other."
  ///
  /// Assign it before the first use of `PHPhotoLibrary.shared()`, which keeps the identifier that
  /// it finds.
  public static var current: LibraryClient {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }

  private static let stored = Mutex(LibraryClient(executable: URL(fileURLWithPath: executablePath)))

  /// Makes the client that stands for a program, from the `Info.plist` beside its executable, else
  /// from its path with links resolved.
  public init(executable: URL) {
    let file = executable.resolvingSymlinksInPath()
    self.init(executable: file.path, infoPlist: try? Data(contentsOf: Self.infoPlistURL(of: file)))
  }

  static let executablePath: String =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "program").standardizedFileURL.path

  /// The place of this program's `Info.plist`.
  static let infoPlistURL = infoPlistURL(of: URL(fileURLWithPath: executablePath))

  private static func infoPlistURL(of executable: URL) -> URL {
    executable.deletingLastPathComponent().appendingPathComponent("Info.plist")
  }

  /// Makes a client from a property list. A list that can't be read counts as empty, and values
  /// that are no texts are ignored.
  init(executable: String, infoPlist: Data?) {
    let plist = infoPlist.flatMap { try? PropertyListSerialization.propertyList(from: $0, format: nil) }
    func text(_ key: String) -> String? {
      guard let text = (plist as? [String: Any])?[key] as? String, !text.isEmpty else { return nil }
      return text
    }
    let identifier = text("CFBundleIdentifier")
    self.init(
      identifier: identifier ?? executable,
      name: text("CFBundleName") ?? identifier ?? (executable as NSString).lastPathComponent,
      usageDescription: text(PHAccessLevel.readWrite.usageDescriptionKey),
      addUsageDescription: text(PHAccessLevel.addOnly.usageDescriptionKey))
  }

  /// Returns the reason for wanting a level of access.
  func usageDescription(for level: PHAccessLevel) -> String? {
    switch level {
    case .readWrite: usageDescription
    case .addOnly: addUsageDescription
    }
  }
}

extension PHAccessLevel {
  /// The key in `Info.plist` of a program's reason for wanting this level.
  var usageDescriptionKey: String {
    switch self {
    case .readWrite: "NSPhotoLibraryUsageDescription"
    case .addOnly: "NSPhotoLibraryAddUsageDescription"
    }
  }
}
