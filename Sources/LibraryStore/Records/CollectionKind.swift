/// The kind of a row of `collection`: an album or a folder of the user, or a smart album.
public enum CollectionKind: Int, Sendable, CaseIterable {
  case album = 1
  case smartAlbum, folder
}
