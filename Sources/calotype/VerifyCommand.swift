import ArgumentParser
import Foundation
import Photos
import Synchronization

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that the library is intact.",
    discussion: """
      Reads every original and every file of an edit, and compares it with its SHA-256 from the import. \
      Checks the integrity of the database, and finds missing files and files that belong to no asset. The \
      exit status is 1 if there is a problem.

      The library records damaged and missing files. If such a file is imported again, it replaces the \
      damaged copy. Photos of which a part can't be shown get into the smart album Damaged. Nothing else is \
      changed.
      """)

  @OptionGroup var options: LibraryOptions
  @Flag(help: "Print one JSON object per line for each finding.") var json = false

  func run() throws {
    Interruption.watch()
    let library = try options.open()
    let bar = ProgressLine()
    let findings = Mutex<[PHPhotoLibrary.Finding]>([])
    let originals = Mutex(0)
    try library.verify(
      isCancelled: { Interruption.isCancelled },
      progressHandler: { progress in
        originals.withLock { $0 = progress.files }
        bar.update(
          .init(
            verb: "Checking", files: progress.files, totalFiles: progress.totalFiles, bytes: progress.bytes,
            totalBytes: progress.totalBytes))
      }, findingHandler: { finding in findings.withLock { $0.append(finding) } })
    bar.finish()
    let found = findings.withLock { $0 }.sorted { ($0.path ?? "", $0.description) < ($1.path ?? "", $1.description) }
    for finding in found {
      if json {
        try JSONLines.print(FindingDescription(finding))
      } else {
        try Output.write(finding.description)
      }
    }
    if Interruption.isCancelled { throw CommandError("interrupted before everything was checked") }
    let count = originals.withLock { $0 }
    if !json {
      let checked = "\(count.counted("file", "files")) checked"
      try Output.write(
        found.isEmpty ? "\(checked): no problems" : "\(checked): \(found.count.counted("problem", "problems"))")
    }
    if !found.isEmpty { throw ExitCode(1) }
  }
}

/// The JSON form of a fault of the library.
struct FindingDescription: Encodable {
  var kind: String
  var path: String?
  var description: String

  init(_ finding: PHPhotoLibrary.Finding) {
    kind = finding.kind.rawValue
    path = finding.path
    description = finding.description
  }
}
