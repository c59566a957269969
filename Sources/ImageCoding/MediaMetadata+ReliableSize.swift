import MediaMetadata

extension MediaMetadata {
  /// The picture's size, if the file declares it and is not RAW. The size in a RAW file may be that
  /// of its sensor or its preview.
  package var reliableSize: PixelSize? {
    pixelWidth > 0 && pixelHeight > 0 && !type.isRaw ? PixelSize(width: pixelWidth, height: pixelHeight) : nil
  }
}
