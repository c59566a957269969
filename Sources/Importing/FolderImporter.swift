import Foundation
import Photos

/// Imports folders and files of photos and videos into a library.
///
///     let report = try FolderImporter(library: library).importFiles(at: ["/home/me/Pictures"])
///     print(report.added)
///
/// The sources are only read. Another run adds nothing twice, whether the first was interrupted or
/// not. Imports block on the disk, so don't call them on the main thread of an app.
public struct FolderImporter: Sendable {
  let library: PHPhotoLibrary?
  let bringsBackDeleted: Bool
  private let includesHidden: Bool
  /// Whether the files are the library's own and stay in place.
  var takesInPlace = false
  /// Whether nothing writes to the files any more, so that the library may link them.
  var linksFiles = false
  /// Whether the assets are created in the order in which their files were named.
  var keepsOrder = false
  /// The album that each asset is added to, in the transaction that creates it.
  var album: PHAssetCollection?
  let isCancelled: @Sendable () -> Bool
  let progress: @Sendable (ImportProgress) -> Void
  private let event: @Sendable (ImportEvent) -> Void

  /// Creates an importer. The handlers are called one at a time, on any thread.
  ///
  /// Only a dry run may be without a library; it then reports as for an empty one. Files that were
  /// deleted from the library, and edits that were reverted, are left out unless
  /// `bringsBackDeleted` is set. So are files and folders whose names begin with a dot, unless
  /// `includesHidden` is set.
  public init(
    library: PHPhotoLibrary?, bringsBackDeleted: Bool = false, includesHidden: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progressHandler: @escaping @Sendable (ImportProgress) -> Void = { _ in },
    eventHandler: @escaping @Sendable (ImportEvent) -> Void = { _ in }
  ) {
    self.library = library
    self.bringsBackDeleted = bringsBackDeleted
    self.includesHidden = includesHidden
    self.isCancelled = isCancelled
    progress = progressHandler
    event = eventHandler
  }

  /// Imports files and folders. Throws if the library itself fails, for example because its disk is
  /// full. Failures of single files are in the report.
  public func importFiles(at paths: [String], isDryRun: Bool = false) throws -> ImportReport {
    try importFiles(at: paths.map { SourcePath($0) }, isDryRun: isDryRun)
  }

  public func importFiles(at paths: [SourcePath], isDryRun: Bool = false) throws -> ImportReport {
    // An empty change throws the reason before the scan begins.
    if !isDryRun, try requireLibrary().readOnlyReason != nil { try requireLibrary().performChangesAndWait {} }
    progress(ImportProgress(phase: .scanning))
    let scan = FolderScan(
      paths: paths, for: library.map { SourcePath($0.url.path) }, includesHidden: includesHidden,
      isCancelled: isCancelled)
    return try importFiles(in: scan, isDryRun: isDryRun)
  }

  func importFiles(in scan: FolderScan, isDryRun: Bool) throws -> ImportReport {
    let destination = try isDryRun ? nil : requireLibrary()
    var report = ImportReport(isDryRun: isDryRun)
    report.emptyFolders = scan.emptyRoots.map(\.description)
    for left in scan.leftAlone {
      let known = try countKnown(left.hiddenMedia, &report)
      if known > 0, known == left.fileCount {
        report.account(for: left.path)
      } else {
        leave(left.path, left.reason, fileCount: left.fileCount - known, isPartlyUnread: left.isPartlyUnread, &report)
      }
    }
    for failure in scan.failures { fail(failure.path, failure.reason, &report) }
    let (files, envelopes) = inspect(scan.files, &report)
    var plan = try ImportPlan(files, envelopes: envelopes) {
      try library?.hasLivePhoto(contentIdentifier: $0) ?? false
    }
    if keepsOrder { plan.sort(inOrderOf: scan.roots) }
    let used = Set(plan.assets.compactMap(\.edit?.envelope))
    for envelope in envelopes where !used.contains(envelope) {
      leave(envelope.path, .sidecar, &report)
    }
    if let destination {
      try importAssets(plan, to: destination, &report)
      if !report.damaged.isEmpty { findWholeCopies(in: destination, &report) }
    } else {
      try dryRun(plan, &report)
    }
    report.wasInterrupted = isCancelled()
    if !report.wasInterrupted {
      for path in report.unaccounted(of: scan.found) { fail(path, Self.unaccountedReason, &report) }
    }
    report.combineFailures(below: scan.roots)
    return report
  }

