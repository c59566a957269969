import Foundation
import Testing

private let readers = [
  "AddPhoto", "AlbumPicker", "AlbumsAndFolders", "BrowsePhotos", "ChangeMetadata", "EditAlbums", "EditPhoto",
  "LatestPhotos",
  "LivePhotoVideo", "PickedPhotos", "ScrollGrid", "SegmentedBrowser", "TrackChanges",
]

@Suite struct AccessTests {
  private let library: ExampleLibrary

  init() throws { library = try ExampleLibrary() }

  @Test("A program that may not read says so and ends well", arguments: readers)
  func refused(example: String) throws {
    for access in ["denied", "restricted", "addOnly"] {
      let output = try library.run(example, authorization: access)
      #expect(output == "no access to the photos\n", "\(access)")
    }
  }

  @Test("Every example is run") func complete() throws {
    let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Examples").standardizedFileURL
    let examples = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    // The tests in the browser run the others: pages, and configurations of proxies.
    let programs = examples.filter { name in
      !["Web", "Proxies", "README.md", "."].contains { name.hasPrefix($0) }
    }
    #expect(programs.sorted() == (readers + ["AskForAccess", "PickPhotos"]).sorted())
  }

  @Test(
    "Access is what the environment answers",
    arguments: [
      (
        "authorized",
        """
        after: authorized
        sees 5 assets
        may add: authorized
        with a handler: authorized
        as older code asks: authorized
        as older code reads it: authorized

        """
      ),
      (
        "limited",
        """
        after: limited
        sees 0 assets
        may add: authorized
        with a handler: limited
        as older code asks: authorized
        as older code reads it: authorized

        """
      ),
      (
        "denied",
        """
        after: denied
        sees nothing: 0 assets
        may add: not determined
        with a handler: denied
        as older code asks: denied
        as older code reads it: denied

        """
      ),
    ])
  func access(answer: String, expected: String) throws {
    let output = try library.run("AskForAccess", authorization: answer)
    #expect(output == "before: not determined\n" + expected)
  }
}
