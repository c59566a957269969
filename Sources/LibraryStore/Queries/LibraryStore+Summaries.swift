import Foundation

/// A collection with its number of assets, their dates, and the pictures on its cover.
public struct CollectionSummary: Sendable {
  public struct Cover: Hashable, Sendable {
    public var uuid: String
    public var renditionVersion: String
  }

  public var record: CollectionRecord
  /// The folder that contains the collection; `nil` at the top level.
  public var parentUUID: String?
  public var count = 0
  public var videoCount = 0
  public var startDate: Date?
  public var endDate: Date?
  public var covers: [Cover] = []
}

extension LibraryStore {
  /// Returns the smart albums, and then the albums and folders in the order of their tree. A client
  /// with a selection gets the smart albums alone, with the assets of its selection.
  ///
  /// `query` has the settings of a fetch of assets: the time, and the client.
  public func collectionSummaries(_ query: FetchQuery) throws -> [CollectionSummary] {
    try read { db in
      var reading = SummaryReading(db: db, query: query)
      return try reading.summaries()
    }
  }
}

/// One reading of all collections, in a few statements.
private struct SummaryReading {
  let db: any Session
  let query: FetchQuery
  private var spans: [Int64: Span] = [:]
  private var covers: [Int64: CoverAsset] = [:]

  /// The number of assets in a collection, and its first and last.
  struct Span {
    var count = 0
    var videoCount = 0
    /// The asset on the cover, if the collection has no key asset that can be shown.
    var newest: Int64?
    var oldest: Int64?
  }

  struct CoverAsset {
    var cover: CollectionSummary.Cover
    var date: Date
    /// False for hidden and deleted assets, which are on no cover of an album.
    var isShown: Bool
  }

  init(db: any Session, query: FetchQuery) {
    self.db = db
    self.query = query
  }

  mutating func summaries() throws -> [CollectionSummary] {
    let seesAlbums = query.limitedToClient == nil
    let kinds = seesAlbums ? "" : " WHERE kind = \(CollectionKind.smartAlbum.rawValue)"
    let records = try db.rows("SELECT *, NULL AS asset_count FROM collection\(kinds) ORDER BY rank, id")
      .map(CollectionRecord.init).filter { !(query.concealsTrash && $0.smartAlbum == .recentlyDeleted) }
    for record in records {
      if let album = record.smartAlbum { spans[record.id] = try span(of: album) }
    }
    if seesAlbums {
      let members = try shownMembers()
      let dated = try datedAssets(members)
      readAlbums(members, dated)
      readFolders(records, members: members, dated: dated)
    }
    try readCovers(records)
    let smart = records.filter { $0.kind == .smartAlbum }.map { summary($0, parent: nil) }
    return smart + tree(records)
  }

  // MARK: Smart albums

  private func span(of album: SmartAlbum) throws -> Span {
    var query = query
    query.source = .assetsInSmartAlbum(album)
    query.isOfTrash = album == .recentlyDeleted
    query.includesHidden = album == .allHidden
    var span = try counts(of: album, query)
    guard span.count > 0 else { return span }
    query.limit = 1
    func first(_ sort: [FetchQuery.Sort]) throws -> Int64? {
      query.sort = sort
      return try db.ids(query.select()).first
    }
    switch album {
    // Their assets are in another order than that of the dates, which no index has.
    case .recentlyAdded: span.newest = try first([.init(.addedDate, ascending: false)])
    case .recentlyDeleted: span.newest = try first([])
    default:
      span.newest = try first([.init(.creationDate, ascending: false)])
      span.oldest = try first([.init(.creationDate, ascending: true)])
    }
    return span
  }

  /// Counts the assets by the tally if it can, and else by the index of the videos.
  private func counts(of album: SmartAlbum, _ query: FetchQuery) throws -> Span {
    var span = Span()
    let isTallied = album != .recentlyAdded && !(query.concealsHidden && SmartAlbum.withHidden.contains(album))
    if query.limitedToClient == nil, isTallied {
      span.count = try db.value(album.tally) ?? 0
      span.videoCount = try db.value(album.tally + " AND media_type = \(MediaType.video)") ?? 0
    } else {
      var videos = query
      videos.mediaType = MediaType.video
      span.count = try db.ids(FetchStatements(query).count()).first.map(Int.init) ?? 0
      span.videoCount = try db.ids(FetchStatements(videos).count()).first.map(Int.init) ?? 0
    }
    return span
  }

  // MARK: Albums and folders

  /// An asset of an album. Its id and that of the album are in one number, as the database returns
  /// them fastest.
  private struct Member {
    let packed: Int64
    var album: Int64 { packed >> 32 }
    var asset: Int64 { packed & 0xFFFF_FFFF }
  }

  /// An asset's place in the order of the dates.
  private struct Dated {
    var place: Int
    var isVideo: Bool
  }

  /// Returns the assets of all albums, those of one album next to each other.
  private func shownMembers() throws -> [Member] {
    let shown = Visibility.condition(on: "member.visibility")
    return try db.ids(
      """
      SELECT (member.collection_id << 32) | member.asset_id FROM collection_asset AS member WHERE \(shown)
      ORDER BY member.collection_id
      """
    ).map(Member.init)
  }

  /// The number of assets in albums up to which only these are read.
  private static let fewMembers = 20_000

