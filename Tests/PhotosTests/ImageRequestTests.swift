import Foundation
import PhotosTesting
import TestSupport
import Testing
import UIKit

@_spi(Testing) @testable import Photos

@Suite struct ImageRequestTests {
  let temporary: TemporaryLibrary
  /// A photo of 2400 × 600 pixels. Its grid rendition has 1440 × 360 pixels, its screen rendition
  /// 1800 × 450.
  let photo: PHAsset
  let manager = PHImageManager.default()

  init() throws {
    temporary = try TemporaryLibrary()
    photo = try temporary.add(SampleFile("IMG_0001.JPG", Self.jpeg.get()))[0]
  }

  private static let jpeg = Result {
    var metadata = SampleMetadata()
    metadata.hasThumbnail = true
    return try SampleMedia.jpeg(size: PictureSize(width: 2400, height: 600), metadata: metadata)
  }

  private func texts(_ answers: [ImageAnswer]) -> [String] { answers.map(\.text) }

  // MARK: Number and order of answers

  @Test(arguments: [
    // A stored rendition that is large enough is the only answer.
    (200, 200, PHImageContentMode.aspectFit, ["1440×360"]), (1000, 1000, .aspectFit, ["1440×360"]),
    (90, 90, .aspectFill, ["1440×360"]), (1700, 1700, .aspectFit, ["1800×450"]),
    // For larger requests, the stored rendition comes first.
    (1900, 1900, .aspectFit, ["1440×360*", "2100×525"]), (5000, 5000, .aspectFit, ["1440×360*", "2400×600"]),
  ])
  func opportunisticRequests(
    _ width: Int, _ height: Int, _ mode: PHImageContentMode, _ expected: [String]
  ) async throws {
    #expect(texts(try await manager.answers(for: photo, width, height, mode)) == expected)
  }

  @Test func ifNoRenditionIsStoredTheEmbeddedThumbnailComesFirst() async throws {
    temporary.library.forgetRenditionsForTesting(of: [photo])
    let first = texts(try await manager.answers(for: photo, 1000, 1000))
    #expect(first == ["160×40*", "1440×360"])
    // The first request stored the rendition that it made.
    #expect(texts(try await manager.answers(for: photo, 1000, 1000)) == ["1440×360"])
  }

  @Test func aSecondInterimImageComesOnDemand() async throws {
    let answers = try await manager.answers(for: photo, 2400, 2400) { $0.allowSecondaryDegradedImage = true }
    #expect(texts(answers) == ["1440×360*", "1800×450*", "2400×600"])
  }

  @Test(arguments: [(200, ["200×50"]), (1000, ["1000×250"]), (2300, ["2300×575"])])
  func highQualityComesOnce(_ side: Int, _ expected: [String]) async throws {
    let answers = try await manager.answers(for: photo, side, side) {
      $0.deliveryMode = .highQualityFormat
      $0.resizeMode = .exact
    }
    #expect(texts(answers) == expected)
    #expect(answers.map(\.isOnMainQueue) == [true])
  }

  @Test(arguments: [(1000, true, ["1440×360"]), (2300, true, ["1440×360*"]), (400, false, ["160×40*"])])
  func fastImagesComeOnce(_ side: Int, _ isStored: Bool, _ expected: [String]) async throws {
    if !isStored { temporary.library.forgetRenditionsForTesting(of: [photo]) }
    let manager = PHImageManager(pipeline: ImagePipeline(width: 1))
    let answers = ImageAnswers()
    let options = PHImageRequestOptions()
    options.deliveryMode = .fastFormat
    manager.requestImage(
      for: photo, targetSize: CGSize(width: side, height: side), contentMode: .aspectFit, options: options,
      resultHandler: answers.handler)
    try await eventually("the answer") { !answers.all.isEmpty }
    // A surplus answer would be made by now.
    try await manager.pipeline.finishWork()
    #expect(answers.texts == expected)
  }

  @Test func withoutAThumbnailAFastImageIsMade() async throws {
    let plain = try temporary.add(
      SampleFile("IMG_0002.JPG", try SampleMedia.jpeg(size: PictureSize(width: 480, height: 360))))[0]
    temporary.library.forgetRenditionsForTesting(of: [plain])
    let answers = try await manager.answers(for: plain, 400, 400) { $0.deliveryMode = .fastFormat }
    #expect(texts(answers) == ["480×360"])
  }

  // MARK: Queues

  @Test func anOpportunisticAnswerAtHandComesBeforeTheRequestReturnsOnTheMainQueue() async throws {
    let answers = ImageAnswers()
    let photo = photo
    let before: [String] = try await answer("the request on the main queue") { done in
      DispatchQueue.main.async {
        PHImageManager.default().requestImage(
          for: photo, targetSize: CGSize(width: 2300, height: 2300), contentMode: .aspectFit, options: nil,
          resultHandler: answers.handler)
        done(answers.texts)
      }
    }
    #expect(before == ["1440×360*"])
    #expect(try await answers.whole().map(\.text) == ["1440×360*", "2400×600"])
  }

