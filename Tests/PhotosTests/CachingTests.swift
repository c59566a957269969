import Foundation
@_spi(Testing) import Photos
import PhotosTesting
import TestSupport
import Testing
import UIKit

@Suite struct CachingTests {
  let temporary: TemporaryLibrary
  let photos: [PHAsset]
  let manager = PHCachingImageManager()
  let size = CGSize(width: 200, height: 200)

  init() throws {
    temporary = try TemporaryLibrary(photos: 3)
    photos = PHAsset.fetchAssets(with: temporary.options()).objects(at: IndexSet(0..<3))
  }

  private func start(_ assets: [PHAsset], _ options: PHImageRequestOptions? = nil) {
    manager.startCachingImages(for: assets, targetSize: size, contentMode: .aspectFill, options: options)
  }

  /// Returns the image that a synchronous request delivers.
  private func image(
    _ asset: PHAsset, by manager: PHImageManager? = nil, width: CGFloat = 200,
    _ resizeMode: PHImageRequestOptionsResizeMode = .fast
  ) -> UIImage? {
    let options = PHImageRequestOptions()
    options.deliveryMode = .highQualityFormat
    options.isSynchronous = true
    options.resizeMode = resizeMode
    var found: UIImage?
    (manager ?? self.manager).requestImage(
      for: asset, targetSize: CGSize(width: width, height: 200), contentMode: .aspectFill, options: options
    ) { image, _ in found = image }
    return found
  }

  private var highQuality: PHImageRequestOptions {
    let options = PHImageRequestOptions()
    options.deliveryMode = .highQualityFormat
    return options
  }

  /// Waits until two requests deliver the same image object, which shows that the image was
  /// prepared.
  private func waitFor(_ asset: PHAsset) throws {
    try eventually("a prepared image") { image(asset).map { $0 === image(asset) } == true }
  }

  @Test func preparedImagesAreDelivered() throws {
    start(photos, highQuality)
    for photo in photos { try waitFor(photo) }
  }

  @Test func anOriginalThatIsElsewhereIsNotFetchedUnasked() throws {
    temporary.library.forgetRenditionsForTesting(of: photos)
    temporary.setOriginalsRemote(of: photos[0])
    start(photos, highQuality)
    try waitFor(photos[2])
    #expect(image(photos[0]) == nil)
    temporary.setOriginalsLocal(of: photos[0])
    #expect(image(photos[0]) != nil)
  }

  @Test func otherSizesOptionsAndManagersAreNotServed() throws {
    start([photos[0]], highQuality)
    try waitFor(photos[0])
    let prepared = image(photos[0])
    #expect(image(photos[0], width: 100) !== prepared)
    #expect(image(photos[0], .exact) !== prepared)
    #expect(image(photos[0], by: PHCachingImageManager()) !== prepared)
    #expect(image(photos[0], by: .default()) !== prepared)
    #expect(image(photos[1]) !== image(photos[1]))
  }

  @Test func theFirstToPrepareWinsUntilItIsStopped() throws {
    start([photos[0]], highQuality)
    manager.startCachingImages(
      for: [photos[0]], targetSize: CGSize(width: 50, height: 50), contentMode: .aspectFill, options: highQuality)
    try waitFor(photos[0])
    // Stopping another size does not stop this one.
    manager.stopCachingImages(
      for: [photos[0]], targetSize: CGSize(width: 50, height: 50), contentMode: .aspectFill, options: highQuality)
    #expect(image(photos[0]) === image(photos[0]))
    manager.stopCachingImages(for: [photos[0]], targetSize: size, contentMode: .aspectFill, options: highQuality)
    #expect(image(photos[0]) !== image(photos[0]))
  }

  @Test func stoppingAllForgetsAll() throws {
    start(photos, highQuality)
    try waitFor(photos[2])
    manager.stopCachingImagesForAllAssets()
    for photo in photos { #expect(image(photo) !== image(photo)) }
  }
}
