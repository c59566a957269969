import Foundation
import ImageIO
internal import Imaging
internal import LibraryStore
import UIKit

extension PHImageManager {
  /// The bytes of an asset's picture as its file holds them, their type, and how they are to be turned; of a video its poster.
  /// Which of its files that is, `options.version` says.
  ///
  ///     manager.requestImageDataAndOrientation(for: asset, options: nil) { data, type, orientation, info in … }
  ///
  /// The handler is called once: on the main queue, or before the request returns where that is to be synchronous. Without data
  /// the info says why: `PHImageErrorKey`, `PHImageCancelledKey`, or `PHImageResultIsInCloudKey`.
  @discardableResult
  public func requestImageDataAndOrientation(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: @escaping (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let (id, cancelled) = requests.begin()
    let arrival = OriginalArrival(options, request: id)
    let delivery = Delivery(handler: resultHandler)
    let version = options?.version ?? .current
    if options?.isSynchronous == true {
      let answer = ImageDataAnswer(of: asset, version, arrival, cancelled)
      requests.end(id)
      delivery.handler(answer.data, answer.type, answer.orientation, answer.info(of: id))
      return id
    }
    DispatchQueue.global().async { [requests] in
      let answer = ImageDataAnswer(of: asset, version, arrival, cancelled)
      requests.end(id)
      DispatchQueue.main.async {
        delivery.handler(answer.data, answer.type, answer.orientation, answer.info(of: id))
      }
    }
    return id
  }

  /// Deprecated by PhotoKit for `requestImageDataAndOrientation`.
  @discardableResult
  public func requestImageData(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: @escaping (Data?, String?, UIImage.Orientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestImageDataAndOrientation(for: asset, options: options) { data, type, orientation, info in
      resultHandler(data, type, UIImage.Orientation(exif: Int(orientation.rawValue)), info)
    }
  }

  private struct Delivery: @unchecked Sendable {
    // Handed to one queue, which calls it once.
    let handler: (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
  }
}

/// What a request for a picture's bytes comes to.
private struct ImageDataAnswer: Sendable {
  var data: Data?
  var type: String?
  var orientation = CGImagePropertyOrientation.up
  private var error: PHPhotosError?

  init(
    of asset: PHAsset, _ version: PHImageRequestOptionsVersion, _ arrival: OriginalArrival, _ cancelled: OnceFlag
  ) {
    do {
      try asset.checkAccess()
      let picture = PHAssetResource(try asset.resourceRecord(for: version), of: asset)
      guard asset.mediaType == .image else {
        let poster = try asset.makeRendition(.screen)
        (data, type) = (poster.data, poster.uniformTypeIdentifier)
        return
      }
      try arrival.wait(for: picture, cancelled: cancelled)
      let reader = try PHAssetResourceManager.default().reader(for: picture)
      let bytes = try reader.data(in: 0..<reader.byteCount)
      try OriginalArrival.check(cancelled, picture)
      // What can't be read is upright, and its bytes are there all the same.
      let metadata = try? MediaMetadata(of: asset.mediaFile(of: picture.record))
      orientation = metadata.flatMap { CGImagePropertyOrientation(rawValue: UInt32($0.orientation)) } ?? .up
      (data, type) = (bytes, picture.uniformTypeIdentifier)
    } catch { self.error = PHPhotosError(error) }
  }

  func info(of id: PHImageRequestID) -> [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [
      PHImageResultRequestIDKey: NSNumber(value: id), PHImageResultIsDegradedKey: false,
      PHImageResultIsInCloudKey: error?.code == .networkAccessRequired,
    ]
    switch error?.code {
    case nil: break
    case .userCancelled: info[PHImageCancelledKey] = true
    default: info[PHImageErrorKey] = error
    }
    return info
  }
}

extension OriginalArrival {
  init(_ options: PHImageRequestOptions?, request id: PHImageRequestID) {
    let handler = options?.progressHandler
    self.init(isNetworkAccessAllowed: options?.isNetworkAccessAllowed ?? false) { fraction in
      var stop = ObjCBool(false)
      handler?(fraction, nil, &stop, [PHImageResultRequestIDKey: NSNumber(value: id)])
      return !stop.boolValue
    }
  }
}
