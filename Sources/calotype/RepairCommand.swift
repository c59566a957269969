import ArgumentParser
import Foundation
import Importing
import Photos

struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Make a new database from the originals if it is lost or damaged.",
    discussion: """
      Makes a new database from the originals, which stay in their places. It reads their dates and places \
      again, and finds out which files belong together. Edits return to their photos if it is certain whose \
      they are. They name the bytes of their photo; those of phones and older ones are matched by a capture date \
      that no other photo has. Finally the new database replaces the old one, which is kept beside it. If the command is \
      interrupted, run it again to continue.

      Everything that only the old database contained is lost: albums and folders, favorites, hidden photos, \
      the history, the access of programs, names of files that were imported twice, and captions, keywords, \
      dates and places that were changed in the library. Deleted photos return from Recently Deleted. What was \
      deleted for good is no longer known, so another import of the same sources brings it back.

      If the database is intact, the command repairs only single rows: those that can't be read or that \
      refer to missing ones. Originals that belong to no asset are imported. Originals that were renamed or \
      moved get their paths back.

      EXAMPLES
        calotype repair
        calotype repair --yes --library /backup/Photos.calotype
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var confirmation: Confirmation

  func run() throws {
    let url = options.url
    guard access(url.appendingPathComponent("originals").path, F_OK) == 0 else {
      throw CommandError("\(url.path): there is no photo library here")
    }
    // Checked before anything is moved, since no original can be read without workers.
    try PHPhotoLibrary.checkWorkers()
    var damage = try PHPhotoLibrary.damage(ofLibraryAt: url)
    var mended = 0
    if damage == nil {
      let library = try options.open(isForChanges: true)
      // An empty change throws the reason.
      if library.readOnlyReason != nil { try library.performChangesAndWait {} }
      mended = try library.mendRows()
    }
    if mended > 0 { damage = try PHPhotoLibrary.damage(ofLibraryAt: url) }
    if let damage {
      try confirmation.ask(
        "\(damage). Make a new database from the originals? Albums, favorites and captions are lost.")
    }
    Interruption.watch()
    let library = damage == nil ? try options.open(isForChanges: true) : try PHPhotoLibrary.openForRepair(url: url)
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
      try Output.write("Mended: \(mended.counted("problem", "problems")) in the database")
    }
    if report.edits > 0 { try Output.write("Restored: \(report.edits.counted("edit", "edits"))") }
    if !report.lostEdits.isEmpty {
      try Output.write("Lost: \(report.lostEdits.count.counted("edit", "edits")), whose files are kept in")
      for folder in report.lostEdits { try Output.write("  \(folder)") }
    }
    if report.imported.wasInterrupted {
      Output.writeToStderr("calotype: interrupted; run it again to continue\n")
      throw ExitCode(1)
    }
    if damage != nil {
      let formerDatabase = try library.finishRepair()
      try Output.write(
        "Lost: albums, favorites, captions, access, and everything else that only the database contained",
        "Another import brings back what was deleted for good")
      if let formerDatabase { try Output.write("The old database is kept: \(formerDatabase.path)") }
    }
    if !report.imported.failures.isEmpty { throw ExitCode(1) }
  }
}
