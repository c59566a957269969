import Foundation
import Imaging
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

/// Runs `calotype render` as a person does.
@Suite struct RenderCommandTests {
  let folder: TemporaryFolder
  let program: Program
  let photo: String

  init() throws {
    folder = try TemporaryFolder()
    program = Program(library: folder["Library.calotype"])
    try folder.write(SampleMedia.jpeg(size: PictureSize(width: 96, height: 64)), "in/IMG_1.JPG")
    #expect(try program.run("import", "--create", folder["in"]).status == 0)
    photo = try #require(try program.run("list").lines.first?.split(separator: " ").first { $0.contains("/L0/") })
      .description
  }

  private func description(_ name: String) throws -> String {
    let metadata = try MediaMetadata(of: MediaFile(path: folder[name]))
    return "\(metadata.type.uniformTypeIdentifier) \(metadata.pixelWidth)×\(metadata.pixelHeight)"
  }

  @Test(
    "Each format is written under its own ending",
    arguments: [
      ("jpeg", "IMG_1.jpg", "public.jpeg"), ("heic", "IMG_1.heic", "public.heic"), ("png", "IMG_1.png", "public.png"),
      ("webp", "IMG_1.webp", "org.webmproject.webp"), ("avif", "IMG_1.avif", "public.avif"),
      ("jxl", "IMG_1.jxl", "public.jpeg-xl"),
    ])
  func format(_ format: String, _ name: String, _ type: String) throws {
    let outcome = try program.run("render", photo, "--size", "48", "--format", format, "--to", folder["out"])
    #expect(outcome.output == "\(folder["out/" + name])\n")
    #expect(try description("out/" + name) == "\(type) 48×32")
  }

  @Test func aFileIsNamedAndItsEndingSaysTheFormat() throws {
    let file = folder["small.webp"]
    #expect(try program.run("render", photo, "--size", "40x20", "--to", file).output == "\(file)\n")
    #expect(try description("small.webp") == "org.webmproject.webp 30×20")
    // A second run finds the same bytes and succeeds.
    #expect(try program.run("render", photo, "--size", "40x20", "--to", file).status == 0)
    let outcome = try program.run("render", photo, "--to", file)
    #expect(outcome.status == 1)
    #expect(outcome.errors == "calotype: \(file): a file with this name exists already\n")
    #expect(try description("small.webp") == "org.webmproject.webp 30×20")
  }

  @Test(arguments: [
    #""$1" --library "$2" export "$3" --to "$bad""#, #""$1" --library "$2" render "$3" --to="$bad""#,
    #""$1" --library "$bad" import --create "$4/in""#,
  ])
  func `a path that is not UTF-8 is refused, and no file of another name is made`(command: String) throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    // A shell makes the byte, since arguments of tests are texts.
    let outcome = try Child.run(
      "/bin/sh",
      [
        "-c", #"bad=$(printf '%s/a\377' "$4"); "# + command, "sh", Program.path, program.library, photo,
        folder.url.path,
      ])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("the path is not UTF-8"), "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before)
  }

  @Test(arguments: [
    ("in/IMG_1.JPG/out", "in/IMG_1.JPG/out: Not a directory"), ("plain", "plain: File exists"),
    ("none/a.jpg", "none: there is no such folder"),
  ])
  func `render names a folder that can't be created`(_ place: String, _ complaint: String) throws {
    try folder.write(Data("text".utf8), "plain")
    let outcome = try program.run("render", photo, "--to", folder[place])
    #expect(outcome.status == 1)
    #expect(outcome.errors == "calotype: \(folder.url.path)/\(complaint)\n")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("plain")) == Data("text".utf8))
  }

  @Test func aNameThatIsTakenGetsANumber() throws {
    try folder.write(Data("other".utf8), "out/IMG_1.jpg")
    for _ in 0..<2 {
      #expect(try program.run("render", photo, "--to", folder["out"]).output == "\(folder["out/IMG_1 (2).jpg"])\n")
    }
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("out/IMG_1.jpg")) == Data("other".utf8))
  }

  @Test func theEditOrTheOriginalIsWritten() throws {
    #expect(try program.run("edit", photo, "--rotate", "90").status == 0)
    _ = try program.run("render", photo, "--to", folder["current.png"])
    _ = try program.run("render", photo, "--original", "--to", folder["original.png"])
    #expect(try description("current.png") == "public.png 64×96")
    #expect(try description("original.png") == "public.png 96×64")
  }

  @Test func aFileInJSONHasItsSize() throws {
    let line = try #require(try program.run("render", photo, "--json", "--to", folder["out"]).lines.first)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object.keys.sorted() == ["bytes", "localIdentifier", "path"])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder["out/IMG_1.jpg"])
    #expect(object["bytes"] as? Int == attributes[.size] as? Int)
  }

  @Test(
    "A wrong option is refused with a message that names it",
    arguments: [
      (["--size", "0", "--to", "x"], "--size takes pixels, such as 1024 or 1920x1080, not 0"),
      (["--size", "1x2x3", "--to", "x"], "--size takes pixels"),
      (["--size", "12cm", "--to", "x"], "--size takes pixels"),
      (["--quality", "101", "--to", "x"], "--quality takes a number from 1 to 100, not 101"),
      (["--format", "bmp", "--to", "x"], "--format <format>"),
      (["--to", "x.tiff"], "--to names a .tiff file, but the formats are jpeg, heic, png, webp, avif, jxl"),
      (["--format", "png", "--to", "x.jpg"], "--to names a jpeg file, but --format is png"), ([], "--to <path>"),
    ])
  func refused(_ options: [String], _ message: String) throws {
    let outcome = try program.run(arguments: ["render", photo] + options)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func `render refuses to write several assets to one file`() throws {
    try folder.write(SampleMedia.jpeg(size: PictureSize(width: 96, height: 64), seed: 2), "in/IMG_2.JPG")
    #expect(try program.run("import", "--create", folder["in"]).status == 0)
    let all = try program.run("list", "--json").output
    let outcome = try program.run(arguments: ["render", "--to", folder["all.jpg"], "-"], input: all)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == "calotype: \(folder["all.jpg"]): 2 assets need a folder, but this names a file\n")
    #expect(try program.run(arguments: ["render", "--to", folder["out"], "-"], input: all).lines.count == 2)
  }
}
