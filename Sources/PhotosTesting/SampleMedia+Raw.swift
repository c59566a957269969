import Foundation
import Imaging

extension SampleMedia {
  /// Makes a raw file: a DNG with an uncompressed Bayer pattern of 14 bits and a JPEG preview of
  /// the whole picture.
  ///
  /// Both sides become even. The preview's longer side is `previewSide`, or that of the picture.
  /// The camera's colors are sRGB's primaries in linear light, so that developing it gives the
  /// picture.
  public static func dng(
    size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata(), previewSide: Int? = nil
  ) throws(SampleError) -> Data {
    var metadata = metadata
    metadata.camera = metadata.camera ?? .iPhone
    let even = PictureSize(width: (size.width + 1) / 2 * 2, height: (size.height + 1) / 2 * 2)
    let upright = picture(even, seed: seed, scene: scene)
    let pixels = upright.stored(for: metadata.orientation)
    let shown = previewSide.map(pixels.thumbnail(longSide:)) ?? pixels
    let preview = [UInt8](try encoded(shown, metadata: SampleMetadata(), as: "public.jpeg", quality: 85))

    var main = EXIFBuilder(metadata, size: pixels.size).directory()
    main.describePicture(pixels.size, bitsPerSample: [8, 8, 8], photometric: 6)
    // A reduced picture, compressed as JPEG.
    main[0x00FE] = .long([1])
    main[0x0103] = .short([7])
    main[0x0111] = .position(preview)
    main[0x0117] = .long([preview.count])
    main[0x014A] = .directory(sensorDirectory(pixels))
    main[0xC612] = .bytes([1, 4, 0, 0])
    main[0xC613] = .bytes([1, 1, 0, 0])
    main[0xC614] = .ascii(metadata.camera?.model ?? "")
    // The matrix from XYZ to the camera's colors, here sRGB's under D65.
    main[0xC621] = .signedRational([
      3.2405, -1.5371, -0.4985, -0.9693, 1.8760, 0.0416, 0.0556, -0.2040, 1.0572,
    ])
    main[0xC628] = .rational([1, 1, 1])
    // The illuminant D65.
    main[0xC65A] = .short([21])
    return Data(main.file())
  }

  private static let whiteLevel = 16_383

  private static func sensorDirectory(_ pixels: PixelBuffer) -> TIFFDirectoryBuilder {
    let linear = (0..<256).map { value -> Int in
      let encoded = Double(value) / 255
      let light = encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
      return Int((light * Double(whiteLevel)).rounded())
    }
    var samples: [UInt8] = []
    samples.reserveCapacity(pixels.width * pixels.height * 2)
    for y in 0..<pixels.height {
      for x in 0..<pixels.width {
        // Even rows have red and green, odd rows have green and blue.
        let channel = y % 2 + x % 2
        let value = linear[Int(pixels.bytes[(y * pixels.width + x) * pixels.channels + channel])]
        samples.append(UInt8(value >> 8))
        samples.append(UInt8(value & 0xFF))
      }
    }
    var sensor = TIFFDirectoryBuilder()
    // A picture with a color filter array.
    sensor.describePicture(pixels.size, bitsPerSample: [16], photometric: 32803)
    sensor[0x00FE] = .long([0])
    sensor[0x0111] = .position(samples)
    sensor[0x0117] = .long([samples.count])
    sensor[0x828D] = .short([2, 2])
    sensor[0x828E] = .bytes([0, 1, 1, 2])
    sensor[0xC61D] = .long([whiteLevel])
    return sensor
  }
}
