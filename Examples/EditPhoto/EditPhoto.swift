import Foundation
import ImageIO
import Photos
import UIKit

/// Shows how a photo is edited, how the edit is taken up again by the program that made it, and how it is reverted; and how a Live Photo is
/// edited, still and movie alike.
@main
struct EditPhoto {
  static func main() async throws {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are seen")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    guard let photo = PHAsset.fetchAssets(with: .image, options: nil).firstObject, photo.canPerform(.content) else {
      return print("no photo to edit")
    }
    let identifier = photo.localIdentifier
    let original = try await input(of: photo).flatMap { try $0.fullSizeImageURL.map { try Data(contentsOf: $0) } }
    show(identifier)

    // Each turn is made from the original: the edit says how far it is turned by now.
    try await turn(photo)
    show(identifier)
    guard let edited = fetch(identifier) else { return print("not found again") }
    try await turn(edited)
    show(identifier)

    do {
      guard let input = try await input(of: edited) else { return print("no input") }
      let output = PHContentEditingOutput(contentEditingInput: input)
      output.adjustmentData = Recipe(quarterTurns: 0).adjustmentData
      try await PHPhotoLibrary.shared().performChanges {
        PHAssetChangeRequest(for: edited).contentEditingOutput = output
      }
    } catch PHPhotosError.invalidResource {
      print("refused: nothing was rendered")
    }

    try await PHPhotoLibrary.shared().performChanges {
      PHAssetChangeRequest(for: edited).revertAssetContentToOriginal()
    }
    show(identifier)
    guard let reverted = fetch(identifier) else { return print("not found again") }
    let now = try await input(of: reverted).flatMap { try $0.fullSizeImageURL.map { try Data(contentsOf: $0) } }
    print("the original is as it was: \(now == original)")

    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.photoLive.rawValue)
    guard let live = PHAsset.fetchAssets(with: options).firstObject else { return print("no Live Photo") }
    try await turnBoth(live)
  }

  /// Turns the still and each frame of the movie.
  private static func turnBoth(_ live: PHAsset) async throws {
    guard let input = try await input(of: live), let context = PHLivePhotoEditingContext(livePhotoEditingInput: input)
    else { return print("no input") }
    context.frameProcessor = { frame, _ in frame.image.oriented(.right) }
    let output = PHContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = Recipe(quarterTurns: 1).adjustmentData
    try await context.saveLivePhoto(to: output)
    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: live).contentEditingOutput = output }
    show(live.localIdentifier)
    let resources = PHAssetResource.assetResources(for: live)
    print("resources: \(resources.map { "\($0.type)" }.sorted().joined(separator: " "))")
    try await PHPhotoLibrary.shared().performChanges {
      PHAssetChangeRequest(for: live).revertAssetContentToOriginal()
    }
  }

  /// Turns what is seen by a quarter more.
  private static func turn(_ photo: PHAsset) async throws {
    guard let input = try await input(of: photo), let url = input.fullSizeImageURL else { return print("no input") }
    var recipe = input.adjustmentData.flatMap { Recipe($0) } ?? Recipe(quarterTurns: 0)
    if recipe.quarterTurns > 0 { print("taken up again: quarter turns \(recipe.quarterTurns)") }
    recipe.quarterTurns += 1

    guard var image = CIImage(contentsOf: url)?.oriented(forExifOrientation: input.fullSizeImageOrientation) else {
      return print("the photo can't be read")
    }
    for _ in 0..<recipe.quarterTurns { image = image.oriented(.right) }
    let output = PHContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = recipe.adjustmentData
    // Its date, its place and its colours stay, which a UIImage would not keep.
    let space = image.colorSpace ?? CGColorSpaceCreateDeviceRGB()
    try CIContext().writeJPEGRepresentation(of: image, to: output.renderedContentURL, colorSpace: space)
    let rendered =
      CIImage(contentsOf: output.renderedContentURL)?.properties[kCGImagePropertyExifDictionary] as? [String: Any]
    print("taken: \(rendered?[kCGImagePropertyExifDateTimeOriginal] ?? "unknown")")
    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: photo).contentEditingOutput = output }
  }

  /// The original and the recipe where the last edit was this program's, and else what the last edit made of it.
  private static func input(of photo: PHAsset) async throws -> PHContentEditingInput? {
    let options = PHContentEditingInputRequestOptions()
    options.canHandleAdjustmentData = { Recipe($0) != nil }
    options.skipsDisplaySizeImage = true
    return try await withCheckedThrowingContinuation { continuation in
      photo.requestContentEditingInput(with: options) { input, info in
        if let error = info[PHContentEditingInputErrorKey] as? any Error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: input)
        }
      }
    }
  }

  private static func fetch(_ identifier: String) -> PHAsset? {
    PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject
  }

  private static func show(_ identifier: String) {
    guard let photo = fetch(identifier) else { return print("not found again") }
    let format = photo.adjustmentFormatIdentifier.map { ", by \($0) \(Recipe.formatVersion)" } ?? ""
    print("\(photo.pixelWidth) × \(photo.pixelHeight), edited: \(photo.hasAdjustments)\(format)")
  }
}

/// All that this program's edits say.
private struct Recipe {
  static let formatIdentifier = "com.example.turn"
  static let formatVersion = "1.0"

  var quarterTurns: Int

  init(quarterTurns: Int) { self.quarterTurns = quarterTurns }

  /// `nil` for another program's.
  init?(_ data: PHAdjustmentData) {
    guard data.formatIdentifier == Self.formatIdentifier, data.formatVersion == Self.formatVersion,
      let turns = Int(String(decoding: data.data, as: UTF8.self))
    else { return nil }
    quarterTurns = turns
  }

  var adjustmentData: PHAdjustmentData {
    PHAdjustmentData(
      formatIdentifier: Self.formatIdentifier, formatVersion: Self.formatVersion, data: Data("\(quarterTurns)".utf8))
  }
}
