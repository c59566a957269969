import Foundation
import PhotosTesting
import TestSupport
import Testing

@testable @_spi(Testing) import Photos

@Suite struct ImageCacheTests {
  let temporary: TemporaryLibrary
  /// Photos of 160 × 120 pixels.
  let photos: [PHAsset]

  init() throws {
    temporary = try TemporaryLibrary(photos: 5)
    photos = PHAsset.fetchAssets(with: temporary.options()).objects(at: IndexSet(0..<5))
  }

  private var pictures: [AssetPictures] { photos.map(\.pictures) }

  private func specification(_ side: Int) -> ImageSpecification {
    ImageSpecification(targetSize: CGSize(width: side, height: side), contentMode: .aspectFit, options: nil)
  }

  private func waitFor(_ asset: PHAsset, _ specification: ImageSpecification, in cache: ImageCache) throws {
    try eventually("a prepared image") { cache.image(of: asset.pictures, specification) != nil }
  }

  @Test func anImageLargerThanTheMemoryDelaysNoOther() throws {
    // The large image takes 480,000 bytes, a grid rendition of a photo of 160 × 120 pixels 76,800.
    let options = PHImageRequestOptions()
    options.resizeMode = .exact
    let large = ImageSpecification(
      targetSize: CGSize(width: 400, height: 300), contentMode: .aspectFit, options: options)
    let cache = ImageCache(limit: 100_000)
    cache.start([pictures[0]], large)
    cache.start([pictures[1]], specification(80))
    try waitFor(photos[1], specification(80), in: cache)
    #expect(cache.image(of: pictures[0], large) == nil)
  }

  @Test func anImageWithoutRoomLetsSmallerOnesPass() throws {
    // The large image takes 480,000 bytes and does not fit beside a grid rendition.
    let options = PHImageRequestOptions()
    options.resizeMode = .exact
    let large = ImageSpecification(
      targetSize: CGSize(width: 400, height: 300), contentMode: .aspectFit, options: options)
    #expect(large.byteCount(of: photos[0].pictures.pixelSize) == 480_000)
    let cache = ImageCache(limit: 500_000)
    cache.start([pictures[0]], specification(80))
    try waitFor(photos[0], specification(80), in: cache)
    cache.start([pictures[1]], large)
    cache.start([pictures[2]], specification(80))
    try waitFor(photos[2], specification(80), in: cache)
    #expect(cache.image(of: pictures[1], large) == nil)
    cache.stop([pictures[0], pictures[2]], specification(80))
    try waitFor(photos[1], large, in: cache)
  }

  @Test func elementsThatArePutBackAreTheFirstOfTheQueue() {
    var line = FIFOQueue<Int>()
    for number in 0..<200 { line.append(number) }
    for _ in 0..<120 { _ = line.popFirst() }
    line.putBack(Array(100..<120))
    line.append(200)
    var left: [Int] = []
    while let number = line.popFirst() { left.append(number) }
    #expect(left == Array(100...200))
    line.putBack([1, 2])
    #expect(line.popFirst() == 1)
    #expect(line.popFirst() == 2)
    #expect(line.popFirst() == nil)
  }

  @Test func anImageWithoutRoomIsMadeOnceThereIsSome() throws {
    let photos = Array(photos.prefix(2))
    let cache = ImageCache(limit: specification(80).byteCount(of: photos[0].pictures.pixelSize))
    cache.start(pictures, specification(80))
    try waitFor(photos[0], specification(80), in: cache)
    #expect(cache.image(of: pictures[1], specification(80)) == nil)
    cache.stop([pictures[0]], specification(80))
    try waitFor(photos[1], specification(80), in: cache)
    #expect(cache.image(of: pictures[0], specification(80)) == nil)
  }

