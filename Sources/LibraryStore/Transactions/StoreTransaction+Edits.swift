import Foundation
internal import GRDB

extension StoreTransaction {
  /// Adds an edit's files to an asset, in the place of those of the edit before it; the originals stay.
  ///
  /// The asset's size, duration and rendition version become those of what is shown then. It is not written: `update` does that.
  public func edit(_ asset: inout AssetRecord, resources: [(record: ResourceRecord, sha256: Data)]) throws {
    let former = AssetFiles(try self.resources(of: asset)).edits
    for resource in former {
      try db.execute(sql: "DELETE FROM resource WHERE id = ?", arguments: [resource.id])
      if resource.kind == .adjustmentData { try remember(reverted: resource, of: asset) }
    }
    for resource in resources { try insert(resource.record, sha256: resource.sha256, into: asset) }
    for resource in former { loosen(resource) }
    asset.show(AssetFiles(try self.resources(of: asset)))
    noteStaleRenditions(of: asset.uuid)
    note(.updated, .asset, id: asset.id, uuid: asset.uuid, isContent: true)
  }

  /// Records that an edit was taken back, or replaced.
  private func remember(reverted adjustmentData: ResourceRecord, of asset: AssetRecord) throws {
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO reverted_edit (asset_id, sha256) VALUES (?, ?)")
      .execute(arguments: [asset.id, adjustmentData.sha256])
  }

  /// Returns the digests of the adjustment data of all edits that an asset had and has no more.
  public func revertedEdits(of asset: AssetRecord) throws -> Set<Data> {
    let statement = try db.cachedStatement(sql: "SELECT sha256 FROM reverted_edit WHERE asset_id = ?")
    return try Set(Data.fetchAll(statement, arguments: [asset.id]))
  }

  /// Drops the files that an edit added; what is shown is the original again.
  public func revert(_ asset: inout AssetRecord) throws {
    guard try asset.hasAdjustments || !AssetFiles(resources(of: asset)).edits.isEmpty else { return }
    try edit(&asset, resources: [])
  }

  /// Makes another original the first one: of a RAW file and a picture of one shot, either.
  public func exchangeOriginals(of asset: inout AssetRecord) throws {
    let files = AssetFiles(try resources(of: asset))
    guard let photo = files[.photo], let alternate = files[.alternatePhoto] else { return }
    // An asset has one file of each type, at any instant.
    for (type, resource) in [(0, photo), (photo.type, alternate), (alternate.type, photo)] {
      try setType(type, of: resource, in: asset)
    }
    asset.show(AssetFiles(try resources(of: asset)))
    noteStaleRenditions(of: asset.uuid)
  }
}
