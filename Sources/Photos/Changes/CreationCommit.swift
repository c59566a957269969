import Foundation
internal import Imaging
internal import LibraryStore

/// The result of a creation request.
struct CreationResult {
  var outcome: PHAssetCreationRequest.Outcome
  var leftOutEdit: PHAssetCreationRequest.LeftOutEdit?
  var replacedResourceTypes: Set<PHAssetResourceType> = []
  var unreadableReason: String?
  var damage: String?
  var missingPictures: String?
}

/// An asset, and the renditions that were made for it before the transaction.
struct AssetRenditions {
  var asset: AssetRecord
  var renditions: RenditionSet?
}

/// Writes prepared creations inside the transaction.
final class CreationCommit {
  private let transaction: StoreTransaction
  private let access: LibraryAccess
  /// Whether hidden assets are concealed from the creator.
  private let concealsHidden: Bool

  private var date: Date { transaction.date }

  init(transaction: StoreTransaction, access: LibraryAccess, concealsHidden: Bool) {
    self.transaction = transaction
    self.access = access
    self.concealsHidden = concealsHidden
  }

  /// Writes a creation. Returns its result, and the asset that contains the files now, with the
  /// renditions of the request's primary file; no asset if the asset's renditions stay.
  func apply(
    _ creation: PreparedCreation, _ request: PHAssetCreationRequest
  ) throws -> (result: CreationResult, asset: AssetRenditions?) {
    // A client that does not see the whole library must not learn what it contains.
    let joins = request.joinsExistingAsset && access.seesEverything
    let candidate = creation.candidate(
      restoresRevertedEdit: request.restoresRevertedEdit, concealsHidden: concealsHidden)
    let decision = joins ? try CreationDecision(candidate, in: transaction) : CreationDecision()
    var result = CreationResult(outcome: decision.outcome, leftOutEdit: decision.leftOutEdit)
    switch decision.resolution {
    case .create:
      result.unreadableReason = creation.edit == nil ? creation.unreadableReason : nil
      result.damage = creation.damage
      result.missingPictures = creation.missingPictures
      return (result, AssetRenditions(asset: try create(creation, request), renditions: creation.renditions))
    case .existing(let asset, let others):
      // Importing the same bytes restores deleted assets.
      for holder in [asset] + others { try transaction.restore(holder) }
      guard let edit = creation.edit, decision.addsEdit else { return (result, nil) }
      let edited = try add(edit, to: restored(asset))
      return (result, AssetRenditions(asset: edited, renditions: creation.renditions))
    case .join(let asset, let places):
      let joined = try join(
        restored(asset), with: places.map { creation.resources[$0] }, of: creation,
        takesEdit: decision.leftOutEdit == nil)
      return (result, joined)
    }
  }

  /// Restores an asset from the trash and reads it again. It may represent its burst now, so the
  /// former record must not be written back.
  private func restored(_ asset: AssetRecord) throws -> AssetRecord {
    try transaction.restore(asset)
    return try transaction.asset(uuid: asset.uuid) ?? asset
  }

  private func create(_ creation: PreparedCreation, _ request: PHAssetCreationRequest) throws -> AssetRecord {
    var asset = AssetRecord(creation.primary, uuid: request.uuid, addedDate: date)
    asset.isUnreadable = creation.unreadableReason != nil && creation.edit == nil
    asset.rating = creation.primary.metadata.rating
    asset.traits.formUnion(creation.traits)
    if creation.resources.contains(where: { $0.type == .pairedVideo }) {
      asset.mediaSubtypes |= PHAssetMediaSubtype.photoLive.rawValue
    }
    var changes = request.changes
    try changes.resolveMove(of: asset)
    try changes.apply(to: &asset)
    asset.modificationDate = date
    var detail = AssetDetailRecord(creation.primary)
    detail.contentIdentifier = creation.resources.lazy.compactMap(\.metadata.contentIdentifier).first
    detail.shotKey = creation.shotKey
    detail.notes = creation.notes
    detail.unreadableReason = creation.unreadableReason
    asset = try transaction.insert(
      asset, changes.applied(to: detail), resources: creation.resources.map { ($0.record, $0.staged.sha256) },
      by: access.selection)
    if let edit = creation.edit {
      try transaction.edit(&asset, resources: edit.resources)
      try transaction.update(asset)
    }
    return asset
  }

