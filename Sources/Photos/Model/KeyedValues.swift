import Foundation

// The values that `value(forKey:)` returns: PhotoKit's properties, and a few more names that apps
// read.

extension PHAsset {
  func keyedValue(_ key: String) -> Any? {
    switch key {
    case "mediaType": NSNumber(value: mediaType.rawValue)
    case "mediaSubtypes": NSNumber(value: mediaSubtypes.rawValue)
    case "sourceType": NSNumber(value: sourceType.rawValue)
    case "playbackStyle": NSNumber(value: playbackStyle.rawValue)
    case "rating": NSNumber(value: rating.rawValue)
    case "pixelWidth": NSNumber(value: pixelWidth)
    case "pixelHeight": NSNumber(value: pixelHeight)
    case "duration": NSNumber(value: duration)
    case "creationDate": creationDate
    case "modificationDate": modificationDate
    case "addedDate": addedDate
    case "location": location
    case "favorite", "isFavorite": NSNumber(value: isFavorite)
    case "hidden", "isHidden": NSNumber(value: isHidden)
    case "hasAdjustments": NSNumber(value: hasAdjustments)
    case "adjustmentTimestamp": adjustmentTimestamp
    case "burstIdentifier": burstIdentifier
    case "burstSelectionTypes": NSNumber(value: burstSelectionTypes.rawValue)
    case "representsBurst": NSNumber(value: representsBurst)
    case "uniformTypeIdentifier": contentType.identifier
    // Older systems have no property for the original's name.
    case "filename", "originalFilename": extendedMetadata.originalFilename
    default: nil
    }
  }
}

extension PHCollection {
  func keyedValue(_ key: String) -> Any? {
    switch key {
    case "localizedTitle", "title": localizedTitle
    case "modificationDate": modificationDate
    case "canContainAssets": NSNumber(value: canContainAssets)
    case "canContainCollections": NSNumber(value: canContainCollections)
    default: nil
    }
  }
}

extension PHAssetCollection {
  func keyedValueOfAlbum(_ key: String) -> Any? {
    switch key {
    case "assetCollectionType": NSNumber(value: assetCollectionType.rawValue)
    case "assetCollectionSubtype": NSNumber(value: assetCollectionSubtype.rawValue)
    case "estimatedAssetCount": NSNumber(value: estimatedAssetCount)
    case "startDate": startDate
    case "endDate": endDate
    default: nil
    }
  }
}

extension PHCollectionList {
  func keyedValueOfFolder(_ key: String) -> Any? {
    switch key {
    case "collectionListType": NSNumber(value: collectionListType.rawValue)
    case "collectionListSubtype": NSNumber(value: collectionListSubtype.rawValue)
    case "startDate": startDate
    case "endDate": endDate
    default: nil
    }
  }
}

extension PHAssetResource {
  /// Like `PHObject.value(forKey:)`. Older systems have no property for a file's size.
  ///
  ///     resource.value(forKey: "fileSize") as? Int
  public func value(forKey key: String) -> Any? {
    switch key {
    case "type": NSNumber(value: type.rawValue)
    case "assetLocalIdentifier": assetLocalIdentifier
    case "originalFilename", "filename": originalFilename
    case "uniformTypeIdentifier": uniformTypeIdentifier
    case "pixelWidth": NSNumber(value: pixelWidth)
    case "pixelHeight": NSNumber(value: pixelHeight)
    case "fileSize", "dataSize": dataSize.map { NSNumber(value: $0) }
    // Whether the file is displayed: an edit's render, or the original if there is no edit.
    case "isCurrent": isCurrent.map { NSNumber(value: $0) }
    // Whether the original can be read without the network.
    case "locallyAvailable": NSNumber(value: isLocallyAvailable)
    default: nil
    }
  }

  private var isLocallyAvailable: Bool {
    let originals = photoLibrary.store.originals
    // A file that is missing or can't be read is the answer.
    return originals.isLocal(record) && (try? originals.mediaFile(of: record)) != nil
  }

  /// Whether the file is displayed; `nil` for a file without an asset, and if the asset was
  /// deleted.
  private var isCurrent: Bool? {
    guard fileURL == nil, asset.rowID != 0,
      let files = photoLibrary.engine.damage.optional(
        "the files of an asset could not be listed", { try asset.pictures.files() })
    else { return nil }
    let shown = [files.current, asset.playbackStyle == .image ? nil : files.currentMovie]
    return shown.contains { $0?.id == record.id }
  }
}
