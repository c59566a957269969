import Imaging

/// What a sample picture shows.
///
///     let data = try SampleMedia.jpeg(size: .large, seed: 12, scene: .aurora)
public enum SampleScene: String, Sendable, CaseIterable {
  case hills, mountains, starryNight, beach, seaSunset, skyline, bokeh, flower, flowerField, forest, desert, aurora
  case balloons, winter, bridge, plate, houses, autumnTree, portrait, lighthouse, fireworks, cat, coffee

  /// The scene that a seed stands for where none is asked for.
  init(seed: UInt64) {
    let all = Self.allCases
    self = all[Int(scrambled(seed &+ 99) % UInt64(all.count))]
  }

  /// Larger pictures are drawn with fewer pixels and then enlarged.
  private static let mostDrawnPixels = 2_400_000

  /// The picture, the same for the same size and seed.
  func picture(_ size: PictureSize, seed: UInt64) -> PixelBuffer {
    var drawn = size
    while drawn.width * drawn.height > Self.mostDrawnPixels {
      drawn = PictureSize(width: (drawn.width + 1) / 2, height: (drawn.height + 1) / 2)
    }
    var canvas = Canvas(width: drawn.width, height: drawn.height)
    var painter = Painter(canvas: canvas, seed: seed)
    painter.draw(self)
    if drawn != size { canvas = canvas.enlarged(to: size, seed: seed) }
    return canvas.finished(seed: seed, vignette: painter.vignette, grain: painter.grain)
  }
}

/// Draws one scene; its methods are the things that scenes are made of.
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
    }
  }
}
