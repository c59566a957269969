internal import ImageFilters
package import Imaging

extension CIImage {
  /// Renders the image in sRGB. Returns `nil` for an empty image, for one without bounds, and if
  /// its file can't be decoded.
  package func pixels() -> PixelBuffer? { try? render().converted(to: nil) }

  /// Renders the image in the colors of its file, or throws the reason why it can't.
  package func render() throws(ImagingError) -> ColoredPicture {
    guard !extent.isNull, !extent.isInfinite else {
      throw ImagingError(.cannotEncode, "an image", reason: extent.isNull ? "it is empty" : "it has no bounds")
    }
    return ColoredPicture(pixels: try render(extent), profile: profile())
  }

  /// The ICC profile of the image's file; `nil` means sRGB.
  func profile() -> [UInt8]? { (try? file?.picture.inOwnColors())?.profile }

  /// Renders a rectangle of the image on black, in sRGB, as a frame of a movie with even sides.
  package func frame(_ area: CGRect) throws(ImagingError) -> PixelBuffer {
    guard !area.isNull, !area.isInfinite else {
      throw ImagingError(.cannotEncode, "a frame", reason: area.isNull ? "it is empty" : "it has no bounds")
    }
    guard [area.minX, area.minY, area.width, area.height].allSatisfy(\.isFinite) else {
      throw ImagingError(.cannotEncode, "a frame", reason: "its size isn’t finite")
    }
    let canvas = CGRect(
      x: area.minX.rounded(), y: area.minY.rounded(), width: Self.even(area.width), height: Self.even(area.height))
    let visible = cropped(to: canvas)
    guard !visible.extent.isNull else {
      let (width, height) = (Int(canvas.width), Int(canvas.height))
      return PixelBuffer(
        width: width, height: height, channels: 3, bytes: [UInt8](repeating: 0, count: width * height * 3))
    }
    let pixels = try visible.render().converted(to: nil)
    if pixels.channels == 3, visible.extent == canvas { return pixels }
    return pixels.onBlack(
      width: Int(canvas.width), height: Int(canvas.height), left: Int(visible.extent.minX - canvas.minX),
      top: Int(canvas.maxY - visible.extent.maxY))
  }

  /// Renders a rectangle in the colors of the image's file, transparent outside the image.
  package func part(_ area: CGRect) throws(ImagingError) -> ColoredPicture {
    guard !area.isNull, !area.isInfinite, area.width >= 1, area.height >= 1,
      area.width * area.height <= CGFloat(DecodingLimits.standard.pixels)
    else { throw ImagingError(.cannotEncode, "an image", reason: "the bounds are empty or too large: \(area)") }
    let canvas = area.integral
    let visible = cropped(to: canvas)
    let (width, height) = (Int(canvas.width), Int(canvas.height))
    guard !visible.extent.isNull else {
      let clear = [UInt8](repeating: 0, count: width * height * 4)
      return ColoredPicture(pixels: PixelBuffer(width: width, height: height, channels: 4, bytes: clear))
    }
    var picture = try visible.render()
    guard visible.extent != canvas else { return picture }
    let (left, top) = (Int(visible.extent.minX - canvas.minX), Int(canvas.maxY - visible.extent.maxY))
    picture.pixels = picture.pixels.paddedWithTransparency(width: width, height: height, left: left, top: top)
    return picture
  }

  private static func even(_ side: CGFloat) -> CGFloat { max(2, (min(max(side, 2), 8192) / 2).rounded(.down) * 2) }

  /// Renders a rectangle inside the extent, on whole pixels. The steps before compute only the
  /// pixels that it needs.
  private func render(_ area: CGRect) throws(ImagingError) -> PixelBuffer {
    guard area.width * area.height <= CGFloat(DecodingLimits.standard.pixels) else {
      throw ImagingError(
        .tooLarge, "an image",
        reason: "\(area.width) × \(area.height) pixels are more than the \(DecodingLimits.standard.pixels) allowed")
    }
    switch content {
    case .empty: throw ImagingError(.cannotEncode, "an image", reason: "it is empty")
    case .picture(let picture): return try Self.part(area, of: picture.inOwnColors().pixels, at: extent)
    case .pixels(let pixels): return try Self.part(area, of: pixels, at: extent)
    case .cropped(let image): return try image.render(area)
    case .colored(let image, let pipeline): return try image.render(area).filtered(by: pipeline)
    case .oriented(let image, let orientation):
      let before = Self.rectangleBeforeOrienting(orientation, area, in: extent.size)
      return try image.render(before.offsetBy(dx: image.extent.minX, dy: image.extent.minY)).oriented(orientation)
    case .clamped(let image): return try renderClamped(image, area)
    case .transformed(let image, let transform): return try renderTransformed(image, by: transform, in: area)
    case .averaged(let image): return try image.render(image.extent).average
    }
  }

  private static func part(_ area: CGRect, of pixels: PixelBuffer, at extent: CGRect) throws(ImagingError)
    -> PixelBuffer
  {
    if area == extent { return pixels }
    let (left, top) = (Int(area.minX - extent.minX), Int(extent.maxY - area.maxY))
    let part = pixels.cropped(x: left..<left + Int(area.width), y: top..<top + Int(area.height))
    guard let part else { throw ImagingError(.cannotEncode, "an image", reason: "it is empty") }
    return part
  }