  /// Returns the places of the assets. One index has all of them in this order; the database would
  /// take several times as long to look up the date of each member.
  private func datedAssets(_ members: [Member]) throws -> [Int64: Dated] {
    guard !members.isEmpty else { return [:] }
    let chosen = members.count < Self.fewMembers ? " WHERE id IN (SELECT asset_id FROM collection_asset)" : ""
    let packed = try db.ids("SELECT (id << 2) | media_type FROM asset\(chosen) ORDER BY creation_date, id")
    var dated = [Int64: Dated](minimumCapacity: packed.count)
    for (place, number) in packed.enumerated() {
      dated[number >> 2] = Dated(place: place, isVideo: number & 3 == MediaType.video)
    }
    return dated
  }

  private mutating func readAlbums(_ members: [Member], _ dated: [Int64: Dated]) {
    var rest = members[...]
    while let id = rest.first?.album {
      let album = rest.prefix { $0.album == id }
      rest = rest.dropFirst(album.count)
      var span = Span()
      var (first, last) = (Int.max, Int.min)
      for member in album {
        guard let asset = dated[member.asset] else { continue }
        span.count += 1
        if asset.isVideo { span.videoCount += 1 }
        if asset.place < first { (first, span.oldest) = (asset.place, member.asset) }
        if asset.place > last { (last, span.newest) = (asset.place, member.asset) }
      }
      if span.count > 0 { spans[id] = span }
    }
  }

  /// Counts the assets of folders. An asset in several albums of a folder counts once. The database
  /// would take several times as long for that.
  private mutating func readFolders(
    _ records: [CollectionRecord], members: [Member], dated: [Int64: Dated]
  ) {
    let folders = folders(around: records)
    guard !folders.isEmpty else { return }
    var assets: [Int64: Set<Int64>] = [:]
    for member in members where dated[member.asset] != nil {
      for folder in folders[member.album] ?? [] { assets[folder, default: []].insert(member.asset) }
    }
    for (folder, assets) in assets {
      spans[folder, default: Span()].count = assets.count
      spans[folder]?.videoCount = assets.count { dated[$0]?.isVideo == true }
    }
  }

  /// Returns the folders around each album, without the one around all.
  private func folders(around records: [CollectionRecord]) -> [Int64: [Int64]] {
    let parents = Dictionary(
      records.compactMap { record in record.parentID.map { (record.id, $0) } }, uniquingKeysWith: { first, _ in first })
    var folders: [Int64: [Int64]] = [:]
    for record in records where record.kind == .album {
      var around: [Int64] = []
      var next = parents[record.id]
      while let folder = next, let parent = parents[folder], !around.contains(folder) {
        around.append(folder)
        next = parent
      }
      if !around.isEmpty { folders[record.id] = around }
    }
    return folders
  }

  // MARK: Covers and the tree

  private mutating func readCovers(_ records: [CollectionRecord]) throws {
    let ends = spans.values.flatMap { [$0.newest, $0.oldest] }.compactMap(\.self)
    let wanted = Set(records.compactMap(\.keyAssetID)).union(ends)
    let sql =
      "SELECT id, uuid, rendition_version, creation_date, visibility FROM asset WHERE id IN \(BoundSQL.list)"
    try db.forEachRow(sql, wanted.sorted().jsonArray) { row in
      let cover = CollectionSummary.Cover(
        uuid: try row.value("uuid"), renditionVersion: try row.value("rendition_version"))
      let visibility: Int = try row.value("visibility")
      covers[try row.value("id")] = CoverAsset(
        cover: cover, date: try row.date("creation_date"), isShown: visibility == 0)
    }
  }

  private func summary(_ record: CollectionRecord, parent: CollectionRecord?) -> CollectionSummary {
    var summary = CollectionSummary(record: record, parentUUID: parent.flatMap { $0.isRoot ? nil : $0.uuid })
    guard let span = spans[record.id] else { return summary }
    summary.count = span.count
    summary.videoCount = span.videoCount
    summary.startDate = span.oldest.flatMap { covers[$0]?.date }
    summary.endDate = span.oldest == nil ? nil : span.newest.flatMap { covers[$0]?.date }
    let key = record.keyAssetID.flatMap { covers[$0] }.flatMap { $0.isShown ? $0 : nil }
    summary.covers = [key ?? span.newest.flatMap { covers[$0] }].compactMap { $0?.cover }
    return summary
  }

  /// Returns the albums and folders, each folder before its contents.
  private func tree(_ records: [CollectionRecord]) -> [CollectionSummary] {
    guard let root = records.first(where: \.isRoot) else { return [] }
    let children = Dictionary(grouping: records.filter { $0.parentID != nil }) { $0.parentID }
    var found: [CollectionSummary] = []
    /// The folders around the present place, by their places in `found`.
    var open: [(record: CollectionRecord, place: Int?, rest: ArraySlice<CollectionRecord>)] = [
      (root, nil, (children[root.id] ?? [])[...])
    ]
    while var folder = open.popLast() {
      guard let child = folder.rest.popFirst() else {
        if let place = folder.place, let outer = open.last?.place { found[outer].widen(by: found[place]) }
        continue
      }
      open.append(folder)
      found.append(summary(child, parent: folder.record))
      if child.kind == .folder {
        open.append((child, found.count - 1, (children[child.id] ?? [])[...]))
      } else if let place = folder.place {
        found[place].widen(by: found[found.count - 1])
      }
    }
    return found
  }
}

extension CollectionSummary {
  /// Extends a folder by the dates and the cover of something in it.
  fileprivate mutating func widen(by content: CollectionSummary) {
    startDate = [startDate, content.startDate].compactMap(\.self).min()
    endDate = [endDate, content.endDate].compactMap(\.self).max()
    if covers.count < Self.coversOfAFolder { covers += content.covers.prefix(Self.coversOfAFolder - covers.count) }
  }

  /// The number of covers of albums on a folder's cover.
  private static let coversOfAFolder = 4
}
