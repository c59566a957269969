package import ImageCoding

extension PixelBuffer {
  /// Draws the screen of a phone: one of a few apps, without any readable text.
  package static func screenshot(_ size: PictureSize, seed: UInt64) -> PixelBuffer {
    var screen = Screen(canvas: Canvas(width: size.width, height: size.height), seed: seed)
    screen.draw()
    return screen.canvas.finished(seed: seed, vignette: 0, grain: 0)
  }
}

/// Draws the screen of a phone. Lengths are in points; the screen is 390 points wide.
struct Screen {
  let canvas: Canvas
  private var random: SeededGenerator
  private let seed: UInt64
  private let isDark: Bool

  init(canvas: Canvas, seed: UInt64) {
    self.canvas = canvas
    self.seed = seed
    random = SeededGenerator(seed: seed ^ 0x5C4EE)
    isDark = random.chance(0.4)
  }

  private var p: Float { canvas.w / 390 }
  private var height: Float { canvas.h / p }
  private var paper: Color { isDark ? Color(0x121316) : Color(0xF5F5F8) }
  private var card: Color { isDark ? Color(0x26282D) : .white }
  private var ink: Color { isDark ? Color(0xE6E7EA) : Color(0x24262B) }
  private var faint: Color { ink.mixed(with: paper, 0.6) }

  mutating func draw() {
    canvas.gradient([(0, paper), (1, paper)])
    switch seed % 7 {
    case 0: drawChat()
    case 1: drawWeather()
    case 2: drawMap()
    case 3: drawPlayer()
    case 4: drawHome()
    case 5: drawSettings()
    default: drawCalendar()
    }
  }

  private func box(_ x: Float, _ y: Float, _ width: Float, _ height: Float, color: Color, radius: Float = 0) {
    canvas.rectangle(x: x * p, y: y * p, width: width * p, height: height * p, color: color, radius: radius * p)
  }

  private func dot(_ x: Float, _ y: Float, _ radius: Float, color: Color) {
    canvas.disc(x: x * p, y: y * p, radius: radius * p, color: color)
  }

  private func statusBar(_ color: Color) {
    box(34, 20, 40, 13, color: color, radius: 4)
    for bar in 0..<4 as Range<Int> {
      box(296 + Float(bar) * 5.5, 30 - Float(bar) * 2.6, 3.6, 4 + Float(bar) * 2.6, color: color, radius: 1)
    }
    box(332, 20, 27, 13, color: color, radius: 4)
  }

  /// Draws words as bars.
  private mutating func text(_ x: Float, _ y: Float, _ width: Float, size: Float = 9, color: Color) {
    var at = x
    while at < x + width - 12 {
      let word = min(random.float(14...54), x + width - at)
      box(at, y, word, size, color: color, radius: size / 2.6)
      at += word + 6
    }
  }

  private mutating func title(_ width: Float = 150) {
    statusBar(ink)
    box(20, 66, width, 26, color: ink, radius: 8)
  }

  private mutating func drawChat() {
    statusBar(ink)
    dot(195, 70, 20, color: Color.hsb(random.float(), 0.5, 0.85))
    box(160, 96, 70, 9, color: faint, radius: 4)
    let blue = random.pick(Color(0x2F80F5), Color(0x34B759), Color(0x8A5CF0))
    var y: Float = 130
    while y < height - 130 {
      let mine = random.chance(0.5)
      if random.chance(0.16) {
        let scene = SampleScene(seed: random.next()).picture(PictureSize(width: 220, height: 160), seed: random.next())
        draw(scene, x: mine ? 150 : 20, y: y, width: 220, height: 160)
        y += 172
        continue
      }
      let (lines, width) = (random.int(1...3), random.float(110...250))
      let x = mine ? 370 - width : 20
      let tall = Float(lines) * 18 + 16
      box(x, y, width, tall, color: mine ? blue : card.mixed(with: faint, 0.18), radius: 17)
      for line in 0..<lines {
        let part = line == lines - 1 && lines > 1 ? 0.6 : Float(1)
        text(
          x + 14, y + 13 + Float(line) * 18, (width - 26) * part,
          color: mine ? Color.white.mixed(with: blue, 0.12) : ink)
      }
      y += tall + (random.chance(0.5) ? 6 : 16)
    }
    box(0, height - 96, 390, 96, color: paper)
    box(56, height - 82, 280, 38, color: card.mixed(with: faint, 0.12), radius: 19)
    dot(32, height - 63, 14, color: faint)
    dot(358, height - 63, 14, color: blue)
  }

