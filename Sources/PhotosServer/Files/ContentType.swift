import Photos

/// The MIME types of files. No other code maps them.
enum ContentType {
  static func of(uniformTypeIdentifier identifier: String) -> String {
    UTType(identifier)?.preferredMIMEType ?? unknown
  }

  static func of(filename: String) -> String {
    guard let dot = filename.lastIndex(of: ".") else { return unknown }
    return byExtension[filename[filename.index(after: dot)...].lowercased()] ?? unknown
  }

  private static let unknown = "application/octet-stream"

  /// The types of the web app's files. Texts need a charset, since browsers would guess it.
  private static let byExtension = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "json": "application/json; charset=utf-8",
    "webmanifest": "application/manifest+json", "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp",
    "avif": "image/avif", "ico": "image/x-icon", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
    "md": "text/plain; charset=utf-8", "map": "application/json; charset=utf-8", "wasm": "application/wasm",
  ]
}
