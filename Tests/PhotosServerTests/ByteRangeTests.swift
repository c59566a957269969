import Foundation
import Testing

@testable import PhotosServer

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      (nil, .whole), ("bytes=0-0", .part(0..<1)), ("bytes=0-99", .part(0..<100)), ("bytes=0-1000", .part(0..<100)),
      ("bytes=10-", .part(10..<100)), ("bytes=99-", .part(99..<100)), ("bytes=-1", .part(99..<100)),
      ("bytes=-1000", .part(0..<100)), ("Bytes=5-6", .part(5..<7)), ("bytes=100-", .unsatisfiable),
      ("bytes=100-200", .unsatisfiable), ("bytes=-0", .unsatisfiable),
      ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=0-99999999999999999999", .part(0..<100)),
      ("bytes=0-9223372036854775807", .part(0..<100)), ("bytes=-99999999999999999999", .part(0..<100)),
      // For a malformed range, or more than one, the whole file is sent.
      ("bytes=5-4", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("bytes=0-1,5-6", .whole), ("bytes=a-b", .whole),
      ("bytes=1-2-3", .whole), ("bytes=+1-2", .whole), ("bytes= 1-2", .whole), ("items=0-1", .whole), ("", .whole),
    ] as [(String?, ByteRange)])
  func `a range header is understood as`(header: String?, range: ByteRange) {
    #expect(ByteRange(header, byteCount: 100) == range)
  }

  @Test(arguments: ["bytes=0-", "bytes=0-0", "bytes=-1"])
  func `an empty file has no ranges`(header: String) {
    #expect(ByteRange(header, byteCount: 0) == .unsatisfiable)
  }

  @Test(arguments: [
    ("\"a\"", true), ("W/\"a\"", true), ("*", true), ("\"b\", \"a\"", true), ("\"b\" , W/\"a\" ", true),
    ("\"b\"", false), ("a", false), ("", false), ("\"a", false), ("\"aa\"", false),
  ])
  func `an entity tag is found in a list`(list: String, isNamed: Bool) {
    #expect(EntityTag("a").isListed(in: list) == isNamed)
  }
}
