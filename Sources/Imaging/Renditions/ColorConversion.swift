import Foundation

/// A request to a worker to convert pixels from one profile to another. The request's file contains
/// the pixels and then the profiles.
struct ColorConversion: Hashable, Sendable {
  var width: Int
  var height: Int
  var channels: Int
  /// `nil` is sRGB.
  var sourceByteCount: Int?
  var targetByteCount: Int?

  init(width: Int, height: Int, channels: Int, sourceByteCount: Int?, targetByteCount: Int?) {
    (self.width, self.height, self.channels) = (width, height, channels)
    (self.sourceByteCount, self.targetByteCount) = (sourceByteCount, targetByteCount)
  }

  init(of picture: ColoredPicture, to target: [UInt8]?) {
    let pixels = picture.pixels
    self.init(
      width: pixels.width, height: pixels.height, channels: pixels.channels, sourceByteCount: picture.profile?.count,
      targetByteCount: target?.count)
  }

  var limits: DecodingLimits { DecodingLimits(pixels: width * height, seconds: DecodingLimits.standard.seconds) }

  func content(of picture: ColoredPicture, to target: [UInt8]?) -> Data {
    var content = Data(capacity: picture.pixels.bytes.count + (sourceByteCount ?? 0) + (targetByteCount ?? 0))
    for part in [picture.pixels.bytes, picture.profile ?? [], target ?? []] { content.append(contentsOf: part) }
    return content
  }

  /// Converts the file's pixels; called in the worker.
  func perform(on file: MediaFile) throws(ImagingError) -> PixelBuffer {
    let byteCount = width * height * channels
    func profile(_ count: Int?, at offset: Int) throws(ImagingError) -> [UInt8]? {
      guard let count else { return nil }
      return try file.read(count, at: offset)
    }
    let source = try profile(sourceByteCount, at: byteCount)
    let target = try profile(targetByteCount, at: byteCount + (sourceByteCount ?? 0))
    var pixels = PixelBuffer(
      width: width, height: height, channels: channels, bytes: try file.read(byteCount, at: 0))
    try pixels.convert(from: source, to: target)
    return pixels
  }
}
