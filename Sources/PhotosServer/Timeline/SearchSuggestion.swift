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

  /// Returns the smart albums that are not empty and the albums in whose titles each word begins a
  /// word.
  static func all(for search: SearchQuery, in library: PHPhotoLibrary) throws -> [SearchSuggestion] {
    let words = search.typed.map(folded).filter { $0.contains { $0.isLetter || $0.isNumber } }
    guard !words.isEmpty else { return [] }
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: words.map { NSPredicate(format: "localizedTitle CONTAINS[cd] %@", $0) })
    options.sortDescriptors = [NSSortDescriptor(key: "localizedTitle", ascending: true)]
    return try [PHAssetCollectionType.smartAlbum, .album].flatMap { type in
      let found = PHAssetCollection.fetchAssetCollections(with: type, subtype: .any, options: options)
      if let error = found.error { throw error }
      return (0..<found.count).lazy.map(found.object(at:))
        .filter { type == .album || $0.estimatedAssetCount != 0 }
        .filter { Self.begin(words, in: $0.localizedTitle ?? "") }
        .prefix(largestCount)
        .map { album in
          SearchSuggestion(
            kind: type == .album ? "album" : "smartAlbum", title: album.localizedTitle ?? "",
            id: album.assetCollectionSubtype.name ?? String(album.localIdentifier.prefix { $0 != "/" }))
        }
    }
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  /// Returns whether each word begins a word of a title. A word may have several parts, like
  /// “slo-mo”.
  private static func begin(_ words: [String], in title: String) -> Bool {
    let title = folded(title)
    let isPart = { (letter: Character) in letter.isLetter || letter.isNumber }
    let starts = title.indices.filter { $0 == title.startIndex || !isPart(title[title.index(before: $0)]) }
    return words.allSatisfy { word in starts.contains { title[$0...].hasPrefix(word) } }
  }
}
