import AVFoundation
import CoreImage
import Foundation
internal import Imaging
internal import MovieCoding

/// A rendering of both parts of a Live Photo with one processor, to files.
struct LivePhotoRendering: Sendable {
  /// The upright still in full size.
  var still: CIImage
  var photoTime: CMTime
  var movieURL: URL
  var processor: PHLivePhotoFrameProcessingBlock?
  var volume: Float
  /// The scale relative to full size, at most 1.
  var scale: CGFloat = 1
  var cancellation = Cancellation()

  /// Writes the still as a JPEG with the metadata of its file.
  func writeStill(to url: URL) throws {
    let image = scale < 1 ? still.transformed(by: CGAffineTransform(scaleX: scale, y: scale)) : still
    let result = try process(LivePhotoFrame(image, at: photoTime, .photo, renderScale: scale))
    try result.writeRender(to: url, as: "public.jpeg")
  }

  /// Writes the movie as a QuickTime file with the metadata that pairs it with the still.
  func writeMovie(to url: URL) throws {
    var export = MovieExport(file: try MediaFile(path: movieURL.path))
    export.volume = volume.isNaN ? 1 : Double(min(max(volume, 0), 1))
    let longSide = max(still.extent.width, still.extent.height) * scale
    if scale < 1 { export.longestSide = max(2, Int(longSide.rounded())) }
    try export.writePictures(to: url, cancellation) { image, time in
      let side = max(image.extent.width, image.extent.height)
      let wholeSide = max(still.extent.width, still.extent.height)
      return try process(LivePhotoFrame(image, at: time, .video, renderScale: side / wholeSide))
    }
  }

  private func process(_ frame: LivePhotoFrame) throws -> CIImage {
    try checkCancellation()
    guard let processor else { return frame.image }
    var error: NSError?
    let result = withUnsafeMutablePointer(to: &error) { processor(frame, $0) }
    guard let result else {
      throw error ?? PHPhotosError(.internalError, "the frame processor gave no image at \(frame.time.seconds) s")
    }
    return result
  }

  func checkCancellation() throws {
    guard !cancellation.isCancelled else { throw PHPhotosError(.userCancelled, "the rendering was canceled") }
  }
}

extension CIImage {
  /// Writes a still as the render of an edit.
  func writeRender(to url: URL, as uniformTypeIdentifier: String) throws {
    try encoded(as: uniformTypeIdentifier, quality: CIContext.standardQuality).write(to: url, options: .atomic)
  }
}

extension MovieExport {
  /// Writes the movie with each frame replaced by the result of `picture`. The first result's size
  /// is the size of all. Larger results are cropped, and smaller ones get a black border.
  func writePictures(
    to url: URL, _ cancellation: Cancellation, progress: (@Sendable (Double) -> Void)? = nil,
    _ picture: (CIImage, CMTime) throws -> CIImage
  ) throws {
    var area: CGRect?
    try write(
      to: url, isCancelled: { cancellation.isCancelled }, progress: progress,
      frame: { frame in
        let result = try picture(
          CIImage(pixels: frame.pixels), CMTime(value: frame.ticks, timescale: frame.timescale))
        let canvas = area ?? result.extent
        area = canvas
        return try result.frame(canvas)
      })
  }
}
