import NIOCore

/// The comments of the web app's scripts: a quarter of their compressed bytes, which no browser
/// needs.
enum ScriptComments {
  /// Returns a script without the comments that begin a line. Its lines keep their numbers, so that
  /// errors name those of the file.
  static func removed(from script: ByteBuffer) -> ByteBuffer {
    var kept = ByteBuffer()
    kept.reserveCapacity(script.readableBytes)
    var isInComment = false
    for line in script.readableBytesView.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if kept.writerIndex > 0 || line.startIndex > script.readerIndex { kept.writeInteger(UInt8(ascii: "\n")) }
      let text = line.drop { $0 == UInt8(ascii: " ") }
      if !isInComment && text.starts(with: "//".utf8) { continue }
      isInComment = isInComment || text.starts(with: "/*".utf8)
      guard isInComment else {
        kept.writeBytes(line)
        continue
      }
      guard let end = endOfComment(in: line) else { continue }
      isInComment = false
      kept.writeBytes(line[end...])
    }
    return kept
  }

  /// Returns the index after a line's `*/`.
  private static func endOfComment(in line: ByteBufferView) -> ByteBufferView.Index? {
    zip(line.indices, line.indices.dropFirst())
      .first { line[$0] == UInt8(ascii: "*") && line[$1] == UInt8(ascii: "/") }
      .map { line.index(after: $0.1) }
  }
}
