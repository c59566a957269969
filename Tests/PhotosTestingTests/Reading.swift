import Foundation
import Imaging
import PhotosTesting

/// Returns the metadata that Calotype reads from a sample. The file's name is random, so that no
/// metadata comes from it.
func metadata(of data: Data) throws -> MediaMetadata {
  try reading(data) { try MediaMetadata(of: $0, machineTimeZone: .gmt) }
}

/// Returns the placeholder's bytes and the decoder's notes.
func placeholder(of data: Data) throws -> RenditionSet {
  try reading(data) { file in
    try makeRenditions(of: file, metadata: MediaMetadata(of: file), kinds: [.grid])
  }
}

private func reading<Value>(_ data: Data, _ body: (MediaFile) throws -> Value) throws -> Value {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try data.write(to: url)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(MediaFile(path: url.path))
}

extension MediaMetadata {
  var size: PictureSize { PictureSize(width: max(1, pixelWidth), height: max(1, pixelHeight)) }
}

extension Rendition {
  var size: PictureSize { PictureSize(width: pixelWidth, height: pixelHeight) }
}
