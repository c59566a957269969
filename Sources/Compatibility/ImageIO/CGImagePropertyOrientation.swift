@_exported import CoreGraphics

// Of ImageIO, orientations, and image sources with their properties. Left out: everything that gives a `CGImage`, thumbnails, image
// destinations (`CIContext` and `UIImage` make new files), animations' frames, and all keys but those in `CGImageSource.swift`.

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
