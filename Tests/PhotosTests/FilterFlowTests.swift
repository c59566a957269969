import AVFoundation
import CoreImage
import Foundation
import Imaging
import Photos
import PhotosTesting
import TestSupport
import Testing

/// Runs the "Edit" menu of a photo browser on each kind of asset, from the request for the input to
/// the revert.
@Suite(.serialized) struct FilterFlowTests {
  enum Kind: String, CaseIterable, Sendable { case photo, video, livePhoto }

  private let fixture: EditingFixture
  private let context = CIContext()
  private static let formatIdentifier = "com.example.photo-browser"
  private static let formatVersion = "1.0"

  init() throws { fixture = try EditingFixture() }

  private func asset(_ kind: Kind) throws -> PHAsset {
    switch kind {
    case .photo: try fixture.photo()
    case .video:
      try fixture.temporary.add(
        SampleFile("IMG_0002.MOV", SampleMedia.movie(duration: 0.5, size: EditingFixture.small)))[0]
    case .livePhoto: try fixture.livePhoto()
    }
  }

  // MARK: The code of a program

  private func apply(_ filterName: String, to asset: PHAsset) async throws {
    let options = PHContentEditingInputRequestOptions()
    options.canHandleAdjustmentData = {
      $0.formatIdentifier == Self.formatIdentifier && $0.formatVersion == Self.formatVersion
    }
    let input = try #require(
      try await fixture.request(asset) { $0.canHandleAdjustmentData = options.canHandleAdjustmentData }.input)
    let output = PHContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = PHAdjustmentData(
      formatIdentifier: Self.formatIdentifier, formatVersion: Self.formatVersion, data: Data(filterName.utf8))
    if asset.mediaSubtypes.contains(.photoLive) {
      try await applyLivePhotoFilter(filterName, input: input, output: output)
    } else if asset.mediaType == .image {
      try applyPhotoFilter(filterName, input: input, output: output)
    } else {
      try await applyVideoFilter(filterName, input: input, output: output)
    }
    try await fixture.library.performChanges {
      let request = PHAssetChangeRequest(for: asset)
      request.contentEditingOutput = output
    }
  }

  private func applyPhotoFilter(_ filterName: String, input: PHContentEditingInput, output: PHContentEditingOutput)
    throws
  {
    let url = try #require(input.fullSizeImageURL)
    let inputImage = try #require(CIImage(contentsOf: url))
    let outputImage =
      inputImage
      .oriented(forExifOrientation: input.fullSizeImageOrientation)
      .applyingFilter(filterName, parameters: [:])
    try context.writeJPEGRepresentation(
      of: outputImage, to: output.renderedContentURL, colorSpace: #require(inputImage.colorSpace), options: [:])
  }

  private func applyVideoFilter(_ filterName: String, input: PHContentEditingInput, output: PHContentEditingOutput)
    async throws
  {
    let avAsset = try #require(input.audiovisualAsset)
    let composition = AVVideoComposition(
      asset: avAsset,
      applyingCIFiltersWithHandler: { request in
        let img = request.sourceImage.applyingFilter(filterName, parameters: [:])
        request.finish(with: img, context: nil)
      })
    let export = try #require(
      AVAssetExportSession(asset: avAsset, presetName: AVAssetExportPresetHighestQuality))
    export.outputFileType = AVFileType.mov
    export.outputURL = output.renderedContentURL
    export.videoComposition = composition
    try await answer("an export") { done in export.exportAsynchronously(completionHandler: { done(()) }) }
  }

  private func applyLivePhotoFilter(_ filterName: String, input: PHContentEditingInput, output: PHContentEditingOutput)
    async throws
  {
    let livePhotoContext = try #require(PHLivePhotoEditingContext(livePhotoEditingInput: input))
    livePhotoContext.frameProcessor = { frame, _ in
      return frame.image.applyingFilter(filterName, parameters: [:])
    }
    try await answer("the save of a Live Photo") { done in
      livePhotoContext.saveLivePhoto(to: output) { success, error in
        #expect(success, "\(String(describing: error))")
        done(())
      }
    }
  }

  // MARK: Results

  /// Returns the average red, green and blue.
  private func color(_ pixels: PixelBuffer) -> [Int] {
    (0..<3).map { channel in
      stride(from: channel, to: pixels.bytes.count, by: pixels.channels).reduce(0) { $0 + Int(pixels.bytes[$1]) }
        / (pixels.width * pixels.height)
    }
  }

  private func shown(_ asset: PHAsset) async throws -> PixelBuffer {
    let rendition = try await PHImageManager.default().rendition(.screen, for: asset)
    return try #require(UIImage(data: rendition.data)?.pixels())
  }

  private func isBrown(_ pixels: PixelBuffer) -> Bool {
    let mean = color(pixels)
    return mean[0] > mean[1] + 4 && mean[1] > mean[2] + 4
  }

  private func isClose(_ one: PixelBuffer, _ other: PixelBuffer) -> Bool {
    zip(color(one), color(other)).allSatisfy { abs($0 - $1) < 6 }
  }

  private func difference(_ one: PixelBuffer, _ other: PixelBuffer) -> Double {
    guard one.bytes.count == other.bytes.count else { return .infinity }
    return Double(zip(one.bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(one.bytes.count)
  }

  /// Returns whether `after` is closer to the filtered picture than to `before`. Encoders change a
  /// picture less than any filter does.
  private func shows(_ filterName: String, of before: PixelBuffer, in after: PixelBuffer) throws -> Bool {
    let filtered = CIImage(pixels: before).applyingFilter(filterName, parameters: [:])
    let expected = try #require(filtered.pixels())
    return difference(after, expected) < difference(after, before)
  }

  private static let renders: [Kind: [String]] = [
    .photo: ["photo IMG_0001.JPG", "fullSizePhoto FullSizeRender.jpg", "adjustmentData Adjustments.plist"],
    .video: ["video IMG_0002.MOV", "fullSizeVideo FullSizeRender.mov", "adjustmentData Adjustments.plist"],
    .livePhoto: [
      "photo IMG_0001.JPG", "pairedVideo IMG_0001.MOV", "fullSizePhoto FullSizeRender.jpg",
      "fullSizePairedVideo FullSizeRender.mov", "adjustmentData Adjustments.plist",
    ],
  ]

  @Test("A filter is applied, taken up by another one, and reverted", arguments: Kind.allCases)
  func flow(kind: Kind) async throws {
    let asset = try asset(kind)
    let before = try await shown(asset)
    var movieBefore: PixelBuffer?
    if kind != .photo { movieBefore = try await fixture.moviePicture(asset, .original) }
    #expect(!isBrown(before))
    let observer = RecordingObserver()
    fixture.library.register(observer)

    try await apply("CISepiaTone", to: asset)
    let sepia = fixture.refetched(asset)
    #expect(sepia.hasAdjustments && sepia.adjustmentFormatIdentifier == Self.formatIdentifier)
    #expect(isBrown(try await shown(sepia)))
    if movieBefore != nil { #expect(isBrown(try await fixture.moviePicture(sepia, .current))) }
    #expect(sepia.playbackStyle == asset.playbackStyle)
    #expect(fixture.resources(sepia) == Self.renders[kind])
    #expect(sepia.creationDate == asset.creationDate)

    // The filter is applied to the original, so no sepia is left.
    try await apply("CIPhotoEffectChrome", to: sepia)
    let chrome = fixture.refetched(asset)
    let after = try await shown(chrome)
    #expect(!isBrown(after))
    #expect(try shows("CIPhotoEffectChrome", of: before, in: after))
    if let movieBefore {
      let movieAfter = try await fixture.moviePicture(chrome, .current)
      #expect(!isBrown(movieAfter))
      #expect(try shows("CIPhotoEffectChrome", of: movieBefore, in: movieAfter))
    }
    #expect(fixture.resources(chrome) == Self.renders[kind])

    try await fixture.library.performChanges {
      let request = PHAssetChangeRequest(for: chrome)
      request.revertAssetContentToOriginal()
    }
    let reverted = fixture.refetched(asset)
    #expect(!reverted.hasAdjustments)
    let again = try await shown(reverted)
    #expect(color(again) == color(before))
    if let movieBefore { #expect(isClose(try await fixture.moviePicture(reverted, .current), movieBefore)) }
    #expect(fixture.resources(reverted) == Self.renders[kind].map { Array($0.prefix(kind == .livePhoto ? 2 : 1)) })
    fixture.library.waitForObservers()
    #expect(observer.changes.map { $0.changeDetails(for: asset)?.assetContentChanged } == [true, true, true])
  }
}
