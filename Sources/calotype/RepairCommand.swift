import ArgumentParser
import Foundation
import Importing
import Photos

struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Make a library anew from its originals when its database is lost or damaged.",
    discussion: """
      The originals stay where they are, and are read again: their dates, places, and what belongs together. Edits are given back \
      to their photos where that is certain. The new database takes the old one's place when it is complete; the old one is \
      kept beside it. After an interruption, run it again to continue.

      What only the database knew is lost: albums and folders, favorites, hidden photos, captions and keywords that were \
      written here, dates and places that were changed here, names of files that were taken twice, the access of programs, and \
      the history. What was in Recently Deleted is back.

      If the database is whole, this takes in originals that belong to no asset, and mends texts that can't be read. An original that was renamed or moved among the \
      originals gets its path back.

      EXAMPLES
        calotype repair
        calotype repair --yes --library /backup/Photos.calotype
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var confirmation: Confirmation

  func run() throws {
    Interruption.watch()
    let url = options.url
    guard access(url.appendingPathComponent("originals").path, F_OK) == 0 else {
      throw CommandError("\(url.path): there is no photo library here")
    }
    // Checked before anything is moved, since no original can be read without workers.
    try PHPhotoLibrary.checkWorkers()
    var damage = try PHPhotoLibrary.damage(ofLibraryAt: url)
    let mended = damage == nil ? try options.open().mendValues() : 0
    if mended > 0 { damage = try PHPhotoLibrary.damage(ofLibraryAt: url) }
    if let damage {
      try confirmation.ask(
        "\(damage). Make the library anew from its originals? Albums, favorites and captions are lost.")
    }
    let library = damage == nil ? try options.open() : try PHPhotoLibrary.openForRepair(url: url)
    let bar = ProgressLine()
    let report: RepairReport
    do {
      defer { bar.finish() }
      let importer = FolderImporter(
        library: library, isCancelled: { Interruption.isCancelled },
        progressHandler: { bar.update(ProgressLine.State($0)) })
      report = try importer.repair()
    }
    try Output.write(ImportSummary(report.imported).lines)
    if mended > 0 {
      try Output.write("Mended: \(mended.counted("asset", "assets")) with texts that could not be read")
    }
    if report.edits > 0 { try Output.write("Given back: \(report.edits.counted("edit", "edits"))") }
    if !report.lostEdits.isEmpty {
      try Output.write("Lost: \(report.lostEdits.count.counted("edit", "edits")), whose files stay in")
      for folder in report.lostEdits { try Output.write("  \(folder)") }
    }
    if report.imported.wasInterrupted {
      Output.writeToStderr("calotype: interrupted; run it again to continue\n")
      throw ExitCode(1)
    }
    if damage != nil {
      let formerDatabase = try library.finishRepair()
      try Output.write("Lost: albums, favorites, captions, access, and what else only the database knew")
      if let formerDatabase { try Output.write("The old database is kept: \(formerDatabase.path)") }
    }
    if !report.imported.failures.isEmpty { throw ExitCode(1) }
  }
}
