// ImageIO's functions and constants, spelt as it spells them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CoreGraphics
package import Imaging

/// A picture's file or bytes, asked what they are; nothing is decoded.
///
///     guard let source = CGImageSourceCreateWithURL(url, nil),
///       let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)
///     else { return }
///     let exif = properties[kCGImagePropertyExifDictionary] as? [String: Any]
public final class CGImageSource: Sendable {
  let metadata: MediaMetadata
  let byteCount: Int

  init?(_ file: MediaFile?) {
    guard let file, let metadata = try? MediaMetadata(of: file), metadata.type.kind == .image else { return nil }
    self.metadata = metadata
    byteCount = file.byteCount
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
public func CGImageSourceGetType(_ source: CGImageSource) -> String? { source.metadata.type.uniformTypeIdentifier }

/// 1: an animation's frames and a file's further pictures are not counted.
public func CGImageSourceGetCount(_ source: CGImageSource) -> Int { 1 }
public func CGImageSourceGetPrimaryImageIndex(_ source: CGImageSource) -> Int { 0 }

/// The size of the file; of the picture, its index must be 0, `CGImageSourceCopyPropertiesAtIndex` tells all that is known.
public func CGImageSourceCopyProperties(_ source: CGImageSource, _ options: [String: Any]?) -> [String: Any]? {
  [kCGImagePropertyFileSize: source.byteCount]
}

/// `nil` for any other index than 0.
public func CGImageSourceCopyPropertiesAtIndex(_ source: CGImageSource, _ index: Int, _ options: [String: Any]?)
  -> [String: Any]?
{
  index == 0 ? CGImageSourceProperties(of: source.metadata) : nil
}

public let kCGImagePropertyFileSize = "FileSize"
public let kCGImagePropertyPixelWidth = "PixelWidth"
public let kCGImagePropertyPixelHeight = "PixelHeight"
public let kCGImagePropertyOrientation = "Orientation"
public let kCGImagePropertyExifDictionary = "{Exif}"
public let kCGImagePropertyTIFFDictionary = "{TIFF}"
public let kCGImagePropertyGPSDictionary = "{GPS}"
public let kCGImagePropertyIPTCDictionary = "{IPTC}"
public let kCGImagePropertyExifDateTimeOriginal = "DateTimeOriginal"
public let kCGImagePropertyExifOffsetTimeOriginal = "OffsetTimeOriginal"
public let kCGImagePropertyExifExposureTime = "ExposureTime"
public let kCGImagePropertyExifFNumber = "FNumber"
public let kCGImagePropertyExifISOSpeedRatings = "ISOSpeedRatings"
public let kCGImagePropertyExifFocalLength = "FocalLength"
public let kCGImagePropertyExifLensModel = "LensModel"
public let kCGImagePropertyTIFFMake = "Make"
public let kCGImagePropertyTIFFModel = "Model"
public let kCGImagePropertyTIFFSoftware = "Software"
public let kCGImagePropertyTIFFOrientation = "Orientation"
public let kCGImagePropertyGPSLatitude = "Latitude"
public let kCGImagePropertyGPSLatitudeRef = "LatitudeRef"
public let kCGImagePropertyGPSLongitude = "Longitude"
public let kCGImagePropertyGPSLongitudeRef = "LongitudeRef"
public let kCGImagePropertyGPSAltitude = "Altitude"
public let kCGImagePropertyGPSAltitudeRef = "AltitudeRef"
public let kCGImagePropertyIPTCObjectName = "ObjectName"
public let kCGImagePropertyIPTCCaptionAbstract = "Caption/Abstract"
public let kCGImagePropertyIPTCKeywords = "Keywords"
public let kCGImagePropertyIPTCStarRating = "StarRating"

/// A file's metadata under ImageIO's keys. Sizes are as stored, before the orientation is applied.
package func CGImageSourceProperties(of metadata: MediaMetadata) -> [String: Any] {
  let isTurned = metadata.orientation >= 5
  var properties: [String: Any] = [
    kCGImagePropertyPixelWidth: isTurned ? metadata.pixelHeight : metadata.pixelWidth,
    kCGImagePropertyPixelHeight: isTurned ? metadata.pixelWidth : metadata.pixelHeight,
    kCGImagePropertyOrientation: metadata.orientation,
  ]
  func add(_ dictionary: String, _ values: [String: Any?]) {
    let known = values.compactMapValues { $0 }
    if !known.isEmpty { properties[dictionary] = known }
  }
  let camera = metadata.camera
  add(
    kCGImagePropertyTIFFDictionary,
    [
      kCGImagePropertyTIFFMake: camera.make, kCGImagePropertyTIFFModel: camera.model,
      kCGImagePropertyTIFFSoftware: camera.software, kCGImagePropertyTIFFOrientation: metadata.orientation,
    ])
  let date = metadata.captureDate.source == .file ? nil : metadata.captureDate
  add(
    kCGImagePropertyExifDictionary,
    [
      kCGImagePropertyExifDateTimeOriginal: date?.exifText,
      kCGImagePropertyExifOffsetTimeOriginal: date.flatMap { $0.zoneSource == .machine ? nil : $0.exifOffset },
      kCGImagePropertyExifExposureTime: camera.exposureTime, kCGImagePropertyExifFNumber: camera.fNumber,
      kCGImagePropertyExifISOSpeedRatings: camera.iso.map { [$0] },
      kCGImagePropertyExifFocalLength: camera.focalLength, kCGImagePropertyExifLensModel: camera.lens,
    ])
  if let location = metadata.location {
    add(
      kCGImagePropertyGPSDictionary,
      [
        kCGImagePropertyGPSLatitude: abs(location.latitude),
        kCGImagePropertyGPSLatitudeRef: location.latitude < 0 ? "S" : "N",
        kCGImagePropertyGPSLongitude: abs(location.longitude),
        kCGImagePropertyGPSLongitudeRef: location.longitude < 0 ? "W" : "E",
        kCGImagePropertyGPSAltitude: location.altitude.map(abs),
        kCGImagePropertyGPSAltitudeRef: location.altitude.map { $0 < 0 ? 1 : 0 },
      ])
  }
  add(
    kCGImagePropertyIPTCDictionary,
    [
      kCGImagePropertyIPTCObjectName: metadata.title, kCGImagePropertyIPTCCaptionAbstract: metadata.caption,
      kCGImagePropertyIPTCKeywords: metadata.keywords.isEmpty ? nil : metadata.keywords,
      kCGImagePropertyIPTCStarRating: metadata.rating == 0 ? nil : metadata.rating,
    ])
  return properties
}
