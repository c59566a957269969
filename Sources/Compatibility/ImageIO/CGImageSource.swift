// ImageIO's functions, in its spelling.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CoreGraphics
internal import Imaging

/// A picture in a file or in memory. Nothing is decoded until an image is requested.
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

  /// Returns upright pixels, turned back to the rows and columns of the file.
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

/// Returns `nil` for a file that can't be read or is not a picture. The options have no effect:
/// they control caching.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
  CGImageSource(try? MediaFile(path: url.path))
}

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
  CGImageSource(try? MediaFile(data: data, name: "image data"))
}

/// Returns the uniform type identifier, which the content determines, not the file's name.
public func CGImageSourceGetType(_ source: CGImageSource) -> CFString? { source.metadata.type.uniformTypeIdentifier }

/// Returns 1. The frames of an animation and a file's further pictures are not counted.
public func CGImageSourceGetCount(_ source: CGImageSource) -> Int { 1 }
/// Returns 0, because a file's main picture is the only one that is counted.
public func CGImageSourceGetPrimaryImageIndex(_ source: CGImageSource) -> Int { 0 }

/// Returns the file's size and the index of its main picture. All other metadata is the picture's:
/// `CGImageSourceCopyPropertiesAtIndex` returns it.
public func CGImageSourceCopyProperties(_ source: CGImageSource, _ options: CFDictionary?) -> CFDictionary? {
  [
    kCGImagePropertyFileSize: source.file.byteCount,
    kCGImagePropertyPrimaryImage: CGImageSourceGetPrimaryImageIndex(source),
  ]
}

/// Returns the picture's metadata, or `nil` if the index isn't 0. Line breaks in texts become
/// spaces.
public func CGImageSourceCopyPropertiesAtIndex(_ source: CGImageSource, _ index: Int, _ options: CFDictionary?)
  -> CFDictionary?
{
  index == 0 ? source.properties : nil
}

/// Decodes the picture in sRGB, as the file stores it. Returns `nil` if the index isn't 0, and if
/// the picture can't be decoded.
public func CGImageSourceCreateImageAtIndex(_ source: CGImageSource, _ index: Int, _ options: CFDictionary?)
  -> CGImage?
{
  guard index == 0, let pixels = try? decodePicture(of: source.file, metadata: source.metadata) else { return nil }
  return CGImage(source.stored(pixels))
}

/// Returns a thumbnail. It is made of the whole picture if an option asks for that, else it is the
/// one that the camera stored in the file.
///
/// Returns `nil` if the index isn't 0, if the picture can't be decoded, and if the file has no
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

/// The key of a number of pixels: the longest side that the thumbnail may have.
public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
/// The key of a `Bool`: true to make the thumbnail of the picture even if the file contains one.
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = "kCGImageSourceCreateThumbnailFromImageAlways"
/// The key of a `Bool`: true to make the thumbnail of the picture if the file contains none.
public let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString = "kCGImageSourceCreateThumbnailFromImageIfAbsent"
/// The key of a `Bool`: true to turn the thumbnail upright.
public let kCGImageSourceCreateThumbnailWithTransform: CFString = "kCGImageSourceCreateThumbnailWithTransform"

// These options have no effect: pixels are decoded on request, and nothing is cached.

public let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
public let kCGImageSourceShouldCacheImmediately: CFString = "kCGImageSourceShouldCacheImmediately"
public let kCGImageSourceTypeIdentifierHint: CFString = "kCGImageSourceTypeIdentifierHint"
