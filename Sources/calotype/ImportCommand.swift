import ArgumentParser
import Foundation
import Importing
import Photos

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Take photos and videos into the library.",
    discussion: """
      Folders are searched with all that is in them. The files are copied, byte for byte, and the sources are only read. What \
      belongs together becomes one asset: a Live Photo's still and movie, a RAW file and its JPEG.

      Stop it at any time (Control-C) and run it again: it goes on where it was, and nothing comes in twice.

      EXAMPLES
        calotype import ~/Pictures /media/card/DCIM
        calotype import --dry-run ~/Pictures      what would happen
      """)

  @OptionGroup var options: LibraryOptions
  @Flag(help: "Say what would happen, and change nothing.") var dryRun = false
  @Flag(help: "Print one JSON object a line: each file, and at the end the summary.") var json = false
  @Argument(help: ArgumentHelp("Folders and files.", valueName: "path")) var paths: [String]

  func run() throws {
    for path in paths where access(path, F_OK) != 0 {
      throw CommandError("\(path): \(String(cString: strerror(errno)))")
    }
    try PHPhotoLibrary.checkWorkers()
    Interruption.watch()
    let bar = ProgressLine()
    let json = json
    let importer = FolderImporter(
      library: try library(), isCancelled: { Interruption.isCancelled },
      progressHandler: { bar.update(ProgressLine.State($0)) },
      eventHandler: { event in
        // A line that can't be written means that nobody reads any more.
        if json { try? JSONLines.print(ImportEventDescription(event)) }
      })
    let report: ImportReport
    do {
      defer { bar.finish() }
      report = try importer.importFiles(at: paths, isDryRun: dryRun)
    }
    if json {
      try JSONLines.print(["summary": ImportSummaryDescription(report)])
    } else {
      try Output.write(ImportSummary(report).lines)
    }
    if report.wasInterrupted {
      Output.complain("calotype: interrupted; run it again to go on\n")
      throw ExitCode(1)
    }
    if !report.failures.isEmpty { throw ExitCode(1) }
  }
}

extension ImportCommand {
  /// A dry run makes no library; without one, nothing is there yet.
  private func library() throws -> PHPhotoLibrary? {
    let exists = access(options.url.appendingPathComponent("library.sqlite").path, F_OK) == 0
    return dryRun && !exists ? nil : try options.open(create: !dryRun)
  }
}

extension ProgressLine.State {
  init(_ progress: ImportProgress) {
    let verb =
      switch progress.phase {
      case .scanning: "Searching"
      case .inspecting: "Reading"
      case .comparing: "Comparing"
      case .lookingUp: "Looking up"
      case .importing: "Importing"
      }
    self.init(
      verb: verb, files: progress.files, totalFiles: progress.totalFiles, bytes: progress.bytes,
      totalBytes: progress.totalBytes)
  }
}
