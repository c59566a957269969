import AVFoundation
import CoreImage
import Foundation
internal import Imaging

extension PhotoEdit {
  /// Extension: carries the edit out on what an input hands out: a photo, a video, or both halves of a Live Photo.
  ///
  ///     let output = try await edit.rendered(from: input) { print($0) }
  ///     try await library.performChanges { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
  ///
  /// - A turn alone of a JPEG loses nothing. Everything else becomes a JPEG of quality 0.92, a PNG where parts are transparent, or
  ///   H.264 in a QuickTime movie, whose sound is copied. Metadata stay.
  /// - The handler is told 0 to 1, on any thread. Cancelling the task ends it with a `CancellationError`.
  public func rendered(
    from input: PHContentEditingInput, progressHandler: (@Sendable (Double) -> Void)? = nil
  ) async throws -> PHContentEditingOutput {
    let output = PHContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = adjustmentData
    try Task.checkCancellation()
    if let movie = input.audiovisualAsset {
      try await export(movie, to: output.renderedContentURL, progressHandler)
    } else {
      try await Self.onAnotherThread { try render(input, to: output) }
      try Task.checkCancellation()
      if let url = input.pairedVideoURL {
        try await export(AVAsset(url: url), to: output.renderedPairedVideoURL, progressHandler)
      }
    }
    try Task.checkCancellation()
    progressHandler?(1)
    return output
  }

  /// What the project promises, of a picture that is encoded anew.
  static let quality = 0.92

  // MARK: Stills

  private func render(_ input: PHContentEditingInput, to output: PHContentEditingOutput) throws {
    guard let url = input.fullSizeImageURL else {
      throw PHPhotosError(.invalidResource, "there is no picture to edit")
    }
    if isTurnAlone,
      let turned = try input.losslesslyTurnedImageData(byDegrees: quarterTurns * 90, isMirrored: isMirrored)
    {
      return try turned.write(to: output.renderedContentURL)
    }
    guard let image = CIImage(contentsOf: url, options: [.applyOrientationProperty: true]) else {
      throw PHPhotosError(.invalidResource, "\(url.lastPathComponent): the picture can’t be read")
    }
    // Decoded once: the recipe takes the same pixels.
    let isTransparent = try image.file?.picture.inOwnColors().pixels.channels == 4
    let edited = applied(to: image)
    // The file's own.
    let space = image.colorSpace ?? CGColorSpaceCreateDeviceRGB()
    if isTransparent {
      try CIContext().writePNGRepresentation(
        of: edited, to: output.renderedContentURL(for: .png), format: .RGBA8, colorSpace: space)
    } else {
      try CIContext().writeJPEGRepresentation(
        of: edited, to: output.renderedContentURL, colorSpace: space,
        options: [kCGImageDestinationLossyCompressionQuality: Self.quality])
    }
  }

  /// Decoding takes its time, and tasks' threads are few.
  private static func onAnotherThread(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
    }
  }

  // MARK: Movies

  private func export(_ movie: AVAsset, to url: URL, _ progressHandler: (@Sendable (Double) -> Void)?) async throws {
    guard let session = AVAssetExportSession(asset: movie, presetName: AVAssetExportPresetHighestQuality) else {
      throw PHPhotosError(.invalidResource, "there is no movie to edit")
    }
    let composition = AVMutableVideoComposition(asset: movie) { request in
      request.finish(with: applied(to: request.sourceImage), context: nil)
    }
    composition.renderSize = size(ofPictureOf: composition.renderSize)
    session.videoComposition = composition
    // An output keeps its files' names: what an earlier attempt left is in the way.
    try? FileManager.default.removeItem(at: url)
    let watch = Task {
      while !Task.isCancelled {
        progressHandler?(Double(session.progress))
        try await Task.sleep(for: .milliseconds(200))
      }
    }
    defer { watch.cancel() }
    do { try await session.export(to: url, as: .mov) } catch {
      try Task.checkCancellation()
      throw error
    }
  }
}
