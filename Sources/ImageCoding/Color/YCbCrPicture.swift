import MediaMetadata

/// A decoded picture in brightness (Y) and two color differences (Cb, Cr), 8 bits each, not yet
/// converted to RGB.
///
///     let pixels = picture.resized(to: PixelSize(width: 2016, height: 1512))
///
/// Resizing removes most pixels of a large picture. The planes are therefore resized first, and
/// only the remaining pixels are converted to RGB. If color is stored at half the size, a picture
/// at half its size uses those planes without resizing.
struct YCbCrPicture {
  var luma: PixelView
  /// Cb and Cr: as large as `luma`, or half as wide, or half as wide and high; an odd side is
  /// rounded up.
  var chroma: [PixelView]
  var matrix: YCbCrMatrix

  /// Returns the picture as RGB, in another size or its own.
  func resized(to size: PixelSize) -> PixelBuffer {
    let light = luma.resized(to: size)
    let colors = chroma.map { sameArea(of: $0, for: size).resized(to: size) }
    return light.withView { y in
      colors[0].withView { cb in
        colors[1].withView { cr in matrix.convert(y, cb, cr) }
      }
    }
  }

  /// Returns the picture as RGB in its own size, in a fraction of the time. Pixels that share a
  /// color value use it unchanged, as in libheif. Returns `nil` if the chroma planes are smaller
  /// than half the size.
  func convertedWithoutResizing() -> PixelBuffer? {
    guard chroma.allSatisfy({ $0.width >= (luma.width + 1) / 2 && $0.height >= (luma.height + 1) / 2 }) else {
      return nil
    }
    return matrix.convert(luma, chroma[0], chroma[1])
  }

  /// Returns the part of a color plane that matches the resized brightness. A whole-number shrink
  /// drops an incomplete last row or column of brightness, so color must drop it too.
  private func sameArea(of plane: PixelView, for size: PixelSize) -> PixelView {
    let factor = luma.width / size.width
    let isHalf = plane.width == (luma.width + 1) / 2 && plane.height == (luma.height + 1) / 2
    guard isHalf, factor > 0, factor.isMultiple(of: 2), luma.width / factor == size.width,
      luma.height / factor == size.height
    else { return plane }
    var part = plane
    part.width = size.width * factor / 2
    part.height = size.height * factor / 2
    return part
  }
}

/// The conversion from Y, Cb and Cr to red, green and blue.
struct YCbCrMatrix: Hashable {
  /// The factor of Y for all three channels, and the factors of Cb and Cr for each, in fractions of
  /// 2¹⁶.
  private var light: Int32
  private var redOfCr: Int32
  private var greenOfCb: Int32
  private var greenOfCr: Int32
  private var blueOfCb: Int32
  /// The part that is added to each sum: half a step for rounding, minus black's Y times `light`.
  private var offset: Int32
  private static let bits: Int32 = 16

  /// Creates the matrix of ITU-T H.273's code point; nil if the code point is no such matrix.
  ///
  /// - Parameter isFullRange: whether the values fill 0–255, and not 16–235 (16–240 for color).
  init?(coefficients: Int, isFullRange: Bool) {
    let weights: (red: Double, blue: Double)
    switch coefficients {
    case 1: weights = (0.2126, 0.0722)
    case 4: weights = (0.30, 0.11)
    // Unspecified: the same matrix as JPEG.
    case 2, 5, 6: weights = (0.299, 0.114)
    case 7: weights = (0.212, 0.087)
    case 9: weights = (0.2627, 0.0593)
    default: return nil
    }
    self.init(red: weights.red, blue: weights.blue, isFullRange: isFullRange)
  }

  /// Creates the matrix from the weights of red and blue in Y; nil if they are absurd.
  init?(red: Double, blue: Double, isFullRange: Bool) {
    let green = 1 - red - blue
    guard min(red, green, blue) > 0.01 else { return nil }
    let (lightScale, colorScale) = isFullRange ? (1, 1) : (255.0 / 219, 255.0 / 224)
    func fixed(_ value: Double) -> Int32 { Int32((value * Double(1 << Self.bits)).rounded()) }
    light = fixed(lightScale)
    redOfCr = fixed(colorScale * 2 * (1 - red))
    blueOfCb = fixed(colorScale * 2 * (1 - blue))
    greenOfCb = fixed(-colorScale * 2 * (1 - blue) * blue / green)
    greenOfCr = fixed(-colorScale * 2 * (1 - red) * red / green)
    offset = 1 << (Self.bits - 1) - (isFullRange ? 0 : 16 * light)
  }

  /// Converts three planes to RGB. The color planes are as large as the first, or half as wide, or
  /// half as high.
  fileprivate func convert(_ y: PixelView, _ cb: PixelView, _ cr: PixelView) -> PixelBuffer {
    let isNarrow = cb.width < y.width
    let isLow = cb.height < y.height
    return PixelBuffer(width: y.width, height: y.height, channels: 3) { out in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: y.width * 2) { wide in
        guard let wideCb = wide.baseAddress else { return }
        let wideCr = wideCb + y.width
        for row in 0..<y.height {
          let colorRow = isLow ? row / 2 : row
          let (blues, reds) = (cb.base + colorRow &* cb.stride, cr.base + colorRow &* cr.stride)
          if isNarrow {
            for column in 0..<y.width {
              wideCb[column] = blues[column / 2]
              wideCr[column] = reds[column / 2]
            }
          }
          convert(
            y.base + row &* y.stride, isNarrow ? UnsafePointer(wideCb) : blues, isNarrow ? UnsafePointer(wideCr) : reds,
            to: out + row &* y.width &* 3, count: y.width)
        }
      }
    }
  }

  private func convert(
    _ y: UnsafePointer<UInt8>, _ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>,
    to out: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    var to = out
    for column in 0..<count {
      write(y[column], cb[column], cr[column], to: to)
      to += 3
    }
  }

  /// Converts pixels from Y, Cb and Cr to RGB in place. Opacity stays as it is.
  func convert(_ pixels: inout PixelBuffer) {
    let channels = pixels.channels
    pixels.bytes.withUnsafeMutableBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      for at in stride(from: 0, to: bytes.count, by: channels) {
        write(base[at], base[at + 1], base[at + 2], to: base + at)
      }
    }
  }

  @inline(__always)
  private func write(_ y: UInt8, _ cb: UInt8, _ cr: UInt8, to out: UnsafeMutablePointer<UInt8>) {
    let luma = Int32(y) &* light &+ offset
    let blue = Int32(cb) &- 128
    let red = Int32(cr) &- 128
    out[0] = Self.byte(luma &+ red &* redOfCr)
    out[1] = Self.byte(luma &+ blue &* greenOfCb &+ red &* greenOfCr)
    out[2] = Self.byte(luma &+ blue &* blueOfCb)
  }

  @inline(__always)
  private static func byte(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(value &>> bits, 0), 255)) }
}
