import Foundation
import Photos

/// The endpoint that a request's path selects.
enum Route: Hashable {
  case library
  case days
  case assets
  case asset(id: Substring)
  case picture(id: Substring, version: Substring, AssetRendition.Kind)
  case movie(id: Substring, version: Substring)
  case resource(id: Substring, index: Int)
  case webFile(path: String)
  /// A path of the API without an endpoint.
  case nothing

  /// Parses a path as the request contains it, without its query.
  init(path: Substring) {
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    switch parts.first {
    case "api": self = Self.api(parts)
    case "renditions": self = Self.rendition(parts)
    case "resources":
      self =
        if parts.count == 3, let index = Int(parts[2]), index >= 0 { .resource(id: parts[1], index: index) } else {
          .nothing
        }
    default: self = WebPath.file(of: path).map(Route.webFile) ?? .nothing
    }
  }

  /// True if the answer reveals anything about the library.
  var isPrivate: Bool { if case .webFile = self { false } else { true } }

  private static func api(_ parts: [Substring]) -> Route {
    switch (parts.count, parts.dropFirst().first) {
    case (2, "library"): .library
    case (2, "days"): .days
    case (2, "assets"): .assets
    case (3, "assets"): .asset(id: parts[2])
    default: .nothing
    }
  }

  private static func rendition(_ parts: [Substring]) -> Route {
    guard parts.count == 4 else { return .nothing }
    if parts[3] == "video" { return .movie(id: parts[1], version: parts[2]) }
    return AssetRendition.Kind(rawValue: String(parts[3])).map { .picture(id: parts[1], version: parts[2], $0) }
      ?? .nothing
  }
}

/// The paths of the web app's files.
enum WebPath {
  /// Returns the path inside the web folder. Returns `nil` for a path that could lead out of the
  /// folder or names a hidden file.
  static func file(of path: Substring) -> String? {
    guard path != "/" else { return "index.html" }
    guard path.hasPrefix("/") else { return nil }
    var names: [String] = []
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let name = part.removingPercentEncoding, !name.isEmpty, !name.hasPrefix("."),
        !name.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
      else { return nil }
      names.append(name)
    }
    return names.joined(separator: "/")
  }
}
