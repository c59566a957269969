import Foundation

/// The files of an edit, as phones write them beside the original.
struct PlannedEdit: Sendable {
  /// A picture, or of a video a movie.
  var render: InspectedFile
  /// Of an edited Live Photo.
  var movie: InspectedFile?
  /// `IMG_0001.AAE`, the adjustment data.
  var envelope: FoundFile

  var files: [FoundFile] { [render.file] + [movie?.file].compactMap(\.self) + [envelope] }
}

/// Tells edits from originals by their names: `IMG_E0001.JPG` (or `IMG_0001_edited.JPG`) is one of `IMG_0001.HEIC` where
/// `IMG_0001.AAE` lies beside both. Without all three each file is an asset of its own.
struct PlannedEdits {
  /// The files that are no edits.
  private(set) var originals: [InspectedFile] = []
  private var renders: [[UInt8]: [InspectedFile]] = [:]
  private let envelopes: [[UInt8]: FoundFile]

  init(_ files: [InspectedFile], envelopes: [FoundFile]) {
    self.envelopes = Dictionary(envelopes.map { ($0.nameKey, $0) }, uniquingKeysWith: { first, _ in first })
    let present = Set(files.map { Key(name: $0.nameKey, isMovie: $0.isMovie) })
    for file in files {
      let original = file.file.editedNameKey.map { Key(name: $0, isMovie: file.isMovie) }
      if let original, self.envelopes[original.name] != nil, present.contains(original) {
        renders[original.name, default: []].append(file)
      } else {
        originals.append(file)
      }
    }
  }

  private struct Key: Hashable {
    var name: [UInt8]
    var isMovie: Bool
  }

  /// Gives an asset its edit: to a still a picture, and the movie too where the still has one; to a video a movie.
  mutating func take(for asset: inout PlannedAsset) {
    guard let original = asset.photo ?? asset.raw ?? asset.movie, let envelope = envelopes[original.nameKey],
      let render = remove(original.nameKey, isMovie: asset.isVideo)
    else { return }
    asset.edit = PlannedEdit(render: render, envelope: envelope)
    if !asset.isVideo, asset.movie?.nameKey == original.nameKey {
      asset.edit?.movie = remove(original.nameKey, isMovie: true)
    }
  }

  private mutating func remove(_ name: [UInt8], isMovie: Bool) -> InspectedFile? {
    guard let index = renders[name]?.firstIndex(where: { $0.isMovie == isMovie }) else { return nil }
    return renders[name]?.remove(at: index)
  }

  /// What nobody took: assets of their own.
  var rest: [PlannedAsset] {
    renders.values.flatMap { $0 }.map { $0.isMovie ? PlannedAsset(movie: $0) : PlannedAsset(photo: $0) }
  }
}

extension InspectedFile {
  fileprivate var isMovie: Bool { inspection.mediaType == .video }
}

extension FoundFile {
  /// Of `IMG_E0001.JPG` the key of `IMG_0001`; `nil` for a name that is no edit's.
  fileprivate var editedNameKey: [UInt8]? {
    let stem = stem
    let suffix = "_edited".utf8
    if stem.count > suffix.count, stem.suffix(suffix.count).elementsEqual(suffix) {
      return folder + [UInt8(ascii: "/")] + stem.dropLast(suffix.count)
    }
    guard let line = stem.lastIndex(of: UInt8(ascii: "_")), line + 2 < stem.count,
      stem[line + 1] == UInt8(ascii: "e"), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(stem[line + 2])
    else { return nil }
    return folder + [UInt8(ascii: "/")] + stem[...line] + stem[(line + 2)...]
  }
}
