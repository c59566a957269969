import Foundation
import PhotosTesting
import Testing
import UIKit

@_spi(Testing) @testable import Photos

/// An answer to a request for a Live Photo.
struct LiveAnswer: @unchecked Sendable {
  // Unchecked, because no property changes after creation.
  var live: PHLivePhoto?
  var info: [AnyHashable: Any]
  var isOnMainQueue = true
  var isDegraded: Bool {
    info[PHImageResultIsDegradedKey] as? Bool == true || info[PHLivePhotoInfoIsDegradedKey] as? Bool == true
  }
  /// The number of files, followed by a star if the Live Photo is degraded.
  var text: String { "\(live.map { PHAssetResource.assetResources(for: $0).count } ?? -1)" + (isDegraded ? "*" : "") }
}

/// Requests a Live Photo, and returns all answers.
func livePhotos(
  _ asset: PHAsset, _ side: CGFloat = 200, _ change: (PHLivePhotoRequestOptions) -> Void = { _ in }
) async throws -> [LiveAnswer] {
  let options = PHLivePhotoRequestOptions()
  change(options)
  let answers = Collected<LiveAnswer>()
  _ = ImageAnswers.mainQueue
  PHImageManager.default().requestLivePhoto(
    for: asset, targetSize: CGSize(width: side, height: side), contentMode: .aspectFit, options: options
  ) { live, info in
    answers.add(LiveAnswer(live: live, info: info ?? [:], isOnMainQueue: ImageAnswers.isOnMainQueue))
  }
  return try await answers.whole { !$0.isDegraded }
}

/// A library with a Live Photo.
struct LivePhotoFixture {
  let temporary: TemporaryLibrary
  let live: PHAsset
  let pair: LivePhotoPair

  init() throws {
    temporary = try TemporaryLibrary()
    pair = try SampleMedia.livePhoto(size: PictureSize(width: 480, height: 360))
    live = try temporary.add(pair)
  }

  func refetched(_ asset: PHAsset) -> PHAsset {
    PHAsset.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: temporary.options()).object(at: 0)
  }

  /// Writes the Live Photo's files beside the library.
  func files() throws -> [URL] {
    let still = temporary.folder.appendingPathComponent("a.heic")
    let video = temporary.folder.appendingPathComponent("a.mov")
    try pair.still.write(to: still)
    try pair.video.write(to: video)
    return [still, video]
  }
}

/// Requests a Live Photo of these files, and returns all answers.
func livePhotos(of files: [URL], placeholder: UIImage? = nil, cancels: Bool = false) async throws
  -> [LiveAnswer]
{
  let answers = Collected<LiveAnswer>()
  let id = PHLivePhoto.request(
    withResourceFileURLs: files, placeholderImage: placeholder, targetSize: .zero, contentMode: .aspectFit
  ) { live, info in answers.add(LiveAnswer(live: live, info: info)) }
  if cancels { PHLivePhoto.cancelRequest(withRequestID: id) }
  return try await answers.whole { !$0.isDegraded }
}
