import Foundation
import Photos

/// What a command says that it changed: one line, or with `--json` an object for each thing that it was asked about.
struct ChangeReport {
  var text: String
  var lines: [ChangeDescription]

  init(_ text: String, _ change: String, _ objects: [PHObject], in collection: PHCollection? = nil) {
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

/// One change as JSON shows it; what does not apply is left out.
struct ChangeDescription: Encodable {
  /// `favorite`, `unfavorite`, `hide`, `unhide`, `edit`, `revert`, `delete`, `restore`, `expunge`, `create`, `rename`, `add`, `remove` or `move`.
  var change: String
  var localIdentifier: String
  /// A collection's, after the change.
  var title: String?
  /// The album or the folder that it happened in.
  var collection: String?
  /// What an asset's edit does by now.
  var edit: PhotoEdit?
}

extension Int {
  /// `1 asset`, `2 assets`.
  func counted(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
  var assets: String { counted("asset", "assets") }
}
