/// A file of the library as it is handed over: without its place or its texts, if these are
/// removed.
package struct PrivateFile: Sendable {
  private let reader: FileReader
  private let removal: MetadataRemoval

  /// Throws if the metadata can't be found.
  package init(_ reader: FileReader, removing options: PHPickerMetadataOptions) throws {
    let opened = try reader.opened()
    self.reader = opened
    removal = try MetadataRemoval(options, byteCount: opened.byteCount) { try Array(opened.data(in: $0)) }
  }

  package var byteCount: Int { removal.byteCount }

  /// Returns the bytes of a range inside the file.
  package func data(in range: Range<Int>) throws -> Data {
    removal.applied(to: try reader.data(in: range), at: range.lowerBound)
  }

  /// Returns a file in memory without its metadata.
  package static func data(_ data: Data, removing options: PHPickerMetadataOptions) throws -> Data {
    let removal = try MetadataRemoval(options, byteCount: data.count) { range in
      Array(data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound])
    }
    return removal.applied(to: data.prefix(removal.byteCount), at: 0)
  }

  /// The largest number of bytes that are written at once.
  private static let largestPiece = 1 << 20

  /// Removes the metadata of a file that this process has written.
  static func clear(_ url: URL, removing options: PHPickerMetadataOptions) throws {
    guard !options.isEmpty else { return }
    let file = try FileHandle(forUpdating: url)
    defer { try? file.close() }
    let removal = try MetadataRemoval(options, byteCount: Int(clamping: try file.seekToEnd())) { range in
      try file.seek(toOffset: UInt64(range.lowerBound))
      return try Array(file.read(upToCount: range.count) ?? Data())
    }
    for patch in removal.patches {
      try file.seek(toOffset: UInt64(patch.range.lowerBound))
      for start in stride(from: patch.range.lowerBound, to: patch.range.upperBound, by: largestPiece) {
        try file.write(contentsOf: patch.bytes(in: start..<min(start + largestPiece, patch.range.upperBound)))
      }
    }
    try file.truncate(atOffset: UInt64(removal.byteCount))
  }
}
