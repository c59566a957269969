import Foundation
import ImageCoding
import MediaMetadata
import Sandbox

extension ColoredPicture {
  /// Converts the colors to another profile; nil is sRGB. Colors outside the target's gamut are
  /// clipped.
  ///
  /// A profile comes from a file, and is therefore parsed in a worker process, like the rest of the
  /// file.
  public func converted(to target: [UInt8]?) throws(ImagingError) -> PixelBuffer {
    guard target != profile else { return pixels }
    guard [profile, target].contains(where: { $0 != nil && $0 != Self.displayP3 }) else {
      return try convertedInProcess(to: target)
    }
    let conversion = ConvertColors(of: self, to: target)
    return try conversion.answer(on: MediaFile(data: conversion.content(of: self, to: target), name: "an image"))
  }
}

/// Converts pixels from one profile to another. The request's file contains the pixels, followed by
/// the profiles.
struct ConvertColors: Endpoint {
  var width: Int
  var height: Int
  var channels: Int
  /// The byte count of the source's profile; nil is sRGB.
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

  var expectedSize: PixelSize? { PixelSize(width: width, height: height) }

  func read(_ message: PixelMessage, _ reply: inout ReplyReader, on file: MediaFile) throws -> PixelBuffer {
    let isSame = (message.width, message.height, message.channels) == (width, height, channels)
    try check(isSame, "a picture of another size")
    return try reply.pixels(message, limits)
  }
}

extension ConvertColors: MessagePart {
  static var blank: Self { Self(width: 0, height: 0, channels: 0, sourceByteCount: nil, targetByteCount: nil) }
  mutating func code(with coder: inout MessageCoder) {
    coder.part(&width)
    coder.part(&height)
    coder.part(&channels)
    coder.part(&sourceByteCount)
    coder.part(&targetByteCount)
  }
}
