import Testing

@testable import Importing

@Suite struct FoundFileTests {
  @Test(arguments: [
    ("/a/IMG_1.HEIC", "/a", "IMG_1.HEIC", "heic", "img_1"),
    ("/IMG_1.JPG", "", "IMG_1.JPG", "jpg", "img_1"),
    ("/a.b/c", "/a.b", "c", "", "c"),
    ("/a/b.tar.gz", "/a", "b.tar.gz", "gz", "b.tar"),
    ("/a/.profile", "/a", ".profile", "", ".profile"),
    ("/a/.profile.jpg", "/a", ".profile.jpg", "jpg", ".profile"),
    ("/a/IMG.", "/a", "IMG.", "", "img."),
    ("/a/ÉTÉ.JPG", "/a", "ÉTÉ.JPG", "jpg", "été"),
    ("/a/\u{301}e.jpg", "/a", "\u{301}e.jpg", "jpg", "\u{301}e"),
    ("a.jpg", "", "a.jpg", "jpg", "a"),
  ])
  func `a path is split into folder, name, stem and extension`(
    _ path: String, _ folder: String, _ name: String, _ pathExtension: String, _ stem: String
  ) {
    let file = FoundFile(path: SourcePath(path), byteCount: 1, identity: .init(device: 1, number: 1))
    #expect(Array(file.folder) == Array(folder.utf8))
    #expect(Array(file.path.name) == Array(name.utf8))
    #expect(file.pathExtension == pathExtension)
    #expect(file.stem == Array(stem.utf8))
    #expect(file.nameKey == Array("\(folder)/\(stem)".utf8))
  }

  @Test func theSmallLettersOfANameThatIsNotUTF8AreThoseOfASCII() {
    let path = SourcePath(bytes: Array("/A/CAF".utf8) + [0xC9] + Array(".JPG".utf8))
    let file = FoundFile(path: path, byteCount: 1, identity: .init(device: 1, number: 1))
    #expect(file.pathExtension == "jpg")
    #expect(file.nameKey == Array("/A/caf".utf8) + [0xC9])
  }
}
