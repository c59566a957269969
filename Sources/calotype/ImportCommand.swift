import ArgumentParser
import Essentials
import Foundation
import Importing
import Photos
import Synchronization

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import photos and videos into the library.",
    discussion: """
      Folders are searched with all their subfolders. Files are copied byte for byte, and the sources are \
      not changed. Files that belong together become one asset: the still and the movie of a Live Photo, or \
      a RAW file and its JPEG.

      Files of assets that you deleted are left out, even if Recently Deleted was emptied. Edits that you \
      reverted are left out too. --again imports both.

      Hidden photos and videos that the library does not have are left out and named. --hidden imports them. \
      Trash and thumbnails of other programs are always left alone.

      You can stop the command with Control-C and run it again. It continues where it stopped, and imports \
      no file twice.

      EXAMPLES
        calotype import ~/Pictures /media/card/DCIM
        calotype import --dry-run ~/Pictures      only show what would be imported
        calotype import --library /media/disk/Photos.calotype --create ~/Pictures
      """)

  @OptionGroup var options: LibraryOptions
  @Flag(help: "Create the library if there is none. The default library is always created.") var create = false
  @Flag(help: "Show what would be imported, and change nothing.") var dryRun = false
  @Flag(help: "Also import assets that were deleted from the library, and edits that were reverted.") var again = false
  @Flag(help: "Also import files and folders whose names begin with a dot.") var hidden = false
  @Flag(help: "Print one JSON object per line, for each file and for the summary at the end.") var json = false
  @Argument(help: ArgumentHelp("Folders and files.", valueName: "path")) var paths: [String]

  func run() throws {
    let sources = SourcePath.exact(paths)
    for source in sources {
      var status = stat()
      guard stat(source.cString, &status) == 0 else {
        throw CommandError("\(source): \(String(cString: strerror(errno)))")
      }
      guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
        throw CommandError("\(source): this is neither a file nor a folder")
      }
    }
    PHPhotoLibrary.startWorkers(loadingDecoders: !dryRun)
    let opened = try openLibrary()
    Interruption.watch()
    let bar = ProgressLine()
    let json = json
    let stored = Atomic(0)
    let importer = FolderImporter(
      library: opened, bringsBackDeleted: again, includesHidden: hidden,
      isCancelled: { Interruption.isCancelled },
      progressHandler: { bar.update(ProgressLine.State($0)) },
      eventHandler: { event in
        if [.added, .completed, .replaced].contains(event.outcome) { stored.wrappingAdd(1, ordering: .relaxed) }
        // If a line can't be written, nothing reads the output any more; the import goes on.
        if json { try? JSONLines.print(ImportEventDescription(event)) }
      })
    let report: ImportReport
    do {
      defer { bar.finish() }
      report = try importer.importFiles(at: sources, isDryRun: dryRun)
    } catch let error as PHPhotosError {
      throw Self.explanation(of: error, files: stored.load(ordering: .relaxed)) ?? error
    }
    if json {
      try JSONLines.print(["summary": ImportSummaryDescription(report)])
    } else {
      try Output.write(ImportSummary(report).lines)
    }
    if report.wasInterrupted {
      Output.writeToStderr("calotype: interrupted; run it again to continue\n")
      throw ExitCode(1)
    }
    if report.leftOutMedia { throw ExitCode(1) }
  }
}

extension ImportCommand {
  /// Opens the library if there are workers. A dry run writes nothing, so it opens the library
  /// while they start.
  private func openLibrary() throws -> PHPhotoLibrary? {
    guard dryRun else {
      try PHPhotoLibrary.checkWorkers()
      return try library()
    }
    let opened = try library()
    try PHPhotoLibrary.checkWorkers(loadingDecoders: false)
    return opened
  }

  /// Returns `nil` for a dry run without a library, since a dry run doesn't create one.
  private func library() throws -> PHPhotoLibrary? {
    guard dryRun else { return try options.open(create: create || !options.isNamed, isForChanges: true) }
    if try options.exists() { return try options.open() }
    Output.writeToStderr(
      "\(options.url.path): there is no photo library here yet; this is what a new one would import\n")
    return nil
  }
}

extension ImportCommand {
  /// Returns an error that says what is safe and what to do if a disk or another process has ended
  /// the import; `nil` for any other error.
  static func explanation(of error: PHPhotosError, files: Int) -> CommandError? {
    let safe = "the import so far (\(files.counted("file", "files"))) is safe"
    let reason = error.localizedDescription
    return switch error.code {
    case .notEnoughSpace: CommandError("\(reason); \(safe); make space and import again")
    case .libraryVolumeOffline: CommandError("\(reason); \(safe); connect the disk and import again")
    // The reason says what to do about the other process.
    case .relinquishingLibraryBundleToWriter: CommandError("\(safe); import again later: \(reason)")
    default: nil
    }
  }
}

extension SourcePath {
  /// Returns the arguments' paths, byte for byte but for a leading `~`.
  fileprivate static func exact(_ arguments: [String]) -> [SourcePath] {
    var given = GivenArguments.bytes
    return arguments.map { argument in
      let index = given.firstIndex { String(decoding: $0, as: UTF8.self).utf8.elementsEqual(argument.utf8) }
      let bytes = index.map { given.remove(at: $0) } ?? Array(argument.utf8)
      return SourcePath(bytes: AccountFolders.expandingHome(in: bytes))
    }
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
