import Photos

extension PHAssetCollectionSubtype {
  /// The name of a smart album in the API, after PhotoKit's: `userLibrary`, `favorites`, `raw`;
  /// `nil` for other kinds.
  public var name: String? {
    let name = String(describing: self)
    let prefix = "smartAlbum"
    guard name.hasPrefix(prefix), name.count > prefix.count else { return nil }
    let rest = name.dropFirst(prefix.count)
    return rest == rest.uppercased() ? rest.lowercased() : rest.prefix(1).lowercased() + rest.dropFirst()
  }

  /// Returns the kind of smart album with a name; `nil` if there is none.
  public init?(name: String) {
    guard let subtype = Self.named[name] else { return nil }
    self = subtype
  }

  private static let named: [String: PHAssetCollectionSubtype] = Dictionary(
    uniqueKeysWithValues: (Array(200...220) + [1_000_000_201, 1_000_000_301, 1_000_000_302]).compactMap { number in
      PHAssetCollectionSubtype(rawValue: number).flatMap { subtype in subtype.name.map { ($0, subtype) } }
    })
}