  /// Returns the rectangle before it was turned. Both rectangles count from the bottom left.
  private static func rectangleBeforeOrienting(_ orientation: Int, _ area: CGRect, in size: CGSize) -> CGRect {
    let (left, right) = (area.minX, size.width - area.maxX)
    let (bottom, top) = (area.minY, size.height - area.maxY)
    return switch orientation {
    case 2: CGRect(x: right, y: bottom, width: area.width, height: area.height)
    case 3: CGRect(x: right, y: top, width: area.width, height: area.height)
    case 4: CGRect(x: left, y: top, width: area.width, height: area.height)
    case 5: CGRect(x: top, y: right, width: area.height, height: area.width)
    case 6: CGRect(x: top, y: left, width: area.height, height: area.width)
    case 7: CGRect(x: bottom, y: left, width: area.height, height: area.width)
    case 8: CGRect(x: bottom, y: right, width: area.height, height: area.width)
    default: area
    }
  }

  /// Renders a rectangle of a clamped image by repeating the image's outermost pixels.
  private func renderClamped(_ image: CIImage, _ area: CGRect) throws(ImagingError) -> PixelBuffer {
    let inside = image.extent
    // At least one pixel: the one that is nearest to the rectangle.
    let left = min(max(area.minX, inside.minX), inside.maxX - 1)
    let bottom = min(max(area.minY, inside.minY), inside.maxY - 1)
    let right = max(left + 1, min(area.maxX, inside.maxX))
    let top = max(bottom + 1, min(area.maxY, inside.maxY))
    let near = CGRect(x: left, y: bottom, width: right - left, height: top - bottom)
    let pixels = try image.render(near)
    if near == area { return pixels }
    return pixels.repeated(
      x: Int(area.minX - near.minX)..<Int(area.maxX - near.minX),
      y: Int(near.maxY - area.maxY)..<Int(near.maxY - area.minY))
  }

  private func renderTransformed(_ image: CIImage, by transform: CGAffineTransform, in area: CGRect)
    throws(ImagingError) -> PixelBuffer
  {
    let inverse = transform.inverted()
    // Bicubic interpolation reads two pixels around a point. An image that is shrunk beforehand
    // needs three of the smaller pixels.
    let reach = 4 * max(1, abs(inverse.a * inverse.d - inverse.b * inverse.c).squareRoot()).rounded(.up)
    let needed = area.applying(inverse).insetBy(dx: -reach, dy: -reach).integral.intersection(image.extent)
    let size = (width: Int(area.width), height: Int(area.height))
    guard !needed.isNull, needed.width >= 1, needed.height >= 1 else {
      return PixelBuffer(
        width: size.width, height: size.height, channels: 4,
        bytes: [UInt8](repeating: 0, count: size.width * size.height * 4))
    }
    if transform.isWholePixelTranslation {
      let moved = area.applying(inverse)
      return try image.render(moved)
    }
    // The result's top left corner and its steps to the right and down, in the source's
    // coordinates. There y points down, too.
    let corner = CGPoint(x: area.minX, y: area.maxY).applying(inverse)
    let map = PixelMap(
      x: SIMD2(inverse.a, -inverse.b), y: SIMD2(-inverse.c, inverse.d),
      origin: SIMD2(corner.x - needed.minX, needed.maxY - corner.y))
    return try image.render(needed).resampled(width: size.width, height: size.height, map)
  }
}

extension CGAffineTransform {
  /// True if the transform only moves, and by whole pixels.
  var isWholePixelTranslation: Bool { a == 1 && b == 0 && c == 0 && d == 1 && tx == tx.rounded() && ty == ty.rounded() }
}

extension PixelBuffer {
  /// Returns these pixels within a larger picture that is transparent everywhere else.
  fileprivate func paddedWithTransparency(width: Int, height: Int, left: Int, top: Int) -> PixelBuffer {
    var result = [UInt8](repeating: 0, count: width * height * 4)
    for row in 0..<self.height {
      for column in 0..<self.width {
        let (from, to) = ((row * self.width + column) * channels, ((top + row) * width + left + column) * 4)
        for channel in 0..<channels { result[to + channel] = bytes[from + channel] }
        if channels == 3 { result[to + 3] = 255 }
      }
    }
    return PixelBuffer(width: width, height: height, channels: 4, bytes: result)
  }

  /// Returns one pixel: the mean of all pixels' codes, weighted by alpha.
  fileprivate var average: PixelBuffer {
    var sums = [Int](repeating: 0, count: 4)
    bytes.withUnsafeBufferPointer { bytes in
      for pixel in 0..<width * height {
        let alpha = channels == 4 ? Int(bytes[pixel * channels + 3]) : 255
        for channel in 0..<3 { sums[channel] += Int(bytes[pixel * channels + channel]) * alpha }
        sums[3] += alpha
      }
    }
    let color = sums[0..<3].map { sums[3] == 0 ? 0 : UInt8(truncatingIfNeeded: ($0 + sums[3] / 2) / sums[3]) }
    let alpha = UInt8(truncatingIfNeeded: (sums[3] + width * height / 2) / (width * height))
    return PixelBuffer(width: 1, height: 1, channels: channels, bytes: channels == 4 ? color + [alpha] : color)
  }
}
