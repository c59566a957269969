extension Painter {
  /// Draws a person in a few flat shapes before a blurred background.
  mutating func drawPortrait() {
    let places: [([Color], Color, Color)] = [
      ([Color(0x9CC37A), Color(0xE8EFA8), Color(0x5E8F58)], Color(0x7FA870), Color(0x38603F)),
      ([Color(0xFFC98A), Color(0xFFE7B8), Color(0xE88A6A)], Color(0xD99A72), Color(0x6B4456)),
      ([Color(0x8FC8E8), Color(0xDDF0FA), Color(0x6B93C4)], Color(0x8FB8D9), Color(0x3F5F8A)),
      ([Color(0xFFC86B), Color(0xFF8AA0), Color(0xFFE9C0)], Color(0x3A2A4A), Color(0x1E1A30)),
    ]
    let (colors, top, bottom) = places[random.int(0...places.count - 1)]
    drawBlur(colors, background: [(0, top), (1, bottom)], count: 42, size: 40...130, opacity: 0.4)
    let skin = random.pick(Color(0xF2C9A5), Color(0xE0AC83), Color(0xB57B52), Color(0x8A5636), Color(0xF6D9C0))
    let hair = random.pick(
      Color(0x2A1B14), Color(0x5A3520), Color(0xB5803F), Color(0x15141A), Color(0x8A3A1E), Color(0xC9C3BA))
    let cloth = Color.hsb(random.float(), random.float(0.3...0.7), random.float(0.4...0.85))
    let (x, y, size) = (w * random.float(0.44...0.56), h * 0.46, min(w, h) * random.float(0.2...0.24))
    let long = random.chance(0.55)
    if long {
      canvas.ellipse(x: x, y: y + size * 0.45, radiusX: size * 1.02, radiusY: size * 1.55) { a, b in
        hair.darker(0.2 + 0.1 * sin32(a * 24)).mixed(with: hair, max(0, -b))
      }
    }
    // Shoulders and neck.
    canvas.ellipse(x: x, y: h + size * 0.35, radiusX: size * 2.05, radiusY: h - y - size * 0.98, softness: 2) { a, b in
      cloth.darker(max(0, a * 0.3) + 0.04 * sin32(b * 40)).lighter(max(0, -a * 0.12))
    }
    canvas.rectangle(
      x: x - size * 0.3, y: y + size * 0.5, width: size * 0.6, height: size * 0.95, color: skin.darker(0.18),
      radius: size * 0.28)
    canvas.ellipse(x: x, y: y + size * 1.42, radiusX: size * 0.42, radiusY: size * 0.2) { _, _ in skin.darker(0.1) }
    // The head, lit from the left.
    canvas.ellipse(x: x, y: y, radiusX: size * 0.78, radiusY: size, softness: 1.6) { a, b in
      skin.darker(max(0, a * 0.24 + b * 0.08)).lighter(max(0, -a * 0.12 - b * 0.06))
    }
    for side in [-1, 1] as [Float] {
      canvas.ellipse(x: x + side * size * 0.79, y: y + size * 0.08, radiusX: size * 0.12, radiusY: size * 0.2) { _, _ in
        skin.darker(side > 0 ? 0.22 : 0.05)
      }
      canvas.ellipse(
        x: x + side * size * 0.42, y: y + size * 0.3, radiusX: size * 0.19, radiusY: size * 0.13, softness: size * 0.14,
        opacity: 0.35
      ) { _, _ in Color(0xE0604F) }
      canvas.ellipse(x: x + side * size * 0.3, y: y + size * 0.02, radiusX: size * 0.105, radiusY: size * 0.075) {
        _, _ in .white
      }
      canvas.disc(x: x + side * size * 0.3, y: y + size * 0.02, radius: size * 0.068, color: Color(0x2E2018))
      canvas.disc(x: x + side * size * 0.3 - size * 0.02, y: y, radius: size * 0.02, color: .white)
      canvas.line(
        x + side * size * 0.18, y - size * 0.17, x + side * size * 0.43, y - size * 0.15, thickness: size * 0.055,
        endThickness: size * 0.025, color: hair.darker(0.25))
    }
    canvas.line(
      x + size * 0.02, y + size * 0.08, x + size * 0.08, y + size * 0.3, thickness: size * 0.03,
      endThickness: size * 0.06, color: skin.darker(0.25), softness: size * 0.05)
    // A smile.
    for step in -6...5 {
      let (t0, t1) = (Float(step) / 6, Float(step + 1) / 6)
      canvas.line(
        x + t0 * size * 0.28, y + size * (0.56 - 0.1 * t0 * t0), x + t1 * size * 0.28,
        y + size * (0.56 - 0.1 * t1 * t1),
        thickness: size * 0.055, color: Color(0xA8413A))
    }
    canvas.shape(
      x: x - size...x + size, y: y - size * 1.2...y + size * 0.2, softness: 2,
      color: { px, py in hair.lighter(max(0, 0.14 - abs(px - x + size * 0.3) / size * 0.3)) },
      distance: { px, py in
        let (a, b) = ((px - x) / (size * 0.86), (py - y + size * 0.05) / (size * 1.1))
        let parting = py - (y - size * 0.42 + (px - x - size * 0.25) * (px - x - size * 0.25) / size * 0.85)
        return max(((a * a + b * b).squareRoot() - 1) * size * 0.86, parting)
      })
    if random.chance(0.25) {
      for side in [-1, 1] as [Float] {
        canvas.ellipse(
          x: x + side * size * 0.31, y: y + size * 0.03, radiusX: size * 0.24, radiusY: size * 0.18, opacity: 0.94
        ) { _, b in Color(0x16181C).lighter(max(0, -b * 0.3)) }
      }
      canvas.line(
        x - size * 0.1, y - size * 0.02, x + size * 0.1, y - size * 0.02, thickness: size * 0.035,
        color: Color(0x16181C))
    }
    vignette = 0.24
  }

  mutating func drawCat() {
    let rooms: [(Color, Color)] = [
      (Color(0xD9C2A6), Color(0x8C6F56)), (Color(0x9DB5B2), Color(0x4F6B6B)), (Color(0xE2B8A6), Color(0x9A5F57)),
      (Color(0xB9C58F), Color(0x5F7245)),
    ]
    let (wall, floor) = rooms[random.int(0...rooms.count - 1)]
    drawBlur(
      [wall.lighter(0.4), wall, floor], background: [(0, wall), (0.6, wall.darker(0.12)), (1, floor)], count: 16,
      size: 60...160, opacity: 0.25)
    let fur = random.pick(Color(0xD98A3D), Color(0x4A4A50), Color(0xE9DFCF), Color(0x26242A), Color(0x9A8A78))
    let stripes = random.chance(0.6)
    let noise = noise()
    let (x, y, size) = (w * random.float(0.44...0.56), h * 0.5, min(w, h) * 0.27)
    let eyes = random.pick(Color(0x8FC45A), Color(0xE8B93A), Color(0x6BB5D9))
    func coat(_ a: Float, _ b: Float) -> Color {
      let hairs = noise.fractal(a * 34, b * 12, octaves: 3) * 0.12
      let bands = stripes ? max(0, sin32(b * 11 + abs(a) * 4 + noise(a * 3, b * 3) * 1.4)) * 0.34 : 0
      return (fur * (1 + hairs)).darker(bands + max(0, a * 0.18))
    }
    canvas.ellipse(x: x, y: y + size * 2.25, radiusX: size * 1.35, radiusY: size * 1.75, softness: 7 * u) { a, b in
      coat(a, b * 1.6)
    }
    canvas.ellipse(x: x, y: y + size * 1.7, radiusX: size * 0.55, radiusY: size * 0.95, softness: 70 * u, opacity: 0.7)
    { _, _ in fur.lighter(0.6) }
    for side in [-1, 1] as [Float] {
      let ear: [(x: Float, y: Float)] = [
        (x + side * size * 0.82, y - size * 1.28), (x + side * size * 0.98, y - size * 0.1),
        (x + side * size * 0.22, y - size * 0.72),
      ]
      canvas.polygon(side > 0 ? ear : ear.reversed(), softness: 7 * u) { px, py in
        coat((px - x) / size, (py - y) / size)
      }
      let inner = ear.map {
        (x: $0.x * 0.55 + (x + side * size * 0.68) * 0.45, y: $0.y * 0.55 + (y - size * 0.72) * 0.45)
      }
      canvas.polygon(side > 0 ? inner : inner.reversed(), softness: 9 * u) { _, _ in Color(0xE0A39A) }
    }
    canvas.ellipse(x: x, y: y, radiusX: size * 1.08, radiusY: size * 0.94, softness: 8 * u) { a, b in
      coat(a, b).lighter(max(0, -a * 0.1))
    }
    for side in [-1, 1] as [Float] {
      canvas.ellipse(
        x: x + side * size * 0.23, y: y + size * 0.42, radiusX: size * 0.32, radiusY: size * 0.26, softness: 22 * u
      ) { _, _ in fur.lighter(0.72) }
      let (ex, ey) = (x + side * size * 0.45, y - size * 0.08)
      canvas.ellipse(x: ex, y: ey, radiusX: size * 0.25, radiusY: size * 0.22, angle: side * 0.2) { _, _ in
        Color(0x1A1614)
      }
      canvas.ellipse(x: ex, y: ey, radiusX: size * 0.215, radiusY: size * 0.185, angle: side * 0.2) { a, b in
        eyes.darker(max(0, -b * 0.4)).lighter(max(0, b * 0.25))
      }
      canvas.ellipse(x: ex, y: ey, radiusX: size * 0.07, radiusY: size * 0.165) { _, _ in Color(0x0B0A0A) }
      canvas.disc(x: ex - size * 0.07, y: ey - size * 0.08, radius: size * 0.045, color: .white)
      for whisker in [-1, 0, 1] as [Float] {
        canvas.line(
          x + side * size * 0.36, y + size * (0.4 + whisker * 0.06), x + side * size * 1.35,
          y + size * (0.34 + whisker * 0.2),
          thickness: 3 * u, endThickness: u, color: .white, opacity: 0.8)
      }
      canvas.line(
        x, y + size * 0.36, x + side * size * 0.14, y + size * 0.52, thickness: size * 0.03, color: Color(0x5A3A34))
    }
    canvas.polygon(
      [(x - size * 0.11, y + size * 0.2), (x + size * 0.11, y + size * 0.2), (x, y + size * 0.34)], softness: 8 * u
    ) { _, _ in Color(0xD9807A) }
    vignette = 0.24
  }
}
