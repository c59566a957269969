import Foundation
import Photos
import PhotosTesting
import Testing

/// The first sample of README.md.
func makeAlbumOfTheBest() async throws {
  let status = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
  guard status == .authorized || status == .limited else { exit(1) }  // if nobody could answer, standard error says why

  let options = PHFetchOptions()
  options.predicate = NSPredicate(format: "favorite == YES AND mediaType == %d", PHAssetMediaType.image.rawValue)
  options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
  options.fetchLimit = 50
  let latest = PHAsset.fetchAssets(with: options)

  try await PHPhotoLibrary.shared().performChanges {
    let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "The best")
    album.addAssets(latest)
  }
}

@Suite struct ReadmeTests {
  @Test func theSampleEndsWithALineWhereNobodyCanAnswer() async throws {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      unsetenv("CALOTYPE_AUTHORIZATION")
      let temporary = try TemporaryLibrary()
      PHPhotoLibrary.useAsShared(temporary.library.photoLibrary(for: LibraryClient(identifier: "com.example.Best")))
      try await makeAlbumOfTheBest()
    }
    let line = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(line.contains("CALOTYPE_AUTHORIZATION=authorized"))
    #expect(line.contains("NSPhotoLibraryUsageDescription"))
  }

  @Test func theSampleMakesAnAlbumWhereAScriptAnswers() async throws {
    let temporary = try TemporaryLibrary()
    try temporary.add([.photo(favorite: true), .photo(), .photo(favorite: true)])
    let library = temporary.library.photoLibrary(for: LibraryClient(identifier: "com.example.Best"))
    library.authorizationAnswerer = AuthorizationScript { _ in .authorized }
    try await library.asShared { try await makeAlbumOfTheBest() }
    #expect(temporary.summary.hasSuffix("album The best: IMG_0003.JPG, IMG_0001.JPG"))
  }

  @Test func everyLineOfTheSampleIsCompiledHere() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let sample = try #require(page.components(separatedBy: "```swift\n").dropFirst().first)
      .components(separatedBy: "```")[0]
    let own = try String(contentsOfFile: #filePath, encoding: .utf8)
    let compiled = Set(own.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    let lines = sample.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.filter { !compiled.contains($0) } == [])
  }
}
