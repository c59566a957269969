// PhotoKit's enumerations of collections, with its names and raw values.

/// What can be done to a collection.
public enum PHCollectionEditOperation: Int, Sendable {
  /// Delete the things that it holds.
  case deleteContent = 1
  /// Take things out of it.
  case removeContent = 2
  case addContent = 3
  /// Make new things in it.
  case createContent = 4
  case rearrangeContent = 5
  /// Delete the collection itself.
  case delete = 6
  case rename = 7
}

/// Whether a collection of assets is an album, or one that fills itself.
public enum PHAssetCollectionType: Int, Sendable {
  case album = 1
  case smartAlbum = 2
  /// Deprecated by PhotoKit; a library has none.
  case moment = 3
}

/// What kind of album or smart album a collection is.
public enum PHAssetCollectionSubtype: Int, Sendable {
  case albumRegular = 2
  case albumSyncedEvent = 3
  case albumSyncedFaces = 4
  case albumSyncedAlbum = 5
  case albumImported = 6
  case albumMyPhotoStream = 100
  case albumCloudShared = 101
  case smartAlbumGeneric = 200
  case smartAlbumPanoramas = 201
  case smartAlbumVideos = 202
  case smartAlbumFavorites = 203
  case smartAlbumTimelapses = 204
  case smartAlbumAllHidden = 205
  case smartAlbumRecentlyAdded = 206
  case smartAlbumBursts = 207
  case smartAlbumSlomoVideos = 208
  case smartAlbumUserLibrary = 209
  case smartAlbumSelfPortraits = 210
  case smartAlbumScreenshots = 211
  case smartAlbumDepthEffect = 212
  case smartAlbumLivePhotos = 213
  case smartAlbumAnimated = 214
  case smartAlbumLongExposures = 215
  case smartAlbumUnableToUpload = 216
  case smartAlbumRAW = 217
  case smartAlbumCinematic = 218
  case smartAlbumSpatial = 219
  case smartAlbumScreenRecordings = 220
  /// Extension: what was deleted and can be restored for thirty days. Older systems have it under this number, without a name.
  case smartAlbumRecentlyDeleted = 1_000_000_201
  /// Extension: assets whose files are kept though their pictures can't be shown.
  case smartAlbumUnreadable = 1_000_000_301
  /// Extension: photos with a missing or wrong part; the rest can be shown.
  case smartAlbumDamaged = 1_000_000_302
  /// Of whatever kind: for fetches.
  case any = 9_223_372_036_854_775_807
}

/// Whether a list of collections is a folder.
public enum PHCollectionListType: Int, Sendable {
  /// Deprecated by PhotoKit; a library has none.
  case momentList = 1
  case folder = 2
  case smartFolder = 3
}

/// What kind of folder a list of collections is.
public enum PHCollectionListSubtype: Int, Sendable {
  case momentListCluster = 1
  case momentListYear = 2
  case regularFolder = 100
  /// The folder that all others are in; it can't be renamed or deleted.
  case rootFolder = 101
  case smartFolderEvents = 200
  case smartFolderFaces = 201
  /// Of whatever kind: for fetches.
  case any = 9_223_372_036_854_775_807
}
