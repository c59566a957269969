import Synchronization

/// An asset as a picker hands it over.
package struct PickedAsset: Sendable {
  package let asset: PHAsset
  let representation: PHPickerConfiguration.AssetRepresentationMode
  /// The metadata that the files are handed over without.
  package let removedMetadata: PHPickerMetadataOptions

  package init(
    asset: PHAsset, representation: PHPickerConfiguration.AssetRepresentationMode,
    removing removedMetadata: PHPickerMetadataOptions
  ) {
    self.asset = asset
    self.representation = representation
    self.removedMetadata = removedMetadata
  }

  /// The types of pictures that every program reads.
  private static let compatibleTypes: [UTType] = [.jpeg, .png, .gif]
  /// The length in seconds up to which a video is converted without being asked for.
  private static let quicklyConverted: TimeInterval = 30

  package var name: String { (try? asset.storedResources.first?.originalFilename) ?? "" }

  /// The files that can be loaded, the displayed one first.
  package func files() throws -> [PickedItem.File] {
    guard asset.mediaType == .image else { return [try movie()] }
    let still = try displayed(.fullSizePhoto, .photo)
    let stored = file(.main, still)
    let isConverted = isDrawn(still)
    var files = [isConverted ? PickedItem.File(kind: .main, uniformType: UTType.jpeg.identifier) : stored]
    guard asset.playbackStyle == .livePhoto else { return files }
    if isConverted { files.append(file(.still, still)) }
    files.append(file(.pairedVideo, try displayed(.fullSizePairedVideo, .pairedVideo)))
    return files
  }

  /// Describes a stored file. It may become smaller without its metadata.
  private func file(_ kind: PickedItem.Kind, _ resource: PHAssetResource) -> PickedItem.File {
    .init(
      kind: kind, uniformType: resource.uniformTypeIdentifier, bytes: removedMetadata.isEmpty ? resource.dataSize : nil)
  }

  /// Whether a picture is drawn anew.
  private func isDrawn(_ still: PHAssetResource) -> Bool {
    isCompatible && !Self.compatibleTypes.contains(still.contentType) || !canBeStored(still)
  }

  /// Whether a file can be handed over without being converted.
  private func canBeStored(_ resource: PHAssetResource) -> Bool {
    removedMetadata.isEmpty || MetadataRemoval.types.contains(resource.contentType)
  }

  private var isCompatible: Bool {
    switch representation {
    case .current: false
    case .compatible: true
    case .automatic: asset.mediaType == .image || asset.duration <= Self.quicklyConverted
    }
  }

  private func movie() throws -> PickedItem.File {
    let stored = try displayed(.fullSizeVideo, .video)
    guard isCompatible || !canBeStored(stored) else { return file(.main, stored) }
    let playable = try playableMovie(insteadOf: stored)
    return .init(
      kind: .main, uniformType: playable?.uniformTypeIdentifier ?? UTType.mpeg4Movie.identifier,
      bytes: removedMetadata.isEmpty ? playable?.byteCount : nil)
  }

  /// Returns the movie that browsers play, if it is known that it exists. Items are described
  /// before any is loaded, and asking `ffprobe` about a hundred movies takes seconds. Without an
  /// answer, MP4 is promised: that is what playable movies are, and what others become. Only WebM
  /// has to be asked about, since browsers play it as it is.
  private func playableMovie(insteadOf stored: PHAssetResource) throws -> FileReader? {
    let (asset, manager) = (asset, PHImageManager.default())
    guard stored.contentType.identifier == "org.webmproject.webm" else {
      return try manager.knownPlayableMovie(for: asset)
    }
    return try waiting { try await manager.existingPlayableMovie(for: asset) }
  }

  /// Returns the displayed file: the edit's, else the original.
  private func displayed(_ edit: PHAssetResourceType, _ original: PHAssetResourceType) throws -> PHAssetResource {
    let resources = try asset.storedAndInnerResources
    guard let resource = resources.first(where: { $0.type == edit }) ?? resources.first(where: { $0.type == original })
    else { throw PHPhotosError(.missingResource, picking: "\(asset.localIdentifier): it has no file to hand over") }
    return resource
  }

  // MARK: Writing

  /// The origin of a file that is handed over.
  package enum Source: Sendable {
    /// A stored file, byte for byte.
    case resource(PHAssetResource)
    /// The picture, drawn as JPEG.
    case jpeg
    /// A movie that browsers play.
    case playableMovie
  }

  package func source(of kind: PickedItem.Kind) throws -> Source {
    switch kind {
    case .pairedVideo: return .resource(try displayed(.fullSizePairedVideo, .pairedVideo))
    case .still: return .resource(try displayed(.fullSizePhoto, .photo))
    case .main where asset.mediaType != .image:
      let stored = try displayed(.fullSizeVideo, .video)
      return isCompatible || !canBeStored(stored) ? .playableMovie : .resource(stored)
    case .main:
      let still = try displayed(.fullSizePhoto, .photo)
      return isDrawn(still) ? .jpeg : .resource(still)
    }
  }

  func write(_ kind: PickedItem.Kind, to file: URL, _ progress: Progress) throws {
    switch try source(of: kind) {
    case .resource(let resource): try copy(resource, to: file, progress)
    case .playableMovie: try writePlayableMovie(to: file, progress)
    case .jpeg: try asset.renderedImageData(as: .jpeg).write(to: file)
    }
    try PrivateFile.clear(file, removing: removedMetadata)
  }

  /// Copies a resource, and fetches it first if it is stored elsewhere.
  private func copy(_ resource: PHAssetResource, to file: URL, _ progress: Progress) throws {
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
    let output = try FileHandle(forWritingTo: file)
    defer { try? output.close() }
    if let size = resource.dataSize, size > 0 { progress.totalUnitCount = Int64(size) }
    let options = PHAssetResourceRequestOptions()
    options.isNetworkAccessAllowed = true
    let failure = Mutex<(any Error)?>(nil)
    let done = DispatchSemaphore(value: 0)
    let manager = PHAssetResourceManager.default()
    let request = manager.requestData(for: resource, options: options) { piece in
      do {
        try output.write(contentsOf: piece)
        progress.completedUnitCount += Int64(piece.count)
      } catch { failure.withLock { $0 = $0 ?? error } }
    } completionHandler: { error in
      failure.withLock { $0 = $0 ?? error }
      done.signal()
    }
    while done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if progress.isCancelled { manager.cancelDataRequest(request) }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func writePlayableMovie(to file: URL, _ progress: Progress) throws {
    let asset = asset
    let movie = try waiting(unless: progress) {
      try await PHImageManager.default().playableMovie(for: asset, endsAtOnce: true) { share in
        progress.completedUnitCount = Int64(share * Double(progress.totalUnitCount))
      }
    }.opened()
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
    let output = try FileHandle(forWritingTo: file)
    defer { try? output.close() }
    var start = 0
    while start < movie.byteCount {
      if progress.isCancelled { throw CancellationError() }
      let piece = try movie.data(in: start..<min(start + 1 << 20, movie.byteCount))
      guard !piece.isEmpty else { break }
      try output.write(contentsOf: piece)
      start += piece.count
    }
  }
}

/// Waits for asynchronous work on a thread that may block. A canceled progress cancels the work.
private func waiting<Value: Sendable>(
  unless progress: Progress? = nil, _ work: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let result = Mutex<Result<Value, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  let task = Task {
    let outcome: Result<Value, any Error>
    do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
    done.signal()
  }
  while done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
    if progress?.isCancelled == true { task.cancel() }
  }
  guard let outcome = result.withLock({ $0 }) else { throw CancellationError() }
  return try outcome.get()
}

extension PHPhotosError {
  /// Makes an error of any error that ended a picker.
  init(picking error: any Error) {
    self = error as? PHPhotosError ?? PHPhotosError(.internalError, picking: error.localizedDescription)
  }
}
