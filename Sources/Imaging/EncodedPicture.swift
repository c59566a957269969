import Foundation
import ImageCoding
import MediaMetadata
import Synchronization

/// A still picture in memory in the encoding of its file. It is decoded when its pixels are first
/// requested.
///
///     let picture = try EncodedPicture(data, named: "IMG_0001.HEIC")
///     picture.pixelWidth     // upright; nothing has been decoded yet
///     let pixels = try picture.pixels()
///
/// Any thread may use it. The pixels stay in memory after the first request, in the colors of the
/// file.
public final class EncodedPicture: Sendable {
  public let data: Data
  public let metadata: MediaMetadata
  public let pixelWidth: Int
  public let pixelHeight: Int
  private let name: String
  private let decoded: Mutex<ColoredPicture?>

  /// Throws if the data is not a still picture. If its headers don't contain the exact size, the
  /// picture is decoded at once.
  public init(_ data: Data, named name: String) throws(ImagingError) {
    let file = try MediaFile(data: data, name: name)
    metadata = try MediaMetadata(of: file)
    guard metadata.type.kind == .image else {
      throw ImagingError(.unsupported, name, reason: "\(metadata.type.uniformTypeIdentifier) is not a still picture")
    }
    self.data = data
    self.name = name
    // A RAW file contains the size of its sensor, but is decoded to a picture without the sensor's
    // margins.
    let isSizeKnown = metadata.pixelWidth > 0 && metadata.pixelHeight > 0 && !metadata.type.isRaw
    if isSizeKnown {
      (pixelWidth, pixelHeight) = (metadata.pixelWidth, metadata.pixelHeight)
      decoded = Mutex(nil)
    } else {
      let picture = try decodeInOwnColors(file, metadata: metadata)
      (pixelWidth, pixelHeight) = (picture.pixels.width, picture.pixels.height)
      decoded = Mutex(picture)
    }
  }

  /// Creates a picture from a rendition, whose metadata is known.
  package init(_ rendition: Rendition) {
    data = rendition.data
    metadata = MediaMetadata(of: rendition)
    (pixelWidth, pixelHeight) = (rendition.pixelWidth, rendition.pixelHeight)
    name = "a rendition"
    decoded = Mutex(nil)
  }

  /// Returns the pixels, upright and in sRGB. After a failure, the next call decodes again.
  public func pixels() throws(ImagingError) -> PixelBuffer { try inOwnColors().converted(to: nil) }

  /// Returns the picture, upright and in the colors of its file. If they can't be edited, it is in
  /// sRGB.
  public func inOwnColors() throws(ImagingError) -> ColoredPicture {
    let result: Result<ColoredPicture, ImagingError> = decoded.withLock { decoded in
      if let decoded { return .success(decoded) }
      do throws(ImagingError) {
        let picture = try decodeInOwnColors(MediaFile(data: data, name: name), metadata: metadata)
        decoded = picture
        return .success(picture)
      } catch { return .failure(error) }
    }
    return try result.get()
  }
}

extension MediaMetadata {
  /// Creates the metadata of a rendition without reading its data.
  init(of rendition: Rendition) {
    self.init(
      type: MediaType(kind: .image, rendition.uniformTypeIdentifier, "jpg"),
      captureDate: CaptureDate(date: .distantPast, offset: 0, source: .file, zoneSource: .utc))
    (pixelWidth, pixelHeight) = (rendition.pixelWidth, rendition.pixelHeight)
  }
}
