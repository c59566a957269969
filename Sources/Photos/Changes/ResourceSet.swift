/// The sets of files that make an asset: a photo or a video, the files that belong to it, and an
/// edit with all its parts.
enum ResourceSet {
  /// Returns the error of files of these types, with a message for people; `nil` if they make an
  /// asset.
  static func error(of types: [PHAssetResourceType]) -> PHPhotosError? {
    guard !types.isEmpty else { return PHPhotosError(.invalidResource, "an asset needs at least one file") }
    let present = Set(types)
    if let doubled = present.first(where: { type in types.filter { $0 == type }.count > 1 }) {
      return PHPhotosError(.invalidResource, "an asset has one \(doubled) at most")
    }
    let primaries = types.filter(\.isPrimary)
    guard let primary = primaries.first else {
      let names = types.map { "\($0)" }.joined(separator: ", ")
      return PHPhotosError(.missingResource, "no asset can be made of [\(names)]: a photo or a video is missing")
    }
    guard primaries.count == 1 else {
      return PHPhotosError(
        .invalidResource,
        "an asset is a \(primaries[0]) or a \(primaries[1]); the movie of a Live Photo is a pairedVideo")
    }
    let allowed = companions[primary, default: []]
    for type in types where type != primary {
      guard allowed.contains(type) else {
        return PHPhotosError(.invalidResource, "\(type) can't be combined with \(primary)")
      }
      if let needed = needs[type], let missing = needed.first(where: { !present.contains($0) }) {
        return PHPhotosError(.missingResource, "\(type) needs \(missing), which is missing")
      }
    }
    let render: PHAssetResourceType = primary == .video ? .fullSizeVideo : .fullSizePhoto
    if present.contains(.adjustmentData), !present.contains(render) {
      return PHPhotosError(.missingResource, "adjustmentData needs \(render), which is missing")
    }
    return nil
  }

  private static let companions: [PHAssetResourceType: Set<PHAssetResourceType>] = [
    .photo: [
      .alternatePhoto, .pairedVideo, .fullSizePhoto, .fullSizePairedVideo, .adjustmentData, .adjustmentBasePhoto,
      .adjustmentBasePairedVideo,
    ],
    .video: [.fullSizeVideo, .adjustmentData, .adjustmentBaseVideo],
    .photoProxy: [.pairedVideo],
  ]

  private static let needs: [PHAssetResourceType: [PHAssetResourceType]] = [
    .fullSizePhoto: [.adjustmentData],
    .fullSizeVideo: [.adjustmentData],
    .fullSizePairedVideo: [.pairedVideo, .fullSizePhoto, .adjustmentData],
    .adjustmentBasePhoto: [.fullSizePhoto, .adjustmentData],
    .adjustmentBaseVideo: [.fullSizeVideo, .adjustmentData],
    .adjustmentBasePairedVideo: [.pairedVideo, .fullSizePhoto, .adjustmentData],
  ]
}

extension PHAssetResourceType {
  /// Whether the file is a part of an edit.
  var isOfEdit: Bool {
    switch self {
    case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo, .adjustmentData, .adjustmentBasePhoto,
      .adjustmentBaseVideo, .adjustmentBasePairedVideo:
      true
    case .photo, .video, .audio, .alternatePhoto, .pairedVideo, .photoProxy: false
    }
  }

  /// Whether the file alone makes an asset.
  var isPrimary: Bool { self == .photo || self == .video || self == .photoProxy }

  var isMovie: Bool {
    switch self {
    case .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo, .adjustmentBaseVideo, .adjustmentBasePairedVideo:
      true
    case .photo, .audio, .alternatePhoto, .fullSizePhoto, .adjustmentData, .adjustmentBasePhoto, .photoProxy: false
    }
  }

  /// The name of an edit's file that has none of its own. The extension may be missing.
  var filenameOfEdit: String? {
    switch self {
    case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo: "FullSizeRender"
    case .adjustmentBasePhoto, .adjustmentBaseVideo, .adjustmentBasePairedVideo: "AdjustmentBase"
    case .adjustmentData: "Adjustments.plist"
    case .photo, .video, .audio, .alternatePhoto, .pairedVideo, .photoProxy: nil
    }
  }
}
