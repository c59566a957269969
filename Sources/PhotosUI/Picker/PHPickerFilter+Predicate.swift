extension PHPickerFilter {
  /// The predicate of a fetch that finds exactly the shown assets.
  package var predicate: NSPredicate { condition.predicate }
}

extension PHPickerFilter.Condition {
  fileprivate var predicate: NSPredicate {
    switch self {
    case .kind(let kind): kind.predicate
    case .playbackStyle(let style): Self.predicate(ofPlaybackStyle: style)
    case .any(let parts) where parts.isEmpty: NSPredicate(value: false)
    case .any(let parts): NSCompoundPredicate(orPredicateWithSubpredicates: parts.map(\.predicate))
    case .all(let parts) where parts.isEmpty: NSPredicate(value: true)
    case .all(let parts): NSCompoundPredicate(andPredicateWithSubpredicates: parts.map(\.predicate))
    case .not(let part): NSCompoundPredicate(notPredicateWithSubpredicate: part.predicate)
    }
  }

  /// Returns the condition that `PHAsset.playbackStyle` states, for an asset without an edit.
  private static func predicate(ofPlaybackStyle style: Int) -> NSPredicate {
    let (live, animated) = (PHAssetMediaSubtype.photoLive.rawValue, PHAssetMediaSubtype.photoAnimation.rawValue)
    return switch PHAsset.PlaybackStyle(rawValue: style) {
    case .image: NSPredicate(format: "mediaType == 1 AND (mediaSubtypes & %d) == 0", live | animated)
    case .imageAnimated:
      NSPredicate(format: "mediaType == 1 AND (mediaSubtypes & %d) != 0 AND (mediaSubtypes & %d) == 0", animated, live)
    case .livePhoto: NSPredicate(format: "mediaType == 1 AND (mediaSubtypes & %d) != 0", live)
    case .video: NSPredicate(format: "mediaType == 2")
    case .unsupported: NSPredicate(format: "mediaType != 1 AND mediaType != 2")
    case .videoLooping, nil: NSPredicate(value: false)
    }
  }
}

extension PHPickerFilter.Kind {
  fileprivate var predicate: NSPredicate {
    switch self {
    case .images: NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)
    case .videos: NSPredicate(format: "mediaType == %d", PHAssetMediaType.video.rawValue)
    case .bursts: NSPredicate(format: "burstIdentifier != nil")
    case .livePhotos: Self.predicate(of: .photoLive)
    case .depthEffectPhotos: Self.predicate(of: .photoDepthEffect)
    case .panoramas: Self.predicate(of: .photoPanorama)
    case .screenshots: Self.predicate(of: .photoScreenshot)
    case .screenRecordings: Self.predicate(of: .videoScreenRecording)
    case .cinematicVideos: Self.predicate(of: .videoCinematic)
    case .slomoVideos: Self.predicate(of: .videoHighFrameRate)
    case .timelapseVideos: Self.predicate(of: .videoTimelapse)
    case .spatialMedia: Self.predicate(of: .spatialMedia)
    }
  }

  private static func predicate(of subtype: PHAssetMediaSubtype) -> NSPredicate {
    NSPredicate(format: "(mediaSubtypes & %d) != 0", subtype.rawValue)
  }
}
