import Foundation
import Photos
import PhotosTesting
import Testing

@Suite struct ResourceSetTests {
  let fixture: EditingFixture

  init() throws { fixture = try EditingFixture() }

  private static let photoEdit: [PHAssetResourceType] = [.photo, .fullSizePhoto, .adjustmentData]
  private static let liveEdit = photoEdit + [.pairedVideo, .fullSizePairedVideo]

  static let supported: [[PHAssetResourceType]] = [
    [.photo], [.video], [.photoProxy], [.photo, .pairedVideo], [.photo, .alternatePhoto],
    [.photo, .alternatePhoto, .pairedVideo], photoEdit, photoEdit + [.adjustmentBasePhoto],
    photoEdit + [.alternatePhoto], liveEdit, photoEdit + [.pairedVideo],
    liveEdit + [.adjustmentBasePhoto, .adjustmentBasePairedVideo], [.video, .fullSizeVideo, .adjustmentData],
    [.video, .fullSizeVideo, .adjustmentData, .adjustmentBaseVideo],
  ]

  @Test("Files of these types make an asset, in any order", arguments: supported)
  func supports(_ types: [PHAssetResourceType]) {
    for order in [types, types.reversed()] {
      #expect(PHAssetCreationRequest.supportsAssetResourceTypes(order.map { NSNumber(value: $0.rawValue) }))
    }
  }

  @Test func anUnknownTypeIsNotSupported() {
    #expect(!PHAssetCreationRequest.supportsAssetResourceTypes([1, 99]))
  }

  /// Returns a file of the given resource type.
  private func file(_ type: PHAssetResourceType) throws -> Data {
    switch type {
    case .adjustmentData:
      try PropertyListSerialization.data(
        fromPropertyList: ["adjustmentFormatIdentifier": "com.example", "adjustmentFormatVersion": "1"],
        format: .binary, options: 0)
    case .photo, .alternatePhoto, .fullSizePhoto, .adjustmentBasePhoto, .photoProxy:
      try SampleMedia.jpeg(size: EditingFixture.small, seed: UInt64(type.rawValue))
    default: try SampleMedia.movie(duration: 0.2, size: EditingFixture.small, seed: UInt64(type.rawValue))
    }
  }

