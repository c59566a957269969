import Foundation
import ProgramTesting
import Testing

@testable import calotype

/// Tests the files of an export before they get their final names.
@Suite struct ExportFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder["out"]).sorted()
  }

  @Test func filesOfAKilledExportAreRemovedOnceTheyAreOld() throws {
    let partial = ".calotype-0123abcd.partial"
    let others = [".calotype-notes", "IMG_1.partial"]
    for name in [partial] + others { try folder.write(Data("half".utf8), "out/\(name)") }
    // Another export may still be writing a file that is younger than ten minutes.
    StagedFile.removeStaleFiles(in: folder["out"], now: Date() + 590)
    #expect(try names() == [partial] + others)
    StagedFile.removeStaleFiles(in: folder["out"], now: Date() + 610)
    #expect(try names() == others)
  }

  @Test(arguments: [
    ("IMG_1.JPG", "IMG_1.JPG"), (".bashrc", "bashrc"), ("../.profile", "profile"), ("..", "Untitled"),
    ("/etc/..hidden.jpg", "hidden.jpg"), ("", "Untitled"), ("/", "Untitled"),
  ])
  func aFileIsExportedIntoTheFolderItselfAndNotHidden(_ filename: String, _ exported: String) {
    let name = ExportedFile.Name(filename)
    #expect(name.stem + name.ending == exported)
  }

  @Test(arguments: ["a", "é", "写"]) func aNameThatIsTooLongForItsEndingOrItsNumberIsShortened(_ letter: String) throws {
    let stem = String(repeating: letter, count: 251 / letter.utf8.count)
    let export = try ExportFolder(path: folder["out"])
    for content in ["one", "two"] {
      let files = [".jpg", ".jpg.xmp"].map {
        ExportedFile(stem: stem, ending: $0, data: Data((content + $0).utf8))
      }
      #expect(try export.add(files).count == 2)
    }
    let stems = try names().filter { $0.hasSuffix(".jpg") }.map { $0.dropLast(".jpg".count) }
    #expect(stems.count == 2)
    #expect(stems.allSatisfy { stem.hasPrefix($0.replacing(" (2)", with: "")) })
    #expect(try Set(names()) == Set(stems.flatMap { ["\($0).jpg", "\($0).jpg.xmp"] }))
  }

  @Test func aNameOf255BytesIsKept() throws {
    let file = ExportedFile(stem: String(repeating: "a", count: 251), ending: ".jpg", data: Data("one".utf8))
    #expect(try ExportFolder(path: folder["out"]).add([file]).map(\.url.lastPathComponent) == [file.stem + ".jpg"])
  }

  @Test func anEndingThatNoTypeHasIsAPartOfTheName() {
    let filename = "Lecture 1." + String(repeating: "b", count: 200)
    let name = ExportedFile.Name(filename)
    #expect((name.stem, name.ending) == (filename, ""))
  }

  /// Both files have the same name, so the first one takes each name that the second one tries.
  @Test func aNameThatIsTakenAgainAndAgainIsAnErrorAndNothingIsLeft() throws {
    let twins = ["a", "b"].map { ExportedFile(stem: "IMG_1", ending: ".JPG", data: Data($0.utf8)) }
    let export = try ExportFolder(path: folder["out"])
    let error = #expect(throws: CocoaError.self) { _ = try export.add(twins) }
    #expect(error?.localizedDescription == "\(folder["out/IMG_1.JPG"]): other files keep taking this name; try again")
    #expect(try names() == [])
  }
}
