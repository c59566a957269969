import Foundation

/// The number of a request, unique in its manager; never 0.
public typealias PHImageRequestID = Int32
/// A handler that receives the progress from 0 to 1, an error, a flag that cancels the request, and
/// the request's info.
public typealias PHAssetImageProgressHandler = (
  Double, (any Error)?, UnsafeMutablePointer<ObjCBool>, [AnyHashable: Any]?
) -> Void

// swift-format-ignore: AlwaysUseLowerCamelCase
/// An id that no request has.
public let PHInvalidImageRequestID: PHImageRequestID = 0

// The keys of a request's info.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: the original is stored elsewhere, and the request may not fetch it.
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: a better image follows.
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `NSNumber`: the request's id.
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: the request was canceled.
public let PHImageCancelledKey = "PHImageCancelledKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Error`: the reason that there is no image.
public let PHImageErrorKey = "PHImageErrorKey"

/// The options of a request for an image.
///
///     let options = PHImageRequestOptions()
///     options.isSynchronous = true
open class PHImageRequestOptions: NSObject, NSCopying {
  /// The version of the asset's picture: with its edits, or as it was taken.
  open var version = PHImageRequestOptionsVersion.current
  /// Whether an image at hand is delivered before the requested one, or instead of it.
  open var deliveryMode = PHImageRequestOptionsDeliveryMode.opportunistic
  /// The precision with which the image has the requested size.
  open var resizeMode = PHImageRequestOptionsResizeMode.fast
  /// The part of the picture to deliver, in fractions of its sides, from the upper left. Needs
  /// `resizeMode` `.exact`.
  open var normalizedCropRect = CGRect.zero
  /// Whether an original that is stored elsewhere may be fetched. All originals are in the library,
  /// unless a test simulates others.
  open var isNetworkAccessAllowed = false
  /// Whether the request calls its handler before it returns, on the caller's thread.
  open var isSynchronous = false
  /// Receives the progress while an original is fetched: on a queue of its own, or on the thread of
  /// a synchronous request.
  open var progressHandler: PHAssetImageProgressHandler?
  /// Whether a second preview may follow the first, if a better one is stored.
  open var allowSecondaryDegradedImage = false
  /// Has no effect: images have 8 bits a channel, in sRGB.
  open var preferHDR = false
  /// Has no effect, like `preferHDR`.
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
