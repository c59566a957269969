import Essentials
import Foundation

/// The files of one asset by their roles: originals, and files that an edit added.
///
///     let files = AssetFiles(resources)
///     files.current?.originalFilename   // "FullSizeRender.jpg"
///     files.original?.originalFilename  // "IMG_0001.HEIC"
public struct AssetFiles: Sendable {
  /// The originals first, then the edit's renders, bases and data.
  public let resources: [ResourceRecord]

  public init(_ resources: [ResourceRecord]) {
    self.resources = resources.sorted { ($0.kind.rank, $0.type) < ($1.kind.rank, $1.type) }
  }

  public subscript(_ type: ResourceType) -> ResourceRecord? { resources.first { $0.type == type.rawValue } }

  /// The first original: a photo, a movie, or the proxy of a photo that is still missing.
  public var original: ResourceRecord? { self[.photo] ?? self[.video] ?? self[.photoProxy] ?? self[.audio] }

  /// The file that is shown: the edit's render, or the original.
  public var current: ResourceRecord? {
    self[.photo] == nil && self[.video] != nil ? self[.fullSizeVideo] ?? original : self[.fullSizePhoto] ?? original
  }

  /// The original that most programs can read: the picture if the asset has a RAW file and a
  /// picture of one shot.
  public var unadjusted: ResourceRecord? {
    guard let original, original.isRaw, let alternate = self[.alternatePhoto], !alternate.isRaw else {
      return original
    }
    return alternate
  }

  /// The file with the movie as it was recorded: of a video, of a Live Photo, or a photo that
  /// contains a movie.
  public var originalMovie: ResourceRecord? {
    self[.video] ?? self[.pairedVideo] ?? resources.first { $0.kind == .original && $0.motionVideo != nil }
  }

  /// The movie that is shown, or could be. If only the still of a Live Photo was edited, the asset
  /// is shown as a still and this is the original movie.
  public var currentMovie: ResourceRecord? { self[.fullSizeVideo] ?? self[.fullSizePairedVideo] ?? originalMovie }

  /// Whether the original moves and its edit is a still.
  public func isEditedToStill(isAnimation: Bool) -> Bool {
    guard let render = self[.fullSizePhoto] else { return false }
    if originalMovie != nil { return self[.fullSizePairedVideo] == nil }
    return isAnimation && render.uniformTypeIdentifier != "com.compuserve.gif"
  }

  /// The files that an edit added.
  public var edits: [ResourceRecord] { resources.filter { $0.kind != .original } }

  public var originals: [ResourceRecord] { resources.filter { $0.kind == .original } }
}

extension AssetRecord {
  /// Copies the size and duration of the file that is shown, and computes the traits and the
  /// version that depend on it.
  public mutating func copyShownProperties(of files: AssetFiles) {
    hasAdjustments = !files.edits.isEmpty
    guard let current = files.current else { return }
    pixelWidth = current.pixelWidth
    pixelHeight = current.pixelHeight
    duration = current.duration
    if files.isEditedToStill(isAnimation: mediaSubtypes & UInt(MediaSubtype.animation) != 0) {
      traits.insert(.editedToStill)
    } else {
      traits.remove(.editedToStill)
    }
    // A Live Photo shows its movie too, not only the picture.
    renditionVersion =
      Self.renditionVersion(of: [current.sha256] + [files[.fullSizePairedVideo]?.sha256].compactMap(\.self))
      + replacementCount
  }

  /// Returns the asset with these files, which may differ from those when it was read.
  public func showing(_ files: AssetFiles) -> AssetRecord {
    var shown = self
    shown.copyShownProperties(of: files)
    let hash = { (version: String) in version.prefix { $0 != "-" } }
    if hash(shown.renditionVersion) == hash(renditionVersion) { shown.renditionVersion = renditionVersion }
    return shown
  }

  /// The end of the version: a dot and the number of times that damaged files were replaced; empty
  /// if none was.
  private var replacementCount: Substring { renditionVersion.drop { $0 != "." } }

  /// Changes the version after a damaged file was replaced: browsers may have kept pictures of it
  /// under the former version.
  mutating func raiseRenditionVersion() {
    let count = Int(replacementCount.dropFirst()) ?? 0
    renditionVersion = "\(renditionVersion.prefix { $0 != "." }).\(count &+ 1)"
  }

  /// Returns twelve digits of the shown files' hashes, and the version number of the code that
  /// makes renditions.
  public static func renditionVersion(of hashes: [Data]) -> String {
    let digest = hashes.reduce([UInt8](repeating: 0, count: 6)) { digest, hash in zip(digest, hash).map { $0 ^ $1 } }
    return digest.hexadecimal + "-1"
  }
}

/// The raw values of `PHAssetResourceType`.
public enum ResourceType: Int, Sendable {
  case photo = 1
  case video = 2
  case audio = 3
  case alternatePhoto = 4
  case fullSizePhoto = 5
  case fullSizeVideo = 6
  case adjustmentData = 7
  case adjustmentBasePhoto = 8
  case pairedVideo = 9
  case fullSizePairedVideo = 10
  case adjustmentBasePairedVideo = 11
  case adjustmentBaseVideo = 12
  case photoProxy = 19
}

extension ResourceRecord {
  public enum Kind: Sendable {
    case original, render, base, adjustmentData

    fileprivate var rank: Int {
      switch self {
      case .original: 0
      case .render: 1
      case .base: 2
      case .adjustmentData: 3
      }
    }
  }

  /// The role of the file: an original, or a file that an edit added.
  public var kind: Kind {
    switch ResourceType(rawValue: type) {
    case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo: .render
    case .adjustmentBasePhoto, .adjustmentBaseVideo, .adjustmentBasePairedVideo: .base
    case .adjustmentData: .adjustmentData
    case .photo, .video, .audio, .alternatePhoto, .pairedVideo, .photoProxy, nil: .original
    }
  }

  public var isRaw: Bool { uniformTypeIdentifier.hasSuffix("raw-image") }
}
