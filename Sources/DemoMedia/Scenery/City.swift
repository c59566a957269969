extension Painter {
  mutating func drawSkyline() {
    let light = random.pick(Light.sunset, .pinkDusk, .night, .golden, .night)
    let horizon = h * random.float(0.66...0.76)
    drawSky(light, to: horizon + 30 * u)
    if light.isDay == false { drawStars(to: horizon * 0.5, count: 70, milkyWay: false) }
    if random.chance(0.6) { drawClouds(light, to: horizon, amount: 0.25) }
    if random.chance(0.5) {
      drawSun(light, x: w * random.float(0.2...0.8), y: horizon - random.float(60...240) * u, radius: 40 * u)
    }
    for layer in 0..<4 {
      let nearness = Float(layer + 1) / 4
      let body = light.haze.mixed(
        with: random.pick(Color(0x1E2A44), Color(0x2B2440), Color(0x1B3044)), 0.3 + 0.62 * nearness)
      var x = -random.float(0...60) * u
      while x < w {
        let width = random.float(46...110) * u * (0.7 + 0.5 * nearness)
        let center = 1 - abs((x + width / 2) / w - 0.5) * 1.1
        let tall = random.chance(0.16) ? Float(1.6) : 1
        let height = random.float(90...310) * u * (1.25 - 0.5 * nearness) * (0.4 + center) * tall
        drawTower(
          x: x, top: horizon - height + 70 * u * nearness, width: width, bottom: horizon + 40 * u, body: body,
          light: light,
          lit: 0.16 + 0.3 * nearness)
        x += width + random.float(-6...14) * u
      }
    }
    drawLake(from: horizon + 34 * u, light: light, calm: 0.82)
    vignette = 0.2
  }

  private mutating func drawTower(
    x: Float, top: Float, width: Float, bottom: Float, body: Color, light: Light, lit: Float
  ) {
    let sunny = body.mixed(with: light.sun, 0.14)
    canvas.rectangle(x: x, y: top, width: width, height: bottom - top) { px, _ in
      px < x + width * 0.32 ? sunny : body
    }
    switch random.int(0...5) {
    case 0: canvas.line(x + width / 2, top, x + width / 2, top - 70 * u, thickness: 5 * u, endThickness: u, color: body)
    case 1:
      canvas.polygon([(x + width / 2, top - width * 0.6), (x + width, top), (x, top)]) { _, _ in body.lighter(0.05) }
    case 2: canvas.rectangle(x: x + width * 0.2, y: top - 24 * u, width: width * 0.6, height: 26 * u, color: body)
    default: break
    }
    let step = max(7 * u, 3)
    let warm = [Color(0xFFD98A), Color(0xFFC15E), Color(0xFFEFC2), Color(0xBFE3FF)]
    var row = top + step
    while row < bottom - step {
      var column = x + step * 0.8
      while column < x + width - step {
        if random.chance(lit) {
          canvas.rectangle(
            x: column, y: row, width: step * 0.5, height: step * 0.66, color: warm[random.int(0...3)],
            opacity: light.isDay ? 0.45 : 0.9)
        }
        column += step
      }
      row += step * 1.4
    }
  }

  mutating func drawBridge() {
    let light = random.pick(Light.morning, .golden, .overcast, .pinkDusk, .teal)
    let horizon = h * 0.62
    drawSky(light, to: horizon)
    drawClouds(light, to: horizon, amount: random.float(0.2...0.5))
    drawLayers(light, from: horizon - 70 * u, to: horizon - 10 * u, count: 3, near: Color(0x51705A), relief: 80)
    drawSea(light, from: horizon, to: h, sunX: w * 0.5, color: Color(0x3A6B82))
    let paint = random.pick(Color(0xC4452D), Color(0x4A5866), Color(0xB8432A)) * light.tint.lighter(0.3)
    let deck = h * 0.58
    let towers = [w * random.float(0.2...0.27), w * random.float(0.72...0.8)]
    let top = h * 0.16
    func cable(_ x: Float) -> Float {
      let (left, right) = (towers[0], towers[1])
      if x < left { return top + (deck - top) * min(1, (left - x) / (w * 0.3)) }
      if x > right { return top + (deck - top) * min(1, (x - right) / (w * 0.3)) }
      let t = (x - left) / (right - left) * 2 - 1
      return deck - 30 * u - (deck - 30 * u - top) * t * t
    }
    var x: Float = 0
    while x < w {
      canvas.line(x, cable(x), x, deck, thickness: 2.2 * u, color: paint.darker(0.1), opacity: 0.85)
      canvas.line(x, cable(x), x + 14 * u, cable(x + 14 * u), thickness: 7 * u, color: paint)
      x += 14 * u
    }
    canvas.rectangle(x: 0, y: deck, width: w, height: 20 * u, color: paint.darker(0.15))
    canvas.rectangle(x: 0, y: deck + 20 * u, width: w, height: 9 * u, color: paint.darker(0.42))
    for tower in towers {
      for side in [-22, 22] as [Float] {
        canvas.rectangle(
          x: tower + (side - 9) * u, y: top - 24 * u, width: 18 * u, height: h * 0.7 - top,
          color: paint.darker(side > 0 ? 0.14 : 0))
      }
      for level in 0..<5 {
        canvas.rectangle(
          x: tower - 30 * u, y: top + Float(level) * 92 * u, width: 60 * u, height: 15 * u, color: paint.darker(0.08))
      }
    }
    // Fog rolls below the deck.
    let noise = noise()
    let fog = light.haze.lighter(0.3)
    canvas.change(from: h * 0.5, to: h * 0.82) { x, y, old in
      let near = max(0, 1 - abs(y - h * 0.66) / (h * 0.15))
      let cloud = noise.fractal(x / (330 * u), y / (90 * u), octaves: 4) + 0.12
      return old.mixed(with: fog, max(0, cloud) * near * 1.9)
    }
  }

  mutating func drawHouses() {
    let light = random.pick(Light.noon, .morning, .golden, .teal)
    let ground = h * 0.74
    drawSky(light, to: ground)
    drawClouds(light, to: ground * 0.7, amount: 0.4)
    let palettes: [[Color]] = [
      [Color(0xE8745A), Color(0xF2B84B), Color(0x5FA8A0), Color(0xE9E0CC), Color(0x7C8FC4), Color(0xD9677F)],
      [Color(0xC75B39), Color(0xE2A76F), Color(0xD9C7A0), Color(0xA34A33), Color(0xEAD9B7), Color(0x8A6A4F)],
      [Color(0x3D6B8C), Color(0x88B0C4), Color(0xF0EDE4), Color(0xD0503F), Color(0xE6B64C), Color(0x496B57)],
    ]
    let palette = palettes[random.int(0...2)]
    var x = -random.float(0...50) * u
    var last = -1
    while x < w {
      let width = random.float(125...185) * u
      var index = random.int(0...palette.count - 1)
      if index == last { index = (index + 1) % palette.count }
      last = index
      drawHouse(
        x: x, width: width, ground: ground, height: random.float(350...480) * u,
        color: palette[index] * light.tint.lighter(0.4))
      x += width
    }
    canvas.rectangle(x: 0, y: ground - 2 * u, width: w, height: 26 * u, color: Color(0x8C8375) * light.tint)
    if random.chance(0.7) {
      drawLake(from: ground + 22 * u, light: light, calm: 0.72)
      for _ in 0..<random.int(1...3) {
        let (bx, by, size) = (w * random.float(0.1...0.9), h * random.float(0.84...0.93), 120 * u)
        canvas.polygon([
          (bx - size, by - size * 0.2), (bx + size, by - size * 0.2), (bx + size * 0.75, by), (bx - size * 0.75, by),
        ]) { _, py in
          palette[0].darker(0.15 + (by - py) / size)
        }
        canvas.rectangle(
          x: bx - size * 0.8, y: by - size * 0.25, width: size * 1.6, height: size * 0.07, color: Color(0xF5EDDD))
      }
    } else {
      let noise = noise()
      let stone = Color(0xA79A88) * light.tint
      canvas.change(from: ground + 22 * u) { x, y, _ in
        let row = (y - ground) / (16 * u)
        let joint = abs(sin32(row * 3.14)) < 0.2 || abs(sin32(x / (26 * u) + row.rounded(.down) * 1.7)) < 0.1
        return stone.darker(joint ? 0.2 : 0) * (1 + noise(x / (40 * u), y / (20 * u)) * 0.1)
      }
    }
  }

  private mutating func drawHouse(x: Float, width: Float, ground: Float, height: Float, color: Color) {
    let top = ground - height
    canvas.rectangle(x: x, y: top, width: width + 1, height: height) { px, py in
      color.darker(0.12 * (px - x) / width + 0.1 * max(0, (py - top) / height - 0.6))
    }
    let trim = color.lighter(0.75)
    switch random.int(0...2) {
    case 0:
      for step in 0..<5 {
        let inset = Float(step) * width * 0.1
        canvas.rectangle(
          x: x + inset, y: top - Float(step + 1) * 22 * u, width: width - 2 * inset, height: 24 * u,
          color: color.darker(0.04))
      }
    case 1:
      canvas.polygon([(x + width / 2, top - 110 * u), (x + width, top), (x, top)]) { _, _ in Color(0x8A4B3A) }
      canvas.disc(x: x + width / 2, y: top - 40 * u, radius: 14 * u, color: trim)
    default: canvas.rectangle(x: x - 4 * u, y: top - 14 * u, width: width + 8 * u, height: 20 * u, color: trim)
    }
    let floors = 4
    let windows = random.int(2...3)
    let shutters = random.chance(0.5) ? Color.hsb(random.float(), 0.4, 0.5) : nil
    for floor in 0..<floors {
      let rowY = top + height * (0.06 + 0.24 * Float(floor))
      for index in 0..<windows {
        let cell = width / Float(windows)
        let (ww, wh) = (cell * 0.42, height * 0.14)
        let wx = x + cell * (Float(index) + 0.5) - ww / 2
        if floor == floors - 1, index == 0 {
          canvas.rectangle(
            x: wx - ww * 0.1, y: rowY, width: ww * 1.2, height: ground - rowY,
            color: Color.hsb(random.float(), 0.5, 0.4), radius: 4 * u)
          continue
        }
        canvas.rectangle(x: wx - 4 * u, y: rowY - 4 * u, width: ww + 8 * u, height: wh + 8 * u, color: trim)
        canvas.rectangle(x: wx, y: rowY, width: ww, height: wh) { _, py in
          Color(0x2E4258).mixed(with: Color(0x9CC3DC), max(0, 0.85 - (py - rowY) / wh))
        }
        canvas.rectangle(x: wx + ww / 2 - 1.5 * u, y: rowY, width: 3 * u, height: wh, color: trim)
        canvas.rectangle(x: wx, y: rowY + wh * 0.45, width: ww, height: 3 * u, color: trim)
        if let shutters {
          canvas.rectangle(x: wx - ww * 0.48, y: rowY - 2 * u, width: ww * 0.38, height: wh + 4 * u, color: shutters)
          canvas.rectangle(x: wx + ww * 1.1, y: rowY - 2 * u, width: ww * 0.38, height: wh + 4 * u, color: shutters)
        }
        if floor == 1 || floor == 2, random.chance(0.4) {
          for _ in 0..<14 {
            canvas.disc(
              x: wx + random.float(0...1) * ww, y: rowY + wh + random.float(-4...8) * u, radius: 5 * u,
              color: random.pick(Color(0xE0405A), Color(0x4E8A3A), Color(0xF27FA0), Color(0x5E9E46)))
          }
        }
      }
    }
  }

  mutating func drawFireworks() {
    let horizon = h * 0.82
    canvas.gradient([(0, Color(0x070A1E)), (0.7, Color(0x1A1B45)), (1, Color(0x3B2A5C))])
    for _ in 0..<random.int(4...7) {
      let (x, y) = (w * random.float(0.12...0.88), h * random.float(0.12...0.52))
      let hue = random.float()
      let radius = random.float(110...250) * u
      let color = Color.hsb(hue, random.float(0.35...0.8), 1)
      canvas.glow(x: x, y: y, radius: radius * 2.2, color: color, strength: 0.34)
      let rays = random.int(38...70)
      for ray in 0..<rays {
        let angle = Float(ray) / Float(rays) * 6.283 + random.float(-0.05...0.05)
        let length = radius * random.float(0.75...1.05)
        var (px, py) = (x + cos32(angle) * length * 0.16, y + sin32(angle) * length * 0.16)
        for step in 1...6 {
          let t = 0.16 + 0.84 * Float(step) / 6
          let (qx, qy) = (x + cos32(angle) * length * t, y + sin32(angle) * length * t + 46 * u * t * t)
          canvas.line(
            px, py, qx, qy, thickness: (1 + 1.8 * t) * u, color: color.mixed(with: .white, 0.7 - t * 0.6),
            softness: 1.6,
            opacity: 0.25 + 0.6 * t)
          (px, py) = (qx, qy)
        }
        canvas.glow(x: px, y: py, radius: 11 * u, color: color.lighter(0.5), strength: 0.9)
      }
    }
    var x: Float = -20 * u
    while x < w {
      let width = random.float(50...120) * u
      drawTower(
        x: x, top: horizon - random.float(30...150) * u, width: width, bottom: h, body: Color(0x0B0C1C), light: .night,
        lit: 0.2)
      x += width
    }
    drawLake(from: h * 0.88, light: .night, calm: 0.8)
  }
}