  private func create(_ types: [PHAssetResourceType]) throws -> PHAsset {
    let files = try types.map { ($0, try file($0)) }
    nonisolated(unsafe) var identifier = ""
    try fixture.library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      for (type, data) in files { request.addResource(with: type, data: data, options: nil) }
      identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    return PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: fixture.temporary.options()).object(at: 0)
  }

  @Test(
    "A set of files that makes no asset is refused with its reason",
    arguments: [
      ([PHAssetResourceType.pairedVideo], PHPhotosError.Code.missingResource, "a photo or a video is missing"),
      ([.adjustmentData], .missingResource, "a photo or a video is missing"),
      ([.audio], .missingResource, "no asset can be made of [audio]"),
      ([.photo, .audio], .invalidResource, "audio can't be combined with photo"),
      ([.photo, .video], .invalidResource, "pairedVideo"), ([.photo, .photo], .invalidResource, "one photo at most"),
      ([.photo, .fullSizePhoto], .missingResource, "adjustmentData, which is missing"),
      ([.photo, .adjustmentData], .missingResource, "fullSizePhoto, which is missing"),
      ([.video, .adjustmentData], .missingResource, "fullSizeVideo, which is missing"),
      ([.photo, .fullSizeVideo, .adjustmentData], .invalidResource, "fullSizeVideo can't be combined with photo"),
      (
        [.photo, .fullSizePhoto, .adjustmentData, .fullSizePairedVideo], .missingResource,
        "pairedVideo, which is missing"
      ),
      ([.video, .pairedVideo], .invalidResource, "pairedVideo can't be combined with video"),
    ])
  func refused(_ types: [PHAssetResourceType], _ code: PHPhotosError.Code, _ words: String) throws {
    #expect(!PHAssetCreationRequest.supportsAssetResourceTypes(types.map { NSNumber(value: $0.rawValue) }))
    let error = #expect(throws: PHPhotosError.self) {
      try fixture.library.performChangesAndWait {
        let request = PHAssetCreationRequest.forAsset()
        for type in types { request.addResource(with: type, data: Data([1]), options: nil) }
      }
    }
    #expect(error?.code == code)
    #expect(error?.localizedDescription.contains(words) == true, "\(String(describing: error))")
  }

  @Test(
    "Bytes without a name get the ending of what they are",
    arguments: [(nil, nil, "Untitled.jpg"), (nil, UTType.png, "Untitled.jpg"), ("scan", nil, "scan")])
  func name(_ name: String?, _ type: UTType?, _ expected: String) throws {
    let options = PHAssetResourceCreationOptions()
    options.originalFilename = name
    options.contentType = type
    let bytes = try SampleMedia.jpeg(size: EditingFixture.small)
    nonisolated(unsafe) let given = options
    nonisolated(unsafe) var identifier: String?
    try fixture.library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: .photo, data: bytes, options: given)
      identifier = request.placeholderForCreatedAsset?.localIdentifier
    }
    let assets = PHAsset.fetchAssets(
      withLocalIdentifiers: [try #require(identifier)], options: fixture.temporary.options())
    #expect(fixture.resources(assets.object(at: 0)) == ["photo \(expected)"])
  }

  @Test func aLivePhotoIsCreatedWithItsWholeEdit() throws {
    let asset = try create(Self.liveEdit + [.adjustmentBasePhoto, .adjustmentBasePairedVideo])
    #expect(asset.hasAdjustments)
    #expect(asset.playbackStyle == .livePhoto)
    #expect(
      fixture.resources(asset) == [
        "photo Untitled.jpg", "pairedVideo Untitled.mov", "fullSizePhoto FullSizeRender.jpg",
        "fullSizePairedVideo FullSizeRender.mov", "adjustmentBasePhoto AdjustmentBase.jpg",
        "adjustmentBasePairedVideo AdjustmentBase.mov", "adjustmentData Adjustments.plist",
      ])
    try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
    #expect(fixture.resources(fixture.refetched(asset)) == ["photo Untitled.jpg", "pairedVideo Untitled.mov"])
  }

  @Test("Each set of files makes an asset with all of them", arguments: supported)
  func creates(_ types: [PHAssetResourceType]) throws {
    let asset = try create(types)
    #expect(Set(PHAssetResource.assetResources(for: asset).map(\.type)) == Set(types))
    #expect(asset.mediaType == (types.contains(.video) ? .video : .image))
    #expect(asset.hasAdjustments == types.contains(.adjustmentData))
  }

  @Test func anEditsBaseIsWhatTheNextOneStartsFrom() async throws {
    let asset = try create([.photo, .fullSizePhoto, .adjustmentData, .adjustmentBasePhoto])
    let input = try await fixture.request(asset) { $0.canHandleAdjustmentData = { _ in true } }.input
    let bytes = try input?.fullSizeImageURL.map { try Data(contentsOf: $0) }
    #expect(bytes == (try file(.adjustmentBasePhoto)))
  }

  @Test func adjustmentDataIsAPropertyListOfAnEdit() throws {
    let photo = try file(.photo)
    let error = #expect(throws: PHPhotosError.self) {
      try fixture.library.performChangesAndWait {
        let request = PHAssetCreationRequest.forAsset()
        for type in [PHAssetResourceType.photo, .fullSizePhoto] {
          request.addResource(with: type, data: photo, options: nil)
        }
        request.addResource(with: .adjustmentData, data: Data("sepia".utf8), options: nil)
      }
    }
    #expect(error?.code == .invalidResource)
    #expect(error?.localizedDescription.hasPrefix("Adjustments.plist") == true)
  }
}

@Suite struct OriginalResourceChoiceTests {
  let fixture: EditingFixture

  init() throws { fixture = try EditingFixture() }

  @Test func theRAWFileCanBeMadeTheOriginalAndThePictureAgain() throws {
    let asset = try fixture.rawAndPicture()
    #expect(asset.originalResourceChoice == .compressed)
    try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContent(to: .raw) }
    let raw = fixture.refetched(asset)
    #expect(raw.originalResourceChoice == .raw)
    #expect(fixture.resources(raw) == ["photo IMG_7.DNG", "alternatePhoto IMG_7.JPG"])
    #expect(raw.extendedMetadata.originalFilename == "IMG_7.DNG")
    #expect(raw.renditionVersion != asset.renditionVersion)
    let types = [PHImageRequestOptionsVersion.current, .original, .unadjusted].map {
      fixture.imageData(raw, $0)?.starts(with: [0xFF, 0xD8]) == true ? "JPEG" : "RAW"
    }
    #expect(types == ["RAW", "RAW", "JPEG"])
    try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContent(to: .compressed) }
    #expect(fixture.resources(fixture.refetched(asset)) == ["photo IMG_7.JPG", "alternatePhoto IMG_7.DNG"])
    #expect(fixture.refetched(asset).renditionVersion == asset.renditionVersion)
  }

  @Test func anAssetOfOneFileHasNoOtherChoice() throws {
    let asset = try fixture.photo()
    try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContent(to: .raw) }
    #expect(fixture.refetched(asset).originalResourceChoice == .compressed)
  }

  @Test func theChoiceCanBeMadeAtTheCreation() throws {
    let (raw, picture) = (
      try SampleMedia.dng(size: EditingFixture.small), try SampleMedia.jpeg(size: EditingFixture.small)
    )
    nonisolated(unsafe) var identifier = ""
    try fixture.library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: .photo, data: picture, options: nil)
      request.addResource(with: .alternatePhoto, data: raw, options: nil)
      request.originalResourceChoice = .raw
      identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    let asset = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: fixture.temporary.options())
      .object(at: 0)
    #expect(asset.originalResourceChoice == .raw)
  }
}
