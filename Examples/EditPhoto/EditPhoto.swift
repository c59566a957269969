import Foundation
import ImageIO
import Photos
import UIKit

/// Shows how to edit a photo, how the same program continues its edit later, how to revert it, and
/// how to edit both the still and the movie of a Live Photo.
@main
struct EditPhoto {
  static func main() async throws {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    guard let photo = PHAsset.fetchAssets(with: .image, options: nil).firstObject, photo.canPerform(.content) else {
      return print("no photo to edit")
    }
    let identifier = photo.localIdentifier
    let original = try await input(of: photo).flatMap { try $0.fullSizeImageURL.map { try Data(contentsOf: $0) } }
    show(identifier)

    // Each turn is rendered from the original. The adjustment data contains the number of turns.
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

  /// Turns the photo by another quarter.
  private static func turn(_ photo: PHAsset) async throws {
    guard let input = try await input(of: photo), let url = input.fullSizeImageURL else { return print("no input") }
    var recipe = input.adjustmentData.flatMap { Recipe($0) } ?? Recipe(quarterTurns: 0)
    if recipe.quarterTurns > 0 { print("continued: quarter turns \(recipe.quarterTurns)") }
    recipe.quarterTurns += 1

    guard var image = CIImage(contentsOf: url)?.oriented(forExifOrientation: input.fullSizeImageOrientation) else {
      return print("the photo can't be read")
    }
    for _ in 0..<recipe.quarterTurns { image = image.oriented(.right) }
    let output = PHContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = recipe.adjustmentData
    // Core Image keeps the date, the place and the colors, which a `UIImage` would lose.
    let space = image.colorSpace ?? CGColorSpaceCreateDeviceRGB()
    try CIContext().writeJPEGRepresentation(of: image, to: output.renderedContentURL, colorSpace: space)
    let rendered =
      CIImage(contentsOf: output.renderedContentURL)?.properties[kCGImagePropertyExifDictionary] as? [String: Any]
    print("taken: \(rendered?[kCGImagePropertyExifDateTimeOriginal] ?? "unknown")")
    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: photo).contentEditingOutput = output }
  }

  /// Returns the original and the recipe if this program made the last edit. Otherwise returns the
  /// last render.
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

/// The content of this program's adjustment data.
private struct Recipe {
  static let formatIdentifier = "com.example.turn"
  static let formatVersion = "1.0"

  var quarterTurns: Int

  init(quarterTurns: Int) { self.quarterTurns = quarterTurns }

  /// Returns `nil` for adjustment data of another program.
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
