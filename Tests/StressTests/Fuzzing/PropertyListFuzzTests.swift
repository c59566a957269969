import Foundation
import TestSupport
import Testing

@testable import Photos

/// Reads damaged adjustment data, which the program parses itself. Any data is either an edit or
/// none.
@Suite struct PropertyListFuzzTests {
  private static let variables = ProcessInfo.processInfo.environment
  /// The number of files is higher, because each takes a tenth of a millisecond.
  private static let fileCount =
    (variables["CALOTYPE_FUZZ_FILES"].flatMap { Int($0) } ?? Soak.count(few: 3, many: 300)) * 20
  private static let first =
    variables["CALOTYPE_FUZZ_FIRST"].flatMap { Int($0) } ?? Int(Soak.seed(0) % 1_000_000_000)

  private static let lists: [Data] = {
    let list: [String: Any] = [
      "adjustmentFormatIdentifier": "com.example.edit", "adjustmentFormatVersion": "1.0",
      "adjustmentData": Data((0..<200).map { UInt8($0) }), "adjustmentBaseVersion": 0, "adjustmentTimestamp": Date(),
      "adjustmentEditorBundleID": "com.example", "adjustmentRenderTypes": 0.5, "flag": true, "é": "ü\u{1F600}",
    ]
    return [PropertyListSerialization.PropertyListFormat.binary, .xml].compactMap {
      try? PropertyListSerialization.data(fromPropertyList: list, format: $0, options: 0)
    }
  }()

  @Test func damagedPropertyListsAreReadOrRefused() {
    #expect(Self.lists.count == 2 && Self.lists.allSatisfy { PHAdjustmentData(propertyList: $0) != nil })
    var read = 0
    for number in Self.first..<Self.first + Self.fileCount {
      var mutation = Mutation(seed: UInt64(number) &* 0x9E37_79B9 &+ 29)
      let data = mutation.damaged(Self.lists[number % 2], other: Self.lists[(number / 2) % 2])
      if PHAdjustmentData(propertyList: data) != nil { read += 1 }
    }
    FileHandle.standardError.write(Data("fuzz adjustment data: \(read) of \(Self.fileCount) read\n".utf8))
    #expect(read < Self.fileCount)
  }
}
