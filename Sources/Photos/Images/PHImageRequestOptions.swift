import Foundation

public typealias PHImageRequestID = Int32
/// Takes 0 to 1, what went wrong, a flag that cancels the request, and the request's info.
public typealias PHAssetImageProgressHandler = (
  Double, (any Error)?, UnsafeMutablePointer<ObjCBool>, [AnyHashable: Any]?
) -> Void

// swift-format-ignore: AlwaysUseLowerCamelCase
/// No request's id.
public let PHInvalidImageRequestID: PHImageRequestID = 0

// The keys of a request's info.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: the original is elsewhere, and the request may not fetch it.
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: a better image follows.
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `NSNumber`: the request's id.
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: the request was cancelled.
public let PHImageCancelledKey = "PHImageCancelledKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Error`: why there is no image.
public let PHImageErrorKey = "PHImageErrorKey"

/// How an image is requested.
///
///     let options = PHImageRequestOptions()
///     options.isSynchronous = true
open class PHImageRequestOptions: NSObject, NSCopying {
  open var version = PHImageRequestOptionsVersion.current
  open var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
  open var resizeMode = PHImageRequestOptionsResizeMode.fast
  /// The part of the picture that is wanted, in fractions of its sides, from the upper left; needs `resizeMode` `.exact`.
  open var normalizedCropRect = CGRect.zero
  /// Whether an original that is elsewhere may be fetched; all are in the library, unless a test says otherwise.
  open var isNetworkAccessAllowed = false
  /// Whether the request calls its handler before it returns, on the thread that makes it.
  open var isSynchronous = false
  /// Called while an original is fetched, on a queue of its own.
  open var progressHandler: PHAssetImageProgressHandler?
  open var allowSecondaryDegradedImage = false
  open var preferHDR = false
  open var targetHDRHeadroom: CGFloat = 0

  public override init() {}

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHImageRequestOptions()
    copy.version = version
    copy.deliveryMode = deliveryMode
    copy.resizeMode = resizeMode
    copy.normalizedCropRect = normalizedCropRect
    copy.isNetworkAccessAllowed = isNetworkAccessAllowed
    copy.isSynchronous = isSynchronous
    copy.progressHandler = progressHandler
    copy.allowSecondaryDegradedImage = allowSecondaryDegradedImage
    copy.preferHDR = preferHDR
    copy.targetHDRHeadroom = targetHDRHeadroom
    return copy
  }
}
