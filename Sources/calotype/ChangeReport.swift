import Foundation
import Photos

/// A command's report of its changes: one line of text, or with `--json` an object per change.
struct ChangeReport {
  var text: String
  var lines: [ChangeDescription]

  init(_ text: String, _ change: String, of objects: [PHObject], in collection: PHCollection? = nil) {
    self.text = text
    lines = objects.map {
      ChangeDescription(
        change: change, localIdentifier: $0.localIdentifier, title: ($0 as? PHCollection)?.localizedTitle,
        collection: collection?.localIdentifier)
    }
  }

  func write(json: Bool) throws {
    if json { for line in lines { try JSONLines.print(line) } } else { try Output.write(text) }
  }
}

/// The JSON form of one change. Keys without a value are left out.
struct ChangeDescription: Encodable {
  /// The kind of change: `favorite`, `unfavorite`, `hide`, `unhide`, `edit`, `revert`, `delete`,
  /// `restore`, `expunge`, `create`, `rename`, `add`, `remove` or `move`.
  var change: String
  var localIdentifier: String
  /// The title of a collection after the change.
  var title: String?
  /// The album or folder in which the change was made.
  var collection: String?
  /// The asset's edit after the change.
  var edit: PhotoEdit?
}

extension Int {
  /// Returns a count with its noun: `1 asset`, `2 assets`.
  func counted(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
  var assets: String { counted("asset", "assets") }
}
