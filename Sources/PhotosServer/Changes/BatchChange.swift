import CoreLocation
import Foundation
import Photos

/// One change of a batch as it was requested. Its identifiers are not looked up yet.
enum BatchChange: Sendable {
  case setAssets(AssetSelection, AssetValues)
  case deleteAssets(AssetSelection)
  case restoreAssets(AssetSelection)
  case deleteAssetsPermanently(AssetSelection)
  /// With `version`, the selection is one asset, which must still have that version.
  case revertAssets(AssetSelection, version: JSONPlace?)
  /// An edit, which takes the place of another one. `version` is as in `revertAssets`.
  case editAssets(AssetSelection, PhotoEdit, version: JSONPlace?)
  case create(Creation)
  case rename(CollectionName, title: String)
  case deleteCollections([CollectionName])
  case moveCollections([CollectionName], into: CollectionName?, index: JSONPlace?)
  case addAssets(CollectionName, AssetSelection, index: JSONPlace?)
  case removeAssets(CollectionName, AssetSelection)
  case moveAssets(CollectionName, AssetSelection, index: JSONPlace)
  case setKeyAsset(CollectionName, ObjectName?)

  /// A new album or folder.
  struct Creation: Sendable {
    var isFolder: Bool
    /// The name by which later changes of the batch refer to it.
    var name: JSONPlace
    var title: String
    var parent: CollectionName?
    var index: JSONPlace?
  }

  static let kinds = [
    "setAssets", "deleteAssets", "restoreAssets", "deleteAssetsPermanently", "revertAssets", "editAssets",
    "createAlbum", "createFolder", "renameCollection", "deleteCollections", "moveCollections", "addAssets",
    "removeAssets", "moveAssets", "setKeyAsset",
  ]

  init(_ place: JSONPlace) throws {
    let type = try place.fields().require("type")
    let kind = try type.string()
    func fields(_ keys: String...) throws -> JSONFields { try place.fields(Set(keys + ["type"])) }
    func assets(_ fields: JSONFields) throws -> AssetSelection { try AssetSelection(fields.require("assets")) }
    func collection(_ fields: JSONFields) throws -> CollectionName {
      try CollectionName(fields.require("collection"))
    }
    switch kind {
    case "setAssets":
      let fields = try place.fields(AssetValues.keys.union(["type", "assets"]))
      self = .setAssets(try assets(fields), try AssetValues(fields, place))
    case "deleteAssets": self = .deleteAssets(try assets(fields("assets")))
    case "restoreAssets": self = .restoreAssets(try assets(fields("assets")))
    case "deleteAssetsPermanently": self = .deleteAssetsPermanently(try assets(fields("assets")))
    case "revertAssets":
      let fields = try fields("assets", "version")
      self = .revertAssets(try assets(fields), version: fields["version"])
    case "editAssets":
      let fields = try fields("assets", "steps", "version")
      let edit = try PhotoEdit(fields.require("steps"))
      self = .editAssets(try assets(fields), edit, version: fields["version"])
    case "createAlbum", "createFolder":
      let fields = try fields("as", "title", "parent", "index")
      let name = try fields.require("as")
      guard try CollectionName.isMade(name.string()) else {
        throw name.failure("the name of a new collection has to be like $1")
      }
      self = .create(
        Creation(
          isFolder: kind == "createFolder", name: name, title: try fields.require("title").title(),
          parent: try fields["parent"].flatMap { try CollectionName(orRoot: $0) }, index: fields["index"]))
    case "renameCollection":
      let fields = try fields("collection", "title")
      self = .rename(try collection(fields), title: try fields.require("title").title())
    case "deleteCollections":
      self = .deleteCollections(try fields("collections").require("collections").array().map { try CollectionName($0) })
    case "moveCollections":
      let fields = try fields("collections", "parent", "index")
      self = .moveCollections(
        try fields.require("collections").array().map { try CollectionName($0) },
        into: try CollectionName(orRoot: fields.require("parent")), index: fields["index"])
    case "addAssets":
      let fields = try fields("collection", "assets", "index")
      self = .addAssets(try collection(fields), try assets(fields), index: fields["index"])
    case "removeAssets":
      let fields = try fields("collection", "assets")
      self = .removeAssets(try collection(fields), try assets(fields))
    case "moveAssets":
      let fields = try fields("collection", "assets", "index")
      self = .moveAssets(try collection(fields), try assets(fields), index: try fields.require("index"))
    case "setKeyAsset":
      let fields = try fields("collection", "asset")
      let asset = try fields.require("asset")
      self = .setKeyAsset(try collection(fields), asset.isNull ? nil : try ObjectName(asset))
    default:
      let kinds = Self.kinds.joined(separator: ", ")
      throw type.failure("“\(kind.prefix(100))” is not a type of change; the types are \(kinds)")
    }
  }

