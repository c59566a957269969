/// One box of an ISO base media or QuickTime file.
package struct Box {
  package var type: FourCC
  /// What follows the header.
  package var content: ByteReader
  /// The whole of it would end behind its parent.
  package var isCut: Bool
}

/// The boxes that follow each other in a window, read header by header: what a box holds is jumped over.
package struct Boxes: Sequence, IteratorProtocol {
  /// More boxes side by side than any real file has.
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
  /// The boxes inside, after a header of `start` bytes.
  package func boxes(from start: Int = 0) -> Boxes { Boxes(self, from: start) }

  /// The content of the first box of a type.
  package func box(_ type: FourCC, from start: Int = 0) -> ByteReader? {
    boxes(from: start).first { $0.type == type }?.content
  }

  /// Where the boxes of a `meta` begin: ISO's has a version before them, QuickTime's has not.
  package var metaHeaderByteCount: Int { fourCC(4) == "hdlr" ? 0 : 4 }
}
