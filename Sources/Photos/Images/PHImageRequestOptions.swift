import Foundation

/// Tells a request from the others of its manager; never 0.
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
  /// Which of the asset's pictures: with its edits, or as it was taken.
  open var version = PHImageRequestOptionsVersion.current
  /// Whether what is at hand comes before the image itself, or instead of it.
  open var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
  /// How closely the image keeps to the size that is asked for.
  open var resizeMode = PHImageRequestOptionsResizeMode.fast
  /// The part of the picture that is wanted, in fractions of its sides, from the upper left; needs `resizeMode` `.exact`.
  open var normalizedCropRect = CGRect.zero
  /// Whether an original that is elsewhere may be fetched; all are in the library, unless a test says otherwise.
  open var isNetworkAccessAllowed = false
  /// Whether the request calls its handler before it returns, on the thread that makes it.
  open var isSynchronous = false
  /// Called while an original is fetched: on a queue of its own, or by the thread that makes a synchronous request.
  open var progressHandler: PHAssetImageProgressHandler?
  /// Whether a second interim image may come, where a better one is at hand than the first.
  open var allowSecondaryDegradedImage = false
  /// Without effect: images have 8 bits a channel, in sRGB.
  open var preferHDR = false
  /// Without effect, as `preferHDR`.
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
