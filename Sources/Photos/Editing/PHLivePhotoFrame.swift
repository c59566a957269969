import AVFoundation
import CoreImage
import Foundation

/// Where a program writes what went wrong. Foundation has this on Apple's platforms alone.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// One picture of a Live Photo that is being edited: its still, or a frame of its movie.
///
///     context.frameProcessor = { frame, _ in
///       frame.type == .photo ? frame.image : frame.image.applyingFilter("CIPhotoEffectNoir")
///     }
///
/// To be used while the processor runs.
public protocol PHLivePhotoFrame: AnyObject {
  /// Upright.
  var image: CIImage { get }
  /// From the movie's beginning; of the still, the instant at which it was taken.
  var time: CMTime { get }
  var type: PHLivePhotoFrameType { get }
  /// How large the image is beside the full-size still: what counts in pixels is to be multiplied by it. Frames of the movie are smaller.
  var renderScale: CGFloat { get }
}

/// What becomes of a picture. Answering `nil` ends the rendering, with the error that was written or one that says so.
public typealias PHLivePhotoFrameProcessingBlock = @Sendable (any PHLivePhotoFrame, NSErrorPointer) -> CIImage?

/// What a rendering may be told besides; here none of it changes anything.
public struct PHLivePhotoEditingOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `Bool`: frames may be rendered while they are played. They are always rendered before.
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
