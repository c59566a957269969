import MediaMetadata

/// Makes pictures of newer iPhones readable by libheif before 1.17. That version refuses a file in
/// which one metadata item describes several pictures, or one auxiliary picture (a gain map)
/// belongs to several.
///
/// Only references that no rendition needs are hidden. Their type is overwritten in memory with one
/// that decoders ignore.
enum HEIFRepair {
  private static let hidden = Array("free".utf8)

  static func hideSharedReferences(in bytes: inout [UInt8]) {
    guard let meta = box("meta", in: bytes, 0..<bytes.count),
      let references = box("iref", in: bytes, meta.dropFirst(4).indices)
    else { return }
    let identifierBytes = references.isEmpty || bytes[references.lowerBound] == 0 ? 2 : 4
    for reference in boxes(in: bytes, references.dropFirst(4).indices) {
      let count = reference.content.lowerBound + identifierBytes
      guard count + 2 <= reference.content.upperBound else { continue }
      let isShared = bytes[count] > 0 || bytes[count + 1] > 1
      if isShared, reference.type == "cdsc" || reference.type == "auxl" {
        bytes.replaceSubrange(reference.typeOffset..<reference.typeOffset + 4, with: hidden)
      }
    }
  }

  private struct Box {
    var type: String
    var typeOffset: Int
    var content: Range<Int>
  }

  private static func box(_ type: String, in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    boxes(in: bytes, range).first { $0.type == type }?.content
  }

  private static func boxes(in bytes: [UInt8], _ range: Range<Int>) -> [Box] {
    var result: [Box] = []
    var at = range.lowerBound
    while at + 8 <= range.upperBound {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      // Sizes of 64 bits (1) and "to the end" (0) belong to picture data, which follows the boxes
      // searched for.
      guard length >= 8, at + length <= range.upperBound else { break }
      let type = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
      result.append(Box(type: type, typeOffset: at + 4, content: at + 8..<at + length))
      at += length
    }
    return result
  }
}
