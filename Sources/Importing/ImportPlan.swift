import Foundation
import Photos

/// A file with the metadata that was read from it.
struct InspectedFile: Sendable {
  var file: FoundFile
  var inspection: FileInspection
  /// The date that the camera wrote into a separate file, if the file itself has none.
  private(set) var sidecarDate: Date?

  init(file: FoundFile, inspection: FileInspection) {
    self.file = file
    self.inspection = inspection
  }

  /// Uses the date of a camcorder's MOI file if the movie has none with a time.
  mutating func useDate(of recording: FoundFile) {
    guard inspection.mediaType == .video, !inspection.hasCaptureTime,
      let recording = CamcorderRecording(contentsOf: recording.path), let date = recording.date(in: .current)
    else { return }
    sidecarDate = date
    inspection.creationDate = date
    inspection.hasCaptureTime = true
  }
}

/// The files that make one asset.
struct PlannedAsset: Sendable {
  /// A JPEG, HEIC or other picture; nil if the asset is a RAW file alone.
  var photo: InspectedFile?
  /// The RAW file of the same shot.
  var raw: InspectedFile?
  var movie: InspectedFile?
  /// The edit that a phone stored beside the originals.
  var edit: PlannedEdit?

  var originals: [InspectedFile] { [photo, raw, movie].compactMap(\.self) }
  var files: [FoundFile] { originals.map(\.file) + (edit?.files ?? []) }

  var byteCount: Int { files.reduce(0) { $0.addingSize($1.byteCount) } }

  /// The path of its first file.
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

  var still: InspectedFile? { photo ?? raw }

  /// Whether it will be a Live Photo, by its pair of files or by the movie inside its photo.
  var isLive: Bool {
    guard let still else { return false }
    return movie != nil || still.inspection.mediaSubtypes.contains(.photoLive)
  }

  var isVideo: Bool { photo == nil && raw == nil }
}

/// The grouping of files into assets: a pure function of the files' metadata.
///
/// A still and a movie with the same content identifier form one asset, even in different folders.
/// A RAW file and a picture of the same shot do so too. If the still or the movie has no
/// identifier, a short movie belongs to the still of the same name and moment in the same folder.
/// If the zone of either is unknown, it is enough that their local times agree. If the still has
/// no zone and the movie is in UTC, their times may differ by the offset of any zone.
///
/// An edit that a phone stored beside the original – `IMG_E0001.JPG` and `IMG_0001.AAE` beside
/// `IMG_0001.HEIC` – belongs to it.
struct ImportPlan {
  var assets: [PlannedAsset] = []

  /// The longest movie of a Live Photo in seconds; usually it lasts about three.
  static let longestPairedMovie = 4.0
  /// The largest interval in seconds between a still and its movie.
  static let longestPairedInterval = 3.0

  /// The longest movie that Takeout stores beside its motion photo, in seconds.
  static let longestMotionPart = 10.0

  /// Groups files; `envelopes` are the AAE files that describe edits. `hasLivePhoto` returns
  /// whether the library has both halves of the Live Photo with an identifier.
  init(_ files: [InspectedFile], envelopes: [FoundFile] = [], hasLivePhoto: (String) throws -> Bool) rethrows {
    var edits = PlannedEdits(files, envelopes: envelopes)
    let files = edits.originals
    let stills = files.filter { $0.inspection.mediaType == .image && !$0.inspection.isRaw }
    let movies = files.filter { $0.inspection.mediaType == .video }
    let rawFiles = files.filter(\.inspection.isRaw)
    var raws = Pool(rawFiles) { $0.inspection.shot?.localKey }
    assets = stills.map { PlannedAsset(photo: $0) }
    // Without RAW files, as in most imports, nothing is compared with the stills.
    let shots = rawFiles.isEmpty ? [] : stills.map { $0.inspection.shot?.localKey }
    for proximity in Proximity.allCases {
      for (index, shot) in shots.enumerated() where assets[index].raw == nil {
        assets[index].raw = raws.take(shot, proximity, of: stills[index]) { _ in true }
      }
    }
    assets += raws.rest.map { PlannedAsset(raw: $0) }

    var identified = Pool(movies.filter { $0.inspection.contentIdentifier != nil }) { $0.inspection.contentIdentifier }
    for proximity in Proximity.allCases {
      for index in assets.indices where assets[index].movie == nil {
        guard let still = assets[index].still else { continue }
        assets[index].movie = identified.take(still.inspection.contentIdentifier, proximity, of: still) { _ in true }
      }
    }
    let complete = Set(assets.filter { $0.movie != nil }.compactMap { $0.still?.inspection.contentIdentifier })
    let stillNames = movies.isEmpty ? [] : Set(assets.compactMap(\.still?.nameKey))
    let motionPhotos = movies.isEmpty ? [] : Set(assets.compactMap(\.still).filter(\.isMotionPhoto).map(\.nameKey))
    var named = Pool(identified.rest + movies.filter { $0.inspection.contentIdentifier == nil }) {
      // Takeout's movie may belong to any still: a copy of a motion photo may have lost the movie
      // inside it.
      let photos = $0.file.hasMotionPartExtension ? stillNames : motionPhotos
      return $0.file.photoNameKeys.first(where: photos.contains) ?? $0.nameKey
    }
    for index in assets.indices where assets[index].movie == nil {
      guard let still = assets[index].still else { continue }
      assets[index].movie = try named.take(still.nameKey, .anywhere, of: still) { movie in
        guard movie.isMovie(of: still) else { return false }
        // The true half of a Live Photo is elsewhere.
        let identifiers = [still, movie].compactMap(\.inspection.contentIdentifier)
        return try !identifiers.contains { try complete.contains($0) || hasLivePhoto($0) }
      }
    }
    assets += named.rest.map { PlannedAsset(movie: $0) }
    for index in assets.indices { edits.take(for: &assets[index]) }
    assets += edits.rest
    assets.sort { $0.path < $1.path }
  }