  @Test func fromOtherQueuesAllAnswersComeOnTheMainQueue() async throws {
    let answers = try await manager.answers(for: photo, 2300, 2300)
    #expect(answers.map(\.isOnMainQueue) == [true, true])
  }

  @Test(arguments: PHImageDeliveries.all)
  func aSynchronousRequestAnswersOnceOnItsThread(_ mode: PHImageRequestOptionsDeliveryMode) {
    let options = PHImageRequestOptions()
    options.isSynchronous = true
    options.deliveryMode = mode
    let here = pthread_self()
    var answers: [(text: String, id: Int32?, isHere: Bool)] = []
    let id = manager.requestImage(
      for: photo, targetSize: CGSize(width: 2300, height: 2300), contentMode: .aspectFit, options: options
    ) { image, info in
      answers.append(
        (
          ImageAnswer(image: image, info: info ?? [:], isOnMainQueue: false).text,
          (info?[PHImageResultRequestIDKey] as? NSNumber)?.int32Value, pthread_equal(here, pthread_self()) != 0
        ))
    }
    #expect(answers.map(\.text) == ["2400×600"])
    #expect(answers.map(\.id) == [id])
    #expect(answers.map(\.isHere) == [true])
  }

  @Test func aSynchronousRequestCannotBeCancelled() {
    temporary.setOriginalsRemote(of: photo)
    let manager = manager
    let options = PHImageRequestOptions()
    options.isSynchronous = true
    options.isNetworkAccessAllowed = true
    var cancelledIDs: Set<Int32> = []
    options.progressHandler = { _, _, _, info in
      guard let id = (info?[PHImageResultRequestIDKey] as? NSNumber)?.int32Value else { return }
      manager.cancelImageRequest(id)
      cancelledIDs.insert(id)
    }
    var answers: [String] = []
    let id = manager.requestImage(
      for: photo, targetSize: CGSize(width: 2300, height: 2300), contentMode: .aspectFit, options: options
    ) { image, info in
      answers.append(ImageAnswer(image: image, info: info ?? [:], isOnMainQueue: false).text)
    }
    #expect(cancelledIDs == [id])
    #expect(answers == ["2400×600"])
  }

  // MARK: Sizes

  @Test(arguments: [
    (PHImageManagerMaximumSize, PHImageRequestOptionsResizeMode.fast, "2400×600"),
    (PHImageManagerMaximumSize, .exact, "2400×600"), (CGSize(width: 100, height: 100), .none, "2400×600"),
    (CGSize(width: 0, height: -3), .exact, "1×1"), (CGSize(width: 299.4, height: 299.4), .exact, "300×75"),
    (CGSize(width: CGFloat.nan, height: 10), .fast, "2400×600"),
    (CGSize(width: CGFloat.infinity, height: CGFloat.infinity), .fast, "2400×600"),
  ])
  func targetSizesThatAreNone(_ size: CGSize, _ mode: PHImageRequestOptionsResizeMode, _ expected: String) {
    let options = PHImageRequestOptions()
    options.isSynchronous = true
    options.resizeMode = mode
    var found = ""
    manager.requestImage(for: photo, targetSize: size, contentMode: .aspectFit, options: options) { image, info in
      found = ImageAnswer(image: image, info: info ?? [:], isOnMainQueue: false).text
    }
    #expect(found == expected)
  }

