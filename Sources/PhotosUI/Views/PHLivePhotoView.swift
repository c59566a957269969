public enum PHLivePhotoViewPlaybackStyle: Int, Sendable {
  case undefined
  /// The movie with its sound.
  case full
  /// A short part of the movie, without sound.
  case hint
}

/// A view of a Live Photo. Nothing draws or plays it, since a program has no window here.
///
///     let view = PHLivePhotoView()
///     view.livePhoto = livePhoto
///     view.startPlayback(with: .full)
///
/// A playback begins and ends at once: the delegate is asked first, and then notified. The Live
/// Photo's files are `PHAssetResource.assetResources(for: livePhoto)`.
@preconcurrency @MainActor open class PHLivePhotoView: UIView {
  open var livePhoto: PHLivePhoto?
  open weak var delegate: (any PHLivePhotoViewDelegate)?
  open var isMuted = false
  /// The part of the picture that is shown, from 0 to 1 in each direction.
  open var contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
  /// A recognizer that no touch reaches.
  public let playbackGestureRecognizer = UIGestureRecognizer()

  /// Tells the delegate that a playback begins and ends, if there is a Live Photo with a movie and
  /// the delegate allows it.
  open func startPlayback(with playbackStyle: PHLivePhotoViewPlaybackStyle) {
    guard let livePhoto, !PHAssetResource.assetResources(for: livePhoto).isEmpty, playbackStyle != .undefined,
      delegate?.livePhotoView(self, canBeginPlaybackWith: playbackStyle) ?? true
    else { return }
    delegate?.livePhotoView(self, willBeginPlaybackWith: playbackStyle)
    delegate?.livePhotoView(self, didEndPlaybackWith: playbackStyle)
  }

  /// Does nothing, since no playback lasts.
  open func stopPlayback() {}

  /// Returns the badge of a Live Photo: a dot within two circles, in white.
  open class func livePhotoBadgeImage(options badgeOptions: PHLivePhotoBadgeOptions = []) -> UIImage {
    LivePhotoBadge(options: badgeOptions).image
  }
}

/// An object that is notified of the playback of a Live Photo. All its methods are optional.
@preconcurrency @MainActor public protocol PHLivePhotoViewDelegate: AnyObject {
  func livePhotoView(
    _ livePhotoView: PHLivePhotoView, canBeginPlaybackWith playbackStyle: PHLivePhotoViewPlaybackStyle
  ) -> Bool
  func livePhotoView(
    _ livePhotoView: PHLivePhotoView, willBeginPlaybackWith playbackStyle: PHLivePhotoViewPlaybackStyle)
  func livePhotoView(
    _ livePhotoView: PHLivePhotoView, didEndPlaybackWith playbackStyle: PHLivePhotoViewPlaybackStyle)
  /// Returns how much longer than usual a touch has to last. Nothing calls it, since there are no
  /// touches.
  func livePhotoView(
    _ livePhotoView: PHLivePhotoView, extraMinimumTouchDurationFor touch: UITouch,
    with playbackStyle: PHLivePhotoViewPlaybackStyle
  ) -> TimeInterval
}

extension PHLivePhotoViewDelegate {
  public func livePhotoView(
    _ livePhotoView: PHLivePhotoView, canBeginPlaybackWith playbackStyle: PHLivePhotoViewPlaybackStyle
  ) -> Bool { true }
  public func livePhotoView(
    _ livePhotoView: PHLivePhotoView, willBeginPlaybackWith playbackStyle: PHLivePhotoViewPlaybackStyle
  ) {}
  public func livePhotoView(
    _ livePhotoView: PHLivePhotoView, didEndPlaybackWith playbackStyle: PHLivePhotoViewPlaybackStyle
  ) {}
  public func livePhotoView(
    _ livePhotoView: PHLivePhotoView, extraMinimumTouchDurationFor touch: UITouch,
    with playbackStyle: PHLivePhotoViewPlaybackStyle
  ) -> TimeInterval { 0 }
}

/// A touch, of which there is none here.
///
/// UIKit declares it on Apple’s platforms. Here, PhotosUI does.
@preconcurrency @MainActor open class UITouch: NSObject {}