  private mutating func drawWeather() {
    let light = random.pick(Light.noon, .sunset, .night, .overcast)
    canvas.gradient(light.sky)
    var painter = Painter(canvas: canvas, seed: seed)
    painter.drawClouds(light, to: canvas.h * 0.75, amount: 0.5)
    statusBar(.white)
    box(130, 100, 130, 18, color: .white, radius: 6)
    for (x, width) in [(138, 34), (180, 62)] as [(Float, Float)] { box(x, 146, width, 76, color: .white, radius: 18) }
    canvas.ellipse(x: 258 * p, y: 156 * p, radiusX: 9 * p, radiusY: 9 * p) { _, _ in .white }
    for (y, tall) in [(290, 120), (426, 300)] as [(Float, Float)] {
      canvas.rectangle(
        x: 20 * p, y: y * p, width: 350 * p, height: tall * p, color: .white, radius: 18 * p, opacity: 0.22)
    }
    for hour in 0..<6 as Range<Int> {
      let x = 52 + Float(hour) * 57
      box(x - 13, 308, 26, 8, color: .white, radius: 4)
      dot(x, 344, 13, color: random.pick(Color(0xFFD94A), Color(0xF2F5F8), Color(0xFFD94A)))
      box(x - 11, 376, 22, 12, color: .white, radius: 5)
    }
    for day in 0..<7 as Range<Int> {
      let y = 446 + Float(day) * 38
      box(38, y, 52, 11, color: .white, radius: 5)
      dot(124, y + 5, 10, color: random.pick(Color(0xFFD94A), Color(0xF2F5F8), Color(0x9CC8F2)))
      canvas.rectangle(
        x: 180 * p, y: (y + 3) * p, width: 170 * p, height: 6 * p, color: .black, radius: 3 * p, opacity: 0.25)
      let start = random.float(0...70)
      canvas.rectangle(
        x: (180 + start) * p, y: (y + 3) * p, width: random.float(50...100) * p, height: 6 * p, radius: 3 * p
      ) { x, _ in Color(0x6BD08A).mixed(with: Color(0xF5A23C), (x / p - 180) / 170) }
    }
  }

