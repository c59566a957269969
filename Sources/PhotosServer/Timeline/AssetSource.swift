import Foundation
import HummingbirdCore
import Photos

/// The order of the assets of a collection.
enum AssetOrder: String, CaseIterable {
  /// By the clock of the place where an asset was taken.
  case newest, oldest
  /// By the date at which an asset was added, the latest first.
  case added
  /// The order that a person gave an album.
  case custom
  /// The latest deletion first.
  case deleted

  /// Returns the order with a name, or throws 400.
  static func named(_ name: String) throws -> AssetOrder {
    guard let order = AssetOrder(rawValue: name) else {
      throw Failure(.badRequest, "order has to be one of \(allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return order
  }

  var sortDescriptors: [NSSortDescriptor] {
    switch self {
    case .newest: [NSSortDescriptor(key: "localCreationDate", ascending: false)]
    case .oldest: [NSSortDescriptor(key: "localCreationDate", ascending: true)]
    case .added: [NSSortDescriptor(key: "addedDate", ascending: false)]
    case .custom, .deleted: []
    }
  }
}

/// The assets that a request is about.
enum AssetSource: Hashable, Sendable {
  /// A collection by its name or UUID, or those of its assets that match a filter; in its own order
  /// if `order` is `nil`.
  case collection(String, order: AssetOrder?, filter: AssetFilter = AssetFilter())
  /// The assets that a predicate describes, in an order like `-creationDate,duration`.
  case predicate(String?, sort: String?)
  case search(String)

  /// Whether the assets change with time alone.
  var dependsOnTime: Bool {
    switch self {
    case .collection(let id, _, let filter): filter.text != nil || ["recentlyAdded", "recentlyDeleted"].contains(id)
    case .predicate: false
    case .search: true
    }
  }

  /// The predicate of the request; `nil` if there is none.
  private var predicateText: String? {
    switch self {
    case .collection(_, _, let filter): filter.predicate
    case .predicate(let predicate, _): predicate
    case .search: nil
    }
  }

  /// Runs a reading of the source where it may block. Throws 422 if matching its patterns takes too
  /// long, and 429 if too many readings of the client wait. `client` is the client that asks; `nil`
  /// for the owner.
  func run<Value: Sendable>(
    for client: LibraryClient?, _ read: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await PatternQueue.shared.run([predicateText], for: client) { try reading(read) }
  }

  /// Runs a reading of the source. Throws 422 with the predicate if matching its patterns takes too
  /// long.
  func reading<Value>(_ read: () throws -> Value) throws -> Value {
    do { return try read() } catch let error as PHPhotosError where error.code == .limitExceeded {
      throw Failure(
        .unprocessableContent,
        "where: the patterns of “\(predicateText ?? "")” take too long; "
          + "write simpler ones, or CONTAINS, BEGINSWITH or ENDSWITH",
        problem: .predicateTooCostly, code: error.code)
    }
  }

  /// Returns the assets of a collection as its address and its query name them.
  static func collection(_ id: Substring, _ request: Request) throws -> AssetSource {
    .collection(
      String(id), order: try request.argument("order").map(AssetOrder.named),
      filter: AssetFilter(predicate: request.argument("where"), text: request.argument("q")))
  }
}

/// The assets of a collection that a request is about: those of a predicate, of a search, or both.
struct AssetFilter: Hashable, Sendable {
  var predicate: String?
  var text: String?
  /// The time in which a reading has to match the predicate's patterns.
  var patternSeconds = PatternQueue.limit

  /// Returns the predicate in a query. Throws 400 for a misspelled key that PhotoKit takes, since
  /// many programs have it.
  static func predicate(_ text: String) throws -> NSPredicate {
    guard !text.replacing(/'[^']*'|"[^"]*"/, with: "").contains(/\bmediaSubtype\b/) else {
      throw Failure(.badRequest, "where: there is no key “mediaSubtype”; write “mediaSubtypes”")
    }
    return NSPredicate(format: text)
  }

  /// Options of a fetch of these assets. Throws 400 if the predicate is none.
  func options() throws -> PHFetchOptions {
    let options = text.map { SearchQuery($0).options } ?? PHFetchOptions()
    if let predicate {
      let parts = [options.predicate, try Self.predicate(predicate)].compactMap(\.self)
      options.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
      options.patternSeconds = patternSeconds
    }
    do { try options.validate(for: PHAsset.self) } catch { throw Failure(.badRequest, error.localizedDescription) }
    return options
  }
}

/// The assets of a source at one moment.
struct FoundAssets: @unchecked Sendable {
  // Any thread may use a fetch result.

  let result: PHFetchResult<PHAsset>
  /// The order; `nil` if the assets are not in the order of their days.
  var dayOrder: AssetOrder?

  init(_ source: AssetSource, in library: PHPhotoLibrary) throws {
    switch source {
    case .collection(let id, let order, let filter): try self.init(collection: id, order: order, filter, library)
    case .predicate(let predicate, let sort): try self.init(predicate: predicate, sort: sort, library)
    case .search(let text): try self.init(search: SearchQuery(text), library)
    }
    if let error = result.error { try source.reading { throw error } }
  }

  private init(collection id: String, order: AssetOrder?, _ filter: AssetFilter, _ library: PHPhotoLibrary) throws {
    let options = try filter.options()
    options.photoLibrary = library
    let reference = CollectionReference(id)
    let order = try order ?? reference.defaultOrder(in: library)
    options.sortDescriptors = order.sortDescriptors
    dayOrder = [.newest, .oldest].contains(order) ? order : nil
    switch try reference.find(in: library) {
    case let folder as PHCollectionList:
      guard order != .custom, order != .deleted else { throw Self.refusal(order) }
      result = PHAsset.fetchAssets(in: folder, options: options)
    case let album as PHAssetCollection:
      let subtype = album.assetCollectionSubtype
      guard order != .custom || album.assetCollectionType == .album,
        order != .deleted || subtype == .smartAlbumRecentlyDeleted
      else { throw Self.refusal(order) }
      options.includeHiddenAssets = subtype == .smartAlbumAllHidden
      result = PHAsset.fetchAssets(in: album, options: options)
    default:
      // A client without access sees empty smart albums, and no others.
      result = PHFetchResult()
    }
  }

  private static func refusal(_ order: AssetOrder) -> Failure {
    Failure(
      .badRequest, "the order \(order.rawValue) is only for \(order == .custom ? "albums" : "recentlyDeleted")")
  }

  private init(predicate: String?, sort: String?, _ library: PHPhotoLibrary) throws {
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.predicate = try predicate.map(AssetFilter.predicate)
    options.patternSeconds = PatternQueue.limit
    options.sortDescriptors = (sort ?? "-creationDate").split(separator: ",").map { key in
      NSSortDescriptor(key: String(key.hasPrefix("-") ? key.dropFirst() : key), ascending: !key.hasPrefix("-"))
    }
    do { try options.validate(for: PHAsset.self) } catch { throw Failure(.badRequest, error.localizedDescription) }
    result = PHAsset.fetchAssets(with: options)
  }

  private init(search: SearchQuery, _ library: PHPhotoLibrary) throws {
    let options = search.options
    options.photoLibrary = library
    options.sortDescriptors = AssetOrder.newest.sortDescriptors
    do { try options.validate(for: PHAsset.self) } catch { throw Failure(.badRequest, error.localizedDescription) }
    result = search.isEmpty ? PHFetchResult() : PHAsset.fetchAssets(with: options)
    dayOrder = .newest
  }
}
