import Foundation
import Photos

/// The library's albums and folders in the owner's order, and its smart albums.
///
///     let norway = try CollectionTree(library).collection(named: "Travels/Norway", .album)
struct CollectionTree {
  struct Entry {
    var collection: PHCollection
    /// The titles from the top level to the collection itself.
    var path: [String]
    var kind: Kind
    /// The number of an album's assets without hidden ones, or of a folder's direct children.
    var count: Int

    var pathText: String { path.joined(separator: "/") }
  }

  enum Kind: String, Encodable {
    case album, folder, smartAlbum
  }

  private(set) var entries: [Entry] = []
  private(set) var smartAlbums: [Entry] = []

  init(_ library: PHPhotoLibrary) throws {
    let options = PHFetchOptions()
    options.photoLibrary = library
    try add(PHCollection.fetchTopLevelUserCollections(with: options), below: [])
    let smart = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .any, options: options)
    smartAlbums = try smart.all().map { album in
      Entry(
        collection: album, path: [album.localizedTitle ?? ""], kind: .smartAlbum, count: Self.count(album, in: library))
    }
  }

  /// Lists the contents of a folder, at any depth.
  init(below folder: Entry, of library: PHPhotoLibrary) throws {
    guard let list = folder.collection as? PHCollectionList else { return }
    let options = PHFetchOptions()
    options.photoLibrary = library
    try add(PHCollection.fetchCollections(in: list, options: options), below: folder.path)
  }

  private mutating func add(_ collections: PHFetchResult<PHCollection>, below path: [String]) throws {
    for collection in try collections.all() {
      let path = path + [collection.localizedTitle ?? ""]
      if let folder = collection as? PHCollectionList {
        let options = PHFetchOptions()
        options.photoLibrary = folder.photoLibrary
        let children = PHCollection.fetchCollections(in: folder, options: options)
        entries.append(Entry(collection: folder, path: path, kind: .folder, count: children.count))
        try add(children, below: path)
      } else if let album = collection as? PHAssetCollection {
        entries.append(
          Entry(collection: album, path: path, kind: .album, count: Self.count(album, in: album.photoLibrary)))
      }
    }
  }

  private static func count(_ album: PHAssetCollection, in library: PHPhotoLibrary) -> Int {
    let estimate = album.estimatedAssetCount
    if estimate != NSNotFound { return estimate }
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.includeHiddenAssets = album.assetCollectionSubtype == .smartAlbumAllHidden
    return PHAsset.fetchAssets(in: album, options: options).count
  }
}

extension CollectionTree {
  /// Finds a collection by its identifier, its title, or titles separated by slashes. Such a path
  /// may be the end of the collection's path. If it begins with a slash, it is the whole path.
  func collection(named name: String, _ kinds: Kind...) throws -> Entry {
    if name.isEmpty { throw CommandError("the name of the \(kinds.words) is empty") }
    let all = entries + smartAlbums
    if let entry = all.first(where: { $0.collection.hasIdentifier(name) }) {
      return try check(entry, isAmong: kinds, name: name)
    }
    let exact = all.filter { $0.matches(name) }
    let found = exact.isEmpty ? all.filter { $0.matches(name, options: .caseInsensitive) } : exact
    let wanted = found.filter { kinds.contains($0.kind) }
    if wanted.count > 1 { throw CommandError(Self.ambiguity(name, wanted)) }
    if let entry = wanted.first { return entry }
    if let entry = found.first { return try check(entry, isAmong: kinds, name: name) }
    throw CommandError("\(name): there is no such \(kinds.words)\(suggestion(for: name, among: kinds))")
  }

  private func check(_ entry: Entry, isAmong kinds: [Kind], name: String) throws -> Entry {
    guard kinds.contains(entry.kind) else {
      throw CommandError("\(name): this is \(entry.kind.withArticle), but the command needs \(kinds.wordsWithArticle)")
    }
    return entry
  }

  private static func ambiguity(_ name: String, _ entries: [Entry]) -> String {
    let distinction = Set(entries.map(\.pathText)).count > 1 ? "the identifier or a longer path" : "the identifier"
    return
      (["\(name): \(entries.count) collections have this name; use \(distinction):"]
      + entries.map {
        "  \($0.collection.localIdentifier)  /\($0.pathText)\($0.kind == .smartAlbum ? " (smart album)" : "")"
      }).joined(separator: "\n")
  }

  private func suggestion(for name: String, among kinds: [Kind]) -> String {
    let title = name.split(separator: "/").last.map(String.init) ?? name
    let near = (entries + smartAlbums).filter { kinds.contains($0.kind) }
      .map { (entry: $0, distance: $0.path[$0.path.count - 1].lowercased().editDistance(to: title.lowercased())) }.min {
        $0.distance < $1.distance
      }
    guard let near, near.distance <= max(1, title.count / 3) else { return "" }
    return "; did you mean “\(near.entry.pathText)”?"
  }
}

extension CollectionTree.Entry {
  fileprivate func matches(_ name: String, options: String.CompareOptions = []) -> Bool {
    let path = "/" + pathText
    return name.hasPrefix("/")
      ? path.compare(name, options: options) == .orderedSame
      : path.range(of: "/" + name, options: options.union([.anchored, .backwards])) != nil
  }
}

extension CollectionTree.Kind {
  fileprivate var word: String {
    switch self {
    case .album: "album"
    case .folder: "folder"
    case .smartAlbum: "smart album"
    }
  }

  fileprivate var withArticle: String { self == .album ? "an album" : "a \(word)" }
}

extension [CollectionTree.Kind] {
  // A smart album counts as an album in messages.
  private var named: [CollectionTree.Kind] { contains(.album) ? filter { $0 != .smartAlbum } : self }
  fileprivate var words: String { named.map(\.word).joined(separator: " or ") }
  fileprivate var wordsWithArticle: String { named.map(\.withArticle).joined(separator: " or ") }
}

extension PHObject {
  /// Returns whether a text is the object's identifier, or the UUID at its beginning.
  fileprivate func hasIdentifier(_ text: String) -> Bool {
    let text = text.uppercased()
    return localIdentifier == text || localIdentifier.hasPrefix(text + "/")
  }
}
