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
  ///   H.264 in a QuickTime movie, whose sound is copied where such a movie can hold it, and AAC otherwise. Metadata stay.
  /// - The handler is told 0 to 1, on any thread, and nothing after 1. Cancelling the task ends it with a `CancellationError`.
  public func rendered(
    from input: PHContentEditingInput, progressHandler: (@Sendable (Double) -> Void)? = nil
  ) async throws -> PHContentEditingOutput {
    let output = PHContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = adjustmentData
    try await Self.onAnotherThread { cancellation in
      if let movie = input.audiovisualAsset as? AVURLAsset {
        try writeMovie(movie.url, to: output.renderedContentURL, cancellation, progressHandler)
      } else {
        try writeStill(input, to: output)
        if let movie = input.pairedVideoURL, !cancellation.isCancelled {
          try writeMovie(movie, to: output.renderedPairedVideoURL, cancellation, progressHandler)
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
    if isTurnAlone,
      let turned = try input.losslesslyTurnedImageData(byDegrees: quarterTurns * 90, isMirrored: isMirrored)
    {
      return try turned.write(to: output.renderedContentURL)
    }
    let source = try EncodedPicture(Data(contentsOf: url), named: url.lastPathComponent)
    // Decoded once: the recipe takes the same pixels.
    let isTransparent = try source.inOwnColors().pixels.channels == 4
    let edited = applied(to: CIImage(source, isUpright: true))
    try edited.writeRender(
      to: isTransparent ? output.renderedContentURL(for: .png) : output.renderedContentURL,
      as: isTransparent ? "public.png" : "public.jpeg")
  }

  private func writeMovie(
    _ movie: URL, to url: URL, _ cancellation: Cancellation, _ progressHandler: (@Sendable (Double) -> Void)?
  ) throws {
    let export = MovieExport(file: try MediaFile(path: movie.path))
    // The end is told when all is written.
    let progress = progressHandler.map { handler in { @Sendable (share: Double) in if share < 1 { handler(share) } } }
    try export.writePictures(to: url, cancellation, progress: progress) { image, _ in applied(to: image) }
  }

  /// Decoding takes its time, and tasks' threads are few.
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
