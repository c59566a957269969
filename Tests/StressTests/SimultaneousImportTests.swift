import Foundation
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

/// Tests that several programs can open a new library and import into it at the same time.
@Suite struct SimultaneousImportTests {
  @Test func fourImportsOfTheSameFilesAtOnceMakeEachAssetOnce() throws {
    let folder = try TemporaryFolder()
    for index in 0..<12 {
      let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 160, height: 120), seed: UInt64(index))
      try folder.write(jpeg, "photos/IMG_\(index).JPG")
    }
    for round in 0..<Soak.count(few: 1, many: 20) {
      let program = Program(library: folder["Library \(round).calotype"])
      let imports = try (0..<4).map { _ in try program.start(["import", "--create", folder["photos"]]) }
      for process in imports {
        let outcome = try process.finish()
        #expect(outcome.status == 0, "round \(round): \(outcome.errors)")
      }
      #expect(try program.run("list").lines.count == 12, "round \(round)")
      let outcome = try program.run("verify")
      #expect(outcome.status == 0, "round \(round): \(outcome.output)\(outcome.errors)")
    }
  }
}
