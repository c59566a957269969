import Foundation
import ImageCoding
import MediaMetadata
import Synchronization

/// A still picture in memory as its file had it, decoded when its pixels are first asked for.
///
///     let picture = try EncodedPicture(data, named: "IMG_0001.HEIC")
///     picture.pixelWidth              // upright; nothing has been decoded yet
///     let pixels = try picture.pixels()
///
/// Any thread may use it; the pixels are kept from the first time on, in the colours of their file.
public final class EncodedPicture: Sendable {
  public let data: Data
  public let metadata: MediaMetadata
  public let pixelWidth: Int
  public let pixelHeight: Int
  private let name: String
  private let decoded: Mutex<ColoredPicture?>

  /// Throws for what is no still picture. Where the file doesn't tell its size exactly, the picture is decoded at once.
  public init(_ data: Data, named name: String) throws(ImagingError) {
    let file = try MediaFile(data: data, name: name)
    metadata = try MediaMetadata(of: file)
    guard metadata.type.kind == .image else {
      throw ImagingError(.unsupported, name, reason: "\(metadata.type.uniformTypeIdentifier) is not a still picture")
    }
    self.data = data
    self.name = name
    // A raw file tells the size of its sensor, and gives a picture without the sensor's margins.
    let isSizeTold = metadata.pixelWidth > 0 && metadata.pixelHeight > 0 && !metadata.type.isRaw
    if isSizeTold {
      (pixelWidth, pixelHeight) = (metadata.pixelWidth, metadata.pixelHeight)
      decoded = Mutex(nil)
    } else {
      let picture = try decodeInOwnColors(file, metadata: metadata)
      (pixelWidth, pixelHeight) = (picture.pixels.width, picture.pixels.height)
      decoded = Mutex(picture)
    }
  }

  /// A rendition: what it is is known.
  package init(_ rendition: Rendition) {
    data = rendition.data
    metadata = MediaMetadata(of: rendition)
    (pixelWidth, pixelHeight) = (rendition.pixelWidth, rendition.pixelHeight)
    name = "a rendition"
    decoded = Mutex(nil)
  }

  /// Upright, in sRGB. A picture that can't be decoded is tried again by the next call.
  public func pixels() throws(ImagingError) -> PixelBuffer { try inOwnColors().converted(to: nil) }

  /// Upright, in the colours of its file, as far as an edit can be made in them.
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
  /// Of a rendition it is known without a look.
  init(of rendition: Rendition) {
    self.init(
      type: MediaType(kind: .image, rendition.uniformTypeIdentifier, "jpg"),
      captureDate: CaptureDate(date: .distantPast, offset: 0, source: .file, zoneSource: .utc))
    (pixelWidth, pixelHeight) = (rendition.pixelWidth, rendition.pixelHeight)
  }
}
