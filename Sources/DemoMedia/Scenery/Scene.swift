package import ImageCoding

/// The motif of a sample picture.
///
///     let pixels = SampleScene.aurora.picture(.large, seed: 12)
public enum SampleScene: String, Sendable, CaseIterable {
  case hills, mountains, starryNight, beach, seaSunset, skyline, bokeh, flower, flowerField, forest, desert, aurora
  case balloons, winter, bridge, plate, houses, autumnTree, portrait, lighthouse, fireworks, cat, coffee
  /// A sky, a ground and a square between them, in colors that the seed chooses. It is drawn at
  /// once even in a debug build, where any other scene of 160 × 120 pixels takes a tenth of a
  /// second.
  case plain

  /// Chooses a scene for a seed.
  package init(seed: UInt64) {
    let all = Self.allCases.filter { $0 != .plain }
    self = all[Int(scrambled(seed &+ 99) % UInt64(all.count))]
  }

  /// The largest number of pixels that are drawn. Larger pictures are enlarged from fewer pixels.
  private static let drawnPixelLimit = 2_400_000

  /// Draws the picture. It is the same for the same size and seed.
  package func picture(_ size: PictureSize, seed: UInt64) -> PixelBuffer {
    if self == .plain { return .plain(size, seed: seed) }
    var drawn = size
    while drawn.width * drawn.height > Self.drawnPixelLimit {
      drawn = PictureSize(width: (drawn.width + 1) / 2, height: (drawn.height + 1) / 2)
    }
    var canvas = Canvas(width: drawn.width, height: drawn.height)
    var painter = Painter(canvas: canvas, seed: seed)
    painter.draw(self)
    if drawn != size { canvas = canvas.enlarged(to: size, seed: seed) }
    return canvas.finished(seed: seed, vignette: painter.vignette, grain: painter.grain)
  }
}

/// Draws one scene. Its methods draw the objects that scenes consist of.
struct Painter {
  let canvas: Canvas
  var random: SeededGenerator
  let seed: UInt64
  var vignette: Float = 0.16
  var grain: Float = 0.010

  init(canvas: Canvas, seed: UInt64) {
    self.canvas = canvas
    self.seed = seed
    random = SeededGenerator(seed: seed)
  }

  var w: Float { canvas.w }
  var h: Float { canvas.h }
  var u: Float { canvas.unit }

  mutating func noise() -> Noise { Noise(seed: random.next()) }

  mutating func draw(_ scene: SampleScene) {
    switch scene {
    case .hills: drawHills()
    case .mountains: drawMountains()
    case .starryNight: drawStarryNight()
    case .beach: drawBeach()
    case .seaSunset: drawSeaSunset()
    case .skyline: drawSkyline()
    case .bokeh: drawBokeh()
    case .flower: drawFlower()
    case .flowerField: drawFlowerField()
    case .forest: drawForest()
    case .desert: drawDesert()
    case .aurora: drawAurora()
    case .balloons: drawBalloons()
    case .winter: drawWinter()
    case .bridge: drawBridge()
    case .plate: drawPlate()
    case .houses: drawHouses()
    case .autumnTree: drawAutumnTree()
    case .portrait: drawPortrait()
    case .lighthouse: drawLighthouse()
    case .fireworks: drawFireworks()
    case .cat: drawCat()
    case .coffee: drawCoffee()
    case .plain: break
    }
  }
}

extension PixelBuffer {
  /// Draws the scene `plain`. It copies rows, since a debug build computes pixels slowly.
  fileprivate static func plain(_ size: PictureSize, seed: UInt64) -> PixelBuffer {
    var random = SeededGenerator(seed: seed)
    func color(_ brightness: ClosedRange<UInt8>) -> [UInt8] {
      (0..<3).map { _ in UInt8.random(in: brightness, using: &random) }
    }
    let (sky, ground, square) = (color(120...255), color(20...120), color(0...255))
    let side = max(1, min(size.width, size.height) / 3)
    let left = (size.width - side) / 2
    let skyRow = repeated(sky, size.width)
    let squareRow = repeated(sky, left) + repeated(square, side) + repeated(sky, size.width - left - side)
    let top = (size.height - side) / 2
    let bytes =
      repeated(skyRow, top) + repeated(squareRow, side)
      + repeated(repeated(ground, size.width), size.height - top - side)
    return PixelBuffer(width: size.width, height: size.height, channels: 3, bytes: bytes)
  }

  private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    var result = bytes
    while result.count < bytes.count * count { result += result }
    return Array(result.prefix(bytes.count * count))
  }
}
