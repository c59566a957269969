internal import Imaging
internal import MovieCoding
import Synchronization

/// Writes a new movie from an asset: filtered, turned, cropped, smaller, shorter, or in another
/// container.
///
///     guard let export = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality) else { return }
///     export.outputFileType = .mov
///     export.outputURL = url
///     export.videoComposition = composition
///     await export.export()
///     if let error = export.error { throw error }
///
/// - Presets with HEVC in their names encode HEVC. The others encode H.264, except for the
///   pass-through preset. Sound is copied if the container can hold it.
/// - Date, place, camera, and the identifier that pairs a Live Photo's movie with its still are
///   kept. Chapters, subtitles and timed metadata are dropped.
/// - An existing file is never overwritten: that is an error, as in AVFoundation.
/// - A session exports once. Each call's completion handler is called once, never on the caller's
///   thread. A second export fails and does not affect the first one. A canceled export leaves no
///   file behind.
/// - A movie that can't be read to its end fails: an export never shortens a movie silently.
/// - Left out: audio mixes, metadata items, ProRes and alpha, several passes, estimates.
open class AVAssetExportSession: NSObject, @unchecked Sendable {
  // A lock guards the mutable state.

  /// The state of an export.
  public enum Status: Int, Sendable {
    /// No export has been asked for.
    case unknown
    /// Never occurs here: an export starts at once.
    case waiting
    /// The export runs.
    case exporting
    /// The movie is written.
    case completed
    /// The export failed; `error` contains the reason.
    case failed
    /// The export was canceled and left no file.
    case cancelled
  }

  /// The movie to export.
  public let asset: AVAsset
  /// One of `allExportPresets()`.
  public let presetName: String
  private let preset: ExportPreset
  private let file: URL
  private let movie: AVAsset.Movie
  private let state = Mutex(State())

  private struct State {
    var status = Status.unknown
    var error: (any Error)?
    var progress: Float = 0
    var isCancelled = false
    var outputURL: URL?
    var outputFileType: AVFileType?
    var isForNetwork = false
    var byteLimit: Int64 = 0
    var composition: AVVideoComposition?
    var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
  }

  /// Returns `nil` for an unknown preset and for an asset without a file. Later changes of a
  /// composition do not affect the session.
  public init?(asset: AVAsset, presetName: String) {
    guard let preset = ExportPreset.named(presetName), let movie = asset.movie else { return nil }
    self.asset = asset
    self.presetName = presetName
    self.preset = preset
    self.movie = movie
    file = movie.file
  }

  /// The file to write. It must not exist.
  open var outputURL: URL? {
    get { state.withLock(\.outputURL) }
    set { state.withLock { $0.outputURL = newValue } }
  }

  /// The container. If it is `nil`, the extension of `outputURL` chooses it.
  open var outputFileType: AVFileType? {
    get { state.withLock(\.outputFileType) }
    set { state.withLock { $0.outputFileType = newValue } }
  }

  /// True to write the index before the media data, so that playing can start during a download.
  open var shouldOptimizeForNetworkUse: Bool {
    get { state.withLock(\.isForNetwork) }
    set { state.withLock { $0.isForNetwork = newValue } }
  }

  /// The approximate limit in bytes; 0 for no limit. The pass-through preset can't shrink a movie:
  /// a longer movie fails.
  open var fileLengthLimit: Int64 {
    get { state.withLock(\.byteLimit) }
    set { state.withLock { $0.byteLimit = newValue } }
  }

  /// Filters or places each frame. The pass-through preset doesn't support it.
  open var videoComposition: AVVideoComposition? {
    get { state.withLock(\.composition) }
    set { state.withLock { $0.composition = newValue } }
  }

  /// The part to export; the whole movie by default.
  open var timeRange: CMTimeRange {
    get { state.withLock(\.timeRange) }
    set { state.withLock { $0.timeRange = newValue } }
  }