  /// Returns the library. Throws if the importer has none.
  func requireLibrary() throws -> PHPhotoLibrary {
    guard let library else {
      throw PHPhotosError(
        .changeNotSupported, userInfo: [NSLocalizedDescriptionKey: "only a dry run can be without a library"])
    }
    return library
  }

  private static let unaccountedReason =
    "the import found it and lost sight of it, a defect of Calotype; it is unchanged; import it again by its own path"

  // MARK: Leaving out

  /// Counts the hidden files that the library has, for example from an import that included hidden
  /// ones, and returns their number. The report does not name them.
  private func countKnown(_ files: [SourcePath], _ report: inout ImportReport) throws -> Int {
    guard let library else { return 0 }
    var known = 0
    for file in files where !isCancelled() {
      do {
        guard let identifier = try library.asset(withBytesOfFileAt: file.url) else { continue }
        known += 1
        event(ImportEvent(path: file.description, outcome: .alreadyThere, localIdentifier: identifier))
      } catch let error as PHPhotosError where error.code == .missingResource {
        // A file that can't be read is left out like the others.
      }
    }
    report.alreadyThere += known
    return known
  }

  /// Returns an asset without the files that were deleted from the library; `nil` if no file is
  /// left.
  ///
  /// An edit is left out together with the file that it belongs to. `sizes` are those of deleted
  /// files (`sizesOfDeletedFiles`).
  func leaveOutDeleted(
    _ asset: PlannedAsset, ofSizes sizes: Set<Int>, _ report: inout ImportReport
  ) throws -> PlannedAsset? {
    guard let library, !bringsBackDeleted else { return asset }
    func keep(_ file: InspectedFile?) throws -> InspectedFile? {
      guard let file, sizes.contains(file.file.byteCount) else { return file }
      do {
        return try library.wasDeleted(file.file.path.url) ? nil : file
      } catch let error as PHPhotosError where error.code == .missingResource {
        // An unreadable file fails later, when it is imported, with the reason.
        return file
      }
    }
    var rest = asset
    rest.photo = try keep(asset.photo)
    rest.raw = try keep(asset.raw)
    rest.movie = try keep(asset.movie)
    if rest.movie == nil { rest.edit?.movie = nil }
    if rest.originals.first?.file != asset.originals.first?.file { rest.edit = nil }
    let kept = rest.files
    for file in asset.files where !kept.contains(file) { leave(file.path, .deleted, &report) }
    return rest.originals.isEmpty ? nil : rest
  }

  /// Returns the sizes of files that may have been deleted from the library.
  func sizesOfDeletedFiles(among assets: some Sequence<PlannedAsset>) throws -> Set<Int> {
    guard let library, !bringsBackDeleted else { return [] }
    return try library.sizesOfDeletedFiles(among: Set(assets.flatMap(\.originals).map(\.file.byteCount)))
  }

  // MARK: Importing

  /// The number of assets in one transaction: enough to make its cost small, few enough to lose
  /// without harm.
  private static let batchSize = 24
  /// The size in bytes at which a transaction ends earlier. A short video should not wait for many
  /// others.
  private static let batchByteCount = 256 << 20

  func importAssets(_ plan: ImportPlan, to library: PHPhotoLibrary, _ report: inout ImportReport) throws {
    let files = plan.assets.flatMap(\.files)
    var done = ImportProgress(
      phase: .importing, totalFiles: files.count, totalBytes: files.reduce(0) { $0.addingSize($1.byteCount) })
    progress(done)
    var rest = plan.assets[...]
    while !rest.isEmpty, !isCancelled() {
      let batch = Self.nextBatch(of: &rest)
      let sizes = try sizesOfDeletedFiles(among: batch)
      let wanted = try batch.compactMap { try leaveOutDeleted($0, ofSizes: sizes, &report) }
      if !wanted.isEmpty { try importAssets(wanted, to: library, &report) }
      done.files += batch.reduce(0) { $0 + $1.files.count }
      done.bytes = batch.reduce(done.bytes) { $0.addingSize($1.byteCount) }
      progress(done)
    }
  }

