import Foundation
import Photos
import PhotosTesting
import Testing

/// Tests adding files to an asset that has been edited.
@Suite struct EditedFilesTests {
  let fixture: EditingFixture
  let render: Data

  init() throws {
    fixture = try EditingFixture()
    render = try SampleMedia.jpeg(size: EditingFixture.square, seed: 2)
  }

  private func file(_ name: String, _ data: Data) throws -> URL {
    let url = fixture.temporary.folder.appendingPathComponent(name)
    try data.write(to: url)
    return url
  }

  /// Adds files as an import that moves them does.
  private func add(_ files: [(PHAssetResourceType, URL)]) throws -> PHAssetCreationRequest.Outcome? {
    nonisolated(unsafe) var request: PHAssetCreationRequest?
    try fixture.library.performChangesAndWait {
      let creation = PHAssetCreationRequest.forAsset()
      creation.joinsExistingAsset = true
      let options = PHAssetResourceCreationOptions()
      options.shouldMoveFile = true
      for (type, url) in files { creation.addResource(with: type, fileURL: url, options: options) }
      request = creation
    }
    return request?.outcome
  }

  private var count: Int { PHAsset.fetchAssets(with: fixture.temporary.options()).count }

  @Test func anAssetThatWasFetchedBeforeItsEditStartsFromTheRender() async throws {
    let before = try fixture.photo()
    try await fixture.edit(before, render)
    let url = try #require(try await fixture.request(before).input?.fullSizeImageURL)
    #expect(try Data(contentsOf: url) == render)
  }

  @Test func aMovedEditThatIsNotTakenInStaysWhereItIs() async throws {
    let asset = try fixture.photo()
    let original = try #require(fixture.imageData(asset, .original))
    try await fixture.edit(asset, render)
    let files: [(PHAssetResourceType, URL)] = [
      (.photo, try file("IMG_0001.JPG", original)),
      (.fullSizePhoto, try file("IMG_E0001.JPG", SampleMedia.jpeg(size: EditingFixture.square, seed: 3))),
      (
        .adjustmentData,
        try file(
          "IMG_0001.AAE",
          PropertyListSerialization.data(
            fromPropertyList: ["adjustmentFormatIdentifier": "com.example", "adjustmentFormatVersion": "1"],
            format: .binary, options: 0))
      ),
    ]
    #expect(try add(files) == .existing(localIdentifier: asset.localIdentifier))
    #expect(files.map { FileManager.default.fileExists(atPath: $0.1.path) } == [false, true, true])
    #expect(fixture.imageData(fixture.refetched(asset), .current) == render)
  }

