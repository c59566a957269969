import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct PlainTextTests {
  @Test(
    arguments: [
      ("", nil), (" \r\n\t ", nil), ("\u{0}\u{1B}", nil), ("a", "a"), (" a  b ", "a b"), ("a\r\nb\u{2028}c", "a b c"),
      ("\u{FEFF}x\u{202E}y\u{2069}", "xy"), ("👩‍👩‍👧 é", "👩‍👩‍👧 é"), ("a\u{85}b\u{9F}", "a b"),
    ] as [(String, String?)])
  func charactersThatCannotBeShownInALineAreRemoved(text: String, clean: String?) {
    #expect(text.cleaned(limit: 100) == clean)
  }

  @Test func textsAreCutAtWholeCharacters() {
    #expect("abc def".cleaned(limit: 4) == "abc")
    #expect("👩‍👩‍👧👩‍👩‍👧".cleaned(limit: 1) == "👩‍👩‍👧")
    // A letter with a hundred thousand combining accents.
    let tower = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect((tower.cleaned(limit: 10)?.unicodeScalars.count ?? 0) <= 80)
  }

  @Test(
    arguments: [([], ""), ([0], ""), ([0x41, 0, 0x42], "A"), ([0xFF, 0xFE], "ÿþ"), ([0xE2, 0x82], "â\u{82}")]
      as [([UInt8], String)])
  func bytesAreUTF8OrLatin1(bytes: [UInt8], text: String) {
    #expect(String.decodedWithUnknownEncoding(bytes) == text)
  }

  @Test func halfAUnitOfUTF16IsDropped() {
    #expect(String.littleEndianUTF16([0x41, 0, 0x42]) == "A")
    #expect(String.littleEndianUTF16([]) == "")
    #expect(String.littleEndianUTF16([0, 0xD8]) == "\u{FFFD}")
  }
}