  private mutating func drawMap() {
    let land = isDark ? Color(0x23282E) : Color(0xEFEBE2)
    let water = isDark ? Color(0x17364F) : Color(0xA9D3EE)
    let park = isDark ? Color(0x22402F) : Color(0xC4E3B4)
    let road = isDark ? Color(0x434A54) : .white
    let noise = Noise(seed: seed)
    canvas.paint { x, y in
      let value = noise.fractal(x / (300 * p), y / (300 * p), octaves: 3, roughness: 0.35)
      let green = noise.fractal(x / (150 * p) + 90, y / (150 * p), octaves: 2)
      if value < -0.24 { return water }
      return green > 0.3 ? park : land
    }
    let angle = random.float(-0.5...0.5)
    let (sine, cosine) = (sin32(angle), cos32(angle))
    for index in -14...14 {
      let offset = Float(index) * 66 + random.float(-12...12)
      let wide: Float = index % 4 == 0 ? 13 : 6
      let color = index % 4 == 0 ? road.mixed(with: Color(0xF9CF6B), isDark ? 0.25 : 0.75) : road
      let (cx, cy) = (195 - sine * offset, height / 2 + cosine * offset)
      canvas.line(
        (cx - cosine * 900) * p, (cy - sine * 900) * p, (cx + cosine * 900) * p, (cy + sine * 900) * p,
        thickness: wide * p, color: color)
      let (dx, dy) = (195 + cosine * offset, height / 2 + sine * offset)
      canvas.line(
        (dx + sine * 900) * p, (dy - cosine * 900) * p, (dx - sine * 900) * p, (dy + cosine * 900) * p,
        thickness: wide * p, color: color)
    }
    var (x, y) = (Float(60), height * 0.66)
    for _ in 0..<9 as Range<Int> {
      let (nx, ny) = (x + random.float(12...44), y - random.float(10...70))
      canvas.line(x * p, y * p, nx * p, ny * p, thickness: 9 * p, color: Color(0x2F80F5))
      (x, y) = (nx, ny)
    }
    canvas.glow(x: 60 * p, y: height * 0.66 * p, radius: 40 * p, color: Color(0x2F80F5), strength: 0.5)
    dot(60, height * 0.66, 11, color: .white)
    dot(60, height * 0.66, 8, color: Color(0x2F80F5))
    dot(x, y - 26, 17, color: Color(0xE8453C))
    canvas.polygon([((x + 14) * p, (y - 17) * p), (x * p, y * p), ((x - 14) * p, (y - 17) * p)]) { _, _ in
      Color(0xE8453C)
    }
    dot(x, y - 26, 6, color: .white)
    statusBar(ink)
    box(20, 58, 350, 46, color: card, radius: 14)
    text(44, 76, 180, color: faint)
    box(0, height - 190, 390, 200, color: card, radius: 22)
    text(28, height - 160, 190, size: 15, color: ink)
    text(28, height - 130, 240, color: faint)
    box(28, height - 96, 334, 48, color: Color(0x2F80F5), radius: 14)
  }

  private mutating func drawPlayer() {
    let hue = random.float()
    canvas.gradient([(0, Color.hsb(hue, 0.45, 0.5)), (1, Color.hsb(hue + 0.08, 0.5, 0.16))])
    statusBar(.white)
    let cover = SampleScene(seed: seed &* 31).picture(PictureSize(width: 330, height: 330), seed: seed)
    draw(cover, x: 30, y: 110, width: 330, height: 330)
    text(30, 474, 210, size: 17, color: .white)
    text(30, 504, 140, size: 12, color: Color.white.mixed(with: Color.hsb(hue, 0.4, 0.5), 0.4))
    box(30, 556, 330, 5, color: Color.hsb(hue, 0.3, 0.6), radius: 2.5)
    box(30, 556, random.float(60...260), 5, color: .white, radius: 2.5)
    let y: Float = 640
    for side in [-1, 1] as [Float] {
      for step in [0, 16] as [Float] {
        let x = 195 + side * (84 + step)
        let triangle: [(x: Float, y: Float)] = [
          ((x - side * 8) * p, (y - 13) * p), ((x + side * 10) * p, y * p), ((x - side * 8) * p, (y + 13) * p),
        ]
        canvas.polygon(side > 0 ? triangle : triangle.reversed()) { _, _ in .white }
      }
      box(195 + side * 12 - 5, y - 22, 10, 44, color: .white, radius: 3)
    }
    box(50, 726, 290, 5, color: Color.hsb(hue, 0.3, 0.6), radius: 2.5)
    box(50, 726, 170, 5, color: .white, radius: 2.5)
    dot(220, 728.5, 9, color: .white)
  }

  private mutating func drawHome() {
    let wallpaper = SampleScene.hills.picture(PictureSize(width: canvas.width, height: canvas.height), seed: seed)
    draw(wallpaper, x: 0, y: 0, width: 390, height: height)
    statusBar(.white)
    for row in 0..<6 as Range<Int> {
      for column in 0..<4 as Range<Int> where row < 5 || column < 2 {
        icon(30 + Float(column) * 89, 70 + Float(row) * 98)
        box(38 + Float(column) * 89, 138 + Float(row) * 98, 46, 7, color: .white, radius: 3.5)
      }
    }
    canvas.rectangle(
      x: 14 * p, y: (height - 112) * p, width: 362 * p, height: 98 * p, color: .white, radius: 30 * p, opacity: 0.35)
    for column in 0..<4 as Range<Int> { icon(30 + Float(column) * 89, height - 94) }
  }

