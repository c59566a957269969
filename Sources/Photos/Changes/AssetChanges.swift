internal import LibraryStore

/// Changes of assets that requests of one block make. The rows are read and written together: a
/// block may change many thousands of assets.
struct AssetChanges {
  /// An asset as it is after the requests so far.
  struct Known {
    let former: AssetRecord
    var asset: AssetRecord
    let formerDetail: AssetDetailRecord?
    private(set) var detail: AssetDetailRecord?
    fileprivate private(set) var changesDetail = false

    fileprivate init(_ asset: AssetRecord, _ detail: AssetDetailRecord?) {
      (former, self.asset) = (asset, asset)
      (formerDetail, self.detail) = (detail, detail)
    }

    mutating func change(_ detail: AssetDetailRecord?) {
      self.detail = detail
      changesDetail = true
    }
  }

  static func apply(_ requests: some Collection<PHAssetChangeRequest>, _ commit: ChangeCommit) throws {
    // A creation is already written, with its properties.
    let requests = requests.filter { !$0.isCreation }
    let assets = try assets(of: requests, commit)
    let needed = zip(requests, assets).filter(\.0.changes.needsDetail).map(\.1.id)
    let details = needed.isEmpty ? [:] : try commit.transaction.details(of: needed)
    var indexes: [Int64: Int] = [:]
    var known: [Known] = []
    for (request, asset) in zip(requests, assets) {
      let index = indexes[asset.id] ?? known.count
      if index == known.count { known.append(Known(asset, details[asset.id])) }
      indexes[asset.id] = index
      try request.work { try request.apply(to: &known[index], commit) }
    }
    try commit.transaction.write(known.map { ($0.former, $0.asset) })
    try commit.transaction.write(
      known.filter(\.changesDetail).compactMap { known in
        guard let former = known.formerDetail, let detail = known.detail else { return nil }
        return (known.asset, former, detail)
      })
  }

  private static func assets(of requests: [PHAssetChangeRequest], _ commit: ChangeCommit) throws -> [AssetRecord] {
    do {
      return try commit.assets(uuids: requests.map(\.uuid), rows: requests.compactMap(\.asset?.rowID))
    } catch let error as PHPhotosError {
      // The assets are read together, so the error says which of them is missing.
      let missing = (error.userInfo[PHLocalIdentifiersErrorKey] as? [String])?.first
      guard let request = requests.first(where: { PHAsset.localIdentifier(uuid: $0.uuid) == missing }) else {
        throw error
      }
      return try request.work { throw error }
    }
  }
}
