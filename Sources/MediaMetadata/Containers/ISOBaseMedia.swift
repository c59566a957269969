/// One box of an ISO base media or QuickTime file.
package struct Box {
  package var type: FourCC
  /// The bytes after the header.
  package var content: ByteReader
  /// The box's size would extend beyond the end of its parent.
  package var isCut: Bool
}

/// A sequence of the consecutive boxes in a window. Only headers are read; the content of boxes is
/// skipped.
package struct Boxes: Sequence, IteratorProtocol {
  /// A limit on sibling boxes that no real file reaches.
  private static let limit = 4000

  private let bytes: ByteReader
  private var position: Int
  private var count = 0

  package init(_ bytes: ByteReader, from start: Int = 0) {
    self.bytes = bytes
    position = start
  }

  package mutating func next() -> Box? {
    guard count < Self.limit, let size = bytes.u32(position), let type = bytes.fourCC(position + 4) else { return nil }
    count += 1
    var headerByteCount = 8
    var boxByteCount = size
    if size == 1 {
      guard let large = bytes.u64(position + 8) else { return nil }
      headerByteCount = 16
      boxByteCount = large
    } else if size == 0 {
      boxByteCount = bytes.count - position
    }
    guard boxByteCount >= headerByteCount,
      let content = bytes.slice(position + headerByteCount, boxByteCount - headerByteCount)
    else { return nil }
    let isCut = boxByteCount > bytes.count - position
    position = isCut ? bytes.count : position + boxByteCount
    return Box(type: type, content: content, isCut: isCut)
  }
}

extension ByteReader {
  /// Returns the boxes after a header of `start` bytes.
  package func boxes(from start: Int = 0) -> Boxes { Boxes(self, from: start) }

  /// Returns the content of the first box of a type.
  package func box(_ type: FourCC, from start: Int = 0) -> ByteReader? {
    boxes(from: start).first { $0.type == type }?.content
  }

  /// The offset of the boxes in a `meta` box: ISO's begins with a version, QuickTime's does not.
  package var metaHeaderByteCount: Int { fourCC(4) == "hdlr" ? 0 : 4 }
}
