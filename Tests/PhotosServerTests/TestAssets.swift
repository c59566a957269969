import Foundation
import Photos

extension TestServer {
  /// Adds a photo of these bytes. It was taken `minute` minutes after 2019-03-04 23:20:11.250 UTC.
  @discardableResult func add(_ data: Data, named name: String = "IMG_0001.BMP", minute: Int = 0) throws -> PHAsset {
    try library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = name
      request.addResource(with: .photo, data: data, options: options)
      request.creationDate = Date(timeIntervalSince1970: 1_551_741_611.25 + Double(minute * 60))
    }
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.sortDescriptors = [NSSortDescriptor(key: "addedDate", ascending: false)]
    guard let asset = PHAsset.fetchAssets(with: options).firstObject else { throw CocoaError(.fileReadUnknown) }
    return asset
  }
}

/// Returns the simplest picture file: one color, uncompressed.
func bitmap(width: Int = 8, height: Int = 4, red: UInt8 = 200) -> Data {
  let row = (width * 3 + 3) / 4 * 4
  var data = Data("BM".utf8)
  func append(_ number: Int, _ bytes: Int) {
    for byte in 0..<bytes { data.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
  }
  append(54 + row * height, 4)
  append(0, 4)
  append(54, 4)
  append(40, 4)
  append(width, 4)
  append(height, 4)
  append(1, 2)
  append(24, 2)
  for _ in 0..<6 { append(0, 4) }
  for _ in 0..<height {
    for _ in 0..<width { data += [40, 80, red] }
    data += [UInt8](repeating: 0, count: row - width * 3)
  }
  return data
}
