/// The width and the height of an asset's picture.
public struct AssetSize: Hashable, Sendable {
  public var pixelWidth: Int
  public var pixelHeight: Int

  /// Splits the number that a statement returns for a size.
  init(packed: Int64) {
    pixelWidth = Int(packed >> 32)
    pixelHeight = Int(packed & 0xFFFF_FFFF)
  }
}

/// Assets near each other on a map.
public struct AssetCluster: Hashable, Sendable {
  /// The middle of the assets' places.
  public var latitude: Double
  public var longitude: Double
  public var count: Int
  /// The first of the assets.
  public var first: Int64

  /// Splits the number that a statement returns for a place.
  init(id: Int64, packed: Int64) {
    latitude = Double(packed >> 32) / 1e6 - 90
    longitude = Double(packed & 0xFFFF_FFFF) / 1e6 - 180
    count = 1
    first = id
  }

  mutating func add(_ other: AssetCluster) {
    let share = Double(other.count) / Double(count + other.count)
    latitude += (other.latitude - latitude) * share
    longitude += (other.longitude - longitude) * share
    count += other.count
  }
}

extension LibraryStore {
  /// Returns the sizes of the assets that a query finds, in its order.
  public func sizes(_ query: FetchQuery) throws -> [AssetSize] {
    let statement = try FetchStatements(query, readsAssets: true).sizes()
    return try read { try $0.ids(statement) }.map(AssetSize.init)
  }

  /// Returns the places of the assets that a query finds, in about `limit` clusters. The
  /// coarsest grid has 648 cells.
  public func clusters(_ query: FetchQuery, limit: Int) throws -> [AssetCluster] {
    let (ids, places) = try FetchStatements(query, readsAssets: true).places()
    var clusters = try read { db in
      try zip(db.ids(ids), db.ids(places)).map(AssetCluster.init)
    }
    for degrees in [0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10] where clusters.count > limit {
      clusters = Self.merge(clusters, cellDegrees: degrees)
    }
    return clusters
  }

  /// Merges the clusters in each cell of a grid.
  private static func merge(_ clusters: [AssetCluster], cellDegrees: Double) -> [AssetCluster] {
    struct Cell: Hashable {
      var row: Int
      var column: Int
    }
    var merged: [AssetCluster] = []
    var places: [Cell: Int] = [:]
    for cluster in clusters {
      let cell = Cell(
        row: Int((cluster.latitude / cellDegrees).rounded(.down)),
        column: Int((cluster.longitude / cellDegrees).rounded(.down)))
      if let place = places[cell] {
        merged[place].add(cluster)
      } else {
        places[cell] = merged.count
        merged.append(cluster)
      }
    }
    return merged
  }
}
