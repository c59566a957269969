import Foundation
import Photos

/// The result of `FolderImporter.repair`.
public struct RepairReport: Sendable {
  /// The created assets, the files that belong to an asset already, and the failed files.
  public var imported: ImportReport
  /// The number of edits that were returned to their photos.
  public var edits: Int { imported.edits }
  /// The folders of edits whose photos are unknown, relative to the library's folder.
  public var lostEdits: [String] = []
}

extension FolderImporter {
  /// Creates assets from the files in a library's folder that its database does not know. The files
  /// stay in place, but a copy of a missing or damaged file is moved to the path of that file.
  ///
  ///     let library = try PHPhotoLibrary.openForRepair(url: url)
  ///     let report = try FolderImporter(library: library).repair()
  ///     let formerDatabase = try library.finishRepair()
  ///
  /// The dates, pairs and other metadata are read from the files again. An edit is returned to the
  /// photo or video whose bytes it names. If it names none, it is returned to the only one with the
  /// same capture date as its render. Reverted edits stay reverted. After an interruption, another
  /// run continues.
  public func repair() throws -> RepairReport {
    let library = try requireLibrary()
    var importer = self
    importer.takesInPlace = true
    var report = RepairReport(imported: ImportReport(isDryRun: false))
    progress(ImportProgress(phase: .scanning))
    let scan = FolderScan(
      paths: [SourcePath(library.url.appendingPathComponent("originals").path)], isCancelled: isCancelled)
    for left in scan.leftAlone {
      leave(left.path, left.reason, fileCount: left.fileCount, isPartlyUnread: left.isPartlyUnread, &report.imported)
    }
    for failure in scan.failures { fail(failure.path, failure.reason, &report.imported) }
    let strays = try scan.files.filter { try !library.owns($0.path.url) }
    let (files, envelopes) = inspect(strays, &report.imported)
    for envelope in envelopes { leave(envelope.path, .sidecar, &report.imported) }
    var plan = try ImportPlan(files) { try library.hasLivePhoto(contentIdentifier: $0) }
    var owners = EditOwners(of: plan)
    // A single scan of all edits: a scan of each folder would follow a link in its place.
    let edits = FolderScan(
      paths: [SourcePath(library.url.appendingPathComponent("adjustments").path)], isCancelled: isCancelled)
    for left in edits.leftAlone where try !library.isOfFormerEdit(left.path.url) {
      leave(left.path, left.reason, fileCount: left.fileCount, isPartlyUnread: left.isPartlyUnread, &report.imported)
    }
    for failure in edits.failures { fail(failure.path, failure.reason, &report.imported) }
    let folders = Dictionary(grouping: edits.files) { SourcePath(bytes: Array($0.folder)) }
    for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
      guard !isCancelled() else { break }
      let found = try StrayEdit(files, of: library)
      guard !found.isEmpty else { continue }
      if let edit = found.edit, owners.give(edit, &plan) { continue }
      let name = String(decoding: folder.bytes.dropFirst(edits.roots[0].bytes.count), as: UTF8.self)
      report.lostEdits.append("adjustments\(name)")
    }
    try importer.importAssets(plan, to: library, &report.imported)
    report.imported.wasInterrupted = isCancelled()
    return report
  }
}

/// The files of an edit in its folder: a render, a Live Photo's movie, the adjustment data.
private struct StrayEdit {
  private var renders: [InspectedFile] = []
  private var envelopes: [FoundFile] = []

  init(_ files: [FoundFile], of library: PHPhotoLibrary) throws {
    for file in files {
      let url = file.path.url
      if try library.owns(url) || library.isOfFormerEdit(url) { continue }
      if PHAdjustmentData(contentsOf: url) != nil {
        envelopes.append(file)
      } else if let inspection = (try? FileInspection(url: url)).flatMap({ $0 }) {
        renders.append(InspectedFile(file: file, inspection: inspection))
      }
    }
  }

  var isEmpty: Bool { renders.isEmpty && envelopes.isEmpty }

  /// The edit, or `nil` if its files are ambiguous: the edit's input may be in the folder too.
  var edit: PlannedEdit? {
    let pictures = renders.filter { $0.inspection.mediaType == .image }
    let movies = renders.filter { $0.inspection.mediaType == .video }
    guard envelopes.count == 1, pictures.count <= 1, movies.count <= 1 else { return nil }
    guard let render = pictures.first ?? movies.first else { return nil }
    return PlannedEdit(
      render: render, movie: pictures.isEmpty ? nil : movies.first, envelope: envelopes[0],
      original: EditedOriginal(contentsOfAdjustments: envelopes[0].path.url))
  }
}

/// The assets of a plan, by the properties that edits and originals have in common.
struct EditOwners {
  private struct Key: Hashable {
    let mediaType: PHAssetMediaType
    let creationDate: Date

    /// Returns `nil` if the file contains no capture date with its time.
    init?(_ inspection: FileInspection?) {
      guard let inspection, inspection.hasCaptureTime else { return nil }
      mediaType = inspection.mediaType
      creationDate = inspection.creationDate
    }
  }

  /// An original of the asset at a place of the plan.
  private struct Original {
    let place: Int
    let path: SourcePath
    /// Whether the asset has no other original.
    let isAlone: Bool
  }

  /// Indexes of the plan's assets.
  private let places: [Key?: [Int]]
  private var originals: [Int: [Original]] = [:]
  /// The hashes of the originals that an edit may name; `nil` for one that can't be read.
  private var hashes: [SourcePath: Data?] = [:]

  init(of plan: ImportPlan) {
    places = Dictionary(grouping: plan.assets.indices) { Key(plan.assets[$0].originals.first?.inspection) }
    for (place, asset) in plan.assets.enumerated() {
      let files = asset.originals.map(\.file)
      for file in files {
        originals[file.byteCount, default: []].append(
          Original(place: place, path: file.path, isAlone: files.count == 1))
      }
    }
  }

  /// Returns the indexes of the assets to which an edit may belong: those that have the original it
  /// names. If it names none, those with the capture date of its render.
  mutating func candidates(for edit: PlannedEdit) -> [Int] {
    guard let original = edit.original else { return Key(edit.render.inspection).flatMap { places[$0] } ?? [] }
    let copies = (originals[original.byteCount] ?? []).filter { hash(of: $0.path) == original.sha256 }
    // A copy that is alone joins the asset of a copy with other files, else that of the first copy.
    let withOthers = copies.filter { !$0.isAlone }
    return (withOthers.isEmpty ? Array(copies.prefix(1)) : withOthers).map(\.place)
  }

  private mutating func hash(of path: SourcePath) -> Data? {
    if let known = hashes[path] { return known }
    // The import of the same file reports the reason.
    let hash = try? FileInspection.sha256(of: path.url)
    hashes[path] = .some(hash)
    return hash
  }

  /// Assigns an edit to the only candidate that fits and has no edit. Returns `false` if there is
  /// none, or several.
  mutating func give(_ edit: PlannedEdit, _ plan: inout ImportPlan) -> Bool {
    let owners = candidates(for: edit).filter { place in
      plan.assets[place].edit == nil && (edit.movie == nil || plan.assets[place].movie != nil)
    }
    guard owners.count == 1 else { return false }
    plan.assets[owners[0]].edit = edit
    return true
  }
}