  private mutating func icon(_ x: Float, _ y: Float) {
    let color = Color.hsb(random.float(), random.float(0.45...0.85), random.float(0.7...0.98))
    canvas.rectangle(x: x * p, y: y * p, width: 62 * p, height: 62 * p, radius: 15 * p) { _, py in
      color.lighter(0.22 * (1 - (py / p - y) / 62))
    }
    switch random.int(0...4) {
    case 0: dot(x + 31, y + 31, 15, color: .white)
    case 1: box(x + 16, y + 20, 30, 22, color: .white, radius: 7)
    case 2:
      for bar in 0..<3 as Range<Int> {
        box(x + 16 + Float(bar) * 11, y + 36 - Float(bar) * 8, 8, 12 + Float(bar) * 8, color: .white, radius: 2)
      }
    case 3:
      canvas.polygon([((x + 31) * p, (y + 15) * p), ((x + 46) * p, (y + 44) * p), ((x + 16) * p, (y + 44) * p)]) {
        _, _ in .white
      }
    default:
      dot(x + 31, y + 31, 17, color: .white)
      dot(x + 31, y + 31, 9, color: color)
    }
  }

  private mutating func drawSettings() {
    title()
    var y: Float = 112
    while y < height - 40 {
      let rows = random.int(2...5)
      box(16, y, 358, Float(rows) * 46, color: card, radius: 12)
      for row in 0..<rows {
        let top = y + Float(row) * 46
        box(32, top + 8, 30, 30, color: Color.hsb(random.float(), 0.65, 0.9), radius: 8)
        text(78, top + 18, random.float(70...170), size: 10, color: ink)
        if random.chance(0.35) {
          let on = random.chance(0.6)
          box(312, top + 9, 48, 28, color: on ? Color(0x34C759) : faint, radius: 14)
          dot(on ? 346 : 326, top + 23, 12, color: .white)
        } else {
          box(346, top + 18, 8, 10, color: faint, radius: 3)
        }
        if row > 0 { box(78, top, 296, 0.8, color: faint.mixed(with: card, 0.6)) }
      }
      y += Float(rows) * 46 + 30
    }
  }

  private mutating func drawCalendar() {
    title(110)
    let red = Color(0xFF453A)
    let today = random.int(4...24)
    for day in 0..<31 {
      let (x, y) = (40 + Float((day + 2) % 7) * 52, 140 + Float((day + 2) / 7) * 52)
      if day == today { dot(x, y + 6, 19, color: red) }
      box(x - 8, y, 16, 12, color: day == today ? .white : ink, radius: 4)
      if random.chance(0.35) { dot(x, y + 28, 3, color: Color.hsb(random.float(), 0.6, 0.9)) }
    }
    var y: Float = 440
    while y < height - 90 {
      let tall = random.float(46...96)
      let color = Color.hsb(random.float(), 0.6, 0.9)
      text(20, y + 4, 40, size: 8, color: faint)
      box(80, y, 290, tall, color: color.mixed(with: paper, 0.72), radius: 9)
      box(80, y, 5, tall, color: color, radius: 2)
      text(98, y + 14, random.float(90...210), size: 10, color: color.mixed(with: ink, 0.5))
      y += tall + random.float(10...34)
    }
  }

  private func draw(_ picture: PixelBuffer, x: Float, y: Float, width: Float, height: Float) {
    let (scaleX, scaleY) = (Float(picture.width) / (width * p), Float(picture.height) / (height * p))
    canvas.rectangle(x: x * p, y: y * p, width: width * p, height: height * p, radius: 14 * p) { px, py in
      let column = min(picture.width - 1, max(0, Int((px - x * p) * scaleX)))
      let row = min(picture.height - 1, max(0, Int((py - y * p) * scaleY)))
      let at = (row * picture.width + column) * 3
      return Color(
        Float(picture.bytes[at]) / 255, Float(picture.bytes[at + 1]) / 255, Float(picture.bytes[at + 2]) / 255, 0)
    }
  }
}