  /// Sorts the assets by the first of their files among these paths.
  mutating func sort(inOrderOf paths: [SourcePath]) {
    let places = Dictionary(zip(paths, paths.indices), uniquingKeysWith: min)
    let placed = assets.map { (place: $0.files.compactMap { places[$0.path] }.min() ?? .max, asset: $0) }
    assets = placed.sorted { $0.place < $1.place }.map(\.asset)
  }
}

extension InspectedFile {
  /// The key that a still and its movie share if they are paired by name.
  var nameKey: [UInt8] { file.nameKey }

  /// Whether this movie belongs to a still of the same name.
  fileprivate func isMovie(of still: InspectedFile) -> Bool {
    guard inspection.contentIdentifier == nil || still.inspection.contentIdentifier == nil else { return false }
    let isMotionPart = file.hasMotionPartExtension || file.wholeNameKey == still.nameKey
    return isMotionPart && still.isMotionPhoto && inspection.isNoLonger(than: ImportPlan.longestMotionPart)
      || isFromSameMoment(as: still)
  }

  /// Whether this still contains a movie.
  fileprivate var isMotionPhoto: Bool { inspection.mediaSubtypes.contains(.photoLive) }

  /// Whether this movie was taken around the same time as the still, and is as short as a Live
  /// Photo's.
  fileprivate func isFromSameMoment(as still: InspectedFile) -> Bool {
    // Files that were copied together have the same modification date. Dates without a time have
    // the same noon. Neither means that the files show the same moment.
    guard inspection.hasCaptureTime || still.inspection.hasCaptureTime,
      inspection.isNoLonger(than: ImportPlan.longestPairedMovie)
    else { return false }
    if inspection.creationDate.isNear(still.inspection.creationDate) { return true }
    if inspection.isInstantOnly, still.inspection.isZoneGuessed, let stillDate = still.inspection.localDate {
      return inspection.creationDate.isNear(showing: stillDate)
    }
    // If the zone of one file is a guess, its instant is also a guess. Its local time is known.
    guard inspection.isZoneGuessed || still.inspection.isZoneGuessed, let date = inspection.localDate,
      let stillDate = still.inspection.localDate
    else { return false }
    return date.isNear(stillDate)
  }
}

extension Date {
  fileprivate func isNear(_ other: Date) -> Bool {
    abs(timeIntervalSince(other)) <= ImportPlan.longestPairedInterval
  }

  /// Whether a clock in any of today's zones showed about `localDate` at this instant. The offsets
  /// of zones are multiples of 15 minutes from -12 to 14 hours.
  fileprivate func isNear(showing localDate: Date) -> Bool {
    let quarters = (localDate.timeIntervalSince(self) / 900).rounded()
    return (-48...56).contains(quarters) && (self + quarters * 900).isNear(localDate)
  }
}

extension FileInspection {
  /// Returns false if the duration is unknown. Phones write it for movies that belong to stills.
  fileprivate func isNoLonger(than seconds: Double) -> Bool { duration > 0 && duration <= seconds }
}

/// The distance between two files, the nearest first. If several files match, the nearest is used.
private enum Proximity: CaseIterable {
  case sameName, sameFolder, anywhere

  func holds(_ one: InspectedFile, _ other: InspectedFile) -> Bool {
    switch self {
    case .sameName: one.nameKey == other.nameKey
    case .sameFolder: one.file.folder == other.file.folder
    case .anywhere: true
    }
  }
}

/// Files that wait for the file they belong to, by the key that they share with it.
private struct Pool<Key: Hashable> {
  private let files: [InspectedFile]
  /// The places in `files`, in ascending order.
  private var waiting: [Key: [Int]] = [:]
  private var taken: Set<Int> = []

  init(_ files: [InspectedFile], by key: (InspectedFile) -> Key?) {
    self.files = files
    for (place, file) in files.enumerated() {
      if let key = key(file) { waiting[key, default: []].append(place) }
    }
  }

  /// Removes and returns a file with that key that is at least as near and satisfies `fits`.
  mutating func take(
    _ key: Key?, _ proximity: Proximity, of file: InspectedFile,
    where fits: (InspectedFile) throws -> Bool
  ) rethrows -> InspectedFile? {
    guard let key,
      let index = try waiting[key]?.firstIndex(where: { try proximity.holds(files[$0], file) && fits(files[$0]) }),
      let place = waiting[key]?.remove(at: index)
    else { return nil }
    taken.insert(place)
    return files[place]
  }

  /// The files that were not taken, in their order.
  var rest: [InspectedFile] { files.indices.filter { !taken.contains($0) }.map { files[$0] } }
}
