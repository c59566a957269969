import NIOCore

/// The scripts of the web app without what no browser needs: comments are a quarter of their
/// compressed bytes, and indentation is a fortieth.
enum CompactScript {
  /// Returns a script without the comments that begin a line, and without indentation. Its lines
  /// keep their numbers, so that errors name those of the file.
  static func made(from script: ByteBuffer) -> ByteBuffer {
    let lines = script.readableBytesView.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // A string in backticks may go on in the next line, whose indentation is then part of it.
    let isIndented = lines.contains { line in line.count { $0 == UInt8(ascii: "`") } % 2 == 1 }
    var kept = ByteBuffer()
    kept.reserveCapacity(script.readableBytes)
    var isInComment = false
    for line in lines {
      if line.startIndex > script.readerIndex { kept.writeInteger(UInt8(ascii: "\n")) }
      let text = line.drop { $0 == UInt8(ascii: " ") }
      if !isInComment && text.starts(with: "//".utf8) { continue }
      isInComment = isInComment || text.starts(with: "/*".utf8)
      guard isInComment else {
        kept.writeBytes(isIndented ? line : text)
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
