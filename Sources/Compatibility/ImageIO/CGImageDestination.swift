// ImageIO's functions, in its spelling.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CoreGraphics
internal import Imaging

/// A new picture file with its metadata.
///
///     let data = NSMutableData()
///     guard let destination = CGImageDestinationCreateWithData(
///       data as CFMutableData, "public.jpeg" as CFString, 1, nil)
///     else { return }
///     let options = [kCGImageDestinationLossyCompressionQuality: 0.8]
///     CGImageDestinationAddImage(destination, image, options as CFDictionary)
///     guard CGImageDestinationFinalize(destination) else { return }
///
/// - JPEG, PNG, HEIC, AVIF and WebP hold EXIF with the dictionaries of TIFF, EXIF, GPS and Apple's
///   maker note. JPEG holds IPTC as well. TIFF, GIF and JPEG XL hold no metadata.
/// - An orientation is written into JPEG, PNG and WebP. For other formats the pixels themselves are
///   turned upright.
/// - It holds one picture. A picture from a source is encoded again and keeps its XMP.
///
/// Not thread-safe: use it on one thread.
public final class CGImageDestination {
  fileprivate enum Target {
    case file(URL)
    case data(NSMutableData)
  }

  fileprivate let target: Target
  fileprivate let type: String
  fileprivate var common: [String: Any] = [:]
  fileprivate var picture: Picture?
  fileprivate var isFinished = false

  fileprivate struct Picture {
    var pixels: PixelBuffer
    var properties: [String: Any]
    /// The source's metadata, with its XMP.
    var carried: CarriedMetadata?
  }

  fileprivate init?(_ target: Target, type: String, count: Int) {
    guard count == 1, CGImageDestinationCopyTypeIdentifiers().contains(type) else { return nil }
    self.target = target
    self.type = type
  }

  fileprivate func finish() -> Bool {
    guard !isFinished, let picture, let data = try? encoded(picture) else { return false }
    isFinished = true
    switch target {
    case .data(let sink):
      sink.append(data)
      return true
    case .file(let url): return (try? data.write(to: url, options: .atomic)) != nil
    }
  }

  private func encoded(_ picture: Picture) throws(ImagingError) -> Data {
    let asked = common.merging(picture.properties) { $1 }
    let quality = PictureProperties.double(asked[kCGImageDestinationLossyCompressionQuality]) ?? Self.standardQuality
    var pixels = picture.pixels.fitting(
      PictureProperties.integer(asked[kCGImageDestinationImageMaxPixelSize]).map { max(1, $0) })
    var properties = PictureProperties(asked)
    if !Self.typesWithOrientation.contains(type) {
      if case .integers(let orientation) = properties[.tiff, 0x0112] { pixels = pixels.oriented(orientation[0]) }
      properties.set(.tiff, 0x0112, to: nil)
    }
    if properties.entries.contains(where: { $0.group == .exif }) {
      properties.set(.exif, 0xA002, to: .integers([pixels.width]))
      properties.set(.exif, 0xA003, to: .integers([pixels.height]))
    }
    var carried = picture.carried ?? CarriedMetadata()
    carried.exif = properties.exifBlock
    carried.iptc = properties.iptcFields
    if type == "public.jpeg" { pixels = pixels.flattened() }
    return try encode(
      pixels, as: type, quality: Int((min(max(quality, 0), 1) * 100).rounded()), carrying: carried)
  }

  private static let standardQuality = 0.92
  private static let typesWithOrientation: Set = ["public.jpeg", "public.png", "org.webmproject.webp"]
}

/// Makes a destination that writes a file. Returns `nil` for a type that can't be written, and if
/// the count isn't 1.
public func CGImageDestinationCreateWithURL(
  _ url: CFURL, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { CGImageDestination(.file(url), type: type, count: count) }

/// Makes a destination that appends to data. Returns `nil` for a type that can't be written, and if
/// the count isn't 1.
public func CGImageDestinationCreateWithData(
  _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { CGImageDestination(.data(data), type: type, count: count) }

/// Returns the types that can be written.
public func CGImageDestinationCopyTypeIdentifiers() -> [CFString] {
  [
    "public.jpeg", "public.png", "public.heic", "public.avif", "org.webmproject.webp", "public.tiff",
    "com.compuserve.gif", "public.jpeg-xl",
  ]
}

/// Sets default properties; the picture's own properties take precedence.
public func CGImageDestinationSetProperties(_ destination: CGImageDestination, _ properties: CFDictionary?) {
  destination.common = properties ?? [:]
}

/// Sets the picture. A second call replaces it.
public func CGImageDestinationAddImage(
  _ destination: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {
  destination.picture = CGImageDestination.Picture(pixels: image.pixels, properties: properties ?? [:])
}

/// Sets a source's picture with its metadata. `properties` take precedence. Each key in one of
/// their dictionaries replaces the source's. `kCFNull` removes a key or a whole dictionary.
public func CGImageDestinationAddImageFromSource(
  _ destination: CGImageDestination, _ source: CGImageSource, _ index: Int, _ properties: CFDictionary?
) {
  guard let image = CGImageSourceCreateImageAtIndex(source, index, nil) else { return }
  var all = source.properties
  for (key, value) in properties ?? [:] {
    if let new = value as? [String: Any] {
      let merged = (all[key] as? [String: Any] ?? [:]).merging(new) { $1 }
      all[key] = merged.filter { !($0.value is NSNull) }
    } else {
      all[key] = value is NSNull ? nil : value
    }
  }
  let carried = try? CarriedMetadata(
    from: source.file, metadata: source.metadata, width: image.width, height: image.height, keepsGeometry: true)
  destination.picture = CGImageDestination.Picture(pixels: image.pixels, properties: all, carried: carried)
}

/// Writes the file atomically. Returns `false` if there is no picture, if it can't be encoded, and
/// from the second call on.
public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool { destination.finish() }

/// The key of the quality: a number from 0 (smallest) to 1 (best).
public let kCGImageDestinationLossyCompressionQuality: CFString = "kCGImageDestinationLossyCompressionQuality"
/// The key of a number of pixels. The picture is shrunk until neither side is longer.
public let kCGImageDestinationImageMaxPixelSize: CFString = "kCGImageDestinationImageMaxPixelSize"
