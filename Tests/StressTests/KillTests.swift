import Foundation
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

/// Kills imports at any instant. The next import completes the library.
@Suite(.serialized) struct KillTests {
  /// Writes 40 photos and two Live Photos, which become 42 assets.
  private static func writeSources(to folder: TemporaryFolder) throws {
    for index in 0..<40 {
      let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 320, height: 240), seed: UInt64(index))
      try folder.write(jpeg, "photos/IMG_\(index).JPG")
    }
    for index in 0..<2 {
      let pair = try SampleMedia.livePhoto(
        size: PictureSize(width: 320, height: 240), seed: UInt64(100 + index), stillType: .jpeg)
      try folder.write(pair.still, "live/LIVE_\(index).JPG")
      try folder.write(pair.video, "live/LIVE_\(index).MOV")
    }
  }

  @Test func `an import killed at any instant loses and doubles nothing`() throws {
    let folder = try TemporaryFolder()
    try Self.writeSources(to: folder)
    let whole = Program(library: folder["Whole.calotype"])
    let start = ContinuousClock.now
    #expect(try whole.run("import", "--create", folder["photos"], folder["live"]).status == 0)
    let duration = ContinuousClock.now - start
    let expected = try contents(of: whole)
    #expect(expected.count == 42)

    var random = SeededGenerator(seed: Soak.seed(42))
    for instant in 0..<Soak.count(few: 3, many: 50) {
      let program = Program(library: folder["Killed \(instant).calotype"])
      let process = try program.start(["import", "--create", folder["photos"], folder["live"]])
      if Soak.isOn {
        Soak.pause(duration * Double.random(in: 0...1, using: &random))
      } else {
        // The library begins to exist, has its first files, or has those of the first transaction.
        // A late look kills later, or after the end, which must give the same.
        let count = [0, 1, 25][instant]
        try eventually("\(count) files in the library") {
          let path = program.library + "/originals"
          let files = try? FileManager.default.subpathsOfDirectory(atPath: path)
          return files.map { $0.count { $0.hasSuffix(".JPG") } >= count } ?? false || !process.isRunning
        }
      }
      try process.finishByKilling()

      // Opening clears the files of the killed import, so that no incomplete or stray file is left
      // even now.
      if FileManager.default.fileExists(atPath: program.library + "/library.sqlite") {
        let outcome = try program.run("verify")
        #expect(outcome.status == 0, "instant \(instant), before the next import: \(outcome.output)\(outcome.errors)")
      }
      #expect(try program.run("import", "--create", folder["photos"], folder["live"]).status == 0)
      let outcome = try program.run("verify")
      #expect(outcome.status == 0, "instant \(instant): \(outcome.output)\(outcome.errors)")
      #expect(try contents(of: program) == expected, "instant \(instant)")
      try FileManager.default.removeItem(atPath: program.library)
    }
  }

  private struct Listed: Decodable {
    struct Resource: Decodable { var sha256: String }
    var resources: [Resource]
  }

  /// Returns the hashes of each asset's files.
  private func contents(of program: Program) throws -> [[String]] {
    try program.run("list", "--json").lines.map { line in
      try JSONDecoder().decode(Listed.self, from: Data(line.utf8)).resources.map(\.sha256)
    }.sorted { $0.joined() < $1.joined() }
  }
}
