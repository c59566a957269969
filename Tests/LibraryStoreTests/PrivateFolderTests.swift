import Foundation
import Testing

@testable import LibraryStore

@Suite struct PrivateFolderTests {
  @Test func aFolderThatCannotBeCreatedTakesNoFile() throws {
    let parent = URL(fileURLWithPath: try TemporaryFolder().path).appendingPathComponent("missing")
    let file = PrivateFolder(in: parent).url.appendingPathComponent("A.jpg")
    // Its name would be known, so somebody else could create it.
    #expect(!file.path.hasPrefix(parent.path))
    #expect(throws: (any Error).self) { try Data([1]).write(to: file) }
  }
}
