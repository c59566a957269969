@_spi(Testing) import Photos
import PhotosTesting
import Testing

@testable import PhotosUI

/// A library with 49 assets of all kinds.
private struct Kinds {
  let temporary: TemporaryLibrary

  init() throws {
    temporary = try TemporaryLibrary()
    let tiny = PictureSize(width: 64, height: 48)
    // The first of each kind of picture is a file, in which the library finds its kind.
    try temporary.add(
      [
        SampleFile("S.PNG", SampleMedia.screenshotPNG(size: PictureSize(width: 59, height: 128))),
        SampleFile("P.JPG", SampleMedia.panorama(size: PictureSize(width: 800, height: 200))),
        SampleFile("A.GIF", SampleMedia.animatedGIF(size: tiny)),
      ])
    try temporary.add(
      SampleMedia.burst(count: 3, size: tiny).enumerated().map { SampleFile("B\($0).JPG", $1) })
    try temporary.add(.livePhoto())
    try temporary.add(.video())
    var number = 0
    func row(_ type: PHAssetMediaType, _ subtypes: PHAssetMediaSubtype = []) -> AssetWithoutFiles {
      number += 1
      var row = AssetWithoutFiles(
        type, originalFilename: "\(number)", creationDate: Date(timeIntervalSince1970: Double(number)), pixelWidth: 4,
        pixelHeight: 3)
      row.mediaSubtypes = subtypes
      return row
    }
    var rows = (0..<22).map { _ in row(.image) } + (0..<4).map { _ in row(.image, .photoLive) }
    rows += (0..<5).map { _ in row(.image, .photoScreenshot) } + [row(.image, .photoPanorama)]
    rows += (0..<8).map { _ in row(.video) }
    rows += [row(.video, .videoHighFrameRate), row(.video, .videoTimelapse), row(.video, .videoScreenRecording)]
    _ = try temporary.library.create(rows)
    // A picker never shows a hidden asset.
    var hidden = row(.image, [.photoLive, .photoScreenshot, .photoPanorama])
    hidden.isHidden = true
    _ = try temporary.library.create([hidden])
  }

  func assets(_ filter: PHPickerFilter?) -> [PHAsset] {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    options.predicate = filter?.predicate
    let found = PHAsset.fetchAssets(with: options)
    return found.objects(at: IndexSet(0..<found.count))
  }
}

@Suite struct FilterTests {
  private static let kinds = Result { try Kinds() }

  @Test(
    "R-02: a filter of one kind shows exactly the assets of this kind",
    arguments: [
      (nil, 49), (.images, 37), (.videos, 12), (.livePhotos, 5), (.screenshots, 6), (.panoramas, 2), (.bursts, 1),
      (.slomoVideos, 1), (.timelapseVideos, 1), (.screenRecordings, 1), (.depthEffectPhotos, 0), (.cinematicVideos, 0),
      (.spatialMedia, 0),
    ] as [(PHPickerFilter?, Int)])
  func kind(filter: PHPickerFilter?, count: Int) throws {
    #expect(try Self.kinds.get().assets(filter).count == count)
  }

  @Test(
    "R-03: filters are combined",
    arguments: [
      (.any(of: [.livePhotos, .videos]), 17),
      (.all(of: [.images, .not(.screenshots)]), 31),
      (.not(.videos), 37),
      (.not(.not(.videos)), 12),
      (.all(of: [.any(of: [.images, .videos]), .not(.livePhotos)]), 44),
      (.any(of: []), 0),
      (.all(of: []), 49),
      (.not(.any(of: [])), 49),
      (.not(.all(of: [])), 0),
      (.any(of: [.videos]), 12),
      (.all(of: [.images, .videos]), 0),
      (.any(of: [.any(of: []), .bursts]), 1),
    ] as [(PHPickerFilter, Int)])
  func combined(filter: PHPickerFilter, count: Int) throws {
    #expect(try Self.kinds.get().assets(filter).count == count)
  }

  @Test(
    "R-03: a playback style shows the assets that have it",
    arguments: [
      (.unsupported, 0), (.image, 31), (.imageAnimated, 1), (.livePhoto, 5), (.video, 12), (.videoLooping, 0),
    ] as [(PHAsset.PlaybackStyle, Int)])
  func playbackStyle(style: PHAsset.PlaybackStyle, count: Int) throws {
    let kinds = try Self.kinds.get()
    let expected = Set(kinds.assets(nil).filter { $0.playbackStyle == style }.map(\.localIdentifier))
    let shown = Set(kinds.assets(.playbackStyle(style)).map(\.localIdentifier))
    #expect(shown == expected)
    #expect(shown.count == count)
  }

  @Test("R-03: filters can be nested sixteen levels deep") func nested() throws {
    var filter = PHPickerFilter.images
    for _ in 0..<8 { filter = .not(.any(of: [.not(filter), .videos])) }
    #expect(try Self.kinds.get().assets(filter).count == 37)
  }

  @Test("Equal filters are equal") func equal() {
    #expect(PHPickerFilter.any(of: [.images, .not(.videos)]) == .any(of: [.images, .not(.videos)]))
    #expect(PHPickerFilter.any(of: [.images]) != .all(of: [.images]))
    #expect(Set([PHPickerFilter.images, .images, .videos]).count == 2)
  }
}