  /// The state of the export.
  open var status: Status { state.withLock(\.status) }
  /// The reason why the export failed or was canceled.
  open var error: (any Error)? { state.withLock(\.error) }
  /// The finished share, from 0 to 1.
  open var progress: Float { state.withLock(\.progress) }
  /// The values that `outputFileType` may have.
  open var supportedFileTypes: [AVFileType] { [.mov, .mp4, .m4v] }

  /// Calls the handler, on a thread of its own, with the values of `outputFileType` that this movie
  /// allows: none if it can't be read.
  open func determineCompatibleFileTypes(completionHandler handler: @escaping @Sendable ([AVFileType]) -> Void) {
    DispatchQueue.global().async { [self] in handler(asset.isPlayable ? supportedFileTypes : []) }
  }

  /// The values of `outputFileType` that this movie allows.
  open var compatibleFileTypes: [AVFileType] {
    get async {
      await withCheckedContinuation { done in determineCompatibleFileTypes { done.resume(returning: $0) } }
    }
  }

  // MARK: Presets

  /// Every name that `init(asset:presetName:)` takes.
  public class func allExportPresets() -> [String] { ExportPreset.all.map(\.name) }

  /// Returns all presets for a movie that can be read, and none for others.
  public class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
    asset.isPlayable ? allExportPresets() : []
  }

  /// Returns whether the preset can export the movie to that type; `nil` allows any type.
  public class func compatibility(
    ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?
  ) async -> Bool {
    exportPresets(compatibleWith: asset).contains(presetName)
      && (outputFileType.map { [.mov, .mp4, .m4v].contains($0) } ?? true)
  }

  // MARK: Exporting

  /// Calls the handler when the export ends, however it ends. `status` and `error` contain the
  /// outcome.
  open func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
    begin { _ in handler() }
  }

  /// Exports; `status` and `error` contain the outcome. Canceling the task cancels the export.
  open func export() async { _ = await exported() }

  /// Sets the output and its type, exports, and throws the error if it fails.
  open func export(to url: URL, as fileType: AVFileType) async throws {
    if let error = await exported(to: (url, fileType)) { throw error }
  }

  private func exported(to output: (URL, AVFileType)? = nil) async -> (any Error)? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in begin(to: output) { continuation.resume(returning: $0) } }
    } onCancel: {
      cancelExport()
    }
  }

  /// Starts the export on a thread of its own. `handler` gets the error of this call, if any.
  private func begin(
    to output: (url: URL, type: AVFileType)? = nil, handler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    if let refusal = start(output) { return DispatchQueue.global().async { handler(refusal) } }
    let thread = Thread { [self] in
      let result = Result { try run() }
      let error = state.withLock { state in
        switch result {
        case .success:
          state.status = .completed
          state.progress = 1
        case .failure(let error):
          state.status = state.isCancelled ? .cancelled : .failed
          state.error = Self.wrapped(error, isCancelled: state.isCancelled)
        }
        return state.error
      }
      handler(error)
    }
    thread.start()
  }

  /// Cancels a running export. A session that hasn't started can't be started any more.
  open func cancelExport() {
    state.withLock { state in
      state.isCancelled = true
      if state.status == .unknown { state.status = .cancelled }
    }
  }

  /// Marks the session as started. Returns the error if it can't start, since a session exports
  /// once.
  private func start(_ output: (url: URL, type: AVFileType)?) -> (any Error)? {
    state.withLock { state in
      switch state.status {
      case .unknown: break
      // The session was canceled before it was ever started.
      case .cancelled where state.error == nil:
        state.error = Self.error(operationCancelled, "\(file.path): the export was canceled")
        return state.error
      default: return Self.error(exportFailed, "\(file.path): the session has already exported; make a new one")
      }
      if let output { (state.outputURL, state.outputFileType) = output }
      state.status = .exporting
      return nil
    }
  }

  private func run() throws {
    let settings = state.withLock(\.self)
    guard let output = settings.outputURL else { throw Self.error(exportFailed, "\(file.path): no outputURL is set") }
    guard !FileManager.default.fileExists(atPath: output.path) else {
      throw Self.error(fileAlreadyExists, "\(output.path): there is a file already")
    }
    var export = MovieExport(file: try MediaFile(path: file.path))
    let type = settings.outputFileType ?? AVFileType(filenameExtension: output.pathExtension)
    export.container = type == .mov ? .mov : .mp4
    export.isForNetwork = settings.isForNetwork
    guard movie.hasPicture else { throw Self.error(exportFailed, "\(file.path): sound alone can't be exported") }
    export.volume = movie.hasSound ? 1 : 0
    export.codec = preset.isHEVC ? .hevc : .h264
    if settings.byteLimit > 0 { export.byteLimit = Int(settings.byteLimit) }
    export.rateFactor = preset.rateFactor
    export.longestSide = preset.longestSide
    export.timeRange = seconds(of: settings.timeRange)
    let isCancelled: @Sendable () -> Bool = { [weak self] in self?.state.withLock(\.isCancelled) ?? true }
    let progress: @Sendable (Double) -> Void = { [weak self] value in
      self?.state.withLock { $0.progress = Float(value) }
    }
    if preset.passesThrough {
      guard settings.composition == nil else {
        throw Self.error(exportFailed, "\(file.path): the pass-through preset doesn't support a video composition")
      }
      try export.copy(to: output, isCancelled: isCancelled, progress: progress)
      let byteCount = try output.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      guard settings.byteLimit <= 0 || byteCount <= Int(settings.byteLimit) else {
        try FileManager.default.removeItem(at: output)
        throw Self.error(
          maximumFileSizeReached, "\(file.path): \(byteCount) bytes are more than the \(settings.byteLimit) allowed")
      }
      return
    }
    guard let composition = settings.composition else {
      return try export.write(to: output, isCancelled: isCancelled, progress: progress) { $0.pixels }
    }
    if let handler = composition.contents.handler {
      guard composition.instructions.isEmpty else { throw LayerRendering.invalid("it has a handler and instructions") }
      return try export.write(to: output, isCancelled: isCancelled, progress: progress) { frame in
        try composition.render(frame, with: handler, isCancelled: isCancelled)
      }
    }
    let layers = try LayerRendering(composition, part(settings.timeRange), longestSide: preset.longestSide)
    // The layers are placed in the full size. The preset's limit is for the finished frames.
    export.longestSide = nil
    try export.write(to: output, isCancelled: isCancelled, progress: progress) { try layers.render($0) }
  }

  /// Returns the part of the asset that a range of time exports.
  private func part(_ range: CMTimeRange) -> LayerRendering.Part {
    let isPart = seconds(of: range).map { $0 != movie.range } ?? false
    let track = asset.pictureTrack
    // The sound may be longer than the picture.
    let ends = [asset.duration, track?.timeRange.end, isPart ? range.end : nil]
    return LayerRendering.Part(
      start: isPart ? range.start : .zero, end: ends.compactMap(\.self).filter(\.isNumeric).min(),
      pictureID: track?.trackID, clockwiseRotation: asset.clockwiseRotation)
  }

  private func seconds(of range: CMTimeRange) -> ClosedRange<Double>? {
    let (start, end) = (range.start.seconds, range.end.seconds)
    guard start.isFinite, start >= 0, end > start, start > 0 || end.isFinite else { return movie.range }
    let duration = asset.duration.seconds
    let offset = movie.range?.lowerBound ?? 0
    return offset + start...offset + min(end, max(start, duration.isFinite ? duration : end))
  }

  private static func wrapped(_ error: any Error, isCancelled: Bool) -> any Error {
    if isCancelled { return Self.error(operationCancelled, "the export was canceled") }
    guard error is ImagingError else { return error }
    return NSError(
      domain: AVFoundationErrorDomain, code: exportFailed,
      userInfo: [NSLocalizedDescriptionKey: "\(error)", NSUnderlyingErrorKey: error])
  }

  private static func error(_ code: Int, _ text: String) -> NSError {
    NSError(domain: AVFoundationErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
  }
}

/// The numbers of `AVError.Code`.
private let exportFailed = -11820
private let maximumFileSizeReached = -11811
private let fileAlreadyExists = -11823
private let operationCancelled = -11878
