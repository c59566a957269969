import Imaging

extension SampleMedia {
  static func screenshot(_ size: PictureSize, seed: UInt64) -> PixelBuffer { picture(size, seed, nil) }
}