  private func add(_ edit: PreparedEdit, to asset: AssetRecord) throws -> AssetRecord {
    var edited = asset
    try transaction.edit(&edited, resources: edit.resources)
    // The render can be shown, even if the original can't be.
    edited.isUnreadable = false
    edited.modificationDate = date
    try transaction.update(edited, isContent: true)
    return edited
  }

  /// Adds files to an asset and updates the asset's properties. A video becomes a Live Photo when
  /// its still arrives.
  private func join(
    _ asset: AssetRecord, with files: [PreparedResource], of creation: PreparedCreation, takesEdit: Bool
  ) throws -> AssetRenditions? {
    var joined = asset
    let present = AssetFiles(try transaction.resources(of: asset)).originals
    let parts = Set(present.map { AssetPart($0) } + files.map { AssetPart($0) })
    // If the asset has both a RAW file and a picture, its primary file has been chosen and stays.
    let isChosen = Set(present.map { AssetPart($0) }).isSuperset(of: [.picture, .raw])
    for resource in present where !isChosen || AssetPart(resource) == .movie {
      let type = AssetPart(resource).resourceType(among: parts)
      if type.rawValue != resource.type { try transaction.setType(type.rawValue, of: resource, in: asset) }
    }
    var detail = try transaction.detail(of: asset) ?? AssetDetailRecord(creation.primary)
    for file in files {
      let holders = try transaction.assets(holdingAnyOf: [file.staged.sha256])
      if let other = holders.first(where: { !(concealsHidden && $0.isHidden) }), other.id != asset.id,
        try transaction.resources(of: other).count == 1
      {
        joined.isFavorite = joined.isFavorite || other.isFavorite
        joined.isHidden = joined.isHidden || other.isHidden
        if AssetPart(file) == .picture { joined.isUnreadable = other.isUnreadable }
        // The asset takes the place of the other one, with what a person has made of it.
        try transaction.addToAlbums(of: other, asset)
        if let texts = try transaction.detail(of: other) { detail.addTexts(of: texts) }
        try transaction.delete(other)
      }
      var record = file.record
      record.type = AssetPart(file).resourceType(among: parts).rawValue
      try transaction.insert(record, sha256: file.staged.sha256, into: asset)
    }
    detail.contentIdentifier = detail.contentIdentifier ?? files.lazy.compactMap(\.metadata.contentIdentifier).first
    detail.notes += files.flatMap(\.metadata.notes).filter { !detail.notes.contains($0) }
    let primary = files.first { AssetPart($0).resourceType(among: parts) == .photo }
    if let primary {
      let former = detail
      joined.copyProperties(of: primary)
      if creation.renditions != nil || creation.unreadableReason != nil {
        joined.isUnreadable = creation.unreadableReason != nil
      }
      detail.copyProperties(of: primary)
      joined.keepDate(of: asset, former, in: &detail)
      detail.title = former.title ?? detail.title
      detail.caption = former.caption ?? detail.caption
      detail.keywords = former.keywords + detail.keywords.filter { !former.keywords.contains($0) }
      detail.shotKey = creation.shotKey
      detail.unreadableReason = creation.unreadableReason
    }
    if parts.contains(.movie), parts.count > 1 { joined.mediaSubtypes |= PHAssetMediaSubtype.photoLive.rawValue }
    joined.traits.formUnion(creation.traits)
    // The displayed file may be an edit of the files that were there before.
    joined.copyShownProperties(of: AssetFiles(try transaction.resources(of: asset)))
    if joined.hasAdjustments { joined.isUnreadable = false }
    joined.modificationDate = date
    try transaction.update(joined, isContent: true)
    try transaction.update(detail, of: joined)
    if let edit = creation.edit, !joined.hasAdjustments, takesEdit {
      return AssetRenditions(asset: try add(edit, to: joined), renditions: creation.renditions)
    }
    if primary == nil || joined.hasAdjustments || creation.edit != nil { return nil }
    return AssetRenditions(asset: joined, renditions: creation.renditions)
  }
}

