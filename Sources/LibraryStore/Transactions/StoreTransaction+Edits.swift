import Foundation

extension StoreTransaction {
  /// Adds an edit's files to an asset in place of those of the previous edit; the originals stay.
  ///
  /// The asset's size, duration and rendition version become those of the shown file. The caller
  /// writes them with `update`.
  public func edit(_ asset: inout AssetRecord, resources: [(record: ResourceRecord, sha256: Data)]) throws {
    let present = try self.resources(of: asset)
    recorder?.noteFiles(of: asset.id, before: present)
    let former = AssetFiles(present).edits
    for resource in former {
      try db.execute("DELETE FROM resource WHERE id = ?", resource.id)
      if resource.kind == .adjustmentData { try remember(reverted: resource, of: asset) }
    }
    for resource in resources { try insert(resource.record, sha256: resource.sha256, into: asset) }
    for resource in former { release(resource) }
    asset.copyShownProperties(of: AssetFiles(try self.resources(of: asset)))
    noteStaleRenditions(of: asset.uuid)
    noteChangedEdit(of: asset.id)
    note(.updated, .asset, id: asset.id, uuid: asset.uuid, isContent: true)
  }

  /// Records that an edit was reverted or replaced.
  func remember(reverted adjustmentData: ResourceRecord, of asset: AssetRecord) throws {
    try db.execute(
      "INSERT OR IGNORE INTO reverted_edit (asset_id, sha256) VALUES (?, ?)", asset.id, adjustmentData.sha256)
  }

  /// Returns the digests of the adjustment data of all former edits of an asset.
  public func revertedEdits(of asset: AssetRecord) throws -> Set<Data> {
    try Set(db.values("SELECT sha256 FROM reverted_edit WHERE asset_id = ?", asset.id))
  }

  /// Removes the files that an edit added, so that the original is shown again.
  public func revert(_ asset: inout AssetRecord) throws {
    guard try asset.hasAdjustments || !AssetFiles(resources(of: asset)).edits.isEmpty else { return }
    try edit(&asset, resources: [])
  }

  /// Exchanges the originals of an asset: the RAW file and the picture of one shot.
  public func exchangeOriginals(of asset: inout AssetRecord) throws {
    let files = AssetFiles(try resources(of: asset))
    guard let photo = files[.photo], let alternate = files[.alternatePhoto] else { return }
    // An asset must have one file of each type at any time, so the exchange takes three steps.
    for (type, resource) in [(0, photo), (photo.type, alternate), (alternate.type, photo)] {
      try setType(type, of: resource, in: asset)
    }
    asset.copyShownProperties(of: AssetFiles(try resources(of: asset)))
    noteStaleRenditions(of: asset.uuid)
  }
}
