extension Painter {
  /// Draws layers of hills from far to near, each less hazy than the one before.
  mutating func drawLayers(
    _ light: Light, from top: Float, to bottom: Float, count: Int, near: Color, roughness: Float = 0.42,
    relief: Float = 130
  ) {
    for layer in 0..<count {
      let nearness = Float(layer + 1) / Float(count)
      let noise = noise()
      let base = top + (bottom - top) * Float(layer) / Float(max(1, count - 1))
      let scale = (700 - 250 * nearness) * u
      let height = relief * u * (0.6 + 0.7 * nearness)
      let shift = random.float(0...900)
      let tinted = near * light.tint
      let color = light.haze.mixed(with: tinted, 0.14 + 0.86 * nearness * nearness.squareRoot())
      let foot = color.mixed(with: light.haze, 0.36 * (1 - nearness * 0.8))
      let detail = Noise(seed: seed &+ UInt64(layer) &* 77)
      let grainStrength = 0.07 * nearness * nearness
      canvas.ground(
        { x in base + noise.fractal(x / scale + shift, octaves: 5, roughness: roughness) * height },
        color: {
          x, y, depth in
          let grass = detail.fractal(x / (26 * u), y / (11 * u), octaves: 2) * grainStrength
          return color.mixed(with: foot, depth / (300 * u)) * (1 + grass)
        })
    }
  }

  /// Draws sharp peaks with snow. The sunlit snow takes the color of the sun.
  mutating func drawPeaks(_ light: Light, base: Float, height: Float, rock: Color, snowLine: Float, haze: Float) {
    let shape = noise()
    let detail = noise()
    let shift = random.float(0...700)
    let scale = 560 * u
    let color = (rock * light.tint).mixed(with: light.haze, haze)
    let snow = (Color(0xF4F7FB) * light.tint.lighter(0.35)).mixed(with: light.haze, haze * 0.7)
    let sunnySnow = snow.mixed(with: light.sun, 0.35)
    let side = random.chance(0.5) ? Float(1) : -1
    canvas.ground(
      { x in
        base - (shape.ridged(x / scale + shift, octaves: 6, roughness: 0.5) * 0.5 + 0.42) * height
      },
      color: { x, y, depth in
        let nx = x / (64 * u)
        let ny = y / (64 * u)
        let relief = detail.ridged(nx + ny * 0.35 * side, ny * 0.55, octaves: 4, roughness: 0.55)
        let lit = min(1, max(0, relief * 0.9 + 0.45))
        let altitude = (base - y) / height
        let cover = min(1, max(0, (altitude - snowLine + relief * 0.24) * 6))
        let stone = color * (0.72 + 0.42 * lit)
        let white = snow.darker(0.22).mixed(with: sunnySnow, lit)
        return stone.mixed(with: white, cover).mixed(
          with: light.haze, max(0, depth / height - 0.35) * 0.8 * (0.4 + haze))
      })
  }

  /// Draws a lake: a reflection of the picture above `shore`, distorted by waves.
  mutating func drawLake(from shore: Float, light: Light, calm: Float = 0.75) {
    let noise = noise()
    let water = (Color(0x2E5F74) * light.tint).mixed(with: light.sky.first?.color ?? .black, 0.35)
    let canvas = canvas
    canvas.change(from: shore) { x, y, _ in
      let down = y - shore
      let wave = noise.fractal(x / (90 * u), y / (9 * u), octaves: 3) * (3 + down * 0.05)
      let row = min(max(0, Int(shore - down * 0.95 - 1 + wave)), Int(shore) - 1)
      let column = min(max(0, Int(x + wave * 1.2)), canvas.width - 1)
      let mirrored = canvas.pixels[max(0, row) * canvas.width + column]
      let ripple = noise(x / (60 * u), y / (5 * u)) * 0.045
      return mirrored.mixed(with: water, 1 - calm + down / (h * 2.2)) * (0.93 + ripple)
    }
    canvas.rectangle(
      x: 0, y: shore - 1.5 * u, width: w, height: 3 * u, color: light.haze.darker(0.15), softness: 3, opacity: 0.55)
  }

  /// Draws a fir with its foot at `y`.
  mutating func drawFir(x: Float, y: Float, height: Float, color: Color, snow: Color? = nil) {
    let tiers = 7
    canvas.rectangle(
      x: x - height * 0.018, y: y - height * 0.12, width: height * 0.036, height: height * 0.13,
      color: color.darker(0.35))
    for tier in 0..<tiers {
      let t = Float(tier) / Float(tiers)
      let top = y - height + height * 0.86 * t * 0.92
      let bottom = top + height * 0.27
      let half = height * (0.07 + 0.2 * t) * random.float(0.9...1.1)
      let lean = random.float(-0.012...0.012) * height
      let shade = color.mixed(with: color.lighter(0.2), 1 - t)
      canvas.polygon([(x + lean, top), (x + half, bottom), (x - half, bottom)], softness: 1.6) { px, py in
        let white = snow.map { shade.mixed(with: $0, max(0, 0.95 - (py - top) / (bottom - top) * 1.5)) } ?? shade
        return white.darker(px > x ? 0.16 : 0)
      }
    }
  }

  /// Draws a round tree of many leaves.
  mutating func drawTree(x: Float, y: Float, height: Float, leaves: [Color], trunk: Color, leafCount: Int = 420) {
    let crown = height * 0.36
    let middle = y - height * 0.64
    canvas.line(
      x, y, x + height * 0.01, middle, thickness: height * 0.075, endThickness: height * 0.035, color: trunk)
    for _ in 0..<7 {
      let (bx, by) = (x + random.float(-0.9...0.9) * crown * 0.8, middle + random.float(-0.7...0.25) * crown)
      canvas.line(
        x, y - height * 0.34, bx, by, thickness: height * 0.028, endThickness: height * 0.006, color: trunk)
    }
    for index in 0..<leafCount {
      let angle = random.float(0...6.283)
      let distance = random.float().squareRoot() * (0.93 + 0.08 * sin32(angle * 5 + Float(seed % 7)))
      let (dx, dy) = (cos32(angle) * distance, sin32(angle) * distance * 0.86)
      let base = leaves[random.int(0...leaves.count - 1)]
      // Light comes from the upper left. Later leaves are in front.
      let lit = 0.5 - dy * 0.32 - dx * 0.18 + Float(index) / Float(leafCount) * 0.2
      let color = base.darker(0.42).mixed(with: base.lighter(0.16), lit)
      let size = height * random.float(0.017...0.042)
      canvas.ellipse(
        x: x + dx * crown, y: middle + dy * crown, radiusX: size, radiusY: size * 0.66, angle: random.float(0...3.1),
        softness: 1.5, opacity: 0.92
      ) { _, _ in color }
    }
  }
}