  /// Reads the changes of a request's body.
  static func all(_ body: JSONPlace) throws -> [BatchChange] {
    let changes = try body.fields(["changes"]).require("changes")
    let list = try changes.array()
    guard (1...limit).contains(list.count) else {
      throw changes.failure("a batch has 1 to \(limit) changes, not \(list.count)")
    }
    return try list.map { try BatchChange($0) }
  }

  private static let limit = 1000

  /// The assets that the change is about; `nil` if it names none, or a single one.
  var selection: AssetSelection? {
    switch self {
    case .setAssets(let assets, _), .deleteAssets(let assets), .restoreAssets(let assets),
      .deleteAssetsPermanently(let assets), .revertAssets(let assets, _),
      .editAssets(let assets, _, _),
      .addAssets(_, let assets, _), .removeAssets(_, let assets), .moveAssets(_, let assets, _):
      assets
    case .create, .rename, .deleteCollections, .moveCollections, .setKeyAsset: nil
    }
  }

  /// Whether the change can't be undone.
  var isPermanent: Bool { if case .deleteAssetsPermanently = self { true } else { false } }

  /// Whether the change is about albums or folders, which a client with limited access doesn't see.
  var isOfCollections: Bool {
    switch self {
    case .setAssets, .deleteAssets, .restoreAssets, .deleteAssetsPermanently, .revertAssets, .editAssets: false
    case .create, .rename, .deleteCollections, .moveCollections, .addAssets, .removeAssets, .moveAssets, .setKeyAsset:
      true
    }
  }
}

/// The identifier of an album or a folder, or the name of one that the batch makes: `$1`.
enum CollectionName: Sendable {
  case stored(ObjectName)
  case made(JSONPlace)

  init(_ place: JSONPlace) throws {
    self = Self.isMade(try place.string()) ? .made(place) : .stored(try ObjectName(place))
  }

  /// Makes the name of a folder; `nil` for the top level.
  init?(orRoot place: JSONPlace) throws {
    if place.isNull { return nil }
    try self.init(place)
  }

  static func isMade(_ text: String) -> Bool {
    text.first == "$" && (2...40).contains(text.utf8.count)
      && text.dropFirst().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  var place: JSONPlace {
    switch self {
    case .stored(let name): name.place
    case .made(let place): place
    }
  }
}

extension JSONPlace {
  /// Returns the title of an album or a folder.
  fileprivate func title() throws -> String {
    let title = try text(limit: 1000)
    guard title.contains(where: { !$0.isWhitespace }) else { throw failure("the title is empty") }
    return title
  }

  func text(limit: Int) throws -> String {
    let text = try string()
    guard text.count <= limit else { throw failure("this may have \(limit) characters, and has \(text.count)") }
    return text
  }
}

extension PhotoEdit {
  /// Reads the steps of an edit, as the asset in full has them.
  fileprivate init(_ place: JSONPlace) throws {
    guard case .object = place.value else { throw place.failure("this has to be an object, not \(place.value.kind)") }
    do { self = try JSONDecoder().decode(PhotoEdit.self, from: JSONEncoder().encode(place.value)) } catch {
      guard let error = error as? DecodingError, let (context, key) = error.place else {
        throw place.failure("these are not the steps of an edit")
      }
      let path = (context.codingPath.map(\.stringValue) + [key].compactMap(\.self)).joined(separator: ".")
      throw JSONPlace(value: .null, path: path.isEmpty ? place.path : "\(place.path).\(path)")
        .failure(context.debugDescription)
    }
  }
}

extension DecodingError {
  fileprivate var place: (context: Context, key: String?)? {
    switch self {
    case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context): (context, nil)
    case .keyNotFound(let key, let context): (context, key.stringValue)
    @unknown default: nil
    }
  }
}
