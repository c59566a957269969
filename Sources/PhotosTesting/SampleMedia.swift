import Foundation
import Imaging

/// Photos and videos that are drawn on demand. The same seed gives the same bytes.
///
///     let photo = try SampleMedia.jpeg(seed: 1, metadata: SampleMetadata(captureDate: .now, offset: 7200))
///     try photo.write(to: folder.appendingPathComponent("IMG_0001.JPG"))
///
/// - A size is that of the upright picture. The pixels are stored for `metadata.orientation`.
/// - Without a `scene`, the seed chooses one.
/// - Stills are deterministic for one version of the encoders. Movies need the `ffmpeg` program.
/// - Any thread may make samples. The call returns when the sample is ready.
public enum SampleMedia {
  /// Makes a JPEG, the format of older phones.
  public static func jpeg(
    size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata(), quality: Int = 85
  ) throws(SampleError) -> Data {
    try still(size: size, seed: seed, scene: scene, metadata: metadata, as: "public.jpeg", quality: quality)
  }

  /// Makes a HEIC, the format of current phones. HEIC turns its picture itself: the pixels are
  /// stored upright and the EXIF orientation is 1.
  public static func heic(
    size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata(), quality: Int = 60
  ) throws(SampleError) -> Data {
    var metadata = metadata
    metadata.orientation = 1
    return try still(size: size, seed: seed, scene: scene, metadata: metadata, as: "public.heic", quality: quality)
  }

  public static func avif(
    size: PictureSize = .small, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata(), quality: Int = 60
  ) throws(SampleError) -> Data {
    var metadata = metadata
    metadata.orientation = 1
    return try still(size: size, seed: seed, scene: scene, metadata: metadata, as: "public.avif", quality: quality)
  }

  public static func png(
    size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata()
  ) throws(SampleError) -> Data {
    try still(size: size, seed: seed, scene: scene, metadata: metadata, as: "public.png", quality: 100)
  }

  public static func webP(
    size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata(), quality: Int = 80
  ) throws(SampleError) -> Data {
    let pixels = picture(size, seed: seed, scene: scene).stored(for: metadata.orientation)
    let webP = try encoded(pixels, metadata: SampleMetadata(), as: "org.webmproject.webp", quality: quality)
    guard !metadata.isEmpty else { return webP }
    return WebPFile.inserting(EXIFBuilder(metadata, size: pixels.size).block(), into: webP, size: pixels.size)
  }

  /// Makes a JPEG XL without metadata.
  public static func jpegXL(
    size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil, quality: Int = 80
  ) throws(SampleError) -> Data {
    try still(size: size, seed: seed, scene: scene, metadata: SampleMetadata(), as: "public.jpeg-xl", quality: quality)
  }

  /// Makes a GIF of one frame, without metadata.
  public static func gif(size: PictureSize = .small, seed: UInt64 = 1, scene: SampleScene? = nil)
    throws(SampleError) -> Data
  {
    try still(size: size, seed: seed, scene: scene, metadata: SampleMetadata(), as: "com.compuserve.gif", quality: 100)
  }

  /// Makes an uncompressed TIFF.
  public static func tiff(
    size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata()
  ) throws(SampleError) -> Data {
    let pixels = picture(size, seed: seed, scene: scene).stored(for: metadata.orientation)
    var directory = EXIFBuilder(metadata, size: pixels.size).directory()
    directory.describePicture(pixels.size, bitsPerSample: [8, 8, 8], photometric: 2)
    directory[0x0111] = .position(pixels.bytes)
    directory[0x0117] = .long([pixels.bytes.count])
    return Data(directory.file())
  }

  /// Makes a JPEG that is marked as a panorama, as a phone's camera app does. By default it is four
  /// times as wide as high.
  public static func panorama(
    size: PictureSize = PictureSize(width: 2400, height: 600), seed: UInt64 = 1, scene: SampleScene = .mountains,
    metadata: SampleMetadata = SampleMetadata()
  ) throws(SampleError) -> Data {
    var metadata = metadata
    // Readers accept the mark only from known cameras.
    metadata.camera = metadata.camera ?? .iPhone
    metadata.customRendered = 6
    return try jpeg(size: size, seed: seed, scene: scene, metadata: metadata)
  }

