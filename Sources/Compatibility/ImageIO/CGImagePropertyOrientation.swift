@_exported import CoreGraphics

// ImageIO: orientations, image sources and destinations, and the keys of files' metadata. Left out:
// animations' frames and a file's further pictures, metadata trees (`CGImageMetadata`), auxiliary
// data, incremental sources.

/// How the pixels of a file are to be turned and mirrored: EXIF's values, 1–8.
///
///     let upright = image.oriented(.right)
public enum CGImagePropertyOrientation: UInt32, Sendable {
  case up = 1
  case upMirrored
  case down
  case downMirrored
  /// To be mirrored and then turned by 90° to the left.
  case leftMirrored
  /// To be turned by 90° to the right.
  case right
  case rightMirrored
  /// To be turned by 90° to the left.
  case left
}
