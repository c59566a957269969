import Foundation
import Photos

/// The answer to `/api/library`.
struct LibraryAnswer: Codable, Hashable {
  var name: String
  var assetCount: Int
  var revision: String
}

/// The answer to `/api/assets`.
struct AssetsAnswer: Codable, Hashable {
  var revision: String
  var offset: Int
  var assets: [GridCell]

  /// The same bytes as from a `JSONEncoder` with sorted keys.
  var text: JSONText {
    var text = JSONText(capacity: 200 + assets.count * GridCell.bytes)
    text.raw(#"{"assets":"#)
    text.array(assets) { text, cell in cell.write(to: &text) }
    text.raw(#","offset":"#)
    text.number(offset)
    text.raw(#","revision":"#)
    text.string(revision)
    text.raw("}")
    return text
  }
}