  @Test func smallCellsDoNotTakeMoreThanTheLimit() async throws {
    let pipeline = ImagePipeline(width: 2)
    // Three grid renditions take 172,800 bytes. A request for 10 × 10 pixels gets the stored size.
    let cache = ImageCache(limit: 200_000, pipeline: pipeline)
    cache.start(pictures, specification(10))
    #expect(cache.used <= 200_000)
    try await eventually("three images") { pictures.count { cache.image(of: $0, specification(10)) != nil } == 3 }
    try await pipeline.finishWork()
    #expect(cache.used == 3 * 160 * 120 * 3)
    #expect(pipeline.images.begun == 3)
  }

  @Test func `a released caching manager stops preparing images`() async throws {
    let pipeline = ImagePipeline(width: 1)
    let free = pipeline.occupy(with: photos[0])
    var manager: PHCachingImageManager? = PHCachingImageManager(pipeline: pipeline)
    manager?.startCachingImages(
      for: photos, targetSize: CGSize(width: 50, height: 50), contentMode: .aspectFit, options: nil)
    manager = nil
    free()
    try await pipeline.finishWork()
    #expect(pipeline.images.begun == 0)
  }

  @Test func anAssetThatLooksDifferentlyIsPreparedAnew() throws {
    let cache = ImageCache(limit: 1 << 20)
    cache.start([pictures[0]], specification(80))
    try waitFor(photos[0], specification(80), in: cache)
    let used = cache.used
    var record = photos[0].record
    record.renditionVersion = "another"
    let edited = PHAsset(record: record, photoLibrary: photos[0].photoLibrary)
    #expect(cache.image(of: edited.pictures, specification(80)) == nil)
    cache.start([edited.pictures], specification(80))
    try waitFor(edited, specification(80), in: cache)
    #expect(cache.image(of: pictures[0], specification(80)) == nil)
    #expect(cache.used == used)
  }

  @Test(arguments: [true, false])
  func stoppingFindsWhatWasStartedBeforeQualityWasChanged(_ isHigh: Bool) throws {
    let pipeline = ImagePipeline(width: 1)
    let free = pipeline.occupy(with: photos[0])
    let manager = PHCachingImageManager(pipeline: pipeline)
    let size = CGSize(width: 50, height: 50)
    manager.allowsCachingHighQualityImages = isHigh
    manager.startCachingImages(for: photos, targetSize: size, contentMode: .aspectFit, options: nil)
    manager.allowsCachingHighQualityImages = !isHigh
    #expect(manager.cache?.used != 0)
    manager.stopCachingImages(for: photos, targetSize: size, contentMode: .aspectFit, options: nil)
    #expect(manager.cache?.used == 0)
    free()
  }

  @Test func withoutHighQualityTheLibrarysSmallRenditionsAreMadeAndNothingIsKept() throws {
    temporary.library.forgetRenditionsForTesting(of: photos)
    let manager = PHCachingImageManager(pipeline: ImagePipeline(width: 2))
    manager.allowsCachingHighQualityImages = false
    manager.startCachingImages(
      for: photos, targetSize: CGSize(width: 100, height: 100), contentMode: .aspectFit, options: nil)
    try eventually("all grid renditions") { photos.allSatisfy { $0.pictures.storedRendition(.grid) != nil } }
    try eventually("the release of the images") { manager.cache?.used == 0 }
  }

  @Test func aSynchronousRequestFindsWhatEqualOptionsHavePrepared() throws {
    let manager = PHCachingImageManager()
    let size = CGSize(width: 50, height: 50)
    let options = PHImageRequestOptions()
    options.resizeMode = .exact
    manager.startCachingImages(for: [photos[0]], targetSize: size, contentMode: .aspectFill, options: options)
    let prepared = ImageSpecification(targetSize: size, contentMode: .aspectFill, options: options)
    try eventually("the prepared image") { manager.cache?.image(of: pictures[0], prepared) != nil }
    options.isSynchronous = true
    var found: UIImage?
    manager.requestImage(for: photos[0], targetSize: size, contentMode: .aspectFill, options: options) { image, _ in
      found = image
    }
    #expect(found != nil && found === manager.cache?.image(of: pictures[0], prepared))
  }
}
