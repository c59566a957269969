import Foundation
import Photos

/// The assets that a request names: identifiers, or a range of a collection.
///
///     ["0BD5…", "7A3C…"]
///     {"range": {"collection": "userLibrary", "order": "newest", "revision": "…", "first": 0, "end": 60000,
///                "except": ["0BD5…"]}}
enum AssetSelection: Sendable {
  case listed([ObjectName])
  case range(Range)

  /// The assets from one position of a collection up to another.
  struct Range: Sendable {
    var collection: JSONPlace
    var order: JSONPlace?
    /// A predicate and a search that the assets match.
    var predicate: JSONPlace?
    var text: JSONPlace?
    var revision: JSONPlace
    var total: JSONPlace?
    var positions: Swift.Range<Int>
    var end: JSONPlace
    var except: Set<String>
  }

  init(_ place: JSONPlace) throws {
    if case .array = place.value {
      self = .listed(try place.array().map { try ObjectName($0) })
      return
    }
    let range = try place.fields(["range"]).require("range")
    let fields = try range.fields(["collection", "order", "where", "q", "revision", "total", "first", "end", "except"])
    let first = try fields.require("first").integer(in: 0...Int(Int32.max))
    let end = try fields.require("end")
    let collection = try fields.require("collection")
    _ = try collection.string()
    self = .range(
      Range(
        collection: collection, order: fields["order"], predicate: fields["where"], text: fields["q"],
        revision: try fields.require("revision"), total: fields["total"],
        positions: first..<(try end.integer(in: first...Int(Int32.max))),
        end: end, except: Set(try fields["except"]?.array().map { try ObjectName($0).uuid } ?? [])))
  }
}

/// The identifier of an asset, an album or a folder in a request, with its place.
struct ObjectName: Sendable {
  let place: JSONPlace
  /// The UUID in the library's spelling.
  let uuid: String

  init(_ place: JSONPlace) throws {
    let text = try place.string()
    guard text.utf8.count == 36, UUID(uuidString: text) != nil else {
      throw place.failure("“\(text.prefix(100))” is not an identifier")
    }
    self.place = place
    uuid = text.uppercased()
  }

  /// Returns the failure of an identifier without an object.
  func missing(_ kind: String) -> Failure {
    place.failure("there is no \(kind) \(uuid)", code: .identifierNotFound)
  }
}

extension AssetSelection {
  /// The part of the library in which the assets are looked up.
  enum Part { case present, recentlyDeleted }

  /// The predicate that the assets match; `nil` if there is none.
  var predicate: String? { if case .range(let range) = self { try? range.predicate?.string() } else { nil } }

  /// The number of assets that are named, known before they are looked up. It is too small if the
  /// exceptions of a range are outside of it, and too large if an identifier is listed twice.
  var count: Int {
    switch self {
    case .listed(let names): names.count
    case .range(let range): max(0, range.positions.count - range.except.count)
    }
  }

  /// Returns the assets in the given order, each of them once. Throws if one of them isn't there,
  /// or isn't visible to the one who asks. Throws 422 if matching patterns takes longer than
  /// `patternSeconds`.
  func assets(
    in library: PHPhotoLibrary, _ part: Part = .present, patternSeconds: Double = PatternQueue.limit
  ) throws -> [PHAsset] {
    switch self {
    case .listed(let names): return try Self.assets(names, in: library, part)
    case .range(let range): return try range.assets(in: library, patternSeconds: patternSeconds)
    }
  }

  private static func assets(_ names: [ObjectName], in library: PHPhotoLibrary, _ part: Part) throws -> [PHAsset] {
    let options = PHFetchOptions()
    options.photoLibrary = library
    let found: PHFetchResult<PHAsset>
    switch part {
    case .present: found = PHAsset.fetchAssets(withLocalIdentifiers: names.map(\.uuid), options: options)
    case .recentlyDeleted:
      options.includeHiddenAssets = true
      options.includeAllBurstAssets = true
      found = PHAsset.fetchRecentlyDeletedAssets(withUUIDs: names.map(\.uuid), options: options)
    }
    let byID = Dictionary(try found.all().map { ($0.uuid, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<String> = []
    return try names.compactMap { name in
      guard let asset = byID[name.uuid] else {
        throw name.missing(part == .present ? "asset" : "asset in Recently Deleted")
      }
      return seen.insert(name.uuid).inserted ? asset : nil
    }
  }
}
