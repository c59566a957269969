import Photos

/// The MIME types of the library's files. No other code maps them.
enum ContentType {
  static func of(uniformTypeIdentifier identifier: String) -> String {
    UTType(identifier)?.preferredMIMEType ?? "application/octet-stream"
  }
}
