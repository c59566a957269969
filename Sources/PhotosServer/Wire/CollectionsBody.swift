import Photos
import PhotosJSON

/// The answer to `/api/v1/collections`. It is written directly, since a library may have thousands
/// of albums.
enum CollectionsBody {
  /// `saysLocked` marks the album of the hidden assets as locked.
  static func text(revision: String, _ collections: [CollectionOverview], saysLocked: Bool = false) -> JSONText {
    var text = JSONText(capacity: 100 + collections.count * bytesOfACollection)
    text.raw(#"{"revision":"#)
    text.string(revision)
    text.raw(#","collections":"#)
    text.array(collections) { text, overview in write(overview, saysLocked: saysLocked, to: &text) }
    text.raw("}")
    return text
  }

  private static let bytesOfACollection = 400

  private static func write(_ overview: CollectionOverview, saysLocked: Bool, to text: inout JSONText) {
    let collection = overview.collection
    let smartAlbum = (collection as? PHAssetCollection)?.assetCollectionSubtype.name
    text.raw(#"{"id":"#)
    text.string(smartAlbum ?? overview.uuid)
    text.raw(#","kind":"#)
    text.string(smartAlbum != nil ? "smartAlbum" : collection is PHCollectionList ? "folder" : "album")
    text.raw(#","subtype":"#)
    text.string(smartAlbum)
    text.raw(#","title":"#)
    text.string(collection.localizedTitle ?? "")
    text.raw(#","parent":"#)
    text.string(overview.parentUUID)
    text.raw(#","count":"#)
    text.number(overview.count)
    text.raw(#","imageCount":"#)
    text.number(overview.count - overview.videoCount)
    text.raw(#","videoCount":"#)
    text.number(overview.videoCount)
    text.raw(#","covers":"#)
    text.array(overview.covers) { text, cover in
      text.raw(#"{"id":"#)
      text.string(cover.uuid)
      text.raw(#","version":"#)
      text.string(cover.renditionVersion)
      text.raw("}")
    }
    text.raw(#","startDate":"#)
    text.string(overview.startDate.map { ISODate.string($0, offset: 0) })
    text.raw(#","endDate":"#)
    text.string(overview.endDate.map { ISODate.string($0, offset: 0) })
    text.raw(#","can":"#)
    text.array(operations.filter { overview.isAllowed($0.operation) }) { text, operation in
      text.string(operation.name)
    }
    if saysLocked, smartAlbum == PHAssetCollectionSubtype.smartAlbumAllHidden.name { text.raw(#","isLocked":true"#) }
    text.raw("}")
  }

  private static let operations: [(name: String, operation: PHCollectionEditOperation)] = [
    ("rename", .rename), ("delete", .delete), ("addContent", .addContent), ("removeContent", .removeContent),
    ("rearrangeContent", .rearrangeContent),
  ]
}
