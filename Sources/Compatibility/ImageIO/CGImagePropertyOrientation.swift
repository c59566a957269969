@_exported import CoreGraphics

// The part of ImageIO that this module contains: orientations, image sources and destinations, and
// metadata keys. Left out: the frames of animations and a file's further pictures, metadata trees
// (`CGImageMetadata`), auxiliary data, incremental sources.

/// The turn and reflection that make a file's pixels upright, with EXIF's numbers 1–8.
///
///     let upright = image.oriented(.right)
public enum CGImagePropertyOrientation: UInt32, Sendable {
  case up = 1
  case upMirrored
  case down
  case downMirrored
  /// Mirror the pixels, then turn them by 90° to the left.
  case leftMirrored
  /// Turn the pixels by 90° to the right.
  case right
  case rightMirrored
  /// Turn the pixels by 90° to the left.
  case left
}
