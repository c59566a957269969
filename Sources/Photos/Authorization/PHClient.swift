import Foundation
import Synchronization

/// Extension: who uses a library: a program or a web origin, with the access that the library's owner gave it.
///
///     let library = try PHPhotoLibrary(url: url, client: PHClient(identifier: "com.example.Slideshow"))
///
/// The library knows it by its `identifier`; the other properties are what the owner is told when it asks.
public struct PHClient: Hashable, Sendable {
  /// Under this the library keeps what the client may do: `com.example.Slideshow`, `https://example.com`.
  public var identifier: String
  /// What the owner is shown.
  public var name: String
  /// Why it wants to see the photos: what `NSPhotoLibraryUsageDescription` says.
  public var usageDescription: String?
  /// Why it wants to add photos: what `NSPhotoLibraryAddUsageDescription` says.
  public var addUsageDescription: String?

  public init(
    identifier: String, name: String? = nil, usageDescription: String? = nil, addUsageDescription: String? = nil
  ) {
    self.identifier = identifier
    self.name = name ?? identifier
    self.usageDescription = usageDescription
    self.addUsageDescription = addUsageDescription
  }

  /// The client that this program is: what the `Info.plist` beside its executable says (`CFBundleIdentifier`, `CFBundleName`, and why it
  /// wants access), and the executable's path where that has no identifier.
  ///
  ///     PHClient.current.usageDescription = "Shows your photos, one after the other."
  ///
  /// Assign before `PHPhotoLibrary.shared()` is used for the first time: it keeps the identifier that it finds then.
  public static var current: PHClient {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }

  private static let stored = Mutex(PHClient(executable: URL(fileURLWithPath: executablePath)))

  /// The client that a program is, by the `Info.plist` beside its executable, else by its path without links.
  public init(executable: URL) {
    let file = executable.resolvingSymlinksInPath()
    self.init(executable: file.path, infoPlist: try? Data(contentsOf: Self.infoPlistURL(of: file)))
  }

  static let executablePath: String =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "program").standardizedFileURL.path

  /// Where this program's `Info.plist` is looked for.
  static let infoPlistURL = infoPlistURL(of: URL(fileURLWithPath: executablePath))

  private static func infoPlistURL(of executable: URL) -> URL {
    executable.deletingLastPathComponent().appendingPathComponent("Info.plist")
  }

  /// A property list that can't be read, or has no texts under these keys, says nothing.
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

  /// Why it wants a level of access.
  func usageDescription(for level: PHAccessLevel) -> String? {
    switch level {
    case .readWrite: usageDescription
    case .addOnly: addUsageDescription
    }
  }
}

extension PHAccessLevel {
  /// Under this an `Info.plist` says why a program wants access.
  var usageDescriptionKey: String {
    switch self {
    case .readWrite: "NSPhotoLibraryUsageDescription"
    case .addOnly: "NSPhotoLibraryAddUsageDescription"
    }
  }
}
