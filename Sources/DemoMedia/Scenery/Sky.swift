/// The light at an hour of the day: the colors of the sky from the zenith to the horizon, of the
/// sun, and of the haze over distant objects.
struct Light {
  var sky: [(at: Float, color: Color)]
  var sun: Color
  var haze: Color
  /// The color that the land's own colors are multiplied by.
  var tint: Color
  var isDay: Bool

  static let morning = Light(
    sky: [(0, Color(0x5B8FC9)), (0.55, Color(0xA9CBE6)), (0.85, Color(0xF3DFC8)), (1, Color(0xF9E9D2))],
    sun: Color(0xFFF1CF), haze: Color(0xE9DDD0), tint: Color(0xF6EEE2), isDay: true)
  static let noon = Light(
    sky: [(0, Color(0x2F74C4)), (0.6, Color(0x77B2E6)), (1, Color(0xCFE6F5))], sun: Color(0xFFFFF2),
    haze: Color(0xBFDBEE), tint: Color(0xFFFFFF), isDay: true)
  static let golden = Light(
    sky: [(0, Color(0x4A6FA8)), (0.45, Color(0xB9A9B8)), (0.75, Color(0xF6B97A)), (1, Color(0xFFD89A))],
    sun: Color(0xFFE3A1), haze: Color(0xF5C38E), tint: Color(0xFFDDB0), isDay: true)
  static let sunset = Light(
    sky: [
      (0, Color(0x2B3A72)), (0.35, Color(0x7E4E86)), (0.65, Color(0xE4686A)), (0.88, Color(0xFBA55C)),
      (1, Color(0xFFD27A)),
    ],
    sun: Color(0xFFE9B0), haze: Color(0xE98A6B), tint: Color(0xC98F86), isDay: false)
  static let pinkDusk = Light(
    sky: [(0, Color(0x3A4E8C)), (0.45, Color(0x9C7DB5)), (0.8, Color(0xF3A6B2)), (1, Color(0xFBD0BE))],
    sun: Color(0xFFE2D0), haze: Color(0xE3A9BC), tint: Color(0xB99CC0), isDay: false)
  static let teal = Light(
    sky: [(0, Color(0x1F5673)), (0.5, Color(0x5FA8B5)), (0.85, Color(0xE4DDB7)), (1, Color(0xF6E7BE))],
    sun: Color(0xFFF6D8), haze: Color(0xBFD6CB), tint: Color(0xE2F0E4), isDay: true)
  static let overcast = Light(
    sky: [(0, Color(0x8FA3B5)), (0.6, Color(0xBECAD3)), (1, Color(0xDFE4E6))], sun: Color(0xF4F6F7),
    haze: Color(0xCFD8DD), tint: Color(0xDDE3E4), isDay: true)
  static let night = Light(
    sky: [(0, Color(0x0A1434)), (0.5, Color(0x1A3470)), (0.85, Color(0x3C5E98)), (1, Color(0x6A86B0))],
    sun: Color(0xF4F1E0), haze: Color(0x3F5A8C), tint: Color(0x5C72A6), isDay: false)
}

extension Painter {
  mutating func light() -> Light {
    random.pick(.morning, .noon, .noon, .golden, .golden, .sunset, .pinkDusk, .teal, .overcast)
  }

  func drawSky(_ light: Light, to horizon: Float) { canvas.gradient(light.sky, to: horizon) }

  /// Draws clouds that are thinner at the top and flatter toward the horizon.
  mutating func drawClouds(_ light: Light, to horizon: Float, amount: Float = 0.5) {
    let noise = noise()
    let lit = light.sun.mixed(with: .white, light.isDay ? 0.6 : 0.1)
    let shade = light.haze.mixed(with: light.sky.first?.color ?? .black, 0.25)
    let scale = 1 / (420 * u)
    let threshold: Float = 0.34 - amount * 0.5
    canvas.change(to: horizon) { x, y, old in
      let up = 1 - y / horizon
      // The perspective of a flat layer of clouds.
      let depth = 1 / (0.28 + up)
      let value = noise.fractal(x * scale * depth + 40, y * scale * depth * 2.4 + 7, octaves: 5, roughness: 0.52)
      let cover = min(1, max(0, (value - threshold) * 2.6))
      guard cover > 0 else { return old }
      let thick = min(1, max(0, (value - threshold) * 1.7))
      return old.mixed(with: lit.mixed(with: shade, thick * 0.55), cover * (0.35 + 0.55 * min(1, up * 3)))
    }
  }

