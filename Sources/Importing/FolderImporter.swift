import Foundation
import Photos
import Synchronization

/// Takes folders and files of photos and videos into a library.
///
///     let report = try FolderImporter(library: library).importFiles(at: ["/home/me/Pictures"])
///     print(report.added)
///
/// The sources are only read. Running it again adds nothing twice, whether it was interrupted or not. Waits for the disk: not for
/// the main thread of an app.
public struct FolderImporter: Sendable {
  let library: PHPhotoLibrary?
  private let bringsBackDeleted: Bool
  /// Whether the files are the library's own, and stay where they are.
  var takesInPlace = false
  let isCancelled: @Sendable () -> Bool
  let progress: @Sendable (ImportProgress) -> Void
  private let event: @Sendable (ImportEvent) -> Void

  /// The handlers are called one at a time, on any thread. A dry run needs no library: it is as if there were an empty one.
  /// Files that were deleted from the library are left out unless `bringsBackDeleted` is set.
  public init(
    library: PHPhotoLibrary?, bringsBackDeleted: Bool = false, isCancelled: @escaping @Sendable () -> Bool = { false },
    progressHandler: @escaping @Sendable (ImportProgress) -> Void = { _ in },
    eventHandler: @escaping @Sendable (ImportEvent) -> Void = { _ in }
  ) {
    self.library = library
    self.bringsBackDeleted = bringsBackDeleted
    self.isCancelled = isCancelled
    progress = progressHandler
    event = eventHandler
  }

  /// Imports; throws where the library itself fails (its disk is full), and reports what single files fail of.
  public func importFiles(at paths: [String], isDryRun: Bool = false) throws -> ImportReport {
    try importFiles(at: paths.map { SourcePath($0) }, isDryRun: isDryRun)
  }

  public func importFiles(at paths: [SourcePath], isDryRun: Bool = false) throws -> ImportReport {
    // A change of nothing throws the reason, before anything is searched.
    if !isDryRun, let library, library.readOnlyReason != nil { try library.performChangesAndWait {} }
    var report = ImportReport(isDryRun: isDryRun)
    progress(ImportProgress(phase: .scanning))
    let scan = FolderScan(paths: paths, isCancelled: isCancelled)
    report.emptyFolders = scan.emptyRoots.map(\.description)
    for left in scan.leftAlone { leave(left.path, left.reason, fileCount: left.fileCount, &report) }
    for failure in scan.failures { fail(failure.path, failure.reason, &report) }
    let (files, envelopes) = inspect(scan.files, &report)
    let plan = ImportPlan(files, envelopes: envelopes)
    let used = Set(plan.assets.compactMap(\.edit?.envelope))
    for envelope in envelopes where !used.contains(envelope) {
      leave(envelope.path, .sidecar, &report)
    }
    if isDryRun {
      try foretell(plan, &report)
    } else {
      try carryOut(plan, &report)
      if !report.damaged.isEmpty { findWholeCopies(&report) }
    }
    report.wasInterrupted = isCancelled()
    if !report.wasInterrupted {
      for path in report.unaccounted(of: scan.found) { fail(path, Self.unaccountedReason, &report) }
    }
    report.gatherFailures(below: scan.roots)
    return report
  }

  private static let unaccountedReason =
    "the import found it and lost sight of it, a defect of Calotype; it is unchanged; import it again by its own path"

  // MARK: Inspecting

