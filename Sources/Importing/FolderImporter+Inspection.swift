import Foundation
import Photos
import Synchronization

extension FolderImporter {
  func inspect(
    _ files: [FoundFile], _ report: inout ImportReport
  ) -> (media: [InspectedFile], envelopes: [FoundFile]) {
    let totalBytes = files.reduce(0) { $0.addingSize($1.byteCount) }
    let answers = Mutex<[Int: Answer]>([:])
    let batch = Self.filesOfBatch(of: files.count)
    DispatchQueue.concurrentPerform(iterations: (files.count + batch - 1) / batch) { number in
      guard !isCancelled() else { return }
      let indices = number * batch..<min((number + 1) * batch, files.count)
      let found = inspect(Array(files[indices]))
      answers.withLock { answers in
        for (index, answer) in zip(indices, found) { answers[index] = answer }
        progress(
          ImportProgress(
            phase: .inspecting, files: answers.count, totalFiles: files.count, totalBytes: totalBytes))
      }
    }
    let answered = answers.withLock { $0 }
    let recordings = Dictionary(
      files.filter { $0.pathExtension == "moi" }.map { ($0.nameKey, $0) }, uniquingKeysWith: { first, _ in first })
    var envelopes: [FoundFile] = []
    let media = files.indices.compactMap { index -> InspectedFile? in
      switch answered[index] {
      case .media(var file):
        if let recording = recordings[file.nameKey] { file.useDate(of: recording) }
        return file
      case .envelope: envelopes.append(files[index])
      case .leftAlone(let reason): leave(files[index].path, reason, &report)
      case .failed(let reason): fail(files[index].path, reason, &report)
      case nil: break
      }
      return nil
    }
    return (leaveOutCompanions(of: media, &report), envelopes)
  }

  private enum Answer {
    case media(InspectedFile)
    case envelope
    case leftAlone(ImportReport.LeftAlone.Reason)
    case failed(String)
  }

  /// Returns the number of files that are inspected together: few enough that all processors have
  /// work until the end. A process may have 1,024 open files, and all batches together have 256 at
  /// most, or one for each processor.
  static func filesOfBatch(
    of count: Int, processors: Int = ProcessInfo.processInfo.activeProcessorCount
  ) -> Int {
    min(max(count / (8 * processors), 1), 32, max(1, 256 / processors))
  }

  /// Returns the answers about files, in their order; nil for files after a cancellation.
  private func inspect(_ files: [FoundFile]) -> [Answer?] {
    let isEnvelope = files.map { $0.pathExtension == "aae" && PHAdjustmentData(contentsOf: $0.path.url) != nil }
    let others = zip(files, isEnvelope).filter { !$0.1 }.map(\.0)
    let inspections = FileInspection.inspect(others.map(\.path.url), isCancelled: isCancelled)
    var inspected = zip(others, inspections).map(Self.answer)[...]
    return isEnvelope.map { $0 ? .envelope : inspected.popFirst() }
  }

  private static func answer(_ file: FoundFile, _ result: Result<FileInspection?, any Error>) -> Answer {
    switch result {
    case .success(let inspection?) where inspection.mediaType == .audio: .leftAlone(.sound)
    case .success(let inspection?): .media(InspectedFile(file: file, inspection: inspection))
    case .success(nil): .leftAlone(reasonToLeave(file))
    case .failure(let error): .failed(error.localizedDescription)
    }
  }

  /// Extensions of files that describe the photos beside them, and of files that camcorders and
  /// DVDs store beside their movies.
  private static let sidecarExtensions: Set = [
    "aae", "xmp", "json", "xml", "csv", "html", "thm", "ini", "db", "moi", "cpi", "mpl", "bdm", "ifo", "bup",
  ]

  private static func reasonToLeave(_ file: FoundFile) -> ImportReport.LeftAlone.Reason {
    if sidecarExtensions.contains(file.pathExtension) { return .sidecar }
    if file.isTakeoutArchive { return .takeoutArchive }
    return file.path.isNamedLikeMedia ? .unrecognized : .unknownType
  }

  /// Leaves out the thumbnails and the small copies that cameras store beside their movies.
  private func leaveOutCompanions(of media: [InspectedFile], _ report: inout ImportReport) -> [InspectedFile] {
    let videos = media.filter { $0.inspection.mediaType == .video }
    let movies = Set(videos.map(\.file.recordingKey))
    let wholeMovies = Set(videos.filter { !$0.file.isNamedLikeProxy }.map(\.file.recordingKey))
    return media.filter { file in
      let key = file.file.recordingKey
      if file.file.pathExtension == "thm", movies.contains(key) {
        // A camera's MVI_1.THM is a JPEG, and a thumbnail of MVI_1.AVI.
        leave(file.file.path, .sidecar, &report)
      } else if file.inspection.mediaType == .video, file.file.isNamedLikeProxy, wholeMovies.contains(key) {
        leave(file.file.path, .proxy, &report)
      } else {
        return true
      }
      return false
    }
  }
}

extension FoundFile {
  /// Whether the file is named like the small copy of a movie: GoPro's LRV, DJI's LRF.
  fileprivate var isNamedLikeProxy: Bool { ["lrv", "lrf"].contains(pathExtension) }

  /// The key that a camera's files of one recording share. For GoPro's `GX010123.MP4`,
  /// `GH010123.MP4` and `GL010123.LRV` it is the digits, for most cameras the name.
  fileprivate var recordingKey: [UInt8] {
    var stem = stem
    if stem.count == 8, stem[0] == UInt8(ascii: "g"), "xhl".utf8.contains(stem[1]),
      stem[2...].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      stem[1] = UInt8(ascii: "x")
    }
    return folder + [UInt8(ascii: "/")] + stem
  }
}
