import Foundation
import Imaging
import PhotosTesting
import Synchronization
import TestSupport
import Testing
import UIKit

@testable @_spi(Testing) import Photos

/// Tests memory limits. Each test counts the memory and the work of its own pipeline.
@Suite struct ImageMemoryTests {
  /// Photos of 160 × 120 pixels.
  let temporary: TemporaryLibrary
  let photos: [PHAsset]

  init() throws {
    temporary = try TemporaryLibrary(photos: 4)
    photos = PHAsset.fetchAssets(with: temporary.options()).objects(at: IndexSet(0..<4))
  }

  private func options(_ change: (PHImageRequestOptions) -> Void = { _ in }) -> PHImageRequestOptions {
    let options = PHImageRequestOptions()
    options.deliveryMode = .highQualityFormat
    options.resizeMode = .exact
    change(options)
    return options
  }

  // MARK: Equal requests

  @Test func equalRequestsForALargePictureShareOneDecode() async throws {
    // The limit is too small for even one of the images.
    let pipeline = ImagePipeline(width: 2, memoryLimit: 10_000)
    let manager = PHImageManager(pipeline: pipeline)
    let all = (0..<10).map { _ in ImageAnswers() }
    let photo = photos[0]
    nonisolated(unsafe) let options = options()
    try await whileTheMainQueueIsBlocked {
      for answers in all {
        manager.requestImage(
          for: photo, targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit, options: options,
          resultHandler: answers.handler)
      }
    }
    var images: Set<ObjectIdentifier> = []
    for answers in all {
      images.insert(ObjectIdentifier(try #require(try await answers.whole(of: pipeline).last?.image)))
    }
    #expect(images.count == 1)
    #expect(pipeline.images.begun == 1)
    #expect(pipeline.undelivered.used == 0)
  }

  @Test func anImageThatWaitsForTheMainQueueIsSharedToo() async throws {
    let pipeline = ImagePipeline(width: 2)
    let manager = PHImageManager(pipeline: pipeline)
    let photo = photos[0]
    let (first, second) = (ImageAnswers(), ImageAnswers())
    let options = options()
    nonisolated(unsafe) let shared = options
    try await whileTheMainQueueIsBlocked {
      let size = CGSize(width: 100, height: 100)
      manager.requestImage(
        for: photo, targetSize: size, contentMode: .aspectFit, options: shared, resultHandler: first.handler)
      pipeline.waitUntilIdle()
      manager.requestImage(
        for: photo, targetSize: size, contentMode: .aspectFit, options: shared, resultHandler: second.handler)
    }
    let images = [try await first.whole(of: pipeline).last?.image, try await second.whole(of: pipeline).last?.image]
    #expect(images[0] != nil && images[0] === images[1])
    #expect(pipeline.images.begun == 1)
  }

  /// Both requests get the same rendition, which is more than twice as large as they ask for.
  @Test(arguments: [PHImageRequestOptionsDeliveryMode.opportunistic, .highQualityFormat])
  func aSynchronousRequestSharesWhatWaitsForMemory(_ mode: PHImageRequestOptionsDeliveryMode) async throws {
    let pipeline = ImagePipeline(width: 2, memoryLimit: 1000)
    let manager = PHImageManager(pipeline: pipeline)
    let full = pipeline.undelivered.reserveBeyondLimit(1000)
    let answers = ImageAnswers()
    manager.requestImage(
      for: photos[0], targetSize: CGSize(width: 60, height: 60), contentMode: .aspectFit,
      options: options { $0.deliveryMode = mode }, resultHandler: answers.handler)
    #expect(pipeline.images.begun == 0)
    var found: UIImage?
    manager.requestImage(
      for: photos[0], targetSize: CGSize(width: 60, height: 60), contentMode: .aspectFit,
      options: options {
        $0.deliveryMode = mode
        $0.isSynchronous = true
      }
    ) { image, _ in found = image }
    #expect(found != nil)
    #expect(try await answers.whole(of: pipeline).last?.image === found)
    #expect(pipeline.images.begun == 1)
    pipeline.undelivered.release(full)
    #expect(pipeline.undelivered.used == 0)
  }

  // MARK: Bounds

  @Test func manyRequestsKeepToTheMemory() async throws {
    let limit = 1 << 18
    let pipeline = ImagePipeline(width: 2, memoryLimit: limit)
    let manager = PHImageManager(pipeline: pipeline)
    let all = (0..<200).map { _ in ImageAnswers() }
    nonisolated(unsafe) let options = options()
    let photos = photos
    try await whileTheMainQueueIsBlocked {
      for (index, answers) in all.enumerated() {
        let size = CGSize(width: 100 + index / 4, height: 200)
        manager.requestImage(
          for: photos[index % 4], targetSize: size, contentMode: .aspectFill, options: options,
          resultHandler: answers.handler)
      }
      pipeline.waitUntilIdle()
    }
    try await eventually("all images") { all.allSatisfy { $0.all.last?.image != nil } }
    try await pipeline.finishWork()
    #expect(all.allSatisfy { $0.all.count == 1 })
    #expect(pipeline.images.begun == 200)
    #expect(pipeline.undelivered.peakUsed <= limit)
    #expect(pipeline.undelivered.used == 0)
  }

  @Test func aThousandFilesKeepToTheMemory() async throws {
    let limit = 100_000
    let pipeline = ImagePipeline(width: 2, memoryLimit: limit)
    let manager = PHImageManager(pipeline: pipeline)
    let photo = photos[0]
    let counts = Collected<Int>()
    try await whileTheMainQueueIsBlocked {
      for _ in 0..<1000 {
        manager.requestImageDataAndOrientation(for: photo, options: nil) { data, _, _, _ in counts.add(data?.count ?? 0)
        }
      }
      pipeline.waitUntilIdle()
    }
    try await eventually("a thousand files") { counts.all.count == 1000 }
    try await pipeline.finishWork()
    #expect(Set(counts.all) == [PHAssetResource.assetResources(for: photo)[0].dataSize])
    #expect(pipeline.undelivered.peakUsed <= limit)
    #expect(pipeline.undelivered.used == 0)
  }

  @Test func storedRenditionsThatWaitAreBoundedToo() async throws {
    let limit = 80_000
    let pipeline = ImagePipeline(width: 2, memoryLimit: limit)
    let manager = PHImageManager(pipeline: pipeline)
    let photo = photos[0]
    let all = (0..<200).map { _ in ImageAnswers() }
    nonisolated(unsafe) let options = options { $0.resizeMode = .fast }
    try await whileTheMainQueueIsBlocked {
      for answers in all {
        manager.requestImage(
          for: photo, targetSize: CGSize(width: 60, height: 60), contentMode: .aspectFill, options: options,
          resultHandler: answers.handler)
      }
      pipeline.waitUntilIdle()
    }
    try await eventually("all renditions") { all.allSatisfy { !$0.all.isEmpty } }
    try await pipeline.finishWork()
    #expect(all.allSatisfy { $0.texts == ["160×120"] })
    #expect(pipeline.undeliveredPreviews.peakUsed <= limit / 8)
    #expect(pipeline.undelivered.peakUsed <= limit)
  }

  @Test func ifManyRequestsWaitTheFastAnswerIsStillTheStoredRendition() async throws {
    let pipeline = ImagePipeline(width: 2)
    let manager = PHImageManager(pipeline: pipeline)
    let full = pipeline.undeliveredPreviews.reserveBeyondLimit(pipeline.undeliveredPreviews.limit)
    let all = (0..<3).map { _ in ImageAnswers() }
    var requests: [PHImageRequestID] = []
    for answers in all {
      // The result is cropped to the target size. The stored rendition is not.
      requests.append(
        manager.requestImage(
          for: photos[0], targetSize: CGSize(width: 50, height: 50), contentMode: .aspectFill,
          options: options { $0.deliveryMode = .fastFormat }, resultHandler: answers.handler))
    }
    manager.cancelImageRequest(requests[1])
    #expect(try await all[1].whole(of: pipeline).map(\.isCancelled) == [true])
    #expect(all[0].texts == [])
    pipeline.undeliveredPreviews.release(full)
    try await eventually("the other two answers") { !all[0].all.isEmpty && !all[2].all.isEmpty }
    try await pipeline.finishWork()
    #expect([all[0], all[2]].map(\.texts) == [["160×120*"], ["160×120*"]])
    #expect(pipeline.images.begun == 0)
    #expect(pipeline.undeliveredPreviews.used == 0)
  }

  /// Stands for slow work, such as copying a motion photo's movie.
  @Test func `a waiting thread does not do slow work itself`() async throws {
    let pipeline = ImagePipeline(width: 2, memoryLimit: 1000)
    let full = pipeline.undelivered.reserveBeyondLimit(1000)
    let makers = Collected<Bool>()
    let photo = photos[0]
    let form = ImageRequest<UIImage>.AnswerMaker(
      preview: { $0 },
      make: { image in
        makers.add(ImageAnswers.isOnMainQueue)
        return image
      }, original: { try photo.pictures.resource(for: .current) })
    let answers = ImageAnswers()
    nonisolated(unsafe) let synchronous = options { $0.isSynchronous = true }
    let specification = ImageSpecification(
      targetSize: CGSize(width: 100, height: 100), contentMode: .aspectFit, options: synchronous)
    let request = ImageRequest<UIImage>(
      AssetRequest(in: RunningRequests(), of: nil) { _, result in
        answers.handler((try? result.get())?.answer, [:])
      },
      of: photo.pictures, as: specification, answerMaker: form, pipeline: pipeline)
    request.start()
    // The main queue waits for an equal image, and makes that image itself.
    try await whileTheMainQueueIsBlocked {
      PHImageManager(pipeline: pipeline).requestImage(
        for: photo, targetSize: CGSize(width: 100, height: 100), contentMode: .aspectFit, options: synchronous
      ) { _, _ in }
    }
    #expect(try await answers.whole(of: pipeline).last?.image != nil)
    #expect(makers.all == [false])
    #expect(pipeline.images.begun == 1)
    pipeline.undelivered.release(full)
  }

  @Test func aPreparedImageIsDeliveredHoweverLargeItIs() async throws {
    let pipeline = ImagePipeline(width: 2, memoryLimit: 60_000)
    let manager = PHCachingImageManager(pipeline: pipeline)
    let options = options()
    manager.startCachingImages(
      for: [photos[0]], targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit, options: options)
    try await eventually("the prepared image") { manager.cache?.used == 160 * 120 * 3 }
    let answers = ImageAnswers()
    manager.requestImage(
      for: photos[0], targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit, options: options,
      resultHandler: answers.handler)
    #expect(try await answers.whole(of: pipeline).last?.image?.size == CGSize(width: 160, height: 120))
    #expect(pipeline.images.begun == 1)
  }

  @Test func aWholePictureIsCountedOnce() {
    let options = PHImageRequestOptions()
    options.deliveryMode = .highQualityFormat
    let whole = ImageSpecification(targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit, options: options)
    #expect(whole.byteCount(of: PixelSize(width: 4000, height: 3000)) == 4000 * 3000 * 4)
  }

  @Test func `reserveIfItFits does not overtake a waiting reservation`() throws {
    let budget = MemoryBudget(limit: 10)
    let first = budget.reserve(6) { _ in }
    let second = budget.reserve(6) { _ in }
    #expect(budget.reserveIfItFits(2) == nil)
    budget.release(second)
    #expect(budget.reserveIfItFits(2) != nil)
    budget.release(first)
  }

  @Test func aPictureThatIsLargerThanItsFileSaysIsCounted() {
    let budget = MemoryBudget(limit: 10)
    let begun = Mutex(0)
    let first = budget.reserve(2) { _ in }
    budget.adjust(first, to: 9)
    budget.reserve(2) { _ in begun.withLock { $0 += 1 } }
    #expect(begun.withLock(\.self) == 0)
    budget.adjust(first, to: 8)
    #expect(begun.withLock(\.self) == 1)
  }

  @Test func aCanceledRequestReleasesItsMemory() async throws {
    let pipeline = ImagePipeline(width: 2, memoryLimit: 1000)
    let manager = PHImageManager(pipeline: pipeline)
    let full = pipeline.undelivered.reserveBeyondLimit(1000)
    let answers = ImageAnswers()
    let image = manager.requestImage(
      for: photos[0], targetSize: CGSize(width: 100, height: 100), contentMode: .aspectFit, options: options(),
      resultHandler: answers.handler)
    let told = Collected<Bool>()
    let data = manager.requestImageDataAndOrientation(for: photos[0], options: nil) { _, _, _, info in
      told.add(info?[PHImageCancelledKey] as? Bool == true)
    }
    for id in [image, data] { manager.cancelImageRequest(id) }
    #expect(try await answers.whole(of: pipeline).map(\.isCancelled) == [true])
    #expect(try await told.whole(of: pipeline) { _ in true } == [true])
    pipeline.undelivered.release(full)
    #expect(pipeline.images.begun == 0)
    #expect(pipeline.undelivered.used == 0)
  }

  // MARK: Tasks

  @Test func aCancelledTasksRenditionIsNotMade() async throws {
    let pipeline = ImagePipeline(width: 1)
    let manager = PHImageManager(pipeline: pipeline)
    temporary.library.forgetRenditionsForTesting(of: photos)
    let free = pipeline.occupy(with: photos[1])
    let photo = photos[0]
    let task = Task { try await manager.rendition(.grid, for: photo) }
    try await eventually("the task's request", isolation: nil) { pipeline.renditions.count == 3 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    free()
    try await pipeline.finishWork()
    #expect(pipeline.renditions.begun == 2)
    #expect(try await manager.rendition(.grid, for: photo).pixelWidth == 160)
  }
}
