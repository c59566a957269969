import AVFoundation
import CoreImage
import Foundation
internal import Imaging
internal import MovieCoding

extension PhotoEdit {
  /// Renders the edit for the file of an input: a photo, a video, or both parts of a Live Photo.
  ///
  ///     let output = try await edit.rendered(from: input) { print($0) }
  ///     try await library.performChanges {
  ///       PHAssetChangeRequest(for: asset).contentEditingOutput = output
  ///     }
  ///
  /// - A JPEG that is only turned keeps its quality. Any other picture becomes a JPEG of quality
  ///   0.92, or a PNG if parts are transparent.
  /// - A movie becomes H.264 in a QuickTime file. Its sound is copied if the file can contain it,
  ///   and is encoded as AAC otherwise.
  /// - Metadata are kept.
  /// - The handler gets values from 0 to 1, on any thread, and no more calls after 1. Canceling the
  ///   task ends the rendering with a `CancellationError`.
  public func rendered(
    from input: PHContentEditingInput, progressHandler: (@Sendable (Double) -> Void)? = nil
  ) async throws -> PHContentEditingOutput {
    let output = PHContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = adjustmentData
    try await Self.onAnotherThread { cancellation in
      if let movie = input.audiovisualAsset as? AVURLAsset {
        try writeMovie(
          movie.url, to: output.renderedContentURL, cancellation: cancellation, progressHandler: progressHandler)
      } else {
        try writeStill(input, to: output)
        if let movie = input.pairedVideoURL, !cancellation.isCancelled {
          try writeMovie(
            movie, to: output.renderedPairedVideoURL, cancellation: cancellation, progressHandler: progressHandler)
        }
      }
    }
    progressHandler?(1)
    return output
  }

  private func writeStill(_ input: PHContentEditingInput, to output: PHContentEditingOutput) throws {
    guard let url = input.fullSizeImageURL else {
      throw PHPhotosError(.invalidResource, "there is nothing to edit")
    }
    if isTurnOnly,
      let turned = try input.losslesslyTurnedImageData(byDegrees: quarterTurns * 90, isMirrored: isMirrored)
    {
      return try turned.write(to: output.renderedContentURL)
    }
    let source = try EncodedPicture(Data(contentsOf: url), named: url.lastPathComponent)
    // The picture is decoded once, since the recipe uses the same pixels.
    let isTransparent = try source.inOwnColors().pixels.channels == 4
    let edited = applied(to: CIImage(source, isUpright: true))
    try edited.writeRender(
      to: isTransparent ? output.renderedContentURL(for: .png) : output.renderedContentURL,
      as: isTransparent ? "public.png" : "public.jpeg")
  }

  private func writeMovie(
    _ movie: URL, to url: URL, cancellation: Cancellation, progressHandler: (@Sendable (Double) -> Void)?
  ) throws {
    let export = MovieExport(file: try MediaFile(path: movie.path))
    // The value 1 is reported once everything is written.
    let progress = progressHandler.map { handler in { @Sendable (share: Double) in if share < 1 { handler(share) } } }
    try export.writePictures(to: url, cancellation, progress: progress) { image, _ in applied(to: image) }
  }

  /// Runs work on a thread of its own: decoding takes long, and the threads of Swift's tasks are
  /// few.
  static func onAnotherThread<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws -> Value
  ) async throws -> Value {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
          let result = Result { try work(cancellation) }.mapError { error in
            error is CancellationError ? error : PHPhotosError(error)
          }
          continuation.resume(with: cancellation.isCancelled ? .failure(CancellationError()) : result)
        }
        thread.start()
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