  /// Makes a screenshot of a phone in portrait orientation.
  public static func screenshotPNG(
    size: PictureSize = PictureSize(width: 590, height: 1278), seed: UInt64 = 1,
    metadata: SampleMetadata = SampleMetadata()
  ) throws(SampleError) -> Data {
    var metadata = metadata
    metadata.userComment = "Screenshot"
    return try encoded(.screenshot(size, seed: seed), metadata: metadata, as: "public.png", quality: 100)
  }

  /// Makes the frames of a burst. They share an identifier.
  public static func burst(
    count: Int, size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata()
  ) throws(SampleError) -> [Data] {
    var random = SeededGenerator(seed: seed ^ 0xB0057)
    var metadata = metadata
    metadata.camera = metadata.camera ?? .iPhone
    metadata.burstIdentifier = metadata.burstIdentifier ?? random.uuid().uuidString
    // The frames are parts of one larger picture, as if the camera had moved a little.
    let room = PictureSize(width: size.width + size.width / 8, height: size.height + size.height / 8)
    let picture = picture(room, seed: seed, scene: scene)
    let start = metadata.captureDate
    var frames: [Data] = []
    for index in 0..<count {
      metadata.captureDate = start?.addingTimeInterval(Double(index / 10))
      metadata.subseconds = index % 10 * 100
      let part = picture.cropped(
        x: (room.width - size.width) * index / max(1, count - 1), y: random.int(0...room.height - size.height), to: size
      )
      frames.append(try encoded(part, metadata: metadata, as: "public.jpeg", quality: 85))
    }
    return frames
  }

  // MARK: - Encoding

  static func picture(_ size: PictureSize, seed: UInt64, scene: SampleScene?) -> PixelBuffer {
    (scene ?? SampleScene(seed: seed)).picture(size, seed: seed)
  }

  private static func still(
    size: PictureSize, seed: UInt64, scene: SampleScene?, metadata: SampleMetadata, as type: String,
    quality: Int
  ) throws(SampleError) -> Data {
    try encoded(picture(size, seed: seed, scene: scene), metadata: metadata, as: type, quality: quality)
  }

  static func encoded(_ picture: PixelBuffer, metadata: SampleMetadata, as type: String, quality: Int)
    throws(SampleError) -> Data
  {
    let pixels = picture.stored(for: metadata.orientation)
    var exif = EXIFBuilder(metadata, size: pixels.size)
    do {
      if metadata.hasThumbnail, type == "public.jpeg" {
        exif.thumbnail = try encode(pixels.thumbnail(longSide: 160), as: type, quality: quality)
      }
      return try encode(
        pixels, as: type, quality: quality, exif: metadata.isEmpty ? nil : exif.block(),
        thumbnailLongSide: metadata.hasThumbnail ? 320 : nil)
    } catch {
      throw SampleError(.cannotEncode, type, reason: error.reason)
    }
  }
}

extension TIFFDirectoryBuilder {
  /// Sets the tags of a picture in one uncompressed strip, except for the strip's position.
  mutating func describePicture(_ size: PictureSize, bitsPerSample: [Int], photometric: Int) {
    self[0x0100] = .long([size.width])
    self[0x0101] = .long([size.height])
    self[0x0102] = .short(bitsPerSample)
    self[0x0103] = .short([1])
    self[0x0106] = .short([photometric])
    self[0x0115] = .short([bitsPerSample.count])
    self[0x0116] = .long([size.height])
    self[0x011C] = .short([1])
  }
}

extension PixelBuffer {
  func thumbnail(longSide: Int) -> PixelBuffer {
    let long = max(width, height)
    return resized(to: PixelSize(width: max(1, width * longSide / long), height: max(1, height * longSide / long)))
  }

  func cropped(x: Int, y: Int, to size: PictureSize) -> PixelBuffer {
    var result: [UInt8] = []
    result.reserveCapacity(size.width * size.height * channels)
    for row in y..<y + size.height {
      let start = (row * width + x) * channels
      result += bytes[start..<start + size.width * channels]
    }
    return PixelBuffer(width: size.width, height: size.height, channels: channels, bytes: result)
  }
}
