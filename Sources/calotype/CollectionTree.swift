import Foundation
import Photos

/// The library's albums and folders in the order in which they stand, and its smart albums.
///
///     let norway = try CollectionTree(library).collection(named: "Travels/Norway", .album)
struct CollectionTree {
  struct Entry {
    var collection: PHCollection
    /// The titles from the top level down to its own.
    var path: [String]
    var kind: Kind
    /// Of an album its assets, without the hidden ones; of a folder what stands in it.
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

  /// What stands in a folder, to any depth.
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
  /// The collection that a person means by an identifier, a title, or titles with slashes between: the last ones of its path, or after
  /// a slash at the beginning all of them.
  func collection(named name: String, _ kinds: Kind...) throws -> Entry {
    if name.isEmpty { throw CommandError("the name of the \(kinds.words) is empty") }
    let all = entries + smartAlbums
    if let entry = all.first(where: { $0.collection.isNamed(name) }) { return try check(entry, kinds, name) }
    let exact = all.filter { $0.matches(name) }
    let found = exact.isEmpty ? all.filter { $0.matches(name, options: .caseInsensitive) } : exact
    let wanted = found.filter { kinds.contains($0.kind) }
    if wanted.count > 1 { throw CommandError(Self.ambiguity(name, wanted)) }
    if let entry = wanted.first { return entry }
    if let entry = found.first { return try check(entry, kinds, name) }
    throw CommandError("\(name): there is no such \(kinds.words)\(suggestion(for: name, among: kinds))")
  }

  private func check(_ entry: Entry, _ kinds: [Kind], _ name: String) throws -> Entry {
    guard kinds.contains(entry.kind) else {
      throw CommandError("\(name): it is \(entry.kind.withArticle), and this needs \(kinds.wordsWithArticle)")
    }
    return entry
  }

  private static func ambiguity(_ name: String, _ entries: [Entry]) -> String {
    let tells = Set(entries.map(\.pathText)).count > 1 ? "the identifier or a longer path" : "the identifier"
    return
      (["\(name): \(entries.count) collections have this name; say which by \(tells):"]
      + entries.map {
        "  \($0.collection.localIdentifier)  /\($0.pathText)\($0.kind == .smartAlbum ? " (smart album)" : "")"
      }).joined(separator: "\n")
  }

  private func suggestion(for name: String, among kinds: [Kind]) -> String {
    let title = name.split(separator: "/").last.map(String.init) ?? name
    let near = (entries + smartAlbums).filter { kinds.contains($0.kind) }
      .map { (entry: $0, distance: $0.path[$0.path.count - 1].distance(to: title)) }.min { $0.distance < $1.distance }
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
  // A smart album is an album too.
  private var named: [CollectionTree.Kind] { contains(.album) ? filter { $0 != .smartAlbum } : self }
  fileprivate var words: String { named.map(\.word).joined(separator: " or ") }
  fileprivate var wordsWithArticle: String { named.map(\.withArticle).joined(separator: " or ") }
}

extension PHObject {
  /// Whether a text is its identifier, whole or the UUID alone.
  fileprivate func isNamed(_ text: String) -> Bool {
    let text = text.uppercased()
    return localIdentifier == text || localIdentifier.hasPrefix(text + "/")
  }
}

extension PHFetchResult {
  /// All objects, or the error that PhotoKit's fetches can't throw.
  func all() throws -> [ObjectType] {
    if let error { throw error }
    let objects = objects(at: IndexSet(0..<count))
    if let error { throw error }
    return objects
  }
}

extension String {
  /// How many characters have to be put in, taken out or replaced to make the other text, whatever their case.
  func distance(to other: String) -> Int {
    let (from, to) = (Array(lowercased()), Array(other.lowercased()))
    var row = Array(0...to.count)
    for (index, character) in from.enumerated() {
      var next = [index + 1]
      for column in to.indices {
        let replaced = row[column] + (character == to[column] ? 0 : 1)
        next.append(Swift.min(replaced, row[column + 1] + 1, next[column] + 1))
      }
      row = next
    }
    return row[to.count]
  }
}