  @Test(arguments: [
    (PHImageContentMode.aspectFill, CGRect.zero, "1440×360* 300×300"), (.aspectFit, CGRect.zero, "1440×360* 300×75"),
    (.aspectFit, CGRect(x: 0, y: 0, width: 0.25, height: 1), "1440×360* 300×300"),
    (.aspectFill, CGRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5), "1440×360* 300×300"),
  ])
  func exactImagesAreCut(_ mode: PHImageContentMode, _ crop: CGRect, _ expected: String) async throws {
    let answers = try await manager.answers(for: photo, 300, 300, mode) {
      $0.resizeMode = .exact
      $0.normalizedCropRect = crop
    }
    #expect(texts(answers).joined(separator: " ") == expected)
  }

  @Test func aCropRectIsIgnoredWithoutExact() async throws {
    let answers = try await manager.answers(for: photo, 1000, 1000) {
      $0.normalizedCropRect = CGRect(x: 0, y: 0, width: 0.1, height: 0.1)
    }
    #expect(texts(answers) == ["1440×360"])
  }

  // MARK: Failures

  @Test func aCancelledRequestSaysSoOnce() async throws {
    temporary.library.forgetRenditionsForTesting(of: [photo])
    let answers = ImageAnswers()
    let photo = photo
    // Answers are delivered on the main queue, so none can come before the request is canceled.
    await MainActor.run {
      let manager = PHImageManager.default()
      let id = manager.requestImage(
        for: photo, targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit, options: nil,
        resultHandler: answers.handler)
      manager.cancelImageRequest(id)
    }
    let last = try #require(try await answers.whole().last)
    #expect(last.isCancelled)
    #expect(last.image == nil)
    #expect(answers.all.filter(\.isCancelled).count == 1)
    #expect(answers.all.count { $0.image != nil && !$0.isDegraded } == 0)
  }

  @Test func aCanceledRequestDeliversNoImageThatIsReady() async throws {
    let answers = ImageAnswers()
    let photo = photo
    let manager = PHImageManager(pipeline: ImagePipeline(width: 1))
    try await whileTheMainQueueIsBlocked {
      let id = manager.requestImage(
        for: photo, targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit, options: nil,
        resultHandler: answers.handler)
      // The image becomes ready, and its delivery waits for this queue.
      manager.pipeline.waitUntilIdle()
      #expect(manager.pipeline.images.begun == 1)
      manager.cancelImageRequest(id)
    }
    #expect(try await answers.whole(of: manager.pipeline).map(\.text) == ["1440×360*", "-"])
    #expect(answers.all.last?.isCancelled == true)
  }

  @Test func aSmallPhotosOwnPixelsComeLast() async throws {
    let png = try SampleMedia.png(size: PictureSize(width: 64, height: 48))
    let small = try temporary.add(SampleFile("IMG_0005.PNG", png))[0]
    let answers = try await manager.answers(for: small, 64, 48)
    #expect(texts(answers) == ["64×48*", "64×48"])
    #expect(answers.last?.image?.pngData() == UIImage(data: png)?.pngData())
  }

  @Test func aSecondInterimImageIsAnotherOne() async throws {
    let small = try temporary.add(
      SampleFile("IMG_0006.JPG", try SampleMedia.jpeg(size: PictureSize(width: 320, height: 240))))[0]
    let answers = try await manager.answers(for: small, 320, 320) { $0.allowSecondaryDegradedImage = true }
    #expect(texts(answers) == ["320×240*", "320×240"])
  }

  @Test func theThumbnailInsideAnOriginalThatIsElsewhereIsThereToo() async throws {
    temporary.library.forgetRenditionsForTesting(of: [photo])
    temporary.setOriginalsRemote(of: photo)
    let answers = try await manager.answers(for: photo, 1000, 1000)
    #expect(texts(answers) == ["-"])
    #expect(answers.last?.info[PHImageResultIsInCloudKey] as? Bool == true)
  }

  @Test func aDamagedPhotoHasNoImageAndAReason() async throws {
    let broken = try temporary.add(SampleFile("IMG_0003.JPG", BrokenFiles.garbageJPEG()))[0]
    let answers = try await manager.answers(for: broken, 400, 400)
    #expect(texts(answers) == ["-"])
    #expect(answers.first?.error?.code == .invalidResource)
  }

  @Test func anOriginalElsewhereIsTold() async throws {
    temporary.setOriginalsRemote(of: photo)
    let answers = try await manager.answers(for: photo, 2300, 2300)
    #expect(texts(answers) == ["1440×360*", "-"])
    #expect(answers.map { $0.info[PHImageResultIsInCloudKey] as? Bool } == [true, true])
    #expect(answers.last?.error?.code == .networkAccessRequired)
    // A stored rendition is enough for a smaller request.
    #expect(texts(try await manager.answers(for: photo, 1000, 1000)) == ["1440×360"])
    #expect(
      texts(try await manager.answers(for: photo, 2300, 2300) { $0.isNetworkAccessAllowed = true })
        == ["1440×360*", "2400×600"])
  }

  @Test func aVideosImageIsItsPoster() async throws {
    let movie = try temporary.add(
      SampleFile("IMG_0004.MOV", try SampleMedia.movie(duration: 1, size: PictureSize(width: 320, height: 240))))[0]
    #expect(texts(try await manager.answers(for: movie, 320, 320)) == ["320×240"])
  }

  @Test func manyRequestsAreAllAnswered() async throws {
    temporary.library.forgetRenditionsForTesting(of: [photo])
    let all = (0..<200).map { _ in ImageAnswers() }
    for (index, answers) in all.enumerated() {
      let side = 100 + index % 5 * 400
      manager.requestImage(
        for: photo, targetSize: CGSize(width: side, height: side), contentMode: .aspectFit, options: nil,
        resultHandler: answers.handler)
    }
    for answers in all { #expect(try await answers.whole().last?.image != nil) }
  }
}

enum PHImageDeliveries {
  static let all: [PHImageRequestOptionsDeliveryMode] = [.opportunistic, .highQualityFormat, .fastFormat]
}
