import Foundation
import PhotosTesting
import TestSupport
import Testing

@testable import Photos

@Suite struct EditingInputTests {
  let fixture: EditingFixture
  let render: Data

  init() throws {
    fixture = try EditingFixture()
    render = try SampleMedia.jpeg(size: EditingFixture.square, seed: 2)
  }

  private func bytes(_ input: PHContentEditingInput?) throws -> Data? {
    try input?.fullSizeImageURL.map { try Data(contentsOf: $0) }
  }

  @Test func aPhotoThatIsNotEditedComesAsItsOriginal() async throws {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 100), offset: 0)
    metadata.orientation = 6
    metadata.place = .init(latitude: 41.25, longitude: -96)
    let asset = try fixture.photo(metadata)
    let input = try #require(try await fixture.request(asset).input)
    #expect(input.mediaType == .image)
    #expect(input.playbackStyle == .image)
    #expect(input.creationDate == Date(timeIntervalSince1970: 100))
    #expect(input.location?.coordinate.longitude == -96)
    #expect(input.contentType == .jpeg)
    #expect(input.uniformTypeIdentifier == "public.jpeg")
    #expect(input.adjustmentData == nil)
    #expect(input.audiovisualAsset == nil)
    #expect(input.fullSizeImageOrientation == 6)
    #expect(input.displaySizeImage?.size == CGSize(width: 64, height: 48))
    #expect(try bytes(input) == fixture.imageData(asset, .original))
  }

  @Test func aProgramThatCanHandleTheEditGetsTheOriginalAndItsData() async throws {
    let asset = try fixture.photo()
    let original = fixture.imageData(asset, .original)
    let edited = try await fixture.edit(asset, render)
    let input = try #require(
      try await fixture.request(edited) { options in
        options.canHandleAdjustmentData = {
          $0.formatIdentifier == "com.example.filters" && $0.formatVersion == "1.0"
        }
      }.input)
    #expect(input.adjustmentData?.data == Data("sepia".utf8))
    #expect(try bytes(input) == original)
    #expect(input.displaySizeImage?.size == CGSize(width: 64, height: 48))
  }

  /// The history keeps the files of former edits, so that an edit can be undone.
  @Test func `an input whose edit is replaced meanwhile keeps its file`() async throws {
    let asset = try await fixture.edit(fixture.photo(), render)
    try await asset.edit { $0.filter = .noir }
    let before = try await fixture.request(asset) { $0.canHandleAdjustmentData = { (try? PhotoEdit($0)) != nil } }
    let output = try await fixture.output(for: asset)
    let next = try SampleMedia.jpeg(size: EditingFixture.square, seed: 3)
    try next.write(to: output.renderedContentURL)
    nonisolated(unsafe) var calls = 0
    let answer = try await fixture.request(asset) { options in
      options.canHandleAdjustmentData = { data in
        calls += 1
        // This commit replaces the edit whose base the request returns.
        if calls == 1 { #expect(throws: Never.self) { try fixture.commit(output, to: asset) } }
        return (try? PhotoEdit(data)) != nil
      }
    }
    #expect(calls == 1)
    #expect(try bytes(answer.input) == bytes(before.input))
  }

  @Test("A program that can't handle the edit gets the latest render and no data", arguments: [true, false])
  func flattened(isAsked: Bool) async throws {
    let edited = try await fixture.edit(fixture.photo(), render)
    let input = try #require(
      try await fixture.request(edited) { options in
        if isAsked { options.canHandleAdjustmentData = { $0.formatIdentifier == "com.example.other" } }
      }.input)
    #expect(input.adjustmentData == nil)
    #expect(try bytes(input) == render)
    #expect(input.displaySizeImage?.size == CGSize(width: 32, height: 32))
  }

  @Test func aVideoComesAsItsMovie() async throws {
    let movie = try SampleMedia.movie(duration: 1, size: EditingFixture.small)
    let asset = try fixture.temporary.add(SampleFile("IMG_0002.MOV", movie))[0]
    let input = try #require(try await fixture.request(asset).input)
    let url = try #require((input.audiovisualAsset as? AVURLAsset)?.url)
    #expect(try Data(contentsOf: url) == movie)
    #expect(input.avAsset === input.audiovisualAsset)
    #expect(input.fullSizeImageURL == nil)
    #expect(input.displaySizeImage?.size == CGSize(width: 64, height: 48))
  }

  @Test func aLivePhotoHasItsMovieAtHand() async throws {
    let pair = try SampleMedia.livePhoto(size: EditingFixture.small, stillType: .jpeg)
    let input = try await fixture.request(try fixture.temporary.add(pair)).input
    #expect(try input?.pairedVideoURL.map { try Data(contentsOf: $0) } == pair.video)
    #expect(input?.playbackStyle == .livePhoto)
  }

  @Test func theImageCanBeLeftOut() async throws {
    let asset = try fixture.photo()
    #expect(try await fixture.request(asset) { $0.skipsDisplaySizeImage = true }.input?.displaySizeImage == nil)
  }

  @Test(
    "The RAW file or the picture of one shot can be chosen",
    arguments: [(PHAsset.OriginalResourceChoice.raw, UTType("com.adobe.raw-image")), (.compressed, .jpeg)])
  func choice(_ choice: PHAsset.OriginalResourceChoice, type: UTType?) async throws {
    let asset = try fixture.rawAndPicture()
    #expect(try await fixture.request(asset) { $0.originalResourceChoice = choice }.input?.contentType == type)
    #expect(try await fixture.request(asset).input?.contentType == .jpeg)
  }

  @Test func aCancelledRequestSaysSo() async throws {
    let asset = try fixture.photo()
    fixture.temporary.setOriginalsRemote(of: asset)
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let options = PHContentEditingInputRequestOptions()
    options.isNetworkAccessAllowed = true
    options.progressHandler = { _, _ in
      begun.signal()
      gate.waits(for: "the cancellation")
    }
    let canceled: EditingFixture.Answer = try await answer("an input for an edit") { done in
      let id = asset.requestContentEditingInput(with: options) { done(EditingFixture.Answer(input: $0, info: $1)) }
      begun.waits(for: "the fetch")
      asset.cancelContentEditingInputRequest(id)
      gate.signal()
    }
    #expect(canceled.input == nil)
    #expect(canceled.info[PHContentEditingInputCancelledKey] as? Bool == true)
    #expect(canceled.errorCode == nil)
  }

  @Test func aRequestThatIsCancelledInLineIsAnsweredBeforeThoseInFrontOfIt() async throws {
    let asset = try fixture.photo()
    fixture.temporary.setOriginalsRemote(of: asset)
    let count = max(2, ProcessInfo.processInfo.activeProcessorCount)
    let inFront = Collected<Bool>()
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let options = PHContentEditingInputRequestOptions()
    options.isNetworkAccessAllowed = true
    options.progressHandler = { fraction, _ in
      guard fraction < 0.2 else { return }
      begun.signal()
      gate.waits(for: "the canceled request")
    }
    for _ in 0..<count {
      asset.requestContentEditingInput(with: options) { input, _ in inFront.add(input != nil) }
    }
    for _ in 0..<count { begun.waits(for: "the requests in front") }
    let answer = try await fixture.request(asset, cancels: true) { $0.isNetworkAccessAllowed = true }
    #expect(answer.info[PHContentEditingInputCancelledKey] as? Bool == true)
    #expect(inFront.all == [])
    for _ in 0..<count { gate.signal() }
    try await eventually("the requests in front") { inFront.all.count == count }
    #expect(inFront.all == Array(repeating: true, count: count))
  }

  @Test func anInputThatIsMadeWhenItIsCancelledIsNotHandedOut() async throws {
    let asset = try fixture.photo()
    let answers = Collected<EditingFixture.Answer>()
    try await whileTheMainQueueIsBlocked {
      let id = asset.requestContentEditingInput(with: nil) { input, info in
        answers.add(EditingFixture.Answer(input: input, info: info))
      }
      // The input becomes ready, and its delivery waits for this queue.
      do { try eventually("the input") { WorkQueue.editingInputs.isIdle } } catch { Issue.record(error) }
      asset.cancelContentEditingInputRequest(id)
    }
    let all = try await answers.whole { _ in true }
    #expect(all.count == 1)
    let answer = try #require(all.first)
    #expect(answer.input == nil)
    #expect(answer.info[PHContentEditingInputCancelledKey] as? Bool == true)
    #expect(answer.errorCode == nil)
  }

  @Test func theHandlerIsCalledOnTheMainQueue() async throws {
    let asset = try fixture.photo()
    _ = ImageAnswers.mainQueue
    let isOnMainQueue: Bool = try await answer("an input for an edit") { done in
      asset.requestContentEditingInput(with: nil) { _, _ in done(ImageAnswers.isOnMainQueue) }
    }
    #expect(isOnMainQueue)
  }

  @Test func aFetchThatIsStoppedIsACancelledRequest() async throws {
    let asset = try fixture.photo()
    fixture.temporary.setOriginalsRemote(of: asset)
    let answer = try await fixture.request(asset) { options in
      options.isNetworkAccessAllowed = true
      options.progressHandler = { _, stop in stop.pointee = true }
    }
    #expect(answer.input == nil)
    #expect(answer.info[PHContentEditingInputCancelledKey] as? Bool == true)
  }

  @Test func anOriginalThatIsElsewhereIsNotFetchedUnasked() async throws {
    let asset = try fixture.photo()
    fixture.temporary.setOriginalsRemote(of: asset)
    let answer = try await fixture.request(asset)
    #expect(answer.input == nil)
    #expect(answer.info[PHContentEditingInputResultIsInCloudKey] as? Bool == true)
    #expect(answer.errorCode == .networkAccessRequired)
  }

  @Test func anOriginalThatIsFetchedTellsOfItsProgress() async throws {
    let asset = try fixture.photo()
    fixture.temporary.setOriginalsRemote(of: asset)
    nonisolated(unsafe) var progress: [Double] = []
    let answer = try await fixture.request(asset) { options in
      options.isNetworkAccessAllowed = true
      options.progressHandler = { fraction, _ in progress.append(fraction) }
    }
    #expect(answer.input != nil)
    #expect(progress.last == 1)
  }

  @Test func adjustmentDataIsKeptAsAPropertyListThatSaysItsFormat() throws {
    let list: [String: Any] = [
      "adjustmentFormatIdentifier": "com.apple.photo", "adjustmentFormatVersion": "1.11",
      "adjustmentData": Data([1, 2]), "adjustmentBaseVersion": 0,
    ]
    let url = fixture.temporary.folder.appendingPathComponent("IMG_0001.AAE")
    try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: url)
    let data = try #require(PHAdjustmentData(contentsOf: url))
    #expect(data.formatIdentifier == "com.apple.photo")
    #expect(data.formatVersion == "1.11")
    #expect(data.data == Data([1, 2]))
    try Data("no list".utf8).write(to: url)
    #expect(PHAdjustmentData(contentsOf: url) == nil)
  }
}

extension EditingFixture {
  func rawAndPicture() throws -> PHAsset {
    let raw = try SampleMedia.dng(size: Self.small)
    let picture = try SampleMedia.jpeg(size: Self.small)
    nonisolated(unsafe) var identifier = ""
    try library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = "IMG_7.JPG"
      request.addResource(with: .photo, data: picture, options: options)
      options.originalFilename = "IMG_7.DNG"
      request.addResource(with: .alternatePhoto, data: raw, options: options)
      identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    return PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: temporary.options()).object(at: 0)
  }
}
