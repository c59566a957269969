import Foundation
import Photos
import PhotosTesting
import ProgramTesting
import Testing

/// Each example is run as a person would run it, on a library of four photos, one of them a screenshot, a Live Photo and an album.
@Suite struct ExamplesTests {
  private let temporary: TemporaryLibrary

  init() throws {
    temporary = try TemporaryLibrary()
    func date(_ day: Int) -> SampleMetadata {
      SampleMetadata(captureDate: Date(timeIntervalSince1970: Double(day) * 86_400), offset: 0)
    }
    let tiny = PictureSize(width: 32, height: 24)
    let assets = try temporary.add([
      SampleFile("A.JPG", SampleMedia.jpeg(size: tiny, seed: 1, metadata: date(0))),
      SampleFile("B.JPG", SampleMedia.jpeg(size: tiny, seed: 2, metadata: date(1))),
      SampleFile(
        "C.PNG", SampleMedia.screenshotPNG(size: PictureSize(width: 59, height: 128), seed: 3, metadata: date(2))),
      SampleFile("D.JPG", SampleMedia.jpeg(size: tiny, seed: 4, metadata: date(3))),
    ])
    try temporary.add(
      SampleMedia.livePhoto(size: PictureSize(width: 160, height: 120), seed: 5, metadata: date(4)), named: "E")
    try temporary.library.performChangesAndWait {
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Family")
      album.addAssets(Array(assets[..<2]))
      _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Empty")
    }
  }

  private func run(_ example: String, authorization: String = "authorized") throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Program.path).deletingLastPathComponent()
      .appendingPathComponent(example)
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["CALOTYPE_LIBRARY": temporary.url.path, "CALOTYPE_AUTHORIZATION": authorization]
    ) { $1 }
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: text, as: UTF8.self)
  }

  @Test(
    "An example prints exactly this",
    arguments: [
      (
        "LatestPhotos",
        """
        latest: E.HEIC D.JPG C.PNG
        screenshots: C.PNG
        panoramas and slow motion: none
        the first three days: C.PNG B.JPG A.JPG

        """
      ),
      (
        "AlbumsAndFolders",
        """
        collections at the top: 3
        Travels / Norway: 5
        collections at the top: 3
        Travels / Norway: 4
        collections at the top: 2
        photos: 5

        """
      ),
      (
        "ChangeMetadata",
        """
        favorite: true, at 59.91, 10.75, 0.0
        refused
        favorite: true, at 59.91, 10.75, 0.0
        deleted

        """
      ),
      (
        "BrowsePhotos",
        """
        photos: 5, smart albums: 22, collections: 2
        what is shown is what there is: true
        photos: −0 +0 ~1, moves 0
        photos: −1 +0 ~0, moves 0
        collections: Norway
        photos: 4, smart albums: 22, collections: 3
        what is shown is what there is: true

        """
      ),
      (
        "SegmentedBrowser",
        """
        Recents (5)
        Recently Added (5)
        Live Photos (1)
        Screenshots (1)
        Favorites (1) ★

        """
      ),
      (
        "AlbumPicker",
        """
        shown at first: 0
        Recents, cover E.HEIC
        Favorites, cover none
        Videos, cover none
        Screenshots, cover C.PNG
        Family (2), cover B.JPG
        shown now: 2

        """
      ),
      (
        "TrackChanges",
        """
        inserted 0, updated 1, deleted 0
        inserted 0, updated 0, deleted 1

        """
      ),
      (
        "LivePhotoVideo",
        """
        resources: pairedVideo photo
        written: true

        """
      ),
    ])
  func output(example: String, expected: String) throws {
    let output = try run(example)
    #expect(output == expected)
  }

  @Test(
    "Access is what the environment answers",
    arguments: [
      ("authorized", "after: authorized\nsees 5 assets\nmay add: authorized\nas older code asks: authorized\n"),
      ("denied", "after: denied\nsees nothing: 0 assets\nmay add: not determined\nas older code asks: denied\n"),
    ])
  func access(answer: String, expected: String) throws {
    #expect(try run("AskForAccess", authorization: answer) == "before: not determined\n" + expected)
  }
}
