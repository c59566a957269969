import Foundation
import Testing

@testable import Photos

@Suite struct FlatPropertyListTests {
  private let flat: [String: Any] = [
    "adjustmentFormatIdentifier": "com.example", "adjustmentData": Data([1, 2, 3]), "adjustmentBaseVersion": 0,
    "adjustmentTimestamp": Date(timeIntervalSince1970: 1_000_000),
  ]

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func anEditsListIsRead(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let bytes = try PropertyListSerialization.data(fromPropertyList: flat, format: format, options: 0)
    let found = try #require(FlatPropertyList.read(bytes))
    #expect(found.keys.sorted() == flat.keys.sorted())
    #expect(found["adjustmentData"] as? Data == Data([1, 2, 3]))
  }

  private static func list(_ head: String) -> Data {
    Data("\(head)<plist version=\"1.0\"><dict><key>a</key><string>b</string></dict></plist>".utf8)
  }

  @Test(arguments: ["", "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding = 'UTF-8'?>"])
  func aListInUTF8IsRead(_ head: String) {
    #expect(FlatPropertyList.read(Self.list(head))?["a"] as? String == "b")
  }

  @Test(
    "In another alphabet nobody knows what is in a list",
    arguments: [
      "<?xml version=\"1.0\" encoding=\"UTF-7\"?>", "<?xml version=\"utf-8\" encoding=\"UTF-7\"?>",
      "<?xml version=\"1.0\"\(String(repeating: " ", count: 300))encoding=\"UTF-7\"?>",
      "<?xml version=\"1.0\"\(String(repeating: " ", count: 3000))encoding=\"UTF-7\"?>",
      "<?xml version=\"encoding='utf-8'\" encoding=\"UTF-7\"?>", "<!-- --><?xml version=\"1.0\" encoding=\"UTF-7\"?>",
    ])
  func otherAlphabet(_ head: String) { #expect(FlatPropertyList.read(Self.list(head)) == nil) }

  @Test func aListInsideOfAnotherIsNotRead() throws {
    let nested = ["a": ["b"]]
    let bytes = try PropertyListSerialization.data(fromPropertyList: nested, format: .binary, options: 0)
    #expect(FlatPropertyList.read(bytes) == nil)
  }

  /// Nests arrays that contain the next array ten times each, so that a thousand bytes expand to
  /// 10²⁸ objects.
  @Test func aListThatGrowsWithoutEndIsNotRead() {
    func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    var objects: [[UInt8]] = [[0xD1] + big(1, 4) + big(2, 4), [0x51, 0x61]]
    objects += (2..<30).map { index in [0xAA] + (0..<10).flatMap { _ in big(index + 1, 4) } }
    objects.append([0xA0])
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    bytes += offsets.flatMap { big($0, 4) } + [0, 0, 0, 0, 0, 0, 4, 4]
    bytes += big(objects.count, 8) + big(0, 8) + big(table, 8)
    #expect(FlatPropertyList.read(Data(bytes)) == nil)
    for count in 0..<bytes.count { _ = FlatPropertyList.read(Data(bytes.prefix(count))) }
  }
}
