import Foundation

/// A handler that receives the progress from 0 to 1, an error, a flag that cancels the request, and
/// the request's info.
public typealias PHAssetVideoProgressHandler = (
  Double, (any Error)?, UnsafeMutablePointer<ObjCBool>, [AnyHashable: Any]?
) -> Void

/// The options of a request for the movie of a video.
open class PHVideoRequestOptions: NSObject, NSCopying {
  /// The version of the movie: with its edits, or as it was taken.
  open var version = PHVideoRequestOptionsVersion.current
  /// Has no effect: each mode returns the movie itself, since a smaller one would not avoid any
  /// download.
  open var deliveryMode = PHVideoRequestOptionsDeliveryMode.automatic
  /// Whether an original that is stored elsewhere may be fetched. All originals are in the library,
  /// unless a test simulates others.
  open var isNetworkAccessAllowed = false
  /// Receives the progress while an original is fetched, on a queue of its own.
  open var progressHandler: PHAssetVideoProgressHandler?

  public override init() {}

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHVideoRequestOptions()
    copy.version = version
    copy.deliveryMode = deliveryMode
    copy.isNetworkAccessAllowed = isNetworkAccessAllowed
    copy.progressHandler = progressHandler
    return copy
  }
}

/// The options of a request for a Live Photo.
open class PHLivePhotoRequestOptions: NSObject, NSCopying {
  /// The version of the Live Photo: with its edits, or as it was taken.
  open var version = PHImageRequestOptionsVersion.current
  /// Whether a still at hand is delivered before the Live Photo.
  open var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
  /// Whether an original that is stored elsewhere may be fetched. All originals are in the library,
  /// unless a test simulates others.
  open var isNetworkAccessAllowed = false
  /// Receives the progress while an original is fetched, on a queue of its own.
  open var progressHandler: PHAssetImageProgressHandler?

  public override init() {}

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHLivePhotoRequestOptions()
    copy.version = version
    copy.deliveryMode = deliveryMode
    copy.isNetworkAccessAllowed = isNetworkAccessAllowed
    copy.progressHandler = progressHandler
    return copy
  }

  /// The options for the still.
  var forStill: PHImageRequestOptions {
    let options = PHImageRequestOptions()
    options.version = version
    options.deliveryMode = deliveryMode
    options.isNetworkAccessAllowed = isNetworkAccessAllowed
    options.progressHandler = progressHandler
    return options
  }
}
