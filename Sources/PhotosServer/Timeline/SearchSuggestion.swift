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

  /// Returns up to five smart albums and five albums whose titles contain words that begin with the
  /// typed ones. Kinds and dates beside other words don't count. Empty smart albums are left out.
  static func all(for search: SearchQuery, in library: PHPhotoLibrary) throws -> [SearchSuggestion] {
    let typed = search.text.isEmpty ? search.typed.joined(separator: " ") : search.text
    guard typed.contains(where: { $0.isLetter || $0.isNumber }) else { return [] }
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.searchText = typed
    options.sortDescriptors = [NSSortDescriptor(key: "localizedTitle", ascending: true)]
    return try [PHAssetCollectionType.smartAlbum, .album].flatMap { type in
      options.fetchLimit = type == .album ? largestCount : 0
      let found = PHAssetCollection.fetchAssetCollections(with: type, subtype: .any, options: options)
      if let error = found.error { throw error }
      let all = found.objects(at: IndexSet(0..<found.count))
      return all.filter { type == .album || $0.estimatedAssetCount != 0 }.prefix(largestCount).map { album in
        SearchSuggestion(
          kind: type == .album ? "album" : "smartAlbum", title: album.localizedTitle ?? "",
          id: album.assetCollectionSubtype.name ?? String(album.localIdentifier.prefix { $0 != "/" }))
      }
    }
  }
}
