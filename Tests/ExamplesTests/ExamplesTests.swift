import Foundation
import Testing

@Suite struct ExamplesTests {
  private let library: ExampleLibrary

  init() throws { library = try ExampleLibrary() }

  @Test(
    "An example prints exactly this",
    arguments: [
      (
        "LatestPhotos",
        """
        latest: E.HEIC D.JPG C.PNG
        screenshots: C.PNG
        panoramas and slow motion: none
        the first three days of 1970: C.PNG B.JPG A.JPG

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
        "EditAlbums",
        """
        made: Empty (0), Family (2), Norway (5)
        renamed: Empty (0), Family (2), Norway 2019 (5)
        deleted: Empty (0), Family (2)
        photos: 5

        """
      ),
      (
        "AddPhoto",
        """
        added: 64 × 48
        in Family, with 2 others

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
        the list is up to date: true
        photos: −0 +0 ~1, moves 0
        photos: −1 +0 ~0, moves 0
        changed: Family
        new: Norway
        photos: 4, smart albums: 22, collections: 3
        the list is up to date: true

        """
      ),
      (
        "ScrollGrid",
        """
        at 0: prepare A.JPG B.JPG, forget nothing
        at 50: prepare nothing, forget nothing
        at 100: prepare C.PNG, forget nothing
        at 150: prepare nothing, forget A.JPG
        at 200: prepare D.JPG, forget nothing
        at 250: prepare nothing, forget B.JPG

        """
      ),
      (
        "SegmentedBrowser",
        """
        segments: Favorites | Live Photos | Recently Added | Recents | Screenshots
        Recents: 5
        cell: E.HEIC
        cell: ★ E.HEIC
        shown: 5, of them changed: 1
        Favorites: 1
        cell: E.HEIC
        shown: 0, of them changed: 0
        cell: gone

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
        new at 0: Cousins
        shown now: 2 of Family

        """
      ),
      (
        "PickedPhotos",
        """
        search result: 2 of 3
        B.JPG
        A.JPG
        as picked: A.JPG B.JPG gone

        """
      ),
      (
        "TrackChanges",
        """
        inserted 0, updated 1, deleted 0
        inserted 0, updated 0, deleted 1
        changes in this round: 2
        inserted 0, updated 1, deleted 0
        changes in this round: 1
        changes in this round: 0

        """
      ),
      (
        "LivePhotoVideo",
        """
        resources: pairedVideo photo
        written: true

        """
      ),
      (
        "EditPhoto",
        """
        32 × 24, edited: false
        taken: 1970:01:01 00:00:00
        24 × 32, edited: true, by com.example.turn 1.0
        continued: quarter turns 1
        taken: 1970:01:01 00:00:00
        32 × 24, edited: true, by com.example.turn 1.0
        refused: nothing was rendered
        32 × 24, edited: false
        the original is as it was: true
        120 × 160, edited: true, by com.example.turn 1.0
        resources: adjustmentData fullSizePairedVideo fullSizePhoto pairedVideo photo

        """
      ),
    ])
  func output(example: String, expected: String) throws {
    let output = try library.run(example)
    #expect(output == expected)
  }

  @Test("Picked photos are those that the arguments name, in their order")
  func picked() throws {
    let identifiers = [3, 0].map { library.photos[$0].localIdentifier }
    let output = try library.run("PickedPhotos", identifiers)
    #expect(output == "search result: 2 of 2\nD.JPG\nA.JPG\nas picked: D.JPG A.JPG\n")
  }

  @Test("A program whose standard error is full decodes without workers, too")
  func fullErrors() throws {
    let output = try library.run("AddPhoto", environment: ["CALOTYPE_WORKER": "/missing"], errors: "/dev/full")
    #expect(output == "added: 64 × 48\nin Family, with 2 others\n")
  }
}
