import Foundation
import Photos

/// The files of an edit that phones store beside the original.
struct PlannedEdit: Sendable {
  /// The edited picture, or for a video the edited movie.
  var render: InspectedFile
  /// The movie of an edited Live Photo.
  var movie: InspectedFile?
  /// The adjustment data: `IMG_0001.AAE`.
  var envelope: FoundFile
  /// The original that the adjustment data name; `nil` if they name none.
  var original: EditedOriginal?

  var files: [FoundFile] { [render.file] + [movie?.file].compactMap(\.self) + [envelope] }
}

/// Distinguishes edits from originals by their names. `IMG_E0001.JPG` (or `IMG_0001_edited.JPG`) is
/// an edit of `IMG_0001.HEIC` if `IMG_0001.AAE` is in the same folder. If one of the three is
/// missing, each file is an asset of its own.
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

  /// Assigns an edit to its asset: to a still the edited picture, and the edited movie too if the
  /// still has a movie; to a video the edited movie.
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

  /// The edited files that no asset has taken, each as an asset of its own.
  var rest: [PlannedAsset] {
    renders.values.flatMap { $0 }.map { $0.isMovie ? PlannedAsset(movie: $0) : PlannedAsset(photo: $0) }
  }
}

extension InspectedFile {
  fileprivate var isMovie: Bool { inspection.mediaType == .video }
}

extension FoundFile {
  /// The key of `IMG_0001` if the name is `IMG_E0001.JPG`; `nil` if the name is not that of an
  /// edit.
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
