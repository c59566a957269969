import Foundation
import Photos
import UIKit

/// Shows how an app adds a picture that it has made, and puts it into an album in the same block.
@main
struct AddPhoto {
  static func main() async throws {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    guard let picture = sunset(width: 64, height: 48) else { return print("no picture") }

    let titled = PHFetchOptions()
    titled.predicate = NSPredicate(format: "title == %@", "Family")
    let family = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .albumRegular, options: titled)
      .firstObject
    if family == nil { print("no album to put it into") }
    guard let asset = try await add(picture, to: family) else { return print("not found again") }

    print("added: \(asset.pixelWidth) × \(asset.pixelHeight)")
    PHAssetCollection.fetchAssetCollectionsContaining(asset, with: .album, options: nil).enumerateObjects {
      album, _, _ in
      let assets = PHAsset.fetchAssets(in: album, options: nil)
      print("in \(album.localizedTitle ?? ""), with \(assets.count - 1) others")
    }
  }

  /// Adds the picture. The asset doesn't exist before the commit, so the block uses its
  /// placeholder.
  private static func add(_ picture: UIImage, to album: PHAssetCollection?) async throws -> PHAsset? {
    var identifier: String?
    try await PHPhotoLibrary.shared().performChanges {
      guard let placeholder = PHAssetChangeRequest.creationRequestForAsset(from: picture).placeholderForCreatedAsset
      else { return }
      identifier = placeholder.localIdentifier
      guard let album, album.canPerform(.addContent) else { return }
      PHAssetCollectionChangeRequest(for: album)?.addAssets([placeholder] as NSArray)
    }
    return identifier.flatMap { PHAsset.fetchAssets(withLocalIdentifiers: [$0], options: nil).firstObject }
  }

  /// Draws a gradient from dark red at the bottom to yellow at the top, as a BMP file with 24 bits
  /// per pixel. The width must be a multiple of four, since no row is padded.
  private static func sunset(width: Int, height: Int) -> UIImage? {
    let headerSize = 54
    var file = Data("BM".utf8)
    func append(_ value: Int, bytes: Int) { for byte in 0..<bytes { file.append(UInt8(value >> (8 * byte) & 0xFF)) } }
    for value in [headerSize + 3 * width * height, 0, headerSize, 40, width, height] { append(value, bytes: 4) }
    for value in [1, 24] { append(value, bytes: 2) }
    for _ in 0..<6 { append(0, bytes: 4) }
    for row in 0..<height {
      for _ in 0..<width { file.append(contentsOf: [0, UInt8(200 * row / height), UInt8(128 + 127 * row / height)]) }
    }
    return UIImage(data: file)
  }
}
