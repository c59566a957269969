import AVFoundation
import Foundation
import Imaging
import MovieCoding
import Photos
import PhotosTesting
import Synchronization
import TestSupport

/// A library with helpers that edit its assets and read the results.
struct EditingFixture {
  let temporary: TemporaryLibrary
  var library: PHPhotoLibrary { temporary.library }

  init() throws { temporary = try TemporaryLibrary() }

  static let small = PictureSize(width: 64, height: 48)
  static let square = PictureSize(width: 32, height: 32)
  static let sepia = PHAdjustmentData(
    formatIdentifier: "com.example.filters", formatVersion: "1.0", data: Data("sepia".utf8))

  func photo(_ metadata: SampleMetadata = SampleMetadata()) throws -> PHAsset {
    try temporary.add(SampleFile("IMG_0001.JPG", SampleMedia.jpeg(size: Self.small, metadata: metadata)))[0]
  }

  /// Adds a Live Photo. `stillTime` is in seconds from the movie's beginning; with `nil`, the movie
  /// does not state it.
  func livePhoto(
    stillTime: Double? = nil, size: PictureSize = small, stillType: LivePhotoPair.StillType = .jpeg,
    metadata: SampleMetadata = SampleMetadata()
  ) throws -> PHAsset {
    var pair = try SampleMedia.livePhoto(size: size, metadata: metadata, stillType: stillType)
    if let stillTime {
      let source = temporary.folder.appendingPathComponent("source.mov")
      let movie = temporary.folder.appendingPathComponent("movie.mov")
      try pair.video.write(to: source)
      var export = try MovieExport(file: MediaFile(path: source.path))
      export.isForNetwork = false
      try export.copy(to: movie)
      try StillTimeTrack.add(stillTime, toMovieAt: movie.path)
      pair.video = try Data(contentsOf: movie)
    }
    return try temporary.add(pair)
  }

  func livePhoto(_ asset: PHAsset) async throws -> PHLivePhoto? {
    let options = PHLivePhotoRequestOptions()
    options.deliveryMode = .highQualityFormat
    return try await answer("a Live Photo") { done in
      PHImageManager.default().requestLivePhoto(
        for: asset, targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit, options: options
      ) { live, _ in done(live) }
    }
  }

  /// Returns the URL of the movie of a video or of a Live Photo.
  func movieURL(_ asset: PHAsset, _ version: PHImageRequestOptionsVersion) async -> URL? {
    let wanted: Set<PHAssetResourceType> =
      version == .current && asset.hasAdjustments ? [.fullSizeVideo, .fullSizePairedVideo] : [.video, .pairedVideo]
    guard let resource = PHAssetResource.assetResources(for: asset).first(where: { wanted.contains($0.type) }) else {
      return nil
    }
    let url = temporary.folder.appendingPathComponent("\(UUID().uuidString).mov")
    try? await PHAssetResourceManager.default().writeData(for: resource, toFile: url, options: nil)
    return url
  }

  /// Returns a frame of that movie.
  func moviePicture(_ asset: PHAsset, _ version: PHImageRequestOptionsVersion) async throws -> PixelBuffer {
    guard let url = await movieURL(asset, version) else { throw PHPhotosError(.missingResource) }
    let file = try MediaFile(path: url.path)
    return try decodePicture(of: file, metadata: MediaMetadata(of: file))
  }

  /// Returns the asset as the library has it now.
  func refetched(_ asset: PHAsset) -> PHAsset {
    PHAsset.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: temporary.options()).object(at: 0)
  }

  struct Answer: @unchecked Sendable {
    // Unchecked, because nothing changes the dictionary.
    var input: PHContentEditingInput?
    var info: [AnyHashable: Any]

    var errorCode: PHPhotosError.Code? { (info[PHContentEditingInputErrorKey] as? PHPhotosError)?.code }
  }

  func request(
    _ asset: PHAsset, cancels: Bool = false, _ change: (PHContentEditingInputRequestOptions) -> Void = { _ in }
  ) async throws -> Answer {
    let options = PHContentEditingInputRequestOptions()
    change(options)
    return try await answer("an input for an edit") { done in
      let id = asset.requestContentEditingInput(with: options) { input, info in
        done(Answer(input: input, info: info))
      }
      if cancels { asset.cancelContentEditingInputRequest(id) }
    }
  }

  func output(for asset: PHAsset) async throws -> PHContentEditingOutput {
    guard let input = try await request(asset).input else { throw PHPhotosError(.requestNotSupportedForAsset) }
    let output = PHContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = Self.sepia
    return output
  }

  func commit(_ output: PHContentEditingOutput, to asset: PHAsset) throws {
    try library.performChangesAndWait { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
  }

  /// Edits a photo, so that it is shown as `render`.
  @discardableResult
  func edit(_ asset: PHAsset, _ render: Data, _ data: PHAdjustmentData = sepia) async throws -> PHAsset {
    let output = try await output(for: asset)
    output.adjustmentData = data
    try render.write(to: output.renderedContentURL)
    try commit(output, to: asset)
    return refetched(asset)
  }

  func resources(_ asset: PHAsset) -> [String] {
    PHAssetResource.assetResources(for: asset).map { "\($0.type) \($0.originalFilename)" }
  }

  /// Verifies the library, and returns the problems found.
  func findings() throws -> [String] {
    let found = Mutex<[String]>([])
    try library.verify { finding in found.withLock { $0.append(finding.description) } }
    return found.withLock(\.self)
  }

  func imageData(_ asset: PHAsset, _ version: PHImageRequestOptionsVersion) -> Data? {
    let options = PHImageRequestOptions()
    options.version = version
    options.isSynchronous = true
    var found: Data?
    PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) { data, _, _, _ in
      found = data
    }
    return found
  }
}
