internal import ImageCoding

extension Canvas {
  /// Adds the effects of a lens and a sensor: darker corners and grain. The grain also prevents
  /// bands in gradients.
  ///
  /// The grain depends on `seed`, and costs bytes in a JPEG as a camera's grain does.
  func finished(seed: UInt64, vignette: Float = 0.18, grain: Float = 0.012) -> PixelBuffer {
    let (midX, midY) = (w / 2, h / 2)
    let reach = 1 / (midX * midX + midY * midY)
    let bytes = [UInt8](unsafeUninitializedCapacity: width * height * 3) { buffer, filled in
      filled = width * height * 3
      guard let out = buffer.baseAddress else { return }
      for y in 0..<height {
        var random = scrambled(seed &+ UInt64(y) &* 0x9E37_79B9) | 1
        let row = pixels + y * width
        let dy = (Float(y) - midY) * (Float(y) - midY)
        for x in 0..<width {
          let dx = Float(x) - midX
          let light = 1 - vignette * (dx * dx + dy) * reach
          // Xorshift. The three channels share one number, so grain is gray.
          random ^= random << 13
          random ^= random >> 7
          random ^= random << 17
          let noise = Float(Int32(truncatingIfNeeded: random >> 32) >> 8) * (1 / 8_388_608)
          let color = row[x] * light * 255 + Color(repeating: noise * grain * 255 + 0.5)
          let clamped = color.clamped(lowerBound: Color(repeating: 0), upperBound: Color(repeating: 255))
          let position = (y * width + x) * 3
          out[position] = UInt8(clamped.x)
          out[position + 1] = UInt8(clamped.y)
          out[position + 2] = UInt8(clamped.z)
        }
      }
    }
    return PixelBuffer(width: width, height: height, channels: 3, bytes: bytes)
  }

  /// Returns the picture at another size. Fine texture is added if it gets larger, as more pixels
  /// of a sensor would show.
  func enlarged(to size: PictureSize, seed: UInt64) -> Canvas {
    let result = Canvas(width: size.width, height: size.height)
    let noise = Noise(seed: seed)
    let (scaleX, scaleY) = (w / Float(size.width), h / Float(size.height))
    for y in 0..<size.height {
      let sy = min(h - 1.001, max(0, (Float(y) + 0.5) * scaleY - 0.5))
      let fy = sy - sy.rounded(.down)
      let upper = pixels + Int(sy) * width
      let lower = upper + (Int(sy) + 1 < height ? width : 0)
      let row = result.pixels + y * size.width
      for x in 0..<size.width {
        let sx = min(w - 1.001, max(0, (Float(x) + 0.5) * scaleX - 0.5))
        let (ix, fx) = (Int(sx), sx - sx.rounded(.down))
        let next = min(ix + 1, width - 1)
        let top = upper[ix] + (upper[next] - upper[ix]) * fx
        let bottom = lower[ix] + (lower[next] - lower[ix]) * fx
        let texture = noise(Float(x) * 0.31, Float(y) * 0.29) + noise(Float(x) * 0.083, Float(y) * 0.079)
        row[x] = (top + (bottom - top) * fy) * (1 + texture * 0.045)
      }
    }
    return result
  }
}
