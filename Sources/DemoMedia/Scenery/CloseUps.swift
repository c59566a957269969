extension Painter {
  /// Draws blurred discs of light.
  mutating func drawBlur(
    _ colors: [Color], background: [(at: Float, color: Color)], count: Int, size: ClosedRange<Float>,
    opacity: Float = 0.42
  ) {
    canvas.gradient(background)
    for _ in 0..<7 {
      canvas.glow(
        x: random.float(0...w), y: random.float(0...h), radius: random.float(300...650) * u,
        color: colors[random.int(0...colors.count - 1)], strength: 0.34)
    }
    for _ in 0..<count {
      let radius = random.float(size) * u
      let (x, y) = (random.float(-0.05...1.05) * w, random.float(-0.05...1.05) * h)
      let color = colors[random.int(0...colors.count - 1)]
      let strength = opacity * random.float(0.4...1)
      canvas.disc(x: x, y: y, radius: radius, color: color, softness: radius * 0.09 + 2, opacity: strength * 0.75)
      canvas.disc(
        x: x, y: y, radius: radius * 0.9, color: color.lighter(0.12), softness: radius * 0.5, opacity: strength * 0.5)
    }
  }

  mutating func drawBokeh() {
    let palettes: [([Color], Color, Color)] = [
      ([Color(0xFFC86B), Color(0xFF9A4D), Color(0xFFE2A8), Color(0xFF6F61)], Color(0x1A1024), Color(0x4A2430)),
      ([Color(0x6BD5FF), Color(0xB88BFF), Color(0xFF7BC2), Color(0xEAF4FF)], Color(0x0B1230), Color(0x30184A)),
      ([Color(0xFFE08A), Color(0x9BE07A), Color(0xFFFFFF), Color(0x5FC48A)], Color(0x0F2A1E), Color(0x2F5A32)),
      ([Color(0xFF5A5F), Color(0xFFD25A), Color(0x5AD1FF), Color(0xFFFFFF)], Color(0x101018), Color(0x2A2A3C)),
    ]
    let (colors, top, bottom) = palettes[random.int(0...palettes.count - 1)]
    drawBlur(colors, background: [(0, top), (0.65, bottom), (1, top)], count: 70, size: 24...110, opacity: 0.6)
    if random.chance(0.55) {
      // A wet road reflects the lights.
      drawLake(from: h * 0.66, light: .night, calm: 0.7)
    }
  }

  mutating func drawFlower() {
    let greens = [Color(0x7FA65A), Color(0xB7CF7A), Color(0x4E7F4A), Color(0xE8EFA8)]
    drawBlur(
      greens, background: [(0, Color(0x4A7A48)), (1, Color(0x1F4228))], count: 34, size: 50...150, opacity: 0.36)
    let hue = random.pick(Float(0.95), 0.88, 0.02, 0.12, 0.78, 0.6, 0.07)
    let petals = random.pick(5, 8, 13, 18)
    let (x, y) = (w * random.float(0.4...0.6), h * random.float(0.4...0.52))
    let radius = random.float(250...340) * u
    canvas.line(x, y, x + random.float(-90...90) * u, h * 1.05, thickness: 24 * u, color: Color(0x3F7A3A), softness: 3)
    let start = random.float(0...1)
    for ring in 0..<2 {
      for petal in 0..<petals {
        let angle = (Float(petal) + Float(ring) * 0.5) / Float(petals) * 6.283 + start + random.float(-0.05...0.05)
        let length = radius * (ring == 0 ? 1 : 0.78) * random.float(0.94...1.05)
        let width = min(length * 0.42, 3.2 * length / Float(petals) + 12 * u)
        let base = Color.hsb(hue + random.float(-0.015...0.015), ring == 0 ? 0.68 : 0.56, ring == 0 ? 0.86 : 0.97)
        canvas.ellipse(
          x: x + cos32(angle) * length * 0.55, y: y + sin32(angle) * length * 0.55 + 3 * u, radiusX: length * 0.52,
          radiusY: width * 1.04, angle: angle, softness: 16 * u, opacity: 0.4
        ) { _, _ in base.darker(0.75) }
        canvas.ellipse(
          x: x + cos32(angle) * length * 0.55, y: y + sin32(angle) * length * 0.55, radiusX: length * 0.5,
          radiusY: width,
          angle: angle, softness: 1.6
        ) { along, across in
          let vein = 0.035 * cos32(across * 16 + along * 2)
          return base.darker(0.36 * max(0, 0.35 - along)).mixed(
            with: .white, max(0, along * 0.22 - abs(across) * 0.16 + vein + 0.08))
        }
      }
    }
    let middle = random.pick(Color(0xF6C945), Color(0x6B3F1E), Color(0xE9E27A))
    canvas.disc(x: x, y: y, radius: radius * 0.21, color: middle.darker(0.35), softness: 6 * u)
    for index in 0..<170 {
      // The seeds are in a spiral like a sunflower's.
      let (angle, distance) = (Float(index) * 2.39996, (Float(index) / 170).squareRoot() * radius * 0.2)
      canvas.disc(
        x: x + cos32(angle) * distance, y: y + sin32(angle) * distance, radius: 5.5 * u,
        color: middle.mixed(with: .white, 0.4 - distance / radius).darker(random.float(0...0.3)))
    }
    if random.chance(0.45) {
      for _ in 0..<26 {
        let (angle, distance) = (random.float(0...6.283), random.float(0.35...0.9) * radius)
        let (dx, dy, size) = (x + cos32(angle) * distance, y + sin32(angle) * distance, random.float(5...12) * u)
        canvas.disc(x: dx, y: dy, radius: size, color: .white, softness: size * 0.6, opacity: 0.35)
        canvas.disc(x: dx - size * 0.3, y: dy - size * 0.35, radius: size * 0.3, color: .white, opacity: 0.95)
      }
    }
  }

  mutating func drawFlowerField() {
    let light = random.pick(Light.noon, .golden, .morning, .pinkDusk)
    let horizon = h * random.float(0.34...0.45)
    drawSky(light, to: horizon + 20 * u)
    drawClouds(light, to: horizon, amount: 0.35)
    if random.chance(0.4) { drawSun(light, x: w * random.float(0.2...0.8), y: horizon - 40 * u, radius: 28 * u) }
    drawLayers(light, from: horizon - 20 * u, to: horizon + 10 * u, count: 3, near: Color(0x5A7F4A), relief: 60)
    let lavender = random.chance(0.4)
    let hues: [Float] = lavender ? [0.73, 0.76, 0.75] : [0.98, 0.14, 0.92, 0.04, 0.82]
    let vanishing = w * random.float(0.3...0.7)
    let leaf = Color(0x3F6B34) * light.tint
    canvas.gradient([(0, leaf.mixed(with: light.haze, 0.5)), (1, leaf.darker(0.25))], from: horizon + 12 * u)
    let noise = noise()
    canvas.change(from: horizon + 14 * u) { x, y, old in
      let depth = (y - horizon) / (h - horizon)
      let row = (x - vanishing) / (depth * 0.9 + 0.012) / (150 * u)
      let index = row.rounded(.down)
      let inside = row - index
      let furrow = max(0, 1 - abs(inside - 0.5) * 2.3)
      guard furrow > 0.04 else { return old }
      let hue = hues[((Int(index) / (lavender ? 1 : 2)) % hues.count + hues.count) % hues.count]
      let bloom = noise.fractal(x / (3 + 16 * depth) / u, y / (2 + 9 * depth) / u, octaves: 2)
      let color = Color.hsb(hue, lavender ? 0.5 : 0.78, 0.86 + bloom * 0.2) * light.tint.lighter(0.3)
      let amount = min(1, furrow * 1.9 + bloom * 0.8)
      return old.mixed(with: color.mixed(with: light.haze, max(0, 0.5 - depth * 1.6)), amount)
    }
    for _ in 0..<900 {
      let depth = random.float().squareRoot()
      let y = horizon + 30 * u + (h - horizon) * depth
      let row = Float(random.int(-9...9)) + 0.5 + random.float(-0.3...0.3)
      let x = vanishing + row * (depth * 0.9 + 0.012) * 150 * u
      let hue = hues[((Int(row.rounded(.down)) / (lavender ? 1 : 2)) % hues.count + hues.count) % hues.count]
      let size = (2 + 15 * depth * depth) * u
      let color = Color.hsb(hue, lavender ? 0.46 : 0.72, random.float(0.78...1)) * light.tint.lighter(0.4)
      canvas.ellipse(x: x, y: y, radiusX: size * 0.7, radiusY: size, softness: 1.4) { _, across in
        color.darker(across * 0.25 + 0.1)
      }
    }
    if random.chance(0.5) { drawWindmill(light, x: w * random.float(0.15...0.85), y: horizon + 18 * u) }
  }

  private mutating func drawWindmill(_ light: Light, x: Float, y: Float) {
    let body = Color(0x6B4A3A) * light.tint
    canvas.polygon([(x - 26 * u, y - 150 * u), (x + 26 * u, y - 150 * u), (x + 46 * u, y), (x - 46 * u, y)]) { px, _ in
      body.darker(0.2 + (px - x) / (220 * u))
    }
    canvas.ellipse(x: x, y: y - 152 * u, radiusX: 34 * u, radiusY: 26 * u) { _, _ in body.darker(0.45) }
    let start = random.float(0...1.5)
    for blade in 0..<4 {
      let angle = start + Float(blade) * 1.5708
      canvas.line(
        x, y - 152 * u, x + cos32(angle) * 132 * u, y - 152 * u + sin32(angle) * 132 * u, thickness: 9 * u,
        endThickness: 15 * u, color: Color(0xEFE6D5) * light.tint)
    }
  }

  mutating func drawPlate() {
    drawTable()
    let (x, y, radius) = (w * random.float(0.46...0.54), h * random.float(0.47...0.53), 400 * u)
    canvas.disc(x: x + 14 * u, y: y + 20 * u, radius: radius * 1.03, color: .black, softness: 60 * u, opacity: 0.45)
    canvas.disc(x: x, y: y, radius: radius, color: Color(0xF4F1EA))
    canvas.disc(x: x - 4 * u, y: y - 6 * u, radius: radius * 0.8, color: Color(0xDCD7CC), softness: 26 * u)
    canvas.disc(x: x, y: y, radius: radius * 0.77, color: Color(0xFAF8F3), softness: 10 * u)
    if random.chance(0.5) { drawPizza(x, y, radius * 0.82) } else { drawSalad(x, y, radius * 0.7) }
    // A fork and a knife.
    let silver = Color(0xC9CCD1)
    canvas.line(
      x + radius * 1.14, y - radius * 0.6, x + radius * 1.14, y + radius * 0.7, thickness: 17 * u, endThickness: 24 * u,
      color: silver.darker(0.1))
    canvas.line(
      x - radius * 1.14, y - radius * 0.2, x - radius * 1.14, y + radius * 0.7, thickness: 13 * u, endThickness: 22 * u,
      color: silver)
    for tine in [-15, -5, 5, 15] as [Float] {
      canvas.line(
        x - radius * 1.14 + tine * u, y - radius * 0.6, x - radius * 1.14 + tine * u, y - radius * 0.22,
        thickness: 5 * u, color: silver)
    }
  }

  private mutating func drawTable() {
    let wood = random.pick(Color(0x8A5A36), Color(0x5B4030), Color(0xC79A6B), Color(0x3C4A52), Color(0xE6DED1))
    let noise = noise()
    let plank = 210 * u
    canvas.paint { x, y in
      let board = (y / plank).rounded(.down)
      let grain = noise.fractal(x / (430 * u) + board * 9, y / (13 * u), octaves: 4) * 0.14
      let rings = noise(x / (900 * u) + board * 31, y / (46 * u)) * 0.1
      let joint = (y / plank - board) < 0.018 ? Float(0.5) : 1
      return wood * ((1 + grain + rings) * joint)
    }
    canvas.glow(x: w * 0.2, y: 0, radius: h * 1.1, color: Color(0xFFF0D6), strength: 0.3)
  }

  private mutating func drawPizza(_ x: Float, _ y: Float, _ radius: Float) {
    let noise = noise()
    let scale = 1 / (40 * u)
    canvas.ellipse(x: x, y: y, radiusX: radius, radiusY: radius, softness: 5 * u) { a, b in
      let r = (a * a + b * b).squareRoot()
      let spots = noise.fractal(a * radius * scale, b * radius * scale, octaves: 4)
      let crust = Color(0xD9A05B).mixed(with: Color(0x7A4520), max(0, spots * 1.5) + max(0, r - 0.95) * 5)
      let sauce = Color(0xC8391F).mixed(with: Color(0xF4D58A), min(1, max(0, spots * 2.2 + 0.5)))
      return r > 0.87 + spots * 0.05 ? crust : sauce
    }
    for _ in 0..<13 {
      let (angle, distance) = (random.float(0...6.283), random.float(0.1...0.74) * radius)
      let (px, py) = (x + cos32(angle) * distance, y + sin32(angle) * distance)
      let size = random.float(34...46) * u
      canvas.disc(x: px + 3 * u, y: py + 5 * u, radius: size, color: Color(0x4A1410), softness: 9 * u, opacity: 0.5)
      canvas.disc(x: px, y: py, radius: size, color: Color(0xB4301F))
      canvas.disc(x: px - 4 * u, y: py - 5 * u, radius: size * 0.7, color: Color(0xD0492F), softness: size * 0.5)
    }
    drawLeaves(x, y, radius * 0.7, count: 15, size: 36)
  }

  private mutating func drawLeaves(_ x: Float, _ y: Float, _ radius: Float, count: Int, size: Float) {
    for _ in 0..<count {
      let (angle, distance) = (random.float(0...6.283), random.float().squareRoot() * radius)
      let turn = random.float(0...6.283)
      let green = Color.hsb(random.float(0.24...0.36), random.float(0.5...0.75), random.float(0.38...0.66))
      let length = size * random.float(0.7...1.25) * u
      let (px, py) = (x + cos32(angle) * distance, y + sin32(angle) * distance)
      canvas.ellipse(
        x: px + 3 * u, y: py + 5 * u, radiusX: length, radiusY: length * 0.5, angle: turn, softness: 9 * u, opacity: 0.4
      ) { _, _ in .black }
      canvas.ellipse(x: px, y: py, radiusX: length, radiusY: length * 0.48, angle: turn) { along, across in
        green.mixed(with: .white, abs(across) < 0.07 ? 0.35 : max(0, -across * 0.2 + 0.05)).darker(max(0, along) * 0.2)
      }
    }
  }

  private mutating func drawSalad(_ x: Float, _ y: Float, _ radius: Float) {
    drawLeaves(x, y, radius, count: 70, size: 78)
    for _ in 0..<22 {
      let (angle, distance) = (random.float(0...6.283), random.float().squareRoot() * radius * 0.9)
      let (px, py, size) = (x + cos32(angle) * distance, y + sin32(angle) * distance, random.float(30...48) * u)
      let kind = random.int(0...2)
      canvas.disc(x: px + 4 * u, y: py + 6 * u, radius: size, color: .black, softness: 12 * u, opacity: 0.4)
      if kind == 0 {
        canvas.disc(x: px, y: py, radius: size, color: Color(0xD9301F))
        canvas.disc(
          x: px - size * 0.3, y: py - size * 0.35, radius: size * 0.28, color: Color(0xFFB0A0), softness: size * 0.4,
          opacity: 0.85)
      } else if kind == 1 {
        canvas.disc(x: px, y: py, radius: size, color: Color(0x9CCB6B))
        canvas.disc(x: px, y: py, radius: size * 0.86, color: Color(0xE6F2C4))
        canvas.disc(x: px, y: py, radius: size * 0.5, color: Color(0xD2E5A6), softness: size * 0.3)
      } else {
        canvas.disc(x: px, y: py, radius: size, color: Color(0xFDFBF4))
        canvas.disc(x: px, y: py, radius: size * 0.55, color: Color(0xF6B52E), softness: 5 * u)
      }
    }
  }

  mutating func drawCoffee() {
    drawTable()
    let (x, y, radius) = (w * random.float(0.42...0.58), h * random.float(0.44...0.56), random.float(250...320) * u)
    let cup = random.pick(Color(0xF6F3EC), Color(0x3F6B73), Color(0xD9694A), Color(0xE9C46A))
    canvas.disc(x: x + 24 * u, y: y + 36 * u, radius: radius * 1.5, color: .black, softness: 70 * u, opacity: 0.4)
    canvas.disc(x: x, y: y, radius: radius * 1.45, color: cup.darker(0.05))
    canvas.disc(x: x, y: y, radius: radius * 1.36, color: cup.lighter(0.1), softness: 18 * u)
    canvas.disc(x: x + 12 * u, y: y + 18 * u, radius: radius * 1.06, color: .black, softness: 60 * u, opacity: 0.35)
    let handle = random.float(-0.6...0.9)
    canvas.line(
      x + cos32(handle) * radius, y + sin32(handle) * radius, x + cos32(handle) * radius * 1.42,
      y + sin32(handle) * radius * 1.42, thickness: 62 * u, color: cup)
    canvas.disc(x: x, y: y, radius: radius, color: cup.lighter(0.2))
    canvas.disc(x: x + 5 * u, y: y + 7 * u, radius: radius * 0.9, color: cup.darker(0.35), softness: 12 * u)
    let noise = noise()
    let leaf = random.chance(0.5)
    canvas.ellipse(x: x, y: y, radiusX: radius * 0.87, radiusY: radius * 0.87, softness: 5 * u) { a, b in
      let r = (a * a + b * b).squareRoot()
      let swirl = noise.fractal(a * 2.2, b * 2.2, octaves: 3) * 0.1
      let coffee = Color(0x8A4E22).mixed(with: Color(0x4A2410), r * r + swirl)
      let milk = Color(0xF3DDB8)
      let shape: Float
      if leaf {
        let half = 0.62 * max(0, 1 - b * b * 1.5)
        shape = abs(a) < half ? sin32((b + abs(a) * 0.9) * 17) * 0.9 + 0.25 : -1
      } else {
        let (hx, hy) = (abs(a) * 1.25, -b * 1.25 + 0.2)
        let heart = hx * hx + (hy - 0.55 * hx.squareRoot()) * (hy - 0.55 * hx.squareRoot())
        shape = (0.42 - heart) * 6
      }
      return coffee.mixed(with: milk, min(0.95, max(0, shape * 1.5 + swirl)))
    }
    canvas.line(
      x - radius * 1.9, y + radius * 0.9, x - radius * 1.05, y + radius * 1.28, thickness: 16 * u,
      color: Color(0xC9CCD1))
    canvas.ellipse(x: x - radius * 2, y: y + radius * 0.86, radiusX: 60 * u, radiusY: 34 * u, angle: 0.42) { _, b in
      Color(0xB9BCC2).lighter(0.3 - b * 0.3)
    }
  }
}
