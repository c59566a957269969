import Testing

@testable import LibraryStore

@Suite struct OriginalPathTests {
  @Test(
    "An original is stored in its month's folder under its own name, made safe",
    arguments: [
      ("IMG_2682.HEIC", 1_551_690_000.0, 1, "originals/2019/03/IMG_2682.HEIC"),
      ("IMG_2682.HEIC", 1_551_690_000.0, 3, "originals/2019/03/IMG_2682 (3).HEIC"),
      ("no extension", 0.0, 2, "originals/1970/01/no extension (2)"),
      ("../../etc/passwd", 0.0, 1, "originals/1970/01/_.._etc_passwd"),
      (".hidden.jpg", 0.0, 1, "originals/1970/01/hidden.jpg"),
      ("a\nb\u{0}.jpg", 0.0, 1, "originals/1970/01/a_b_.jpg"),
      ("…", 0.0, 1, "originals/1970/01/…"),
      ("..", 0.0, 1, "originals/1970/01/Untitled"),
      ("before.jpg", -1.0, 1, "originals/1969/12/before.jpg"),
      ("Ünïcødé 写真.jpg", 1_551_690_000.0, 2, "originals/2019/03/Ünïcødé 写真 (2).jpg"),
    ])
  func candidate(name: String, localDate: Double, number: Int, path: String) {
    #expect(OriginalPath(originalFilename: name, localDate: localDate).candidate(number) == path)
  }

  @Test func aLongNameKeepsItsEndAndFitsAFileSystem() {
    let name = String(repeating: "é", count: 300) + ".jpg"
    let path = OriginalPath(originalFilename: name, localDate: 0).candidate(12)
    #expect(path.hasSuffix("é (12).jpg"))
    #expect(path.split(separator: "/").allSatisfy { $0.utf8.count <= 255 })
  }

  @Test(
    "A long name of a single character is cut within it, and never hidden",
    arguments: [
      "e" + String(repeating: "\u{301}", count: 150), "👩" + String(repeating: "\u{200D}👩", count: 60),
      String(repeating: "🇩🇪", count: 60),
    ])
  func aLongCharacter(_ character: String) {
    let name = OriginalPath.safe(character + ".jpg").utf8
    #expect(name.count <= 200)
    #expect(name.count > 190)
    #expect(name.first != UInt8(ascii: "."))
    #expect(name.elementsEqual((character + ".jpg").utf8.suffix(name.count)))
  }

  @Test func aDotWithAnAccentHidesNoFile() {
    #expect(OriginalPath.safe(".\u{301}a.jpg").utf8.elementsEqual("\u{301}a.jpg".utf8))
  }

  @Test(arguments: [0, 1, 5, 8, 9, 70_000]) func `the first free number is found in a few tries`(_ count: Int) {
    let path = OriginalPath(originalFilename: "Untitled.jpg", localDate: 0)
    let taken = Set((1...max(count, 1)).prefix(count).map(path.candidate))
    var tries = 0
    let free = path.freeCandidate { candidate in
      tries += 1
      return taken.contains(candidate)
    }
    #expect(free == path.candidate(count + 1))
    #expect(tries < 50)
  }

  @Test func `names that were chosen to look taken leave a free one`() {
    let path = OriginalPath(originalFilename: "Untitled.jpg", localDate: 0)
    let taken = Set((1...8).map(path.candidate) + (4..<63).map { path.candidate(1 << $0) })
    let free = path.freeCandidate { taken.contains($0) }
    #expect(!taken.contains(free))
  }
}
