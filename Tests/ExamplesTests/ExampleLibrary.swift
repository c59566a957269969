import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

/// A library on which an example runs as a person would run it. It contains four photos, one of
/// them a screenshot, a Live Photo and two albums.
struct ExampleLibrary {
  private let temporary: TemporaryLibrary
  /// The photos `A.JPG`, `B.JPG`, `C.PNG` and `D.JPG`, each taken a day after the one before.
  let photos: [PHAsset]
  /// The Live Photo `E.HEIC`, the newest.
  let live: PHAsset

  init() throws {
    temporary = try TemporaryLibrary()
    func date(_ day: Int) -> SampleMetadata {
      SampleMetadata(captureDate: Date(timeIntervalSince1970: Double(day) * 86_400), offset: 0)
    }
    let tiny = PictureSize(width: 32, height: 24)
    photos = try temporary.add([
      SampleFile("A.JPG", SampleMedia.jpeg(size: tiny, seed: 1, metadata: date(0))),
      SampleFile("B.JPG", SampleMedia.jpeg(size: tiny, seed: 2, metadata: date(1))),
      SampleFile(
        "C.PNG", SampleMedia.screenshotPNG(size: PictureSize(width: 59, height: 128), seed: 3, metadata: date(2))),
      SampleFile("D.JPG", SampleMedia.jpeg(size: tiny, seed: 4, metadata: date(3))),
    ])
    live = try temporary.add(
      SampleMedia.livePhoto(size: PictureSize(width: 160, height: 120), seed: 5, metadata: date(4)), named: "E")
    let family = Array(photos[..<2])
    try temporary.library.performChangesAndWait {
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Family")
      album.addAssets(family)
      _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Empty")
    }
  }

  /// Runs an example, expects the exit status 0, and returns the output. `picker` answers the
  /// example's pickers. `environment` contains further variables. `errors` is a file in place of
  /// the pipe for the standard error.
  func run(
    _ example: String, _ arguments: [String] = [], authorization: String = "authorized", picker: String = "cancelled",
    environment: [String: String] = [:], errors: String? = nil
  ) throws -> String {
    let variables = [
      "CALOTYPE_LIBRARY": temporary.url.path, "CALOTYPE_AUTHORIZATION": authorization, "CALOTYPE_PICKER": picker,
    ].merging(environment) { $1 }
    let redirection = errors.map { " 2>\($0)" } ?? ""
    let outcome = try Child.run(
      "/bin/sh", ["-c", #"exec "$0" "$@""# + redirection, Program.path(of: example)] + arguments,
      environment: variables)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }
}