extension AssetRecord {
  init(_ primary: PreparedResource, uuid: String, addedDate: Date) {
    self.init(
      uuid: uuid, mediaType: primary.metadata.type.kind.rawValue, mediaSubtypes: 0,
      creationDate: primary.metadata.captureDate.date, timeZoneOffset: primary.metadata.captureDate.offset,
      addedDate: addedDate, pixelWidth: 0, pixelHeight: 0, duration: 0, renditionVersion: "")
    copyProperties(of: primary)
  }

  /// Keeps the date and the zone that a person has set.
  fileprivate mutating func keepDate(
    of former: AssetRecord, _ formerDetail: AssetDetailRecord, in detail: inout AssetDetailRecord
  ) {
    if formerDetail.dateSource == CaptureDate.Source.person.rawValue {
      (creationDate, datePrecision) = (former.creationDate, former.datePrecision)
      detail.dateSource = formerDetail.dateSource
    }
    if formerDetail.timeZoneSource == CaptureDate.ZoneSource.person.rawValue {
      timeZoneOffset = former.timeZoneOffset
      detail.timeZoneSource = formerDetail.timeZoneSource
    }
  }

  /// Copies the properties of the primary file. A place that only another file contains is kept.
  mutating func copyProperties(of primary: PreparedResource) {
    let metadata = primary.metadata
    mediaType = metadata.type.kind.rawValue
    mediaSubtypes = metadata.subtypes.rawValue
    creationDate = metadata.captureDate.date
    timeZoneOffset = metadata.captureDate.offset
    datePrecision = metadata.captureDate.precision
    pixelWidth = metadata.pixelWidth
    pixelHeight = metadata.pixelHeight
    duration = metadata.type.kind == .image ? 0 : metadata.duration
    burstIdentifier = metadata.burstIdentifier
    if let location = metadata.location {
      latitude = location.latitude
      longitude = location.longitude
      altitude = location.altitude
    }
    renditionVersion = Self.renditionVersion(of: [primary.staged.sha256])
  }
}

extension AssetDetailRecord {
  init(_ primary: PreparedResource) {
    self.init(dateSource: "", timeZoneSource: "", camera: "{}", notes: [])
    copyProperties(of: primary)
  }

  /// Adds the texts of another asset that this one does not have.
  fileprivate mutating func addTexts(of other: AssetDetailRecord) {
    title = title ?? other.title
    caption = caption ?? other.caption
    keywords += other.keywords.filter { !keywords.contains($0) }
  }

  mutating func copyProperties(of primary: PreparedResource) {
    dateSource = primary.metadata.captureDate.source.rawValue
    timeZoneSource = primary.metadata.captureDate.zoneSource.rawValue
    originalFilename = primary.originalFilename
    fileSize = primary.staged.byteCount
    uniformTypeIdentifier = primary.metadata.type.uniformTypeIdentifier
    title = primary.metadata.title
    caption = primary.metadata.caption
    keywords = primary.metadata.keywords
    placeNames = primary.metadata.placeNames
    // A camera consists of optional numbers and strings, so encoding it can't fail.
    camera = (try? JSONEncoder().encode(primary.metadata.camera)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

extension PreparedCreation {
  fileprivate var traits: AssetTraits {
    var traits: AssetTraits = []
    if resources.contains(where: \.metadata.type.isRaw) { traits.insert(.raw) }
    if primary.metadata.isSelfie { traits.insert(.selfie) }
    if damage != nil { traits.insert(.damaged) }
    return traits
  }

  /// The anomalies that the files and the decoder reported, each sentence once.
  var notes: [String] {
    var seen: Set<String> = []
    return (resources.flatMap(\.metadata.notes) + (renditions?.notes ?? [])).filter { seen.insert($0).inserted }
  }
}
