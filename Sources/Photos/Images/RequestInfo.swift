import Foundation

/// The info that a request's handler gets.
enum RequestInfo {
  static func of(_ id: PHImageRequestID, isDegraded: Bool, isInCloud: Bool, _ error: PHPhotosError?)
    -> [AnyHashable: Any]
  {
    var info: [AnyHashable: Any] = [
      PHImageResultRequestIDKey: NSNumber(value: id), PHImageResultIsDegradedKey: isDegraded,
      PHImageResultIsInCloudKey: isInCloud,
    ]
    switch error?.code {
    case nil: break
    case .userCancelled: info[PHImageCancelledKey] = true
    default: info[PHImageErrorKey] = error
    }
    return info
  }
}
