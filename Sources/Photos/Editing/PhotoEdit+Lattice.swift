import CoreImage
internal import Imaging

extension PhotoEdit.Filter {
  /// The number of colors along each side of `lattice`.
  package static let latticeSide = 33

  /// Returns the filter's results for evenly spread colors in sRGB, as red, green and blue. Blue
  /// changes fastest, and red slowest. A page shows the filter with them before the edit is
  /// rendered.
  package func lattice() throws -> [UInt8] {
    let side = Self.latticeSide
    let values = (0..<side).map { UInt8((255 * $0 + (side - 1) / 2) / (side - 1)) }
    let colors = values.flatMap { red in values.flatMap { green in values.flatMap { [red, green, $0] } } }
    let picture = PixelBuffer(width: side * side, height: side, channels: 3, bytes: colors)
    return try CIImage(pixels: picture).applyingFilter(coreImageName).render().pixels.bytes
  }
}
