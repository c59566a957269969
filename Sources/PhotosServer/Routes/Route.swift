import Foundation
import Photos

/// What a request's path asks for.
enum Route: Hashable {
  case library
  case days
  case assets
  case asset(id: Substring)
  case picture(id: Substring, version: Substring, PHRenditionKind)
  case movie(id: Substring, version: Substring)
  case resource(id: Substring, index: Int)
  case webFile(path: String)
  /// A path of the API's that leads nowhere.
  case nothing

  /// `path` as it came in the request, without the query.
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

  /// Whether the answer tells of the library.
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
    return PHRenditionKind(rawValue: String(parts[3])).map { .picture(id: parts[1], version: parts[2], $0) } ?? .nothing
  }
}

/// Paths of the web app's files.
enum WebPath {
  /// The file's path in the web folder, in which nothing leads out of it; `nil` where there can be none.
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
