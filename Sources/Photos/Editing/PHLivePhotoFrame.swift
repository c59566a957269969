import AVFoundation
import CoreImage
import Foundation

/// One picture of a Live Photo that is being edited: its still, or a frame of its movie.
///
///     context.frameProcessor = { frame, _ in
///       frame.type == .photo ? frame.image : frame.image.applyingFilter("CIPhotoEffectNoir")
///     }
///
/// Use it only while the processor runs.
public protocol PHLivePhotoFrame: AnyObject {
  /// The upright picture.
  var image: CIImage { get }
  /// The time since the movie's beginning; for the still, the time at which it was taken.
  var time: CMTime { get }
  var type: PHLivePhotoFrameType { get }
  /// The scale of the image relative to the full-size still, less than 1 for frames of the movie.
  /// Multiply lengths in pixels by it.
  var renderScale: CGFloat { get }
}

/// Returns the edited picture. `nil` ends the rendering with the error that was written, or with an
/// error that names the frame.
public typealias PHLivePhotoFrameProcessingBlock = @Sendable (any PHLivePhotoFrame, NSErrorPointer) -> CIImage?

/// An option of a rendering. None has an effect here.
public struct PHLivePhotoEditingOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `Bool`: whether frames may be rendered during playback. They are always rendered before.
  public static let shouldRenderAtPlaybackTime = PHLivePhotoEditingOption(
    rawValue: "PHLivePhotoShouldRenderAtPlaybackTime")
}

final class LivePhotoFrame: PHLivePhotoFrame {
  let image: CIImage
  let time: CMTime
  let type: PHLivePhotoFrameType
  let renderScale: CGFloat

  init(_ image: CIImage, at time: CMTime, _ type: PHLivePhotoFrameType, renderScale: CGFloat) {
    self.image = image
    self.time = time
    self.type = type
    self.renderScale = renderScale
  }
}
