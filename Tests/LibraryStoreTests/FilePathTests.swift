import Foundation
import Synchronization
import Testing

@testable import LibraryStore

@Suite struct FilePathTests {
  private static let composed = "caf\u{E9}.jpg"
  private static let decomposed = "cafe\u{301}.jpg"

  @Test func twoSpellingsOfOneNameAreTwoPaths() {
    #expect(FilePath(Self.composed) != FilePath(Self.decomposed))
    #expect(Set([FilePath(Self.composed), FilePath(Self.decomposed)]).count == 2)
  }

  @Test(
    "A path has the bytes that its URL has",
    arguments: [
      ("file:///a/caf%E9.jpg", "/a/caf", [0xE9] as [UInt8], ".jpg"),
      ("file:///a%2Fb/100%25.jpg", "/a/b/100%.jpg", [], ""),
      ("file:///a/folder/", "/a/folder", [], ""),
      ("file:///", "/", [], ""),
    ])
  func urlBytes(_ url: String, _ start: String, _ middle: [UInt8], _ end: String) throws {
    let path = FilePath(try #require(URL(string: url)))
    #expect(path.bytes == (Array(start.utf8) + middle + Array(end.utf8) + [0]).map { CChar(truncatingIfNeeded: $0) })
  }

  @Test(arguments: [composed, decomposed, "a b#?%41;ü.jpg", "…"])
  func aFileURLKeepsThePathThatItWasMadeOf(_ name: String) {
    #expect(FilePath(URL(fileURLWithPath: "/x/\(name)")) == FilePath("/x/\(name)"))
  }

  @Test func aPathThatIsNotUTF8IsShownWithReplacements() throws {
    let path = FilePath(try #require(URL(string: "file:///a/caf%E9.jpg")))
    #expect(path.description == "/a/caf\u{FFFD}.jpg")
    #expect(path.name == "caf\u{FFFD}.jpg")
    #expect(path.string == nil)
  }

  @Test func aStrayFileIsFoundBesideOneWhoseNameIsSpelledOtherwise() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    try store.add("one", as: Self.composed)
    let stray = "originals/1970/01/\(Self.decomposed)"
    try Data("two".utf8).write(to: URL(fileURLWithPath: "\(folder.library)/\(stray)"))
    #expect(try strays(in: store) == [FilePath(stray)])
  }

  @Test func aStrayFileWhoseNameIsNotUTF8IsFound() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    try store.add("one")
    let file = FilePath(try #require(URL(string: "file://\(folder.library)/originals/1970/01/caf%E9.jpg")))
    close(creat(file.bytes, 0o600))
    #expect(try strays(in: store) == [FilePath("originals/1970/01/caf\u{FFFD}.jpg")])
  }

  @Test func verifyNamesAFolderThatCannotBeRead() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    try store.add("one")
    try FileManager.default.removeItem(atPath: "\(folder.library)/adjustments")
    try Data().write(to: URL(fileURLWithPath: "\(folder.library)/adjustments"))
    let findings = Mutex<[VerificationFinding]>([])
    try store.verify(
      isCancelled: { false }, progress: { _ in }, found: { finding in findings.withLock { $0.append(finding) } })
    #expect(findings.withLock(\.self) == [.cannotRead(path: "adjustments", reason: "Not a directory")])
  }

  private func strays(in store: LibraryStore) throws -> [FilePath] {
    nonisolated(unsafe) var found: [FilePath] = []
    try store.verify(
      isCancelled: { false }, progress: { _ in },
      found: { finding in
        if case .stray(let path) = finding { found.append(FilePath(path)) }
      })
    return found
  }
}
