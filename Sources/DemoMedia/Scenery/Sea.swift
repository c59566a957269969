extension Painter {
  /// Draws waves, with the reflection of the light below `sunX`.
  mutating func drawSea(_ light: Light, from horizon: Float, to bottom: Float, sunX: Float?, color: Color) {
    let noise = noise()
    let near = (color * light.tint).darker(0.15)
    let far = near.mixed(with: light.sky.last?.color ?? .white, 0.55)
    canvas.change(from: horizon, to: bottom) { x, y, _ in
      let down = (y - horizon) / max(1, h - horizon)
      let scale = (0.05 + down) * 130 * u
      let wave = noise.fractal(
        x / (scale * 3.2) + 30, (y - horizon) / (scale * 0.42 + 2 * u), octaves: 4, roughness: 0.6)
      var result = far.mixed(with: near, down * 1.5) * (1 + wave * 0.20)
      if let sunX {
        let off = abs(x - sunX) / ((40 + 330 * down) * u)
        let path = max(0, 1 - off) * max(0, wave * 2.4 + 0.35 - down * 0.25)
        result = result.mixed(with: light.sun, min(0.92, path * 1.1))
      }
      return result
    }
  }

  mutating func drawSeaSunset() {
    let light = random.pick(Light.sunset, .golden, .pinkDusk, .sunset)
    let horizon = h * random.float(0.5...0.62)
    drawSky(light, to: horizon)
    drawClouds(light, to: horizon * 0.95, amount: random.float(0.15...0.55))
    let sunX = w * random.float(0.25...0.75)
    drawSun(light, x: sunX, y: horizon - random.float(15...90) * u, radius: random.float(38...66) * u)
    if random.chance(0.5) {
      drawLayers(light, from: horizon - 6 * u, to: horizon - 2 * u, count: 2, near: Color(0x3A3350), relief: 36)
    }
    drawSea(
      light, from: horizon, to: h, sunX: sunX, color: random.pick(Color(0x2C5E86), Color(0x27708A), Color(0x50407A)))
    switch random.int(0...3) {
    case 0: drawSailboat(x: w * random.float(0.2...0.8), y: horizon + 60 * u, size: 140 * u, hull: Color(0x2A2233))
    case 1:
      for _ in 0..<3 {
        drawSailboat(
          x: w * random.float(0.1...0.9), y: horizon + random.float(12...50) * u, size: random.float(40...80) * u,
          hull: Color(0x2A2233))
      }
    case 2: drawPalms(light)
    default: drawBirds(to: horizon)
    }
  }

  func drawSailboat(x: Float, y: Float, size: Float, hull: Color) {
    canvas.polygon(
      [
        (x - size * 0.45, y - size * 0.13), (x + size * 0.5, y - size * 0.13), (x + size * 0.32, y),
        (x - size * 0.33, y),
      ]
    ) { _, _ in hull }
    canvas.line(x, y - size * 0.1, x, y - size * 1.25, thickness: size * 0.025, color: hull)
    canvas.polygon([
      (x + size * 0.03, y - size * 1.2), (x + size * 0.42, y - size * 0.2), (x + size * 0.03, y - size * 0.2),
    ]) { px, _ in
      Color(0xFFF6E6).darker((px - x) / size * 0.7)
    }
    canvas.polygon([
      (x - size * 0.03, y - size * 1.05), (x - size * 0.03, y - size * 0.2), (x - size * 0.34, y - size * 0.2),
    ]) { px, _ in
      Color(0xF3E2CC).darker((x - px) / size * 0.5)
    }
  }

  mutating func drawPalms(_ light: Light) {
    let color = Color(0x1C1626)
    let fromLeft = random.chance(0.5)
    for _ in 0..<random.int(1...3) {
      let foot = fromLeft ? random.float(-0.02...0.18) * w : random.float(0.82...1.02) * w
      let lean = (fromLeft ? 1 : -1) * random.float(40...190) * u
      let top = h * random.float(0.16...0.36)
      var (x, y) = (foot, h * 1.02)
      for step in 1...14 {
        let t = Float(step) / 14
        let (nx, ny) = (foot + lean * t * t, h * 1.02 + (top - h * 1.02) * t)
        canvas.line(x, y, nx, ny, thickness: (26 - 12 * t) * u, color: color)
        (x, y) = (nx, ny)
      }
      for frond in 0..<11 {
        let angle = Float(frond) / 11 * 6.283 + random.float(-0.2...0.2)
        let length = random.float(170...250) * u
        var (px, py) = (x, y)
        for step in 1...9 {
          let t = Float(step) / 9
          let (qx, qy) = (x + cos32(angle) * length * t, y + sin32(angle) * length * 0.55 * t + length * 0.5 * t * t)
          canvas.line(px, py, qx, qy, thickness: (5 - 3 * t) * u, color: color)
          for side in [-1, 1] as [Float] {
            canvas.line(
              qx, qy, qx + side * 16 * u * sin32(angle) + 6 * u, qy + (42 - 26 * t) * u, thickness: 5 * u,
              endThickness: u, color: color)
          }
          (px, py) = (qx, qy)
        }
      }
    }
  }

  mutating func drawBeach() {
    let light = random.pick(Light.noon, .noon, .teal, .morning, .golden)
    let horizon = h * random.float(0.32...0.45)
    drawSky(light, to: horizon)
    drawClouds(light, to: horizon, amount: random.float(0.2...0.55))
    if random.chance(0.4) {
      drawLayers(light, from: horizon - 10 * u, to: horizon, count: 2, near: Color(0x4A7A5A), relief: 55)
    }
    let water = random.pick(Color(0x1FA3B5), Color(0x1B7FB0), Color(0x2BB8A8))
    drawSea(light, from: horizon, to: h, sunX: nil, color: water)
    drawShore(light, water: water, horizon: horizon)
    let spots = random.int(1...3)
    for index in 0..<spots {
      let t = Float(index + 1) / Float(spots)
      drawUmbrella(
        x: w * (0.15 + 0.7 * random.float()), y: h * (0.74 + 0.16 * t), size: (110 + 60 * t) * u, light: light)
    }
    if random.chance(0.5) {
      drawSailboat(x: w * random.float(0.15...0.85), y: horizon + 16 * u, size: 62 * u, hull: Color(0xFFFFFF))
    }
    if random.chance(0.35) { drawPalms(light) }
  }

  private mutating func drawShore(_ light: Light, water: Color, horizon: Float) {
    let noise = noise()
    let slope = random.float(-0.22...0.22)
    let sand = Color(0xEBD3A2) * light.tint.lighter(0.3)
    let wet = Color(0xB99A6B) * light.tint
    let shore = h * random.float(0.6...0.68)
    func edge(_ x: Float) -> Float {
      shore + (x - w / 2) * slope + noise.fractal(x / (320 * u), octaves: 3) * 40 * u
    }
    // Shallow water is lighter, and ends in foam.
    canvas.ground(
      { x in edge(x) - 110 * u }, softness: 130 * u, opacity: 0.6,
      color: { _, _, _ in
        (water.lighter(0.45)) * light.tint
      })
    canvas.ground(
      { x in edge(x) - 12 * u }, softness: 3,
      color: { x, y, _ in
        Color(0xFFFFFF).mixed(
          with: water.lighter(0.7), 0.25 + 0.3 * noise.fractal(x / (18 * u), y / (9 * u), octaves: 3))
      })
    canvas.ground(
      { x in edge(x) + 6 * u + noise(x / (60 * u)) * 9 * u }, softness: 6 * u,
      color: { x, y, depth in
        let grain = noise.fractal(x / (9 * u), y / (5 * u), octaves: 3) * 0.07
        return wet.mixed(with: sand, depth / (90 * u)) * (1 + grain)
      })
  }

  private mutating func drawUmbrella(x: Float, y: Float, size: Float, light: Light) {
    let hue = random.float()
    let (one, two) = (Color.hsb(hue, 0.72, 0.92), Color(0xFFF8EA))
    canvas.ellipse(x: x + size * 0.7, y: y, radiusX: size * 0.95, radiusY: size * 0.17, softness: 12 * u, opacity: 0.35)
    { _, _ in
      Color(0x6B4F33)
    }
    canvas.line(x, y, x + size * 0.07, y - size * 1.2, thickness: size * 0.035, color: Color(0xF4EFE2))
    let top = y - size * 1.3
    canvas.shape(
      x: x - size...x + size, y: top...top + size * 0.7, softness: 1.5,
      color: { px, py in
        let fan = (px - x - size * 0.07) / max(1, (py - top + size * 0.18)) * 2.1
        let stripe = Int(fan.rounded(.down)) & 1 == 0
        return (stripe ? one : two).darker(max(0, (px - x) / size) * 0.3) * light.tint.lighter(0.5)
      },
      distance: { px, py in
        let (dx, dy) = ((px - x - size * 0.07) / size, (py - top - size * 0.55) / (size * 0.55))
        let scallop = py - top - size * (0.55 - 0.05 * abs(sin32(dx * 9)))
        return max(((dx * dx + dy * dy).squareRoot() - 1) * size * 0.55, scallop)
      })
    canvas.rectangle(
      x: x - size * 0.95, y: y - size * 0.05, width: size * 0.7, height: size * 0.16,
      color: Color.hsb(hue + 0.45, 0.5, 0.9), radius: size * 0.03)
  }

  mutating func drawLighthouse() {
    let light = random.pick(Light.noon, .pinkDusk, .golden, .teal, .sunset)
    let horizon = h * 0.6
    drawSky(light, to: horizon)
    drawClouds(light, to: horizon, amount: random.float(0.2...0.6))
    drawSea(light, from: horizon, to: h, sunX: nil, color: random.pick(Color(0x2A6F97), Color(0x2C8F9E)))
    let x = w * random.float(0.3...0.7)
    let noise = noise()
    let rock = Color(0x5A5148) * light.tint
    let grass = Color(0x6E8A45) * light.tint
    canvas.ground(
      { px in
        let off = abs(px - x) / (w * 0.34)
        return h * 0.66 + (off * off * 260 + noise.fractal(px / (70 * u), octaves: 4) * 46) * u
      },
      color: { px, py, depth in
        let relief = noise.ridged(px / (46 * u), py / (60 * u), octaves: 4)
        return grass.mixed(with: rock, min(1, depth / (70 * u))) * (0.85 + relief * 0.3)
      })
    let (top, foot) = (h * 0.2, h * 0.7)
    func half(_ y: Float) -> Float { (30 + 26 * (y - top) / (foot - top)) * u }
    let stripe = random.pick(Color(0xC8322B), Color(0x1F3A5F), Color(0xD9822B))
    canvas.shape(
      x: x - 80 * u...x + 80 * u, y: top...foot, softness: 1.3,
      color: { px, py in
        let across = (px - x) / half(py)
        let color = Int((py - top) / (foot - top) * 6) & 1 == 0 ? Color(0xFBF6EA) : stripe
        return color.darker(max(0, across * 0.3 + 0.12)) * light.tint.lighter(0.4)
      },
      distance: { px, py in max(abs(px - x) - half(py), max(top - py, py - foot)) })
    canvas.rectangle(
      x: x - 42 * u, y: top - 12 * u, width: 84 * u, height: 14 * u, color: Color(0x2A2D34), radius: 3 * u)
    canvas.rectangle(x: x - 22 * u, y: top - 58 * u, width: 44 * u, height: 48 * u, color: Color(0xFFE9A8))
    canvas.polygon([(x, top - 96 * u), (x + 32 * u, top - 56 * u), (x - 32 * u, top - 56 * u)]) { _, _ in
      stripe.darker(0.2)
    }
    canvas.glow(x: x, y: top - 34 * u, radius: 240 * u, color: Color(0xFFE9A8), strength: light.isDay ? 0.3 : 0.8)
    canvas.rectangle(
      x: x + 70 * u, y: foot - 70 * u, width: 130 * u, height: 74 * u, color: Color(0xF1EADB) * light.tint)
    canvas.polygon(
      [
        (x + 60 * u, foot - 70 * u), (x + 100 * u, foot - 112 * u), (x + 172 * u, foot - 112 * u),
        (x + 210 * u, foot - 70 * u),
      ]
    ) { _, _ in (stripe * light.tint).darker(0.1) }
    drawBirds(to: horizon)
  }
}