  private func envelope(_ identifier: String = "com.example") throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: ["adjustmentFormatIdentifier": identifier, "adjustmentFormatVersion": "1"],
      format: .binary, options: 0)
  }

  /// Adds the files of two edits. The library contains the first edit when they come again.
  @Test func theSameEditIsThereAlreadyAndAnotherIsLeftOut() throws {
    let original = try SampleMedia.jpeg(size: EditingFixture.small)
    let envelope = try envelope()
    func bring(_ render: Data) throws -> PHAssetCreationRequest {
      nonisolated(unsafe) var request = PHAssetCreationRequest?.none
      try fixture.library.performChangesAndWait {
        let creation = PHAssetCreationRequest.forAsset()
        creation.joinsExistingAsset = true
        creation.addResource(with: .photo, data: original, options: nil)
        creation.addResource(with: .fullSizePhoto, data: render, options: nil)
        creation.addResource(with: .adjustmentData, data: envelope, options: nil)
        request = creation
      }
      return try #require(request)
    }
    #expect(try bring(render).outcome == .created)
    #expect(try bring(render).leftOutEdit == nil)
    #expect(try bring(SampleMedia.jpeg(size: EditingFixture.square, seed: 3)).leftOutEdit == .anotherEdit)
  }

  /// The headers of a JPEG without image data.
  private static let broken = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9])

  @Test func `an unreadable original is reported once its edit is reverted`() throws {
    let broken = Self.broken
    let files: [(PHAssetResourceType, URL)] = [
      (.photo, try file("IMG_0001.JPG", broken)), (.fullSizePhoto, try file("IMG_E0001.JPG", render)),
      (.adjustmentData, try file("IMG_0001.AAE", envelope())),
    ]
    #expect(try add(files) == .created)
    let edited = PHAsset.fetchAssets(with: fixture.temporary.options()).object(at: 0)
    #expect(!edited.isUnreadable)
    #expect(try edited.details()?.unreadableReason == nil)
    try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: edited).revertAssetContentToOriginal() }
    let reverted = fixture.refetched(edited)
    #expect(reverted.isUnreadable)
    #expect(try reverted.details()?.unreadableReason != nil)
    #expect(!reverted.canPerform(.content))
  }

  @Test func anEditThatComesLaterCoversWhatCannotBeRead() throws {
    let broken = Self.broken
    #expect(try add([(.photo, file("IMG_0001.JPG", broken))]) == .created)
    let asset = PHAsset.fetchAssets(with: fixture.temporary.options()).object(at: 0)
    #expect(asset.isUnreadable)
    let reason = try asset.details()?.unreadableReason
    #expect(reason != nil)
    _ = try add([
      (.photo, file("IMG_0001.JPG", broken)), (.fullSizePhoto, file("IMG_E0001.JPG", render)),
      (.adjustmentData, file("IMG_0001.AAE", envelope())),
    ])
    #expect(!fixture.refetched(asset).isUnreadable)
    #expect(try fixture.refetched(asset).details()?.unreadableReason == nil)
    try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
    #expect(try fixture.refetched(asset).details()?.unreadableReason == reason)
  }

  @Test func aRenderThatComesAsAPhotoIsAPhotoOfItsOwn() async throws {
    let asset = try await fixture.edit(fixture.photo(), render)
    #expect(try add([(.photo, file("Exported.JPG", render))]) == .created)
    #expect(count == 2)
    try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
    let photos = PHAsset.fetchAssets(with: fixture.temporary.options())
    #expect((0..<2).contains { fixture.imageData(photos.object(at: $0), .current) == render })
  }

  @Test func anEditedVideoTakesNoStill() async throws {
    let pair = try SampleMedia.livePhoto(size: EditingFixture.small, stillType: .jpeg)
    let movie = try fixture.temporary.add(SampleFile("IMG_0001.MOV", pair.video))[0]
    let output = try await fixture.output(for: movie)
    try SampleMedia.movie(duration: 0.2, size: EditingFixture.small).write(to: output.renderedContentURL)
    try fixture.commit(output, to: movie)
    #expect(try add([(.photo, file("IMG_0001.JPG", pair.still))]) == .created)
    #expect(count == 2)
    #expect(fixture.refetched(movie).mediaType == .video)
  }

  @Test func `a creation with an editing output and edit files is refused`() throws {
    let original = try SampleMedia.jpeg(size: EditingFixture.small)
    let render = render
    let error = #expect(throws: PHPhotosError.self) {
      try fixture.library.performChangesAndWait {
        let request = PHAssetCreationRequest.forAsset()
        request.addResource(with: .photo, data: original, options: nil)
        request.addResource(with: .fullSizePhoto, data: render, options: nil)
        request.addResource(with: .adjustmentData, data: Data("<plist/>".utf8), options: nil)
        if let placeholder = request.placeholderForCreatedAsset {
          let output = PHContentEditingOutput(placeholderForCreatedAsset: placeholder)
          output.adjustmentData = EditingFixture.sepia
          try? render.write(to: output.renderedContentURL)
          request.contentEditingOutput = output
        }
      }
    }
    #expect(error?.code == .invalidResource)
    #expect(count == 0)
  }
}
