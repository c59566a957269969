import Foundation

/// The info that a request's handler gets.
enum RequestInfo {
  static func of(
    _ id: PHImageRequestID, isDegraded: Bool = false, _ error: PHPhotosError?, isInCloud: Bool = false
  ) -> [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [
      PHImageResultRequestIDKey: NSNumber(value: id), PHImageResultIsDegradedKey: isDegraded,
      PHImageResultIsInCloudKey: isInCloud || error?.code == .networkAccessRequired,
    ]
    switch error?.code {
    case nil: break
    case .userCancelled: info[PHImageCancelledKey] = true
    default: info[PHImageErrorKey] = error
    }
    return info
  }
}

/// What an app is answered by.
struct ResultHandler<Function>: @unchecked Sendable {
  // Called by one queue alone, or by the thread that makes a synchronous request: never twice at the same time.
  let call: Function

  init(_ call: Function) { self.call = call }
}
