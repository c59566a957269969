import Foundation

/// The bytes of a file, for the metadata readers. It reads at any offset, keeps a few pages, and
/// bounds the number of bytes read in all.
///
///     let source = MediaBytes(file)
///     source.all.u32(4)      // nil past the end of the file
///
/// A failed read returns nil, like a read past the end: the readers need not distinguish a broken
/// disk from a broken file. `failure` keeps the first error, and the code that made the source
/// throws it. A source is used by one thread.
package final class MediaBytes {
  /// The largest number of bytes that are read of one file, regardless of its content.
  package static let readLimit = 4 << 20
  /// The size of a file's beginning that contains the metadata of nearly all photos.
  package static let headByteCount = 64 << 10
  /// The largest number of bytes that are searched for a text. They don't count towards
  /// `readLimit`.
  private static let searchLimit = 64 << 20
  private static let searchedByteCount = 1 << 20
  private static let pageByteCount = 4 << 10
  private static let pageCount = 8

  package let byteCount: Int
  package let name: String
  package private(set) var failure: ImagingError?
  package private(set) var unreadBudget = MediaBytes.readLimit
  private var unsearchedBudget = MediaBytes.searchLimit
  /// The last piece of a search. The next search and the check of a finding read it again.
  private var searched: Page?
  private let file: MediaFile?
  private var head: [UInt8]
  private var pages: [Page] = []
  private var nextPage = 0

  private struct Page {
    var offset: Int
    var bytes: [UInt8]

    var end: Int { offset + bytes.count }
  }

  package init(_ file: MediaFile) {
    self.file = file
    name = file.name
    byteCount = file.byteCount
    head = []
    head = load(Self.headByteCount, at: 0)
  }

  /// Creates a source from bytes that were assembled from parts of a file.
  package init(_ bytes: [UInt8], name: String = "") {
    file = nil
    self.name = name
    byteCount = bytes.count
    head = bytes
  }

  package var all: ByteReader { ByteReader(self, at: 0, count: byteCount) }

  package func byte(at offset: Int) -> UInt8? {
    if offset >= 0, offset < head.count { return head[offset] }
    if let searched, offset >= searched.offset, offset < searched.end {
      return searched.bytes[offset - searched.offset]
    }
    guard let page = page(of: offset) else { return nil }
    let index = offset - page.offset
    return index < page.bytes.count ? page.bytes[index] : nil
  }

  /// Returns exactly `count` bytes, or nil.
  package func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset <= byteCount, count <= byteCount - offset else { return nil }
    if offset <= head.count, count <= head.count - offset { return Array(head[offset..<offset + count]) }
    if count <= 64 {
      var result: [UInt8] = []
      result.reserveCapacity(count)
      for position in offset..<offset + count {
        guard let byte = byte(at: position) else { return nil }
        result.append(byte)
      }
      return result
    }
    let result = load(count, at: offset)
    return result.count == count ? result : nil
  }

  /// Returns the offset of the first byte with this value in a range; nil if there is none.
  package func firstIndex(of value: UInt8, in range: Range<Int>) -> Int? {
    var offset = max(0, range.lowerBound)
    let headEnd = min(range.upperBound, head.count)
    if offset < headEnd {
      // A loop takes ten times as long in a debug build, which tests use.
      let found = head.withUnsafeBytes { head -> Int? in
        guard let base = head.baseAddress else { return nil }
        return memchr(base + offset, Int32(value), headEnd - offset).map { UnsafeRawPointer($0) - base }
      }
      if let found { return found }
      offset = headEnd
    }
    while offset < range.upperBound, let byte = byte(at: offset) {
      if byte == value { return offset }
      offset += 1
    }
    return nil
  }

  /// Returns the offset of a text of at least two letters at or after `start`; nil if there is none
  /// within the limit of a search. Searches that go on from each finding read each byte about once.
  package func firstIndex(of text: String, from start: Int) -> Int? {
    let letterCount = text.utf8.count
    var offset = max(0, start)
    while offset <= byteCount - letterCount {
      guard let piece = searchedPiece(at: offset, holding: letterCount) else { return nil }
      if let found = piece.bytes.firstIndex(of: text, from: offset - piece.offset) { return piece.offset + found }
      // The text may lie on the border of two pieces.
      offset = piece.end - letterCount + 1
    }
    return nil
  }

  /// Returns a piece with at least `count` bytes from `offset` on; nil at the limit of a search.
  private func searchedPiece(at offset: Int, holding count: Int) -> Page? {
    guard let file else { return Page(offset: 0, bytes: head) }
    if let searched, offset >= searched.offset, count <= searched.end - offset { return searched }
    let wanted = min(Self.searchedByteCount, byteCount - offset)
    guard failure == nil, wanted <= unsearchedBudget else { return nil }
    unsearchedBudget -= wanted
    do {
      let piece = Page(offset: offset, bytes: try file.read(wanted, at: offset))
      // The file may have become shorter.
      guard piece.bytes.count >= count else { return nil }
      searched = piece
      return piece
    } catch {
      failure = error
      return nil
    }
  }

  private func page(of offset: Int) -> Page? {
    guard offset >= 0, offset < byteCount else { return nil }
    let start = offset / Self.pageByteCount * Self.pageByteCount
    if let page = pages.first(where: { $0.offset == start }) { return page }
    let page = Page(offset: start, bytes: load(Self.pageByteCount, at: start))
    guard !page.bytes.isEmpty else { return nil }
    if pages.count < Self.pageCount {
      pages.append(page)
    } else {
      pages[nextPage] = page
      nextPage = (nextPage + 1) % Self.pageCount
    }
    return page
  }

  private func load(_ count: Int, at offset: Int) -> [UInt8] {
    guard let file, failure == nil, count <= unreadBudget else { return [] }
    do {
      let bytes = try file.read(count, at: offset)
      unreadBudget -= bytes.count
      return bytes
    } catch {
      failure = error
      return []
    }
  }
}
