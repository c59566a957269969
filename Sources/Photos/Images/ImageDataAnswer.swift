import Foundation
import ImageIO
internal import Imaging
internal import LibraryStore
import UIKit

/// What a request for a picture's bytes comes to.
struct ImageDataAnswer: Sendable {
  var data: Data?
  var type: String?
  var orientation = CGImagePropertyOrientation.up
  private var error: PHPhotosError?

  init(
    of asset: PHAsset, _ version: PHImageRequestOptionsVersion, _ arrival: OriginalArrival,
    _ cancellation: Cancellation
  ) {
    do {
      try asset.checkAccess()
      let picture = PHAssetResource(try asset.resourceRecord(for: version), of: asset)
      guard asset.mediaType == .image else {
        let poster = try asset.makeRendition(.screen)
        (data, type) = (poster.data, poster.uniformTypeIdentifier)
        return
      }
      try arrival.wait(for: picture, cancellation: cancellation)
      let reader = try PHAssetResourceManager.default().reader(for: picture)
      let bytes = try reader.data(in: 0..<reader.byteCount)
      try OriginalArrival.check(cancellation, picture)
      // What can't be read is upright, and its bytes are there all the same.
      let metadata = try? MediaMetadata(of: asset.mediaFile(of: picture.record))
      orientation = metadata.flatMap { CGImagePropertyOrientation(rawValue: UInt32($0.orientation)) } ?? .up
      (data, type) = (bytes, picture.uniformTypeIdentifier)
    } catch { self.error = PHPhotosError(error) }
  }

  private init() { error = PHPhotosError(.userCancelled, "the request was cancelled") }

  static let cancelled = ImageDataAnswer()

  func info(of id: PHImageRequestID) -> [AnyHashable: Any] {
    RequestInfo.of(id, isDegraded: false, isInCloud: error?.code == .networkAccessRequired, error)
  }
}

extension OriginalArrival {
  init(_ options: PHImageRequestOptions?, request id: PHImageRequestID) {
    self.init(isNetworkAccessAllowed: options?.isNetworkAccessAllowed ?? false, options?.progressHandler, request: id)
  }

  init(isNetworkAccessAllowed: Bool, _ handler: PHAssetImageProgressHandler?, request id: PHImageRequestID) {
    self.init(isNetworkAccessAllowed: isNetworkAccessAllowed) { fraction in
      var stop = ObjCBool(false)
      handler?(fraction, nil, &stop, [PHImageResultRequestIDKey: NSNumber(value: id)])
      return !stop.boolValue
    }
  }
}
