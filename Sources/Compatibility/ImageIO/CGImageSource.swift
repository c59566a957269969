// ImageIO's functions, spelled as it spells them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CoreGraphics
internal import Imaging

/// A picture in a file or in memory. Nothing is decoded before an image is requested.
///
///     guard let source = CGImageSourceCreateWithURL(url as CFURL, nil),
///       let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)
///     else { return }
///     let exif = properties[kCGImagePropertyExifDictionary] as? [String: Any]
public final class CGImageSource: Sendable {
  let metadata: MediaMetadata
  let file: MediaFile

  init?(_ file: MediaFile?) {
    guard let file, let metadata = try? MediaMetadata(of: file), metadata.type.kind == .image else { return nil }
    self.metadata = metadata
    self.file = file
  }

  /// The file's metadata under ImageIO's keys.
  var properties: [String: Any] {
    imageProperties(of: metadata, (try? PictureProperties(of: file)) ?? PictureProperties())
  }

  /// Returns upright pixels in the order of rows and columns that the file stores.
  func stored(_ pixels: PixelBuffer) -> PixelBuffer { pixels.oriented(inverse(metadata.orientation)) }
}

/// Returns the EXIF orientation that reverses another one.
func inverse(_ orientation: Int) -> Int {
  switch orientation {
  case 6: 8
  case 8: 6
  default: orientation
  }
}

/// `nil` for a file that can't be read and for one that is no picture. Options say how pixels are kept: they change nothing.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
  CGImageSource(try? MediaFile(path: url.path))
}

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
  CGImageSource(try? MediaFile(data: data, name: "image data"))
}

/// The uniform type identifier, told from the content.
public func CGImageSourceGetType(_ source: CGImageSource) -> CFString? { source.metadata.type.uniformTypeIdentifier }

/// 1: an animation's frames and a file's further pictures are not counted.
public func CGImageSourceGetCount(_ source: CGImageSource) -> Int { 1 }
public func CGImageSourceGetPrimaryImageIndex(_ source: CGImageSource) -> Int { 0 }

/// The size of the file; of the picture, its index must be 0, `CGImageSourceCopyPropertiesAtIndex` tells all that is known.
public func CGImageSourceCopyProperties(_ source: CGImageSource, _ options: CFDictionary?) -> CFDictionary? {
  [kCGImagePropertyFileSize: source.file.byteCount]
}

/// Returns the picture's metadata; `nil` unless the index is 0. Line breaks in texts become spaces.
public func CGImageSourceCopyPropertiesAtIndex(_ source: CGImageSource, _ index: Int, _ options: CFDictionary?)
  -> CFDictionary?
{
  index == 0 ? source.properties : nil
}

/// Decodes the picture as the file stores it, in sRGB; `nil` unless the index is 0, and if the
/// picture can't be decoded.
public func CGImageSourceCreateImageAtIndex(_ source: CGImageSource, _ index: Int, _ options: CFDictionary?)
  -> CGImage?
{
  guard index == 0, let pixels = try? decodePicture(of: source.file, metadata: source.metadata) else { return nil }
  return CGImage(source.stored(pixels))
}

/// Returns a thumbnail: made of the whole picture if an option asks for it, else the one that the
/// camera stored in the file.
///
/// Returns `nil` unless the index is 0, if the picture can't be decoded, and if the file has no
/// thumbnail and no option asks to make one.
public func CGImageSourceCreateThumbnailAtIndex(_ source: CGImageSource, _ index: Int, _ options: CFDictionary?)
  -> CGImage?
{
  guard index == 0 else { return nil }
  func isOn(_ key: String) -> Bool { options?[key] as? Bool ?? false }
  let side = PictureProperties.integer(options?[kCGImageSourceThumbnailMaxPixelSize]).map { max(1, $0) }
  let isAlwaysMade = isOn(kCGImageSourceCreateThumbnailFromImageAlways)
  var pixels = isAlwaysMade ? nil : try? embeddedThumbnail(of: source.file)
  if pixels == nil, isAlwaysMade || isOn(kCGImageSourceCreateThumbnailFromImageIfAbsent) {
    let longest = max(1, source.metadata.pixelWidth, source.metadata.pixelHeight)
    // No thumbnail is larger than its picture.
    let fitting = min(side ?? longest, longest)
    let request = PictureRequest(.fitting(width: fitting, height: fitting), isExact: true)
    pixels = try? makePicture(of: source.file, metadata: source.metadata, request)
  }
  guard let pixels = pixels?.fitting(side) else { return nil }
  return CGImage(isOn(kCGImageSourceCreateThumbnailWithTransform) ? pixels : source.stored(pixels))
}

extension PixelBuffer {
  /// Returns these pixels, shrunk if necessary so that neither side is longer than `side`.
  func fitting(_ side: Int?) -> PixelBuffer {
    guard let side, max(width, height) > side else { return self }
    let scale = Double(side) / Double(max(width, height))
    return resized(
      to: PixelSize(
        width: max(1, Int((Double(width) * scale).rounded())), height: max(1, Int((Double(height) * scale).rounded()))))
  }
}

/// A number of pixels: the longest side that the thumbnail may have.
public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
/// A `Bool`: whether the thumbnail is made of the picture even if the file has one.
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = "kCGImageSourceCreateThumbnailFromImageAlways"
/// A `Bool`: whether it is made of the picture if the file has none.
public let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString = "kCGImageSourceCreateThumbnailFromImageIfAbsent"
/// A `Bool`: whether the thumbnail is upright.
public let kCGImageSourceCreateThumbnailWithTransform: CFString = "kCGImageSourceCreateThumbnailWithTransform"

// These have no effect: pixels are decoded when they are requested, and nothing is cached.

public let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
public let kCGImageSourceShouldCacheImmediately: CFString = "kCGImageSourceShouldCacheImmediately"
public let kCGImageSourceTypeIdentifierHint: CFString = "kCGImageSourceTypeIdentifierHint"
