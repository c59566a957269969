import Essentials
import Foundation
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

/// Tests paths that a shell hands over with their `~`, as in `--to=~/Desktop`.
@Suite struct HomeFolderTests {
  let folder: TemporaryFolder
  private let program = Program()

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(SampleMedia.jpeg(size: PictureSize(width: 64, height: 48)), "home/in/IMG_1.JPG")
    try folder.write(SampleMedia.jpeg(size: PictureSize(width: 64, height: 48)), "here/~/IMG_2.JPG")
  }

  /// Runs the program in the folder `here`, with `home` as `$HOME`.
  private func run(_ arguments: String...) throws -> Child.Outcome {
    try Child.run(
      Program.path, ["--library=~/Library.calotype"] + arguments, environment: ["HOME": folder["home"]],
      folder: folder["here"])
  }

  @Test(arguments: [
    ("~", "HOME"), ("~/", "HOME/"), ("~/Desktop", "HOME/Desktop"), ("./~", "./~"), ("a/~", "a/~"), ("~me/x", "./~me/x"),
    ("", ""), ("/a", "/a"),
  ])
  func `a tilde at the beginning of a path is the home folder`(path: String, expanded: String) {
    #expect(AccountFolders.expandingHome(in: path) == expanded.replacing("HOME", with: AccountFolders.home))
  }

  @Test func `bytes that are not UTF-8 stay as they are`() {
    let path = Array("~/".utf8) + [0xFF]
    #expect(AccountFolders.expandingHome(in: path) == Array("\(AccountFolders.home)/".utf8) + [0xFF])
  }

  @Test func `import, export and render take a tilde for $HOME`() throws {
    #expect(try run("import", "--create", "~").errors == "Made a new library at \(folder["home/Library.calotype"])\n")
    let photo = try #require(try run("list").lines.first?.split(separator: " ").first { $0.contains("/L0/") })
    #expect(try run("export", "\(photo)", "--to=~/Desk").output == "\(folder["home/Desk/IMG_1.JPG"])\n")
    #expect(try run("render", "\(photo)", "--to=~/a.png").output == "\(folder["home/a.png"])\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder["here"]) == ["~"])
  }

  @Test func `a folder that is named by a tilde is reached with the folder that it is in`() throws {
    let outcome = try run("import", "--create", "./~")
    #expect(outcome.output == "Imported 1 asset: 1 photo\n", "\(outcome.errors)")
    #expect(try run("list").output.contains("IMG_2.JPG"))
  }

  @Test func `the path in CALOTYPE_LIBRARY may begin with a tilde`() throws {
    let environment = ["HOME": folder["home"], "CALOTYPE_LIBRARY": "~/Library.calotype"]
    let outcome = try program.run(arguments: ["import", "--create", folder["home/in"]], environment: environment)
    #expect(outcome.errors == "Made a new library at \(folder["home/Library.calotype"])\n")
  }
}
