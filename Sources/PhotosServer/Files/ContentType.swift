/// The one place where kinds of files get their MIME types.
enum ContentType {
  static func of(uniformTypeIdentifier identifier: String) -> String {
    if let type = byIdentifier[identifier] { return type }
    return identifier.hasSuffix("raw-image") ? "image/x-raw" : unknown
  }

  static func of(filename: String) -> String {
    guard let dot = filename.lastIndex(of: ".") else { return unknown }
    return byExtension[filename[filename.index(after: dot)...].lowercased()] ?? unknown
  }

  private static let unknown = "application/octet-stream"

  private static let byIdentifier = [
    "public.jpeg": "image/jpeg", "public.png": "image/png", "com.compuserve.gif": "image/gif",
    "org.webmproject.webp": "image/webp", "public.avif": "image/avif", "public.heic": "image/heic",
    "public.heif": "image/heif", "public.tiff": "image/tiff", "com.microsoft.bmp": "image/bmp",
    "public.jpeg-2000": "image/jp2", "public.jpeg-xl": "image/jxl", "public.svg-image": "image/svg+xml",
    "com.apple.quicktime-movie": "video/quicktime", "public.mpeg-4": "video/mp4", "com.apple.m4v-video": "video/x-m4v",
    "public.avi": "video/x-msvideo", "public.3gpp": "video/3gpp", "public.3gpp2": "video/3gpp2",
    "org.matroska.mkv": "video/x-matroska", "org.webmproject.webm": "video/webm", "public.mpeg-4-audio": "audio/mp4",
    "com.apple.m4a-audio": "audio/mp4", "public.mp3": "audio/mpeg",
  ]

  private static let byExtension = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "json": "application/json; charset=utf-8",
    "webmanifest": "application/manifest+json", "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp",
    "avif": "image/avif", "ico": "image/x-icon", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
    "md": "text/plain; charset=utf-8", "map": "application/json; charset=utf-8", "wasm": "application/wasm",
  ]
}
