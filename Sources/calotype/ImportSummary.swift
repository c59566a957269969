import Foundation
import Importing

/// The text at the end of an import.
struct ImportSummary {
  private let report: ImportReport
  /// The number of files listed under one heading; `--json` lists all.
  private static let namedFiles = 20

  init(_ report: ImportReport) { self.report = report }

  var lines: [String] {
    // Items that are easily overlooked come first.
    var lines = lostMedia + [added]
    if report.completed > 0 {
      lines.append("\(completedVerb): \(count(report.completed, "asset", "assets")) with files that belong to them")
    }
    if report.replaced > 0 {
      let verb = report.isDryRun ? "Would replace" : "Replaced"
      lines.append("\(verb) damaged or missing originals: \(count(report.replaced, "file", "files"))")
    }
    if report.alreadyThere > 0 {
      lines.append("Already in the library: \(count(report.alreadyThere, "file", "files"))")
    }
    if report.copies > 0 {
      lines.append("Copies of other files of this import: \(count(report.copies, "file", "files"))")
    }
    for reason in [ImportReport.LeftAlone.Reason.deleted, .revertedEdit] {
      let files = report.leftAlone.count { $0.reason == reason }
      guard files > 0 else { continue }
      let pronoun = files == 1 ? "it" : "them"
      lines.append("Left out: \(files) \(reason.description(count: files)) (--again brings \(pronoun) back)")
    }
    lines += leftAlone
    lines += report.emptyFolders.map {
      "Nothing found in \($0): the folder is empty; if a disk belongs there, mount it and import again"
    }
    lines += list("Imported, but can’t be shown", report.unreadable, count: report.unreadable.count)
    lines += list("Imported, but not shown yet", report.notShownYet, count: report.notShownYet.count)
    lines += damaged
    lines += list("Failed", report.failures, count: report.failureCount)
    return lines
  }

  private var added: String {
    var parts: [String] = []
    if report.photos > 0 { parts.append(count(report.photos, "photo", "photos")) }
    if report.videos > 0 { parts.append(count(report.videos, "video", "videos")) }
    if report.livePhotos > 0 { parts.append(count(report.livePhotos, "Live Photo", "Live Photos")) }
    let verb = report.isDryRun ? "Would import" : "Imported"
    let total = count(report.added, "asset", "assets")
    return parts.isEmpty ? "\(verb) \(total)" : "\(verb) \(total): \(parts.joined(separator: ", "))"
  }

  private var lostMedia: [String] {
    ImportReport.LeftAlone.Reason.allCases.filter(\.mayBeLostMedia).flatMap { reason -> [String] in
      let files = report.leftAlone.filter { $0.reason == reason }
      guard !files.isEmpty else { return [] }
      let fileCount = Self.fileCount(files)
      return ["Left out: \(fileCount) \(reason.description(count: fileCount))"]
        + named(
          files.map { file in
            file.fileCount == 1 && !file.isPartlyUnread ? file.path : "\(file.path): \(contents(of: [file]))"
          }
        ).map { "  " + $0 }
    }
  }

  private var damaged: [String] {
    guard !report.damaged.isEmpty else { return [] }
    return ["Imported, but damaged: \(count(report.damaged.count, "file", "files"))"]
      + named(
        report.damaged.map { file in
          let whole = file.wholeCopy.map { "; \($0.filename) in the library is undamaged: \($0.localIdentifier)" } ?? ""
          return "\(file.path): \(file.reason)\(whole)"
        }
      ).map { "  " + $0 }
  }

  private var completedVerb: String { report.isDryRun ? "Would complete" : "Completed" }

  private var leftAlone: [String] {
    let leftAlone = report.leftAlone.filter { !$0.reason.mayBeLostMedia && !$0.reason.isByChoice }
    guard !leftAlone.isEmpty else { return [] }
    let byReason = Dictionary(grouping: leftAlone, by: \.reason)
    return ["Left alone: \(count(Self.fileCount(leftAlone), "file", "files"))"]
      + ImportReport.LeftAlone.Reason.allCases.flatMap { reason -> [String] in
        guard let files = byReason[reason] else { return [] }
        let fileCount = Self.fileCount(files)
        let heading = "  \(fileCount) \(reason.description(count: fileCount))"
        // Sidecars and hidden files are expected. Any other file may be one that the user misses.
        if [.sidecar, .proxy, .hidden, .sound].contains(reason) { return [heading] }
        let areFolders = [.foreign, .keptOriginal].contains(reason)
        return [heading] + named(areFolders ? foreignFolders(files) : files.map(\.path)).map { "    " + $0 }
      }
  }

  private static func fileCount(_ left: [ImportReport.LeftAlone]) -> Int { left.reduce(0) { $0 + $1.fileCount } }

  /// Returns one line for all folders of one name, since a NAS makes such a folder in each folder.
  private func foreignFolders(_ folders: [ImportReport.LeftAlone]) -> [String] {
    let byName = Dictionary(grouping: folders) { URL(fileURLWithPath: $0.path).lastPathComponent }
    return byName.sorted { $0.key < $1.key }.map { name, folders in
      let files = contents(of: folders)
      return folders.count == 1 ? "\(folders[0].path): \(files)" : "\(name): \(files) in \(folders.count) folders"
    }
  }

  private func contents(of folders: [ImportReport.LeftAlone]) -> String {
    count(Self.fileCount(folders), "file", "files")
      + (folders.contains(where: \.isPartlyUnread) ? ", and unreadable files" : "")
  }

  private func list(_ heading: String, _ failures: [ImportReport.Failure], count fileCount: Int) -> [String] {
    guard !failures.isEmpty else { return [] }
    return ["\(heading): \(count(fileCount, "file", "files"))"]
      + named(failures.map { $0.reason.hasPrefix($0.path) ? $0.reason : "\($0.path): \($0.reason)" }).map { "  " + $0 }
  }

  private func named(_ lines: [String]) -> [String] {
    let rest = lines.count - Self.namedFiles
    return rest > 0 ? lines.prefix(Self.namedFiles) + ["and \(rest) more; --json names all of them"] : lines
  }

  private func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }
}

struct ImportEventDescription: Encodable {
  var path: String
  var outcome: String
  var localIdentifier: String?
  var reason: String?

  init(_ event: ImportEvent) {
    path = event.path
    outcome = event.outcome.rawValue
    localIdentifier = event.localIdentifier
    reason = event.reason
  }
}

struct ImportSummaryDescription: Encodable {
  var dryRun: Bool
  var added: Int
  var photos: Int
  var videos: Int
  var livePhotos: Int
  var completed: Int
  var alreadyThere: Int
  var replaced: Int
  var copies: Int
  /// Files that were deleted from the library, or that belong to reverted edits.
  var leftOut: Int
  var leftAlone: Int
  var unreadable: Int
  var notShownYet: Int
  var damaged: Int
  var failed: Int
  var interrupted: Bool

  init(_ report: ImportReport) {
    dryRun = report.isDryRun
    added = report.added
    photos = report.photos
    videos = report.videos
    livePhotos = report.livePhotos
    completed = report.completed
    alreadyThere = report.alreadyThere
    replaced = report.replaced
    copies = report.copies
    leftOut = report.leftAlone.count { $0.reason.isByChoice }
    leftAlone = report.leftAlone.reduce(0) { $0 + $1.fileCount } - leftOut
    unreadable = report.unreadable.count
    notShownYet = report.notShownYet.count
    damaged = report.damaged.count
    failed = report.failureCount
    interrupted = report.wasInterrupted
  }
}
