import Foundation

/// Takes 0 to 1, what went wrong, a flag that cancels the request, and the request's info.
public typealias PHAssetVideoProgressHandler = (
  Double, (any Error)?, UnsafeMutablePointer<ObjCBool>, [AnyHashable: Any]?
) -> Void

/// How a video is requested.
open class PHVideoRequestOptions: NSObject, NSCopying {
  /// With its edits, or as it was taken.
  open var version = PHVideoRequestOptionsVersion.current
  /// All are answered with the video itself: nothing has to be fetched that a smaller one would spare.
  open var deliveryMode = PHVideoRequestOptionsDeliveryMode.automatic
  /// Whether an original that is elsewhere may be fetched; all are in the library, unless a test says otherwise.
  open var isNetworkAccessAllowed = false
  /// Called while an original is fetched, on a queue of its own.
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

/// How a Live Photo is requested.
open class PHLivePhotoRequestOptions: NSObject, NSCopying {
  /// With its edits, or as it was taken.
  open var version = PHImageRequestOptionsVersion.current
  /// Whether a still that is at hand comes before the Live Photo.
  open var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
  /// Whether an original that is elsewhere may be fetched; all are in the library, unless a test says otherwise.
  open var isNetworkAccessAllowed = false
  /// Called while an original is fetched, on a queue of its own.
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

  /// The same for the still alone.
  var forStill: PHImageRequestOptions {
    let options = PHImageRequestOptions()
    options.version = version
    options.deliveryMode = deliveryMode
    options.isNetworkAccessAllowed = isNetworkAccessAllowed
    options.progressHandler = progressHandler
    return options
  }
}