  /// Finds whole copies of damaged photos. Runs after all photos are imported, since a copy may be
  /// imported after the damaged one.
  private func findWholeCopies(in library: PHPhotoLibrary, _ report: inout ImportReport) {
    let options = PHFetchOptions()
    options.photoLibrary = library
    let identifiers = report.damaged.map(\.localIdentifier)
    let assets = PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: options)
    for index in 0..<assets.count {
      let asset = assets[index]
      // The whole copy is only a hint: a photo that can't be compared has none.
      guard let place = identifiers.firstIndex(of: asset.localIdentifier), let whole = try? asset.wholeCopy() else {
        continue
      }
      report.damaged[place].wholeCopy = .init(
        filename: whole.extendedMetadata.originalFilename ?? "", localIdentifier: whole.localIdentifier)
    }
  }

  private static func nextBatch(of rest: inout ArraySlice<PlannedAsset>) -> [PlannedAsset] {
    var batch: [PlannedAsset] = []
    var bytes = 0
    while let asset = rest.first,
      batch.isEmpty || (batch.count < batchSize && bytes.addingSize(asset.byteCount) <= batchByteCount)
    {
      batch.append(rest.removeFirst())
      bytes = bytes.addingSize(asset.byteCount)
    }
    return batch
  }

  /// The errors that end an import, since the next files would fail in the same way. If another
  /// process keeps the library locked, each file would wait for a minute first.
  private static let codesThatEndAnImport: [PHPhotosError.Code] = [
    .notEnoughSpace, .libraryVolumeOffline, .relinquishingLibraryBundleToWriter, .accessUserDenied, .accessRestricted,
  ]

  /// Imports a batch. If a file fails, imports each asset separately, so that only the failing ones
  /// are left out.
  private func importAssets(
    _ batch: [PlannedAsset], to library: PHPhotoLibrary, _ report: inout ImportReport
  ) throws {
    do {
      let requests = try create(batch, in: library, &report)
      for (asset, request) in zip(batch, requests) { note(asset, request, &report) }
    } catch let error as PHPhotosError
      where Self.codesThatEndAnImport.contains(error.code)
    {
      throw error
    } catch {
      guard batch.count > 1 else {
        // If an edit can't be imported, its original still is.
        if var asset = batch.first, let edit = asset.edit {
          for file in edit.files { fail(file.path, error.localizedDescription, &report) }
          asset.edit = nil
          return try importAssets([asset], to: library, &report)
        }
        for file in batch.flatMap(\.files) { fail(file.path, error.localizedDescription, &report) }
        return
      }
      for asset in batch where !isCancelled() { try importAssets([asset], to: library, &report) }
    }
  }

  private func create(
    _ batch: [PlannedAsset], in library: PHPhotoLibrary, _ report: inout ImportReport
  ) throws -> [PHAssetCreationRequest] {
    nonisolated(unsafe) var requests: [PHAssetCreationRequest] = []
    nonisolated(unsafe) var transaction: Int64?
    try library.performChangesAndWait {
      requests = batch.map { asset in
        let request = PHAssetCreationRequest.forAsset()
        request.joinsExistingAsset = true
        request.restoresRevertedEdit = bringsBackDeleted
        for resource in asset.resources {
          let options = PHAssetResourceCreationOptions()
          options.isInPlace = takesInPlace
          options.allowsLinking = linksFiles
          options.followsLinks = false
          options.sidecarDate = resource.sidecarDate
          request.addResource(with: resource.type, fileURL: resource.file.path.url, options: options)
        }
        return request
      }
      if let album {
        PHAssetCollectionChangeRequest(for: album)?.addAssets(requests.compactMap(\.placeholderForCreatedAsset))
      }
      _ = TransactionNote(of: nil) { transaction = $0 }
    }
    report.latestTransaction = transaction ?? report.latestTransaction
    return requests
  }

  private func note(_ asset: PlannedAsset, _ request: PHAssetCreationRequest, _ report: inout ImportReport) {
    let leftOut = LeftOutFiles(asset.edit, request.leftOutEdit)
    let (outcome, identifier): (ImportEvent.Outcome, String?) =
      switch request.outcome {
      case .created, nil: (.added, request.placeholderForCreatedAsset?.localIdentifier)
      case .joined(let existing): (.completed, existing)
      case .existing(let existing): (report.createdIdentifiers.contains(existing) ? .copy : .alreadyThere, existing)
      }
    if outcome == .added, let identifier { report.createdIdentifiers.insert(identifier) }
    if let reason = request.unreadableReason, let file = asset.files.first {
      report.unreadable.append(.init(source: file.path, reason: reason))
    }
    if let reason = request.missingPictures, let file = asset.files.first {
      report.notShownYet.append(.init(source: file.path, reason: reason))
    }
    if let reason = request.damage, let identifier, let file = asset.files.first {
      report.damaged.append(.init(path: file.path.description, reason: reason, localIdentifier: identifier))
    }
    let reason = request.unreadableReason ?? request.damage
    let replaced = asset.resources.filter { request.replacedResourceTypes.contains($0.type) }.map(\.file)
    if asset.edit != nil, leftOut == nil { report.edits += 1 }
    note(asset, outcome, leftOut: leftOut, replaced: replaced, identifier: identifier, reason: reason, &report)
  }

  /// Counts the outcome of an asset, or in a dry run the expected one, and sends its events.
  func note(
    _ asset: PlannedAsset, _ outcome: ImportEvent.Outcome, leftOut: LeftOutFiles?, replaced: [FoundFile] = [],
    identifier: String? = nil, reason: String? = nil, _ report: inout ImportReport
  ) {
    // If the library has another edit, this edit is reported as left alone, so that nobody assumes
    // it is stored.
    if let leftOut { for file in leftOut.files { leave(file.path, leftOut.reason, &report) } }
    let kept = asset.files.filter { leftOut?.files.contains($0) != true }
    let known = kept.filter { !replaced.contains($0) }
    report.replaced += replaced.count
    switch outcome {
    case .alreadyThere: report.alreadyThere += known.count
    case .copy: report.copies += known.count
    case .completed: report.completed += 1
    case .added, .replaced, .leftAlone, .leftOut, .failed: report.count(asset)
    }
    for file in kept {
      report.account(for: file.path)
      let isKnown = outcome == .alreadyThere || outcome == .copy
      let outcome = isKnown && replaced.contains(file) ? .replaced : outcome
      event(
        ImportEvent(path: file.path.description, outcome: outcome, localIdentifier: identifier, reason: reason))
    }
  }

  func leave(
    _ path: SourcePath, _ reason: ImportReport.LeftAlone.Reason, fileCount: Int = 1, isPartlyUnread: Bool = false,
    _ report: inout ImportReport
  ) {
    report.account(for: path)
    report.leftAlone.append(
      .init(path: path.description, reason: reason, fileCount: fileCount, isPartlyUnread: isPartlyUnread))
    event(
      ImportEvent(
        path: path.description, outcome: reason.isByChoice ? .leftOut : .leftAlone,
        reason: reason.description(count: fileCount) + (isPartlyUnread ? "; a part of it can’t be read" : "")))
  }

  func fail(_ path: SourcePath, _ reason: String, _ report: inout ImportReport) {
    report.account(for: path)
    report.failures.append(.init(source: path, reason: reason))
    event(ImportEvent(path: path.description, outcome: .failed, reason: reason))
  }
}

/// The files of an edit that the library does not import, and the reason.
struct LeftOutFiles {
  var files: [FoundFile]
  var reason: ImportReport.LeftAlone.Reason

  init?(_ edit: PlannedEdit?, _ leftOut: PHAssetCreationRequest.LeftOutEdit?) {
    guard let edit, let leftOut else { return nil }
    files = edit.files
    reason =
      switch leftOut {
      case .anotherEdit: .otherEdit
      case .reverted: .revertedEdit
      }
  }
}

extension ImportReport {
  mutating func count(_ asset: PlannedAsset) {
    if asset.isLive { livePhotos += 1 } else if asset.isVideo { videos += 1 } else { photos += 1 }
  }
}