  func drawSun(_ light: Light, x: Float, y: Float, radius: Float) {
    canvas.glow(x: x, y: y, radius: radius * 16, color: light.sun, strength: 0.45)
    canvas.glow(x: x, y: y, radius: radius * 5, color: light.sun, strength: 0.7)
    canvas.disc(x: x, y: y, radius: radius, color: light.sun.lighter(0.55), softness: radius * 0.12)
  }

  mutating func drawStars(to horizon: Float, count: Int, milkyWay: Bool) {
    if milkyWay {
      let noise = noise()
      let slope = random.float(0.5...1.1) * (random.chance(0.5) ? 1 : -1)
      let middle = w * random.float(0.35...0.65)
      let (near, far) = (Color(0xB9A7D8), Color(0x5E79B8))
      canvas.change(to: horizon) { x, y, old in
        let off = abs(x - middle - (y - horizon * 0.5) * slope) / (190 * u)
        guard off < 2.2 else { return old }
        let band = max(0, 1 - off / 2.2)
        let cloud = noise.fractal(x / (170 * u), y / (170 * u), octaves: 5, roughness: 0.6) * 0.5 + 0.5
        let dust = max(0, noise.fractal(x / (90 * u) + 50, y / (90 * u), octaves: 4) - 0.05) * 1.6
        let light = max(0, band * band * cloud * 1.05 - band * dust * 0.3)
        return old + near.mixed(with: far, off * 0.6) * light * (1 - y / horizon * 0.4)
      }
    }
    for _ in 0..<count {
      let (x, y) = (random.float(0...w), random.float(0...horizon))
      let size = random.float() * random.float() * random.float()
      let color = random.pick(Color(0xFFFFFF), Color(0xCFE0FF), Color(0xFFE9CF))
      canvas.disc(
        x: x, y: y, radius: (0.7 + 2.8 * size) * max(u, 0.4), color: color, softness: 1.3,
        opacity: (0.25 + 0.75 * size) * (1 - 0.6 * y / horizon))
      if size > 0.72 { canvas.glow(x: x, y: y, radius: 14 * u, color: color, strength: 0.5) }
    }
  }

  func drawMoon(x: Float, y: Float, radius: Float) {
    canvas.glow(x: x, y: y, radius: radius * 9, color: Color(0xDFE7FF), strength: 0.4)
    canvas.disc(x: x, y: y, radius: radius, color: Color(0xF7F3E3), softness: 1.5)
    for (dx, dy, size) in [(-0.3, -0.2, 0.28), (0.25, 0.15, 0.34), (-0.1, 0.4, 0.2)] as [(Float, Float, Float)] {
      canvas.disc(
        x: x + dx * radius, y: y + dy * radius, radius: size * radius, color: Color(0xD9D5C4), softness: radius * 0.25,
        opacity: 0.6)
    }
  }

  mutating func drawBirds(to horizon: Float) {
    let count = random.int(3...9)
    let (x, y) = (random.float(0.2...0.8) * w, random.float(0.2...0.6) * horizon)
    for _ in 0..<count {
      let (bx, by) = (x + random.float(-150...150) * u, y + random.float(-60...60) * u)
      let size = random.float(7...15) * u
      for side in [-1, 1] as [Float] {
        canvas.line(
          bx, by, bx + side * size, by - size * 0.45, thickness: 2.6 * u, endThickness: 0.8 * u,
          color: Color(0x2B2F3A), opacity: 0.85)
      }
    }
  }
}
