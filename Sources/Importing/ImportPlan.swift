import Foundation
import Photos

/// A file and what it says of itself.
struct InspectedFile: Sendable {
  var file: FoundFile
  var inspection: PHFileInspection
  /// The date that the camera wrote into a file beside it, if the file itself has none.
  private(set) var sidecarDate: Date?

  init(file: FoundFile, inspection: PHFileInspection) {
    self.file = file
    self.inspection = inspection
  }

  /// Takes the date of a camcorder's MOI file, unless the movie has one of its own.
  mutating func takeDate(of recording: FoundFile) {
    guard inspection.mediaType == .video, inspection.hasFileDateOnly,
      let recording = CamcorderRecording(contentsOf: recording.path), let date = recording.date(in: .current)
    else { return }
    sidecarDate = date
    inspection.creationDate = date
    inspection.hasFileDateOnly = false
  }
}

/// The files that make one asset.
struct PlannedAsset: Sendable {
  /// A JPEG, HEIC, … ; or the RAW file where that is all there is.
  var photo: InspectedFile?
  /// The RAW file of the same shot.
  var raw: InspectedFile?
  var movie: InspectedFile?
  /// What was made of it on the phone.
  var edit: PlannedEdit?

  var originals: [InspectedFile] { [photo, raw, movie].compactMap(\.self) }
  var files: [FoundFile] { originals.map(\.file) + (edit?.files ?? []) }

  var byteCount: Int { files.reduce(0) { $0 + $1.byteCount } }

  /// Of its first file.
  fileprivate var path: SourcePath {
    photo?.file.path ?? raw?.file.path ?? movie?.file.path ?? SourcePath("")
  }

  /// A file with the resource type that it has in the asset.
  struct Resource {
    var type: PHAssetResourceType
    var file: FoundFile
    var sidecarDate: Date?
  }

  var resources: [Resource] {
    var resources: [Resource] = []
    func add(_ type: PHAssetResourceType, _ file: InspectedFile) {
      resources.append(Resource(type: type, file: file.file, sidecarDate: file.sidecarDate))
    }
    if let photo { add(.photo, photo) }
    if let raw { add(photo == nil ? .photo : .alternatePhoto, raw) }
    if let movie { add(photo == nil && raw == nil ? .video : .pairedVideo, movie) }
    if let edit {
      add(isVideo ? .fullSizeVideo : .fullSizePhoto, edit.render)
      if let movie = edit.movie { add(.fullSizePairedVideo, movie) }
      resources.append(Resource(type: .adjustmentData, file: edit.envelope))
    }
    return resources
  }

  /// Whether it will be a Live Photo, by its pair of files or by the movie inside its photo.
  var isLive: Bool {
    guard let still = photo ?? raw else { return false }
    return movie != nil || still.inspection.mediaSubtypes.contains(.photoLive)
  }

  var isVideo: Bool { photo == nil && raw == nil }
}

/// Which files make one asset: a pure function of what the files say.
///
/// A still and a movie with the same content identifier belong together wherever they lie; so do a RAW file and a picture of
/// the same shot. Without identifiers, a movie belongs to the still of the same name in the same folder if it is short and of
/// the same moment.
///
/// An edit that a phone wrote beside the original – `IMG_E0001.JPG` and `IMG_0001.AAE` beside `IMG_0001.HEIC` – belongs to it.
struct ImportPlan {
  var assets: [PlannedAsset] = []

  /// A Live Photo's movie lasts about three seconds.
  static let longestPairedMovie = 4.0
  /// Seconds between a still and the movie around it.
  static let longestPairedInterval = 3.0

  /// `envelopes`: the AAE files that say what an edit is.
  init(_ files: [InspectedFile], envelopes: [FoundFile] = []) {
    var edits = PlannedEdits(files, envelopes: envelopes)
    let files = edits.originals
    let stills = files.filter { $0.inspection.mediaType == .image && !$0.inspection.isRaw }
    let movies = files.filter { $0.inspection.mediaType == .video }
    var raws = Pool(files.filter(\.inspection.isRaw)) { $0.inspection.shotKey }
    assets = stills.map { PlannedAsset(photo: $0) }
    for nearness in Nearness.allCases {
      for index in assets.indices where assets[index].raw == nil {
        guard let still = assets[index].photo else { continue }
        assets[index].raw = raws.take(still.inspection.shotKey, nearness, of: still)
      }
    }
    assets += raws.rest.map { PlannedAsset(raw: $0) }

    var identified = Pool(movies.filter { $0.inspection.contentIdentifier != nil }) { $0.inspection.contentIdentifier }
    var unidentified = Pool(movies.filter { $0.inspection.contentIdentifier == nil }) { $0.nameKey }
    for nearness in Nearness.allCases {
      for index in assets.indices where assets[index].movie == nil {
        guard let still = assets[index].photo ?? assets[index].raw else { continue }
        assets[index].movie =
          if let identifier = still.inspection.contentIdentifier {
            identified.take(identifier, nearness, of: still)
          } else {
            unidentified.take(still.nameKey, nearness, of: still) { $0.isAround(still) }
          }
      }
    }
    assets += (identified.rest + unidentified.rest).map { PlannedAsset(movie: $0) }
    for index in assets.indices { edits.take(for: &assets[index]) }
    assets += edits.rest
    assets.sort { $0.path < $1.path }
  }
}

extension InspectedFile {
  /// What a still and its movie share where neither has an identifier.
  var nameKey: [UInt8] { file.nameKey }

  /// Whether this movie was taken around the still, and is as short as a Live Photo's.
  fileprivate func isAround(_ still: InspectedFile) -> Bool {
    // Files that were copied together are of one moment by their own dates, whatever they show.
    !(inspection.hasFileDateOnly && still.inspection.hasFileDateOnly)
      && inspection.duration <= ImportPlan.longestPairedMovie
      && abs(inspection.creationDate.timeIntervalSince(still.inspection.creationDate))
        <= ImportPlan.longestPairedInterval
  }
}

/// How near two files lie, the nearest first: where several could belong together, those of one name do.
private enum Nearness: CaseIterable {
  case sameName, sameFolder, anywhere

  func holds(_ one: InspectedFile, _ other: InspectedFile) -> Bool {
    switch self {
    case .sameName: one.nameKey == other.nameKey
    case .sameFolder: one.file.folder == other.file.folder
    case .anywhere: true
    }
  }
}

/// Files that wait for the one that they belong to, by what they share with it.
private struct Pool<Key: Hashable> {
  private var waiting: [Key: [InspectedFile]] = [:]
  private var unkeyed: [InspectedFile] = []

  init(_ files: [InspectedFile], by key: (InspectedFile) -> Key?) {
    for file in files {
      if let key = key(file) { waiting[key, default: []].append(file) } else { unkeyed.append(file) }
    }
  }

  /// Removes one that shares the key, lies as near as that, and fits.
  mutating func take(
    _ key: Key?, _ nearness: Nearness, of file: InspectedFile, where fits: (InspectedFile) -> Bool = { _ in true }
  ) -> InspectedFile? {
    guard let key, let index = waiting[key]?.firstIndex(where: { nearness.holds($0, file) && fits($0) }) else {
      return nil
    }
    return waiting[key]?.remove(at: index)
  }

  var rest: [InspectedFile] { waiting.values.flatMap { $0 } + unkeyed }
}
