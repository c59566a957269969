import Foundation

/// Makes the info dictionaries that handlers of image and video requests receive.
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

extension OriginalFetch {
  init(_ options: PHImageRequestOptions?, request id: PHImageRequestID) {
    self.init(isNetworkAccessAllowed: options?.isNetworkAccessAllowed ?? false, options?.progressHandler, request: id)
  }

  /// Adapts PhotoKit's progress handler, which has one type for images and videos.
  init(isNetworkAccessAllowed: Bool, _ handler: PHAssetImageProgressHandler?, request id: PHImageRequestID) {
    self.init(isNetworkAccessAllowed: isNetworkAccessAllowed) { fraction, error in
      var stop = ObjCBool(false)
      handler?(fraction, error, &stop, [PHImageResultRequestIDKey: NSNumber(value: id)])
      return !stop.boolValue
    }
  }
}
