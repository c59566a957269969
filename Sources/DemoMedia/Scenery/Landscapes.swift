extension Painter {
  mutating func drawHills() {
    let light = light()
    let horizon = h * random.float(0.42...0.56)
    drawSky(light, to: horizon + 120 * u)
    if random.chance(0.7) { drawClouds(light, to: horizon, amount: random.float(0.15...0.6)) }
    if random.chance(0.75) {
      drawSun(light, x: w * random.float(0.2...0.8), y: horizon - random.float(10...150) * u, radius: 30 * u)
    }
    let near = random.pick(
      Color(0x5D8F3A), Color(0x7FA24A), Color(0x2F6B4F), Color(0xA58B3E), Color(0x4B7A6A), Color(0x6B5B8F))
    drawLayers(light, from: horizon, to: h * 0.88, count: random.int(5...7), near: near, relief: random.float(90...190))
    if random.chance(0.5) { drawBirds(to: horizon) }
    if random.chance(0.45) {
      let y = h * 0.93
      drawTree(
        x: w * random.float(0.15...0.85), y: y, height: random.float(300...420) * u,
        leaves: [near * light.tint, (near * light.tint).lighter(0.12), (near * light.tint).darker(0.2)],
        trunk: Color(0x4A3626) * light.tint)
    }
  }

  mutating func drawMountains() {
    let light = light()
    let shore = h * random.float(0.56...0.68)
    drawSky(light, to: shore)
    drawClouds(light, to: shore * 0.9, amount: random.float(0.1...0.5))
    if random.chance(0.4) { drawSun(light, x: w * random.float(0.15...0.85), y: shore * 0.4, radius: 26 * u) }
    let rock = random.pick(Color(0x6B7486), Color(0x7C6A62), Color(0x51627A))
    let snowLine = random.float(0.35...0.75)
    drawPeaks(light, base: shore, height: shore * 0.78, rock: rock, snowLine: snowLine, haze: 0.62)
    drawPeaks(light, base: shore, height: shore * 0.58, rock: rock.darker(0.12), snowLine: snowLine, haze: 0.3)
    let forest = random.pick(Color(0x25503C), Color(0x3E5B33), Color(0x294A55))
    drawLayers(light, from: shore - 40 * u, to: shore + 20 * u, count: 2, near: forest, relief: 60)
    for _ in 0..<Int(w / (22 * u)) {
      let x = random.float(0...w)
      drawFir(x: x, y: shore + 4 * u, height: random.float(35...80) * u, color: (forest * light.tint).darker(0.1))
    }
    drawLake(from: shore, light: light)
    if random.chance(0.5) {
      drawLayers(light, from: h * 0.95, to: h * 0.97, count: 1, near: forest.darker(0.3), relief: 90)
      for _ in 0..<random.int(3...7) {
        drawFir(
          x: random.float(0...1) * w, y: h * 1.02, height: random.float(220...430) * u,
          color: (forest * light.tint).darker(0.3))
      }
    }
  }

  mutating func drawStarryNight() {
    let light = Light.night
    let horizon = h * random.float(0.68...0.78)
    drawSky(light, to: h)
    canvas.glow(x: w * random.float(0.2...0.8), y: horizon, radius: 700 * u, color: Color(0xE8A96A), strength: 0.28)
    drawStars(to: horizon, count: 1300, milkyWay: random.chance(0.75))
    if random.chance(0.35) { drawMoon(x: w * random.float(0.15...0.85), y: h * 0.2, radius: 34 * u) }
    drawPeaks(light, base: horizon + 70 * u, height: h * 0.4, rock: Color(0x3A4660), snowLine: 0.72, haze: 0.25)
    drawLayers(light, from: horizon + 30 * u, to: h * 0.96, count: 3, near: Color(0x0C1420), relief: 70)
    if random.chance(0.6) {
      // A tent, lit from inside.
      let (x, y, size) = (w * random.float(0.25...0.75), h * 0.9, 95 * u)
      canvas.glow(x: x, y: y - size * 0.4, radius: size * 3, color: Color(0xFFB45A), strength: 0.55)
      canvas.polygon([(x, y - size), (x + size * 1.15, y), (x - size * 1.15, y)], softness: 1.5) { px, py in
        Color(0xFFD38A).mixed(with: Color(0xC75B28), abs(px - x) / size * 0.8 + (y - py) / size * 0.3)
      }
      canvas.polygon([(x, y - size * 0.75), (x + size * 0.3, y), (x - size * 0.3, y)], softness: 2) { _, _ in
        Color(0x7A3418)
      }
    }
    vignette = 0.25
  }

  mutating func drawAurora() {
    let light = Light.night
    let horizon = h * random.float(0.7...0.8)
    canvas.gradient([(0, Color(0x081230)), (0.6, Color(0x10345A)), (1, Color(0x2A6A78))], to: horizon)
    drawStars(to: horizon, count: 700, milkyWay: false)
    let low = random.pick(Color(0x3BF5A0), Color(0x4DF0C0), Color(0x8AF56A))
    let high = random.pick(Color(0x8A4DF0), Color(0xE04DAE), Color(0x3C7BF0))
    for _ in 0..<3 {
      let noise = noise()
      let base = horizon * random.float(0.45...0.85)
      let shift = random.float(0...500)
      let reach = random.float(260...420) * u
      let strength = random.float(0.8...1.35)
      canvas.change(to: horizon) { x, y, old in
        let curve = base + noise.fractal(x / (520 * u) + shift, octaves: 3) * 230 * u
        let up = (curve - y) / reach
        guard up > -0.12, up < 1.6 else { return old }
        let rays = 0.5 + 0.5 * noise.fractal(x / (24 * u) + shift, y / (1400 * u), octaves: 3)
        let folds = 0.55 + 0.45 * noise(x / (210 * u) + shift)
        let fade = up < 0 ? max(0, 1 + up / 0.12) : max(0, 1 - up / 1.6)
        let light = low.mixed(with: high, up * 1.1) * (fade * fade * rays * folds * strength)
        return old + light * (Color(repeating: 1) - old)
      }
    }
    drawPeaks(light, base: horizon, height: h * 0.22, rock: Color(0x2A3A52), snowLine: 0.25, haze: 0.3)
    drawLake(from: horizon, light: light, calm: 0.85)
  }

  mutating func drawDesert() {
    let light = random.pick(Light.golden, .noon, .sunset, .teal)
    let horizon = h * random.float(0.36...0.5)
    drawSky(light, to: horizon + 90 * u)
    drawSun(light, x: w * random.float(0.15...0.85), y: horizon * random.float(0.4...0.85), radius: 34 * u)
    let sand = random.pick(Color(0xD98E4A), Color(0xE0A860), Color(0xC96F45))
    let side: Float = random.chance(0.5) ? 1 : -1
    for layer in 0..<4 {
      let noise = noise()
      let detail = self.noise()
      let nearness = Float(layer + 1) / 4
      let base = horizon + (h * 0.8 - horizon) * Float(layer) / 3
      let shift = random.float(0...200)
      let scale = (900 - 300 * nearness) * u
      let lit = light.haze.mixed(with: sand * light.tint, 0.35 + 0.65 * nearness)
      canvas.ground(
        { x in base + noise.ridged(x / scale + shift, octaves: 2, roughness: 0.25) * -130 * u },
        color: {
          x, y, depth in
          // A wavy edge from the crest down separates the lit side from the shaded side.
          let edge = noise(x / (330 * u) + depth / (210 * u) * side + shift)
          let shade = min(1, max(0, edge * 3.2 + 0.4))
          let ripple =
            sin32(y / (5.5 * u) / (0.5 + nearness) + detail(x / (70 * u), y / (26 * u)) * 4.5) * 0.035 * nearness
          return lit.mixed(with: lit.darker(0.42), shade) * (1 + ripple)
        })
    }
    if random.chance(0.5) {
      for index in 0..<random.int(3...5) {
        drawCamel(x: w * 0.3 + Float(index) * 92 * u, y: horizon + 108 * u, size: 46 * u)
      }
    }
  }

  private func drawCamel(x: Float, y: Float, size: Float) {
    let color = Color(0x4A2E22)
    canvas.ellipse(x: x, y: y - size * 0.55, radiusX: size * 0.36, radiusY: size * 0.17) { _, _ in color }
    canvas.ellipse(x: x, y: y - size * 0.7, radiusX: size * 0.14, radiusY: size * 0.16) { _, _ in color }
    for leg in [-0.26, -0.18, 0.2, 0.28] as [Float] {
      canvas.line(x + leg * size, y - size * 0.5, x + leg * size * 1.1, y, thickness: size * 0.06, color: color)
    }
    canvas.line(x + size * 0.3, y - size * 0.52, x + size * 0.5, y - size * 0.84, thickness: size * 0.09, color: color)
    canvas.ellipse(x: x + size * 0.56, y: y - size * 0.85, radiusX: size * 0.11, radiusY: size * 0.06, angle: 0.3) {
      _, _ in
      color
    }
  }

  mutating func drawWinter() {
    let light = random.pick(Light.overcast, .pinkDusk, .noon, .morning)
    let horizon = h * random.float(0.45...0.6)
    drawSky(light, to: horizon + 60 * u)
    if random.chance(0.5) { drawSun(light, x: w * random.float(0.2...0.8), y: horizon * 0.75, radius: 24 * u) }
    drawPeaks(light, base: horizon + 30 * u, height: h * 0.36, rock: Color(0x7D8AA0), snowLine: 0.1, haze: 0.5)
    let white = Color(0xF1F5FA) * light.tint.lighter(0.4)
    let green = Color(0x2C4A46) * light.tint
    for layer in 0..<3 {
      let nearness = Float(layer + 1) / 3
      let noise = noise()
      let base = horizon + (h * 0.84 - horizon) * Float(layer) / 2.2 + 30 * u
      let shift = random.float(0...100)
      let cold = Color(0xA9BEDC) * light.tint
      canvas.ground(
        { x in base + noise.fractal(x / (620 * u) + shift, octaves: 3) * 60 * u },
        color: { x, y, depth in
          let drift = noise.fractal(x / (240 * u), y / (70 * u), octaves: 3)
          return white.mixed(with: cold, 0.3 + drift * 0.4).mixed(with: light.haze, 0.35 * (1 - nearness))
        })
      for _ in 0..<(9 - layer) {
        let x = random.float(0...1) * w
        let y = base + noise.fractal(x / (620 * u) + shift, octaves: 3) * 60 * u
        drawFir(
          x: x, y: y + 12 * u, height: random.float(90...150) * u * (0.6 + 1.5 * nearness),
          color: green.mixed(with: light.haze, 0.5 * (1 - nearness)), snow: white)
      }
    }
    for _ in 0..<(random.chance(0.6) ? 320 : 0) {
      let size = random.float(1...4.5) * u
      canvas.disc(
        x: random.float(0...w), y: random.float(0...h), radius: size, color: .white, softness: size, opacity: 0.75)
    }
  }

  mutating func drawForest() {
    let light = random.pick(Light.morning, .overcast, .golden, .teal)
    let deep = random.pick(Color(0x1F5236), Color(0x1F5558), Color(0x4A5C22), Color(0x7A4A1E))
    canvas.gradient([(0, light.haze.lighter(0.25)), (0.6, light.haze), (1, light.haze.mixed(with: deep, 0.5))])
    let (sunX, sunY) = (w * random.float(0.3...0.7), h * random.float(0.15...0.35))
    drawSun(light, x: sunX, y: sunY, radius: 34 * u)
    for layer in 0..<6 {
      let nearness = Float(layer + 1) / 6
      let color = light.haze.mixed(with: deep * light.tint, 0.2 + 0.8 * nearness)
      let base = h * (0.55 + 0.5 * nearness)
      let noise = noise()
      for _ in 0..<Int((26 - Float(layer) * 3) * max(1, w / h)) {
        let x = random.float(-0.05...1.05) * w
        drawFir(
          x: x, y: base + noise(x / (240 * u)) * 26 * u, height: h * random.float(0.28...0.5) * (0.6 + 0.75 * nearness),
          color: color)
      }
      canvas.ground(
        { x in base + noise(x / (240 * u)) * 26 * u - 8 * u }, softness: 16 * u, color: { _, _, _ in color })
      // Mist between the rows.
      canvas.change { _, y, old in
        let off = abs(y - base) / (170 * u)
        return off < 1 ? old.mixed(with: light.haze.lighter(0.2), (1 - off) * (1 - off) * 0.42 * (1 - nearness)) : old
      }
    }
    for _ in 0..<7 {
      let angle = random.float(0.9...2.2)
      canvas.line(
        sunX, sunY, sunX + cos32(angle) * h * 1.2, sunY + sin32(angle) * h * 1.2, thickness: 10 * u,
        endThickness: 170 * u, color: light.sun, softness: 70 * u, opacity: 0.10)
    }
  }

  mutating func drawAutumnTree() {
    let light = random.pick(Light.golden, .noon, .morning, .overcast)
    let horizon = h * 0.66
    drawSky(light, to: horizon + 40 * u)
    drawClouds(light, to: horizon, amount: 0.3)
    let grass = random.pick(Color(0x8FA04A), Color(0xB59A4A), Color(0x6D8F4F))
    drawLayers(light, from: horizon - 50 * u, to: h * 0.8, count: 4, near: grass, relief: 45)
    let palettes: [[Color]] = [
      [Color(0xE8641B), Color(0xF29A2E), Color(0xC93A1E)], [Color(0xF5C431), Color(0xE8A21B), Color(0xD97F16)],
      [Color(0xF29BB5), Color(0xFAC6D4), Color(0xE87A9C)], [Color(0x6FA83B), Color(0x8CC04E), Color(0x4F8A34)],
    ]
    let leaves = palettes[random.int(0...palettes.count - 1)].map { $0 * light.tint.lighter(0.3) }
    let (x, foot) = (w * random.float(0.35...0.65), h * 0.86)
    canvas.ellipse(x: x, y: foot + 12 * u, radiusX: 290 * u, radiusY: 40 * u, softness: 40 * u, opacity: 0.5) { _, _ in
      Color(0x3A3A1E)
    }
    drawTree(x: x, y: foot, height: h * 0.72, leaves: leaves, trunk: Color(0x4E382A) * light.tint, leafCount: 1100)
    for _ in 0..<260 {
      let (dx, dy) = (random.float(-1...1), random.float(-1...1))
      let color = leaves[random.int(0...leaves.count - 1)].darker(random.float(0...0.3))
      canvas.ellipse(
        x: x + dx * 430 * u, y: foot + 34 * u + dy * 74 * u, radiusX: 8 * u, radiusY: 4.5 * u,
        angle: random.float(0...3)
      ) { _, _ in color }
    }
  }

  mutating func drawBalloons() {
    let light = random.pick(Light.morning, .golden, .pinkDusk, .noon)
    let horizon = h * 0.66
    drawSky(light, to: horizon + 100 * u)
    drawClouds(light, to: horizon, amount: 0.2)
    drawSun(light, x: w * random.float(0.1...0.9), y: horizon - 30 * u, radius: 26 * u)
    drawLayers(
      light, from: horizon, to: h * 0.92, count: 5,
      near: random.pick(Color(0x9B6B4A), Color(0x5F8148), Color(0x7A5A55)),
      roughness: 0.6, relief: 150)
    let count = random.int(4...8)
    for index in 0..<count {
      let t = Float(index + 1) / Float(count)
      drawBalloon(
        x: w * random.float(0.08...0.92), y: h * random.float(0.12...0.55), radius: (22 + 105 * t * t) * u,
        light: light,
        haze: 0.5 * (1 - t))
    }
  }

  private mutating func drawBalloon(x: Float, y: Float, radius: Float, light: Light, haze: Float) {
    let hue = random.float()
    let colors = [
      Color.hsb(hue, 0.75, 0.9), Color.hsb(hue + random.pick(0.08, 0.5, 0.33), 0.7, 0.95), Color(0xFFF4DC),
    ]
    let bands = random.pick(Float(5), 7, 9)
    for row in [0.98, 1.0] as [Float] {
      canvas.line(
        x - radius * 0.36, y + radius * 0.9, x - radius * 0.12, y + radius * 1.62 * row, thickness: radius * 0.02,
        color: Color(0x4A3A2E))
      canvas.line(
        x + radius * 0.36, y + radius * 0.9, x + radius * 0.12, y + radius * 1.62 * row, thickness: radius * 0.02,
        color: Color(0x4A3A2E))
    }
    // The envelope narrows toward its opening.
    canvas.shape(
      x: x - radius...x + radius, y: y - radius...y + radius * 1.3, softness: 1.4,
      color: { px, py in
        let narrow = Self.balloonWidth((py - y) / radius) * radius
        let across = (px - x) / max(1, narrow)
        let longitude = asin32(max(-1, min(1, across)))
        let band = Int(((longitude / 3.1416 + 0.5) * bands).rounded(.down))
        let shade =
          0.62 + 0.45 * max(0, 0.75 - (across + 0.35) * (across + 0.35) - (py - y + radius * 0.4) / radius * 0.12)
        let color = colors[((band % 3) + 3) % 3] * shade * light.tint.lighter(0.4)
        return color.mixed(with: light.haze, haze)
      },
      distance: { px, py in
        let t = (py - y) / radius
        guard t < 1.25 else { return radius }
        return abs(px - x) - Self.balloonWidth(t) * radius
      })
    let basket = Color(0x7A4E2A).mixed(with: light.haze, haze)
    canvas.rectangle(
      x: x - radius * 0.14, y: y + radius * 1.55, width: radius * 0.28, height: radius * 0.22, color: basket,
      radius: radius * 0.04)
  }

  private static func balloonWidth(_ t: Float) -> Float {
    if t < -1 { return -1 }
    if t < 0.25 { return max(0, 1 - t * t).squareRoot() }
    return max(0.24, 0.968 - (t - 0.25) * 0.28 - (t - 0.25) * (t - 0.25) * 0.5)
  }
}
