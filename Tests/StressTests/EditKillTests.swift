import Foundation
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

/// Kills an edit, a second edit, a revert and a deletion at any instant. The library stays intact,
/// and the originals stay.
@Suite(.serialized) struct EditKillTests {
  let folder: TemporaryFolder
  let program: Program

  init() throws {
    folder = try TemporaryFolder()
    program = Program(library: folder["Library.calotype"])
    for index in 0..<4 {
      let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 320, height: 240), seed: UInt64(index))
      try folder.write(jpeg, "photos/IMG_\(index).JPG")
    }
    let pair = try SampleMedia.livePhoto(size: PictureSize(width: 160, height: 120), stillType: .jpeg)
    try folder.write(pair.still, "photos/LIVE.JPG")
    try folder.write(pair.video, "photos/LIVE.MOV")
    #expect(try program.run("import", "--create", folder["photos"]).status == 0)
  }

  private struct Listed: Decodable {
    struct Resource: Decodable { var type, sha256: String }
    var localIdentifier: String
    var resources: [Resource]

    static let ofEdits = ["fullSizePhoto", "fullSizePairedVideo", "adjustmentData"]
    var originals: [String] { resources.filter { !Self.ofEdits.contains($0.type) }.map(\.sha256) }
    var edit: [String] { resources.map(\.type).filter { Self.ofEdits.contains($0) }.sorted() }
    /// Whether the asset has either no file of an edit or all of them.
    var isWhole: Bool {
      edit.isEmpty
        || edit == ["adjustmentData", "fullSizePhoto"] && resources.count == 3
        || edit == ["adjustmentData", "fullSizePairedVideo", "fullSizePhoto"] && resources.count == 5
    }
  }

  /// Starts a program, and returns it once it has written to the database or has ended. On a busy
  /// machine the look may come later than the write. The test then kills later, and expects the
  /// same: the library must be whole after each instant, and also after the end.
  private func startedWriting(_ arguments: [String]) throws -> Child {
    let log = program.library + "/library.sqlite-wal"
    func date() throws -> Date? {
      let attributes = try? FileManager.default.attributesOfItem(atPath: log)
      return attributes?[.size] as? Int ?? 0 > 0 ? attributes?[.modificationDate] as? Date : nil
    }
    let before = try date()
    let process = try program.start(arguments)
    try eventually("a change of the database") {
      let now = try date()
      return now != nil && now != before || !process.isRunning
    }
    return process
  }

  private func list() throws -> [Listed] {
    try program.run("list", "--json").lines.map { try JSONDecoder().decode(Listed.self, from: Data($0.utf8)) }
  }

  @Test func editsKilledAtManyInstantsAreThereWholeOrNotAtAll() throws {
    let before = try list()
    let originals = Set(before.flatMap(\.originals))
    #expect(originals.count == 6)
    let identifiers = before.map(\.localIdentifier)
    let start = ContinuousClock.now
    #expect(try program.run(arguments: ["edit", "--filter", "sepia"] + identifiers).status == 0)
    let duration = ContinuousClock.now - start

    var random = SeededGenerator(seed: Soak.seed(7))
    var commands: Set<String> = []
    for instant in 0..<Soak.count(few: 3, many: 100) {
      let command: [String] =
        switch instant % 3 {
        case 0: ["edit", "--filter", instant % 2 == 0 ? "noir" : "tonal"]
        case 1: ["edit", "--rotate", "90"]
        default: ["revert"]
        }
      commands.insert(command[0])
      if Soak.isOn {
        let process = try program.start(command + identifiers)
        Soak.pause(duration * Double.random(in: 0...(command[0] == "revert" ? 0.2 : 1), using: &random))
        try process.finishByKilling()
      } else if command[0] == "edit" {
        let process = try program.start(command + identifiers)
        try process.output("edit \(instant + 1)") { $0.split(separator: "\n").count > instant }
        try process.finishByKilling()
      } else {
        try startedWriting(command + identifiers).finishByKilling()
      }

      let outcome = try program.run("verify")
      #expect(outcome.status == 0, "instant \(instant), \(command): \(outcome.output)\(outcome.errors)")
      let after = try list()
      #expect(Set(after.flatMap(\.originals)) == originals, "instant \(instant), \(command)")
      for asset in after { #expect(asset.isWhole, "instant \(instant), \(command): \(asset.edit)") }
    }
    #expect(commands.count == 2)
    #expect(try program.run(arguments: ["edit", "--flip", "horizontal"] + identifiers).status == 0)
    #expect(try program.run(arguments: ["revert"] + identifiers).status == 0)
    #expect(try list().allSatisfy(\.edit.isEmpty))
    // The files of former edits stay for an undo. They go with their photos.
    #expect(try program.run(arguments: ["delete", "--yes"] + identifiers).status == 0)
    #expect(try program.run("trash", "empty", "--yes").status == 0)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: program.library + "/adjustments").count == 0)
  }

  @Test func anEditedAssetThatIsKilledWhileItIsDeletedIsThereOrGone() throws {
    let identifiers = try list().map(\.localIdentifier)
    #expect(try program.run(arguments: ["edit", "--filter", "mono"] + identifiers).status == 0)
    #expect(try program.run(arguments: ["delete", "--yes"] + identifiers).status == 0)
    var random = SeededGenerator(seed: Soak.seed(11))
    for identifier in identifiers {
      let command = ["trash", "empty", "--yes", identifier]
      if Soak.isOn {
        let process = try program.start(command)
        Soak.pause(.milliseconds(Int.random(in: 0..<400, using: &random)))
        try process.finishByKilling()
      } else {
        try startedWriting(command).finishByKilling()
      }
      let outcome = try program.run("verify")
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
    #expect(try program.run("trash", "empty", "--yes").status == 0)
    #expect(try program.run("verify").output == "0 files checked: no problems\n")
  }
}
