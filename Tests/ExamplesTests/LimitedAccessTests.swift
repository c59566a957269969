import Testing

@Suite struct LimitedAccessTests {
  private let library: ExampleLibrary

  init() throws { library = try ExampleLibrary() }

  @Test(
    "With limited access and nothing chosen a program goes on, and says what it lacks",
    arguments: [
      (
        "LatestPhotos",
        """
        latest: none
        screenshots: none
        panoramas and slow motion: none
        the first three days of 1970: none

        """
      ),
      (
        "AlbumsAndFolders",
        """
        no photo for an album
        photos: 0

        """
      ),
      (
        "EditAlbums",
        """
        may not change albums

        """
      ),
      (
        "AddPhoto",
        """
        no album to put it into
        added: 64 × 48

        """
      ),
      (
        "ChangeMetadata",
        """
        no photo to change

        """
      ),
      (
        "BrowsePhotos",
        """
        photos: 0, smart albums: 22, collections: 0
        the list is up to date: true
        may not make albums
        photos: 0, smart albums: 22, collections: 0
        the list is up to date: true

        """
      ),
      (
        "SegmentedBrowser",
        """
        segments: Favorites
        no segment Recents
        no image to make a favorite

        """
      ),
      (
        "AlbumPicker",
        """
        shown at first: 0
        Recents, cover none
        Favorites, cover none
        Videos, cover none
        Screenshots, cover none
        may not make albums
        shown now: 0 of Recents

        """
      ),
      (
        "PickedPhotos",
        """
        search result: 0 of 1
        as picked: gone

        """
      ),
      (
        "TrackChanges",
        """
        fewer than two photos to change

        """
      ),
      (
        "LivePhotoVideo",
        """
        no Live Photo

        """
      ),
      (
        "EditPhoto",
        """
        no photo to edit

        """
      ),
    ])
  func nothingChosen(example: String, expected: String) throws {
    let output = try library.run(example, authorization: "limited")
    #expect(output == "only chosen photos are visible\n" + expected)
  }

  @Test(
    "With limited access a program goes on with the chosen photos",
    arguments: [
      (
        "LatestPhotos",
        """
        latest: C.PNG A.JPG
        screenshots: C.PNG
        panoramas and slow motion: none
        the first three days of 1970: C.PNG A.JPG

        """
      ),
      (
        "AlbumsAndFolders",
        """
        may not make albums
        photos: 2

        """
      ),
      (
        "EditAlbums",
        """
        may not change albums

        """
      ),
      (
        "AddPhoto",
        """
        no album to put it into
        added: 64 × 48

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
        photos: 2, smart albums: 22, collections: 0
        the list is up to date: true
        photos: −0 +0 ~1, moves 0
        photos: −1 +0 ~0, moves 0
        may not make albums
        photos: 1, smart albums: 22, collections: 0
        the list is up to date: true

        """
      ),
      (
        "SegmentedBrowser",
        """
        segments: Favorites | Recently Added | Recents | Screenshots
        Recents: 2
        cell: C.PNG
        cell: ★ C.PNG
        shown: 2, of them changed: 1
        Favorites: 1
        cell: C.PNG
        shown: 0, of them changed: 0
        cell: gone

        """
      ),
      (
        "AlbumPicker",
        """
        shown at first: 0
        Recents, cover C.PNG
        Favorites, cover none
        Videos, cover none
        Screenshots, cover C.PNG
        may not make albums
        shown now: 2 of Recents

        """
      ),
      (
        "PickedPhotos",
        """
        search result: 2 of 3
        C.PNG
        A.JPG
        as picked: A.JPG C.PNG gone

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
        no Live Photo

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
        no Live Photo

        """
      ),
    ])
  func twoChosen(example: String, expected: String) throws {
    let chosen = [0, 2].map { library.photos[$0].localIdentifier }.joined(separator: ",")
    let output = try library.run(example, authorization: "limited:\(chosen)")
    #expect(output == "only chosen photos are visible\n" + expected)
  }
}
