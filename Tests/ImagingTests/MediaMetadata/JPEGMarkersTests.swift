import Testing

@testable import MediaMetadata

@Suite struct JPEGMarkersTests {
  private static let start: [UInt8] = [0xFF, 0xD8]
  private static let end: [UInt8] = [0xFF, 0xD9]

  private static func segment(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, code] + big(content.count + 2, 2) + content
  }

  private func markers(_ bytes: [UInt8]) -> [JPEGMarker] { Array(JPEGMarkers(MediaBytes(bytes).all)) }

  /// Describes the markers: code, offset, end, and what is wrong with them.
  private func texts(_ bytes: [UInt8]) -> [String] {
    markers(bytes).map { marker in
      let code = String(marker.code, radix: 16)
      let stray = marker.strayByteCount > 0 ? " after \(marker.strayByteCount)" : ""
      return "\(code) \(marker.offset)-\(marker.end)\(stray)\(marker.isWhole ? "" : " cut")"
    }
  }

  @Test func `each segment has its place and its content`() {
    let bytes = Self.start + Self.segment(0xE1, [1, 2, 3]) + Self.segment(0xDB, []) + Self.end
    #expect(texts(bytes) == ["e1 2-9", "db 9-13", "d9 13-15"])
    #expect(markers(bytes)[0].content.bytes(0, 3) == [1, 2, 3])
    #expect(markers(bytes)[0].byteCount == 3)
  }

  @Test func `fill bytes, restarts and a second start are left out`() {
    let between: [UInt8] = [0xFF, 0xFF, 0xFF] + [0xFF, 0xD0] + [0xFF, 0x01] + [0xFF, 0xD8]
    #expect(texts(Self.start + between + Self.segment(0xE0, [7]) + Self.end) == ["e0 11-16", "d9 16-18"])
  }

  @Test func `bytes between headers are skipped and counted`() {
    let bytes = Self.start + [1, 2, 0xFF, 0, 3] + Self.segment(0xE0, []) + Self.end
    #expect(texts(bytes) == ["e0 7-11 after 5", "d9 11-13"])
  }

  @Test(arguments: [(16_383, true), (16_384, false), (100_000, false)])
  func `no header is found after too many other bytes`(_ count: Int, _ isFound: Bool) {
    let bytes = Self.start + [UInt8](repeating: 3, count: count) + Self.segment(0xE0, []) + Self.end
    #expect(markers(bytes).isEmpty == !isFound)
  }

  @Test func `coded data is skipped, and the headers of the next scan are found`() {
    let data: [UInt8] = [1, 0xFF, 0, 2, 0xFF, 0xD3, 3, 0xFF, 0xFF]
    let scan = Self.segment(0xDA, [1]) + data
    let bytes = Self.start + scan + Self.segment(0xC4, [9]) + scan + Self.end + Self.segment(0xE1, [1])
    #expect(texts(bytes) == ["da 2-7", "c4 16-21", "da 21-26", "d9 35-37"])
    #expect(Array(JPEGMarkers.headers(MediaBytes(bytes).all)).isEmpty)
  }

  @Test func `a header that is cut is the last, with the bytes that are left`() {
    let bytes = Self.start + Self.segment(0xE0, []) + [0xFF, 0xE1, 0, 100, 5, 6]
    #expect(texts(bytes) == ["e0 2-6", "e1 6-12 cut"])
    #expect(markers(bytes)[1].content.bytes(0, 2) == [5, 6])
    #expect(markers(bytes)[1].byteCount == 98)
  }

  @Test(arguments: [[0xFF, 0xE1], [0xFF, 0xE1, 0], [0xFF, 0xE1, 0, 0], [0xFF, 0xE1, 0, 1]] as [[UInt8]])
  func `a header without a possible length is the last`(_ header: [UInt8]) {
    let markers = markers(Self.start + header)
    #expect(markers.map(\.code) == [0xE1])
    #expect(markers.first?.byteCount == nil)
    #expect(markers.map(\.content.count) == [0])
  }

  @Test func `in coded data, a segment that is cut is taken for data`() {
    let bytes = Self.start + Self.segment(0xDA, []) + [0xFF, 0xC4, 0xFF, 0xFF] + Self.segment(0xDB, [1]) + Self.end
    #expect(texts(bytes) == ["da 2-6", "c4 6-17 cut", "db 10-15", "d9 15-17"])
  }

  @Test(arguments: [[], [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF], [0xFF, 0xD8, 0, 0, 0]] as [[UInt8]])
  func `a file without markers has none`(_ bytes: [UInt8]) { #expect(markers(bytes).isEmpty) }

  @Test func `a JPEG inside of a file has offsets of its own`() {
    let inner = Self.start + Self.segment(0xE1, [4]) + Self.end
    let file = MediaBytes([0xFF, 0xD9] + inner + Self.segment(0xE2, []))
    let markers = Array(JPEGMarkers(ByteReader(file, at: 2, count: inner.count)))
    #expect(markers.map(\.offset) == [2, 7])
    #expect(markers[0].content.bytes(0, 1) == [4])
  }

  @Test func `random bytes lead to no marker outside of them`() {
    var random = SplitMix(seed: 3)
    for _ in 0..<2000 {
      let count = Int.random(in: 0...80, using: &random)
      let bytes = (0..<count).map { _ in
        Bool.random(using: &random) ? 0xFF : UInt8.random(in: 0...255, using: &random)
      }
      var last = 1
      for marker in markers(Self.start + bytes) {
        #expect(marker.offset > last)
        #expect(marker.offset + 2 <= count + 2)
        if marker.isWhole { #expect(marker.end <= count + 2) }
        last = marker.offset
      }
    }
  }
}
