// PhotoKit's enumerations of collections, with its names and raw values.

/// An operation on a collection.
public enum PHCollectionEditOperation: Int, Sendable {
  /// Delete the objects in the collection.
  case deleteContent = 1
  /// Take objects out of the collection.
  case removeContent = 2
  case addContent = 3
  /// Create objects in the collection.
  case createContent = 4
  case rearrangeContent = 5
  /// Delete the collection itself.
  case delete = 6
  case rename = 7
}

/// The type of a collection of assets. A smart album selects its assets by a rule.
public enum PHAssetCollectionType: Int, Sendable {
  case album = 1
  case smartAlbum = 2
  /// Deprecated by PhotoKit. A library has none.
  case moment = 3
}

/// The kind of an album or a smart album.
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
  /// Assets that were deleted and can be restored for thirty days. Older systems use this number
  /// without a name.
  case smartAlbumRecentlyDeleted = 1_000_000_201
  /// Assets whose pictures can't be shown, although the files are kept.
  case smartAlbumUnreadable = 1_000_000_301
  /// Photos with a missing or wrong part. The rest can be shown.
  case smartAlbumDamaged = 1_000_000_302
  /// Any kind, for fetches.
  case any = 9_223_372_036_854_775_807
}

/// The type of a list of collections.
public enum PHCollectionListType: Int, Sendable {
  /// Deprecated by PhotoKit. A library has none.
  case momentList = 1
  case folder = 2
  case smartFolder = 3
}

/// The kind of a list of collections.
public enum PHCollectionListSubtype: Int, Sendable {
  case momentListCluster = 1
  case momentListYear = 2
  case regularFolder = 100
  /// The folder that contains all others. It can't be renamed or deleted.
  case rootFolder = 101
  case smartFolderEvents = 200
  case smartFolderFaces = 201
  /// Any kind, for fetches.
  case any = 9_223_372_036_854_775_807
}