  func inspect(
    _ files: [FoundFile], _ report: inout ImportReport
  ) -> (media: [InspectedFile], envelopes: [FoundFile]) {
    enum Answer {
      case media(InspectedFile)
      case envelope
      case leftAlone(ImportReport.LeftAlone.Reason)
      case failed(String)
    }
    let totalBytes = files.reduce(0) { $0 + $1.byteCount }
    let answers = Mutex<[Int: Answer]>([:])
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      guard !isCancelled() else { return }
      let file = files[index]
      let answer: Answer
      let url = file.path.url
      do {
        if file.pathExtension == "aae", PHAdjustmentData(contentsOf: url) != nil {
          answer = .envelope
        } else if let inspection = try PHFileInspection(url: url) {
          answer =
            inspection.mediaType == .audio
            ? .leftAlone(.sound) : .media(InspectedFile(file: file, inspection: inspection))
        } else {
          answer = .leftAlone(Self.reasonToLeave(file))
        }
      } catch { answer = .failed(error.localizedDescription) }
      answers.withLock { answers in
        answers[index] = answer
        progress(
          ImportProgress(
            phase: .inspecting, files: answers.count, totalFiles: files.count, totalBytes: totalBytes))
      }
    }
    let answered = answers.withLock { $0 }
    var envelopes: [FoundFile] = []
    let media = files.indices.compactMap { index -> InspectedFile? in
      switch answered[index] {
      case .media(let file): return file
      case .envelope: envelopes.append(files[index])
      case .leftAlone(let reason): leave(files[index].path, reason, &report)
      case .failed(let reason): fail(files[index].path, reason, &report)
      case nil: break
      }
      return nil
    }
    // A camera's MVI_1.THM is a JPEG, and a thumbnail of MVI_1.AVI.
    let movies = Set(media.filter { $0.inspection.mediaType == .video }.map(\.nameKey))
    let thumbnails = media.filter { $0.file.pathExtension == "thm" && movies.contains($0.nameKey) }
    for thumbnail in thumbnails { leave(thumbnail.file.path, .sidecar, &report) }
    let left = Set(thumbnails.map(\.file))
    return (left.isEmpty ? media : media.filter { !left.contains($0.file) }, envelopes)
  }

  /// Files that describe the photos beside them, and files that camcorders and DVDs keep beside
  /// their movies.
  private static let sidecarExtensions: Set = [
    "aae", "xmp", "json", "xml", "csv", "html", "thm", "ini", "db", "moi", "cpi", "mpl", "bdm", "ifo", "bup",
  ]

  private static func reasonToLeave(_ file: FoundFile) -> ImportReport.LeftAlone.Reason {
    if sidecarExtensions.contains(file.pathExtension) { return .sidecar }
    return isNamedLikeMedia(file) ? .unrecognized : .unknownType
  }

  /// Whether the name is a photo's or a video's. A drawing's is neither, and `.ts` and `.mod` are more often
  /// source code than a movie.
  private static func isNamedLikeMedia(_ file: FoundFile) -> Bool {
    guard let type = UTType(filenameExtension: file.pathExtension), type != .svg,
      !["ts", "mod"].contains(file.pathExtension)
    else {
      return false
    }
    return type.conforms(to: .image) || type.conforms(to: .movie)
  }

  // MARK: Leaving out

  /// Returns an asset without the files that were deleted from the library; `nil` if no file is
  /// left.
  ///
  /// An edit is left out together with the file that it belongs to.
  private func leaveOutDeleted(_ asset: PlannedAsset, _ report: inout ImportReport) throws -> PlannedAsset? {
    guard let library, !bringsBackDeleted else { return asset }
    func keep(_ file: InspectedFile?) throws -> InspectedFile? {
      guard let file else { return nil }
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

  // MARK: Dry run

  private func foretell(_ plan: ImportPlan, _ report: inout ImportReport) throws {
    let files = plan.assets.flatMap(\.files)
    var copies = SourceCopies(files, isCancelled: isCancelled, progress)
    var done = ImportProgress(phase: .lookingUp, totalFiles: files.count)
    for planned in plan.assets where !isCancelled() {
      done.files += planned.files.count
      defer { progress(done) }
      guard let asset = try leaveOutDeleted(planned, &report) else { continue }
      do {
        let known = try asset.files.map { try copies.isInLibrary($0) }
        if known.contains(nil) {
          let (outcome, leftOut) = try foretell(asset)
          for file in asset.files { copies.note(file, isInLibrary: outcome == .alreadyThere) }
          note(asset, outcome, leftOut: leftOut, &report)
        } else {
          note(asset, known.contains(false) ? .copy : .alreadyThere, leftOut: [], &report)
        }
      } catch let error as PHPhotosError where [.missingResource, .invalidResource].contains(error.code) {
        for file in asset.files { fail(file.path, error.localizedDescription, &report) }
      }
    }
  }

  private func foretell(_ asset: PlannedAsset) throws -> (ImportEvent.Outcome, leftOut: [FoundFile]) {
    let files = asset.originals.map { (url: $0.file.path.url, inspection: $0.inspection) }
    let edit = asset.edit?.files ?? []
    let foretold = try library?.outcome(ofImporting: files, edit: edit.map(\.path.url))
    let leftOut = foretold?.leavesEditOut == true ? edit : []
    return switch foretold?.outcome {
    case .created, nil: (.added, leftOut)
    case .joined: (.completed, leftOut)
    case .existing: (.alreadyThere, leftOut)
    }
  }

  // MARK: Importing

  /// Assets in one transaction: enough to make its cost small, few enough to be lost without grief.
  private static let batchSize = 24
  /// Bytes after which a transaction ends earlier: a minute of video is not waited for with a day's worth of it.
  private static let batchByteCount = 256 << 20

  func carryOut(_ plan: ImportPlan, _ report: inout ImportReport) throws {
    let files = plan.assets.flatMap(\.files)
    var done = ImportProgress(
      phase: .importing, totalFiles: files.count, totalBytes: files.reduce(0) { $0 + $1.byteCount })
    progress(done)
    var rest = plan.assets[...]
    while !rest.isEmpty, !isCancelled() {
      let batch = Self.nextBatch(of: &rest)
      let wanted = try batch.compactMap { try leaveOutDeleted($0, &report) }
      if !wanted.isEmpty { try carryOut(wanted, &report) }
      done.files += batch.reduce(0) { $0 + $1.files.count }
      done.bytes += batch.reduce(0) { $0 + $1.byteCount }
      progress(done)
    }
  }

  /// Looks for whole copies once all photos are there: they may have come after the damaged ones.
  private func findWholeCopies(_ report: inout ImportReport) {
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
      batch.isEmpty || (batch.count < batchSize && bytes + asset.byteCount <= batchByteCount)
    {
      batch.append(rest.removeFirst())
      bytes += asset.byteCount
    }
    return batch
  }

  /// Imports a batch; when a file of it fails, each asset by itself, so that only the failing ones are left out.
  private func carryOut(_ batch: [PlannedAsset], _ report: inout ImportReport) throws {
    do {
      for (asset, request) in zip(batch, try create(batch)) { note(asset, request, &report) }
    } catch let error as PHPhotosError where [.notEnoughSpace, .libraryVolumeOffline].contains(error.code) {
      // The next files would fail for the same reason.
      throw error
    } catch {
      guard batch.count > 1 else {
        // An edit that can't be taken in does not keep out its original.
        if var asset = batch.first, let edit = asset.edit {
          for file in edit.files { fail(file.path, error.localizedDescription, &report) }
          asset.edit = nil
          return try carryOut([asset], &report)
        }
        for file in batch.flatMap(\.files) { fail(file.path, error.localizedDescription, &report) }
        return
      }
      for asset in batch where !isCancelled() { try carryOut([asset], &report) }
    }
  }

  private func create(_ batch: [PlannedAsset]) throws -> [PHAssetCreationRequest] {
    guard let library else { preconditionFailure("an import needs a library") }
    let options = PHAssetResourceCreationOptions()
    options.isInPlace = takesInPlace
    nonisolated(unsafe) var requests: [PHAssetCreationRequest] = []
    try library.performChangesAndWait {
      requests = batch.map { asset in
        let request = PHAssetCreationRequest.forAsset()
        request.joinsExistingAsset = true
        for (type, file) in asset.resources {
          request.addResource(with: type, fileURL: file.path.url, options: options)
        }
        return request
      }
    }
    return requests
  }

  private func note(_ asset: PlannedAsset, _ request: PHAssetCreationRequest, _ report: inout ImportReport) {
    let leftOut = request.leavesEditOut ? asset.edit?.files ?? [] : []
    let (outcome, identifier): (ImportEvent.Outcome, String?) =
      switch request.outcome {
      case .created, nil: (.added, request.placeholderForCreatedAsset?.localIdentifier)
      case .joined(let existing): (.completed, existing)
      case .existing(let existing): (report.made.contains(existing) ? .copy : .alreadyThere, existing)
      }
    if outcome == .added, let identifier { report.made.insert(identifier) }
    if let reason = request.unreadableReason, let file = asset.files.first {
      report.unreadable.append(.init(source: file.path, reason: reason))
    }
    if let reason = request.damage, let identifier, let file = asset.files.first {
      report.damaged.append(.init(path: file.path.description, reason: reason, localIdentifier: identifier))
    }
    let reason = request.unreadableReason ?? request.damage
    let replaced = asset.resources.filter { request.replacedResourceTypes.contains($0.type) }.map(\.file)
    report.replaced += replaced.count
    note(asset, outcome, leftOut: leftOut, replaced: replaced, identifier: identifier, reason: reason, &report)
  }

  /// Counts and tells what became of an asset, or would.
  private func note(
    _ asset: PlannedAsset, _ outcome: ImportEvent.Outcome, leftOut: [FoundFile], replaced: [FoundFile] = [],
    identifier: String? = nil, reason: String? = nil, _ report: inout ImportReport
  ) {
    let known = asset.files.filter { !leftOut.contains($0) && !replaced.contains($0) }
    // A newer edit of what is there is said to be left alone: nobody shall think that it is safe.
    for file in leftOut { leave(file.path, .otherEdit, &report) }
    switch outcome {
    case .alreadyThere: report.alreadyThere += known.count
    case .copy: report.copies += known.count
    case .completed: report.completed += 1
    case .added, .replaced, .leftAlone, .leftOut, .failed: report.count(asset)
    }
    for file in asset.files where !leftOut.contains(file) {
      report.account(for: file.path)
      let isKnown = outcome == .alreadyThere || outcome == .copy
      let outcome = isKnown && replaced.contains(file) ? .replaced : outcome
      event(
        ImportEvent(path: file.path.description, outcome: outcome, localIdentifier: identifier, reason: reason))
    }
  }

  func leave(
    _ path: SourcePath, _ reason: ImportReport.LeftAlone.Reason, fileCount: Int = 1, _ report: inout ImportReport
  ) {
    report.account(for: path)
    report.leftAlone.append(.init(path: path.description, reason: reason, fileCount: fileCount))
    event(
      ImportEvent(
        path: path.description, outcome: reason == .deleted ? .leftOut : .leftAlone,
        reason: reason.description(count: fileCount)))
  }

  func fail(_ path: SourcePath, _ reason: String, _ report: inout ImportReport) {
    report.account(for: path)
    report.failures.append(.init(source: path, reason: reason))
    event(ImportEvent(path: path.description, outcome: .failed, reason: reason))
  }
}

extension ImportReport {
  mutating func count(_ asset: PlannedAsset) {
    if asset.isLive { livePhotos += 1 } else if asset.isVideo { videos += 1 } else { photos += 1 }
  }
}

/// Tells which files of a source have the bytes of one before them; hashes only files of the same size and beginning.
private struct SourceCopies {
  /// Of the files that may be copies; one that can't be read is said to fail by who asks for it.
  private let hashes: [FoundFile.Identity: Result<Data, any Error>]
  /// Whether the library has the bytes of the previous files.
  private var seen: [Key: Bool] = [:]

  private enum Key: Hashable {
    case hash(Data)
    /// For a file that has no copies except its own other names.
    case identity(FoundFile.Identity)
  }

  /// What files of the same bytes share, and others hardly ever do: a camera's files differ in their headers.
  private struct Look: Hashable {
    var byteCount: Int
    /// A hash, since there may be a million. A file that can't be read looks like all others.
    var beginning: Int

    init(_ file: FoundFile) {
      byteCount = file.byteCount
      var hasher = Hasher()
      let descriptor = open(file.path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      if descriptor >= 0 {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        (try? handle.read(upToCount: 16 << 10))?.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
      beginning = hasher.finalize()
    }
  }

  init(
    _ files: [FoundFile], isCancelled: @Sendable () -> Bool, _ progress: @Sendable (ImportProgress) -> Void
  ) {
    var found: Set<FoundFile.Identity> = []
    let distinct = files.filter { found.insert($0.identity).inserted }
    let ofOneSize = Dictionary(grouping: distinct, by: \.byteCount).values.filter { $0.count > 1 }.flatMap(\.self)
    let looks = Mutex<[Look: [Int]]>([:])
    DispatchQueue.concurrentPerform(iterations: ofOneSize.count) { index in
      guard !isCancelled() else { return }
      let look = Look(ofOneSize[index])
      looks.withLock { $0[look, default: []].append(index) }
    }
    let alike = looks.withLock { looks in looks.values.filter { $0.count > 1 }.flatMap(\.self).sorted() }
    let hashes = Mutex<[FoundFile.Identity: Result<Data, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: alike.count) { index in
      guard !isCancelled() else { return }
      let file = ofOneSize[alike[index]]
      let hash = Result { try PHFileInspection.sha256(of: file.path.url) }
      hashes.withLock { hashes in
        hashes[file.identity] = hash
        progress(ImportProgress(phase: .comparing, files: hashes.count, totalFiles: alike.count))
      }
    }
    self.hashes = hashes.withLock(\.self)
  }

  /// Returns whether the library has the bytes, if an earlier file of this import had them;
  /// otherwise `nil`.
  func isInLibrary(_ file: FoundFile) throws -> Bool? { seen[try key(file)] }

  mutating func note(_ file: FoundFile, isInLibrary: Bool) {
    if let key = try? key(file), seen[key] == nil { seen[key] = isInLibrary }
  }

  private func key(_ file: FoundFile) throws -> Key {
    try hashes[file.identity].map { .hash(try $0.get()) } ?? .identity(file.identity)
  }
}
