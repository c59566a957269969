import Foundation
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

/// Runs `calotype edit` as a person does.
@Suite struct EditCommandTests {
  let folder: TemporaryFolder
  let program: Program
  /// The identifiers of a photo and of a video.
  let photo: String
  let video: String

  init() throws {
    folder = try TemporaryFolder()
    program = Program(library: folder["Library.calotype"])
    try folder.write(
      SampleMedia.jpeg(
        size: PictureSize(width: 64, height: 48),
        metadata: SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_611), offset: -21_600)),
      "in/IMG_1.JPG")
    try folder.write(SampleMedia.movie(duration: 0.3, size: PictureSize(width: 64, height: 48)), "in/IMG_2.MOV")
    #expect(try program.run("import", "--create", folder["in"]).status == 0)
    photo = try Self.identifier(in: program, "mediaType == 1")
    video = try Self.identifier(in: program, "mediaType == 2")
  }

  private static func identifier(in program: Program, _ predicate: String) throws -> String {
    struct Listed: Decodable { var localIdentifier: String }
    let line = try #require(try program.run("list", "--where", predicate, "--json").lines.first)
    return try JSONDecoder().decode(Listed.self, from: Data(line.utf8)).localIdentifier
  }

  private func info(_ identifier: String) throws -> String { try program.run("info", identifier).output }

  @Test func anEditSaysWhatItDidAndGoesOnFromThere() throws {
    #expect(
      try program.run("edit", photo, "--filter", "sepia", "--crop", "0,0,0.5,1").output
        == "\(photo)  sepia, cropped\nEdited 1 asset\n")
    #expect(try info(photo).contains("Size:           32 × 48 pixels\n"))
    #expect(try info(photo).contains(", by org.calotype.edit, sepia, cropped\n"))
    #expect(
      try program.run("edit", photo, "--rotate", "90", "--exposure", "-0.5").output
        == "\(photo)  sepia, cropped, turned by 90°, exposure -0.5\nEdited 1 asset\n")
    #expect(try info(photo).contains("Size:           48 × 32 pixels\n"))
    #expect(
      try program.run("edit", photo, "--rotate", "-90", "--exposure", "0", "--filter", "none", "--crop", "none").output
        == "\(photo)  no edits\nEdited 1 asset\n")
    #expect(try !info(photo).contains("Edited:"))
    #expect(try program.run("verify").status == 0)
  }

  @Test func anAssetWithoutAChangeStaysAsItIs() throws {
    #expect(
      try program.run("edit", photo, video, "--crop", "none").output == "Edited 0 assets; 2 assets stay as they are\n")
    #expect(try program.run("edit", photo, "--rotate", "0").output == "Edited 0 assets; 1 asset stays as it is\n")
    #expect(try program.run("edit", photo, "--rotate", "0", "--json").output == "")
  }

  @Test func `two concurrent edits of a photo are both applied`() throws {
    let processes = try [["--filter", "sepia"], ["--rotate", "90"]].map { try program.start(["edit", photo] + $0) }
    for process in processes {
      let outcome = try process.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try info(photo).contains(", sepia, turned by 90°\n"))
  }

  @Test func severalAreEditedAndRevertedAlike() throws {
    let outcome = try program.run("edit", photo, video, "--filter", "noir", "--json")
    #expect(
      outcome.output
        == [photo, video].map {
          "{\"change\":\"edit\",\"edit\":{\"filter\":\"noir\"},\"localIdentifier\":\"\($0)\"}\n"
        }.joined())
    #expect(try info(video).contains("fullSizeVideo:  FullSizeRender.mov (com.apple.quicktime-movie, "))
    #expect(try program.run("revert", photo, video).output == "Reverted 2 assets\n")
  }

  @Test func identifiersComeThroughAPipe() throws {
    let outcome = try program.run(arguments: ["edit", "--flip", "horizontal", "-"], input: "\(photo)\n\(video)\n")
    #expect(outcome.output == "\(photo)  mirrored\n\(video)  mirrored\nEdited 2 assets\n")
  }

  @Test func aFailureIsNamedAndTheOtherAssetsAreEdited() throws {
    try folder.write(Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9]), "in/broken.JPG")
    #expect(try program.run("import", "--create", folder["in"]).output.contains("can’t be shown"))
    let lines = try program.run("list", "--json", "--search", "broken").lines
    struct Listed: Decodable { var localIdentifier: String }
    let broken = try JSONDecoder().decode(Listed.self, from: Data(#require(lines.first).utf8)).localIdentifier
    let outcome = try program.run("edit", broken, photo, "--rotate", "180")
    #expect(outcome.status == 1)
    #expect(outcome.output == "\(photo)  turned by 180°\nEdited 1 asset\n")
    #expect(outcome.errors.contains("calotype: \(broken): the file can’t be read, so it can’t be edited\n"))
  }

  private static let refused = [
    (["--exposure", "9"], "--exposure takes a number from -5 to 5, not 9"),
    (["--warmth", "-1.5"], "--warmth takes a number from -1 to 1, not -1.5"),
    (["--contrast", "nan"], "--contrast takes a number from -1 to 1, not nan"),
    (["--straighten", "60"], "--straighten takes a number from -45 to 45, not 60"),
    (["--rotate", "45"], "--rotate takes a multiple of 90, not 45; --straighten takes small angles"),
    (["--crop", "0,0,2,1"], "--crop takes none, or four fractions"),
    (["--crop", "0,0,1"], "--crop takes none, or four fractions"),
    (["--filter", "blue"], "'blue' is invalid for '--filter <name>'"), (["--flip", "up"], "--flip <axis>"),
    (["--saturation", "x"], "--saturation <amount>"), ([], "nothing to do: give --filter, --crop, --rotate"),
  ]

  @Test func `a number out of its range is refused with its option`() throws {
    for (options, message) in Self.refused {
      let outcome = try program.run(arguments: ["edit", photo] + options)
      #expect(outcome.status == 2, "\(options)")
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
    #expect(try !info(photo).contains("Edited:"))
  }

  @Test func `a command that waits for identifiers ends by an interrupt`() throws {
    for command in [["edit", "--flip", "horizontal"], ["export", "--to", folder["out"]]] {
      let process = try Child(
        Program.path, ["--library", program.library] + command + ["-"], input: "\(photo)\n", keepsInput: true)
      let input = open("/proc/\(process.id)/fd/0", O_RDONLY | O_NONBLOCK)
      defer { close(input) }
      try eventually("the reading of the first identifier") {
        var state = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) == 0
      }
      process.send(SIGINT)
      #expect(try process.finish().status == -SIGINT)
    }
  }

  /// The movie's encoder never ends, so the edit ends by the interrupt.
  @Test func anInterruptedEditLeavesTheLibraryWhole() throws {
    try folder.write(Data("#!/bin/sh\nexec sleep 3600\n".utf8), "bin/ffmpeg")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder["bin/ffmpeg"])
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let process = try program.start(
      ["edit", photo, video, "--filter", "tonal", "--straighten", "5"],
      environment: ["PATH": "\(folder["bin"]):\(path)"])
    try process.output("first edit") { $0.hasPrefix("\(photo)  ") && $0.hasSuffix("\n") }
    try eventually("the movie's encoder") {
      childProcesses(of: "\(process.id)").contains { child in
        (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)) == "sleep\n"
      }
    }
    process.send(SIGINT)
    let outcome = try process.finish()
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("interrupted; 1 asset was not edited"), "\(outcome.errors)")
    #expect(try program.run("verify").status == 0)
    #expect(try info(photo).contains("Edited:"))
    #expect(try !info(video).contains("Edited:"))
  }
}
