import Foundation
import Photos
import PhotosTesting
import PhotosUI
import TestSupport
import Testing

/// The second sample of README.md: the class, and what its program does.
final class App: UIViewController, PHPickerViewControllerDelegate {
  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    guard let photo = results.first?.itemProvider else { exit(0) }  // the person canceled
    photo.loadDataRepresentation(forTypeIdentifier: "public.image") { data, error in
      if let data { print(photo.suggestedName ?? "a photo", data) }  // Fjord 48213 bytes
      exit(data == nil ? 1 : 0)
    }
  }
}

@MainActor func pickAPhoto() -> App {
  let app = App()
  let picker = PHPickerViewController(configuration: PHPickerConfiguration())
  picker.delegate = app
  app.present(picker, animated: true)
  return app
}

/// Not called: a test's process has its own main loop.
func waitForThePerson() {
  dispatchMain()  // waits: not called here
}

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

  @Test(arguments: [true, false])
  func theProgramThatPicksPrintsItsPhoto(picks: Bool) async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) { [picks] in
      let temporary = try TemporaryLibrary()
      try temporary.add(.photo(named: "Fjord"))
      PHPhotoLibrary.useAsShared(temporary.library)
      temporary.library.answerPickers { picks ? $0.pick($0.assets) : $0.cancel() }
      let app = await pickAPhoto()
      // The program exits by itself.
      try await eventually("the end of the program") { false }
      withExtendedLifetime(app) {}
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect((output.firstMatch(of: /Fjord \d+ bytes\n/) != nil) == picks)
  }

  @Test func everyLineOfTheSamplesIsCompiledHere() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let samples = page.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    #expect(samples.count == 2)
    let own = try String(contentsOfFile: #filePath, encoding: .utf8)
    let compiled = Set(
      own.split(separator: "\n").map {
        $0.replacing("  // " + "waits: not called here", with: "").trimmingCharacters(in: .whitespaces)
      })
    let lines = samples.joined().split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.filter { !compiled.contains($0) } == [])
  }
}
