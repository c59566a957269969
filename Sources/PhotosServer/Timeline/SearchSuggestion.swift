import Foundation
import Photos

/// A collection that a person may mean by what they have typed.
struct SearchSuggestion: Hashable, Sendable {
  /// `album` or `smartAlbum`.
  var kind: String
  var title: String
  var id: String

  /// The number of suggestions of each kind.
  private static let largestCount = 5

  /// Returns the smart albums and albums whose titles contain the words.
  static func all(for search: SearchQuery, in library: PHPhotoLibrary) throws -> [SearchSuggestion] {
    guard !search.text.isEmpty else { return [] }
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.predicate = NSPredicate(format: "localizedTitle CONTAINS[cd] %@", search.text)
    options.sortDescriptors = [NSSortDescriptor(key: "localizedTitle", ascending: true)]
    options.fetchLimit = largestCount
    return try [PHAssetCollectionType.smartAlbum, .album].flatMap { type in
      let found = PHAssetCollection.fetchAssetCollections(with: type, subtype: .any, options: options)
      if let error = found.error { throw error }
      return (0..<found.count).map(found.object(at:)).map { album in
        SearchSuggestion(
          kind: type == .album ? "album" : "smartAlbum", title: album.localizedTitle ?? "",
          id: album.assetCollectionSubtype.name ?? String(album.localIdentifier.prefix { $0 != "/" }))
      }
    }
  }
}
