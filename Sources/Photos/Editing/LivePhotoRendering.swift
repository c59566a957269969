import AVFoundation
import CoreImage
import Foundation
internal import Imaging

/// Puts both parts of a Live Photo through one processor, into files.
struct LivePhotoRendering: Sendable {
  /// Upright, in full size.
  var still: CIImage
  var photoTime: CMTime
  var movieURL: URL
  var processor: PHLivePhotoFrameProcessingBlock?
  var volume: Float
  /// How much smaller than in full size.
  var scale: CGFloat = 1
  var cancellation = Cancellation()

  /// The still, as a JPEG with all that its file says of itself.
  func writeStill(to url: URL) throws {
    let image = scale < 1 ? still.transformed(by: CGAffineTransform(scaleX: scale, y: scale)) : still
    let result = try process(LivePhotoFrame(image, at: photoTime, .photo, renderScale: scale))
    try result.encoded(as: "public.jpeg", quality: PhotoEdit.quality).write(to: url, options: .atomic)
  }

  /// The movie, as a QuickTime file with what pairs it with the still.
  func writeMovie(to url: URL) throws {
    var export = MovieExport(file: try MediaFile(path: movieURL.path))
    export.volume = volume.isNaN ? 1 : Double(min(max(volume, 0), 1))
    let longSide = max(still.extent.width, still.extent.height) * scale
    if scale < 1 { export.longestSide = max(2, Int(longSide.rounded())) }
    // The first picture tells the size of all.
    var area: CGRect?
    try export.write(
      to: url, isCancelled: { cancellation.isCancelled },
      frame: { frame in
        let image = CIImage(pixels: frame.pixels)
        let side = max(image.extent.width, image.extent.height)
        let result = try process(
          LivePhotoFrame(
            image, at: CMTime(value: frame.ticks, timescale: frame.timescale), .video,
            renderScale: side / max(still.extent.width, still.extent.height)))
        let canvas = area ?? result.extent
        area = canvas
        return try result.frame(canvas)
      })
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
    guard !cancellation.isCancelled else { throw PHPhotosError(.userCancelled, "the rendering was cancelled") }
  }
}
