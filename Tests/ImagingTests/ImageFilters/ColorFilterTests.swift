import Foundation
import Testing

@testable import ImageCoding
@testable import ImageFilters
@testable import Imaging
@testable import MediaMetadata

@Suite struct ColorFilterTests {
  /// Returns a color with 8-bit channels after the filters, computed by the filters' definition.
  private func exact(_ filters: [ColorFilter], _ color: [UInt8]) -> [Int] {
    let value = ColorValue(Double(color[0]), Double(color[1]), Double(color[2])) / 255
    let result = ColorPipeline(filters).exact(value) * 255
    return [Int(result.x.rounded()), Int(result.y.rounded()), Int(result.z.rounded())]
  }

  @Test func `sepia is the customary matrix`() {
    #expect(exact([.sepia(intensity: 1)], [100, 50, 200]) == [116, 103, 80])
    #expect(exact([.sepia(intensity: 1)], [255, 255, 255]) == [255, 255, 239])
    #expect(exact([.sepia(intensity: 0)], [10, 20, 30]) == [10, 20, 30])
    #expect(exact([.sepia(intensity: 0.5)], [100, 50, 200]) == [108, 76, 140])
  }

  @Test func `a stop is twice the light`() {
    // Half of the light has the sRGB code 188, all of it 255.
    #expect(exact([.exposure(stops: 1)], [188, 188, 188]) == [255, 255, 255])
    #expect(exact([.exposure(stops: -1)], [255, 255, 255]) == [188, 188, 188])
    #expect(exact([.exposure(stops: -1), .exposure(stops: 1)], [200, 100, 50]) == [200, 100, 50])
  }

  @Test func `nothing is clipped between filters`() {
    let there = ColorFilter.controls(brightness: 0.8, contrast: 1, saturation: 1)
    let back = ColorFilter.controls(brightness: -0.8, contrast: 1, saturation: 1)
    #expect(exact([there, back], [200, 100, 50]) == [200, 100, 50])
  }

  @Test func `color controls are brightness, contrast around the middle and saturation around grey`() {
    #expect(exact([.controls(brightness: 0.2, contrast: 1, saturation: 1)], [100, 50, 0]) == [151, 101, 51])
    #expect(exact([.controls(brightness: 0, contrast: 2, saturation: 1)], [200, 100, 0]) == [255, 73, 0])
    #expect(exact([.controls(brightness: 0, contrast: 1, saturation: 0)], [255, 0, 0]) == [54, 54, 54])
  }

  @Test func `a lower target temperature is warmer, an equal one has no effect`() {
    let day = WhitePoint(kelvin: 6500)
    let warm = exact([.temperature(from: day, to: WhitePoint(kelvin: 4500))], [128, 128, 128])
    #expect(warm[0] > 128 && warm[2] < 128)
    let cool = exact([.temperature(from: day, to: WhitePoint(kelvin: 9000))], [128, 128, 128])
    #expect(cool[0] < 128 && cool[2] > 128)
    #expect(exact([.temperature(from: day, to: day)], [200, 100, 50]) == [200, 100, 50])
    let magenta = exact([.temperature(from: day, to: WhitePoint(kelvin: 6500, tint: 50))], [128, 128, 128])
    #expect(magenta[1] < magenta[0] && magenta[1] < magenta[2])
  }

  @Test func `matrices and inversion count in light`() {
    #expect(exact([.invert], [255, 0, 188]) == [0, 255, 187])
    let half = ColorMatrix(red: [0.5, 0, 0], green: [0, 1, 0], blue: [0, 0, 1])
    #expect(exact([.matrix(half)], [255, 255, 255]) == [188, 255, 255])
  }

  @Test func `vibrance spares colors that are strong already`() {
    #expect(exact([.vibrance(1)], [255, 0, 0]) == [255, 0, 0])
    let pale = exact([.vibrance(1)], [140, 120, 120])
    #expect(pale[0] - pale[1] > 30)
  }

  /// Checks Apple's description of each effect.
  @Test func `the photo effects have their character`() {
    func effect(_ effect: PhotoEffect, _ color: [UInt8]) -> [Int] { exact([.effect(effect)], color) }
    for grey in [PhotoEffect.mono, .noir, .tonal] {
      let result = effect(grey, [200, 120, 40])
      #expect(result[0] == result[1] && result[1] == result[2])
    }
    func range(_ name: PhotoEffect) -> Int { effect(name, [230, 230, 230])[0] - effect(name, [25, 25, 25])[0] }
    #expect(range(.mono) < range(.tonal) && range(.tonal) < range(.noir))
    #expect(range(.tonal) == 205)
    func strength(_ name: PhotoEffect) -> Int {
      effect(name, [180, 120, 60]).max()! - effect(name, [180, 120, 60]).min()!
    }
    #expect(strength(.fade) < 120 && strength(.chrome) > 120)
    func warmth(_ name: PhotoEffect) -> Int { effect(name, [128, 128, 128])[0] - effect(name, [128, 128, 128])[2] }
    #expect(warmth(.transfer) > 10 && warmth(.process) < -10)
    #expect(effect(.instant, [0, 0, 0])[2] > effect(.instant, [0, 0, 0])[1])
    #expect(effect(.instant, [255, 255, 255])[2] < effect(.instant, [255, 255, 255])[0])
  }

  // MARK: The two computations compared with the definition

  /// The corners of the color cube, and colors inside it.
  private static let colors: [UInt8] = {
    var colors: [UInt8] = []
    for corner in 0..<8 {
      for channel in 0..<3 { colors.append(corner >> channel & 1 == 1 ? 255 : 0) }
    }
    var state: UInt64 = 12345
    for _ in 0..<30_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      colors.append(UInt8(truncatingIfNeeded: state >> 56))
    }
    return colors
  }()

  private func errors(_ filters: [ColorFilter]) -> (largest: Double, mean: Double) {
    let pipeline = ColorPipeline(filters)
    let count = Self.colors.count / 3
    let pixels = PixelBuffer(width: count, height: 1, channels: 3, bytes: Self.colors).filtered(by: pipeline)
    var (largest, sum) = (0.0, 0.0)
    for pixel in 0..<count {
      func value(_ bytes: [UInt8]) -> ColorValue {
        ColorValue(Double(bytes[pixel * 3]), Double(bytes[pixel * 3 + 1]), Double(bytes[pixel * 3 + 2]))
      }
      let difference = pipeline.exact(value(Self.colors) / 255) * 255 - value(pixels.bytes)
      let error = max(abs(difference.x), abs(difference.y), abs(difference.z))
      largest = max(largest, error)
      sum += error
    }
    return (largest, sum / Double(count))
  }

  private static let single: [[ColorFilter]] =
    PhotoEffect.allCases.map { [.effect($0)] } + [
      [.sepia(intensity: 1)], [.sepia(intensity: 0.3)], [.controls(brightness: 0.1, contrast: 1.7, saturation: 1.6)],
      [.exposure(stops: 1.5)], [.exposure(stops: -3)], [.invert],
      [.temperature(from: WhitePoint(kelvin: 6500), to: WhitePoint(kelvin: 3500, tint: 20))],
      [.sepia(intensity: 0.6), .controls(brightness: -0.1, contrast: 1.2, saturation: 0.8)],
      [.exposure(stops: 1), .temperature(from: WhitePoint(kelvin: 5000), to: WhitePoint(kelvin: 6500))],
      [.controls(brightness: -0.2, contrast: 5, saturation: 3)],
      [.controls(brightness: 0, contrast: 80, saturation: 1)],
      [.exposure(stops: 5)],
    ]

  @Test(arguments: single)
  func `a single pass is exact within one 8-bit step`(filters: [ColorFilter]) {
    #expect(errors(filters).largest <= 1.01)
  }

  @Test(arguments: [
    [ColorFilter.vibrance(0.7)], [.vibrance(-1)],
    [.exposure(stops: 0.7), .controls(brightness: 0.05, contrast: 1.2, saturation: 1.3)],
    [.sepia(intensity: 0.8), .effect(.noir)], [.effect(.chrome), .effect(.fade)],
    [.temperature(from: WhitePoint(kelvin: 6500), to: WhitePoint(kelvin: 5000)), .vibrance(0.5), .effect(.instant)],
  ])
  func `several filters become one lattice pass within its tolerance`(filters: [ColorFilter]) {
    let errors = errors(filters)
    #expect(errors.largest <= 8)
    #expect(errors.mean <= 1)
  }

  @Test func `a threshold matrix with large factors gives only black and white`() {
    let shares = ColorValue(540, 1820, 180)
    let threshold = ColorMatrix(red: shares, green: shares, blue: shares, bias: ColorValue(repeating: -1270))
    let pixels = PixelBuffer(width: 3, height: 1, channels: 3, bytes: [102, 102, 102, 255, 255, 255, 0, 0, 255])
    let filtered = pixels.filtered(by: ColorPipeline([.matrix(threshold)]))
    #expect(filtered.bytes == [0, 0, 0, 255, 255, 255, 0, 0, 0])
  }

  @Test func `a matrix with values that are no numbers gives colors within bounds`() {
    let odd = ColorMatrix(red: [.nan, 1, 0], green: [.infinity, 0, 0], blue: [0, 0, -1e300])
    let pixels = PixelBuffer(width: 1, height: 1, channels: 3, bytes: [255, 255, 255])
    #expect(pixels.filtered(by: ColorPipeline([.matrix(odd)])).bytes == [255, 255, 0])
  }

  @Test func `adjacent matrices merge, and inverse light steps cancel out`() {
    #expect(
      ColorPipeline([.sepia(intensity: 1), .controls(brightness: 0.1, contrast: 1.1, saturation: 1)]).steps.count == 1)
    #expect(ColorPipeline([.exposure(stops: 1), .exposure(stops: 1)]).steps.count == 3)
    #expect(ColorPipeline([.exposure(stops: 1), .exposure(stops: -1)]).isEmpty)
    #expect(ColorPipeline([.controls(brightness: 0, contrast: 1, saturation: 1)]).isEmpty)
  }

  @Test func `alpha stays as it is`() {
    let pixels = PixelBuffer(width: 2, height: 1, channels: 4, bytes: [100, 50, 200, 0, 100, 50, 200, 77])
    #expect(pixels.filtered(by: ColorPipeline([.sepia(intensity: 1)])).bytes == [116, 103, 80, 0, 116, 103, 80, 77])
    #expect(pixels.filtered(by: ColorPipeline([.vibrance(1)])).bytes[3] == 0)
  }

  @Test func `large pictures are computed on several threads, to the same result`() {
    let row = Sample.picture(1000, 1) { x, _ in [UInt8(x % 256), UInt8(x * 3 % 256), UInt8(x * 7 % 256)] }
    let pipeline = ColorPipeline([.effect(.chrome)])
    let rows = PixelBuffer(width: 1000, height: 700, channels: 3, bytes: (0..<700).flatMap { _ in row.bytes })
    let filtered = row.filtered(by: pipeline).bytes
    #expect(rows.filtered(by: pipeline).bytes == (0..<700).flatMap { _ in filtered })
  }
}

@Suite struct ResamplingTests {
  private let picture = Sample.picture(8, 6) { x, y in [UInt8(x * 30), UInt8(y * 40), 77] }

  @Test func `a map that changes nothing gives the same picture`() {
    let same = picture.resampled(width: 8, height: 6, PixelMap(x: [1, 0], y: [0, 1], origin: [0, 0]))
    // At the edges, the area outside the picture counts as transparent.
    #expect(same.cropped(x: 2..<6, y: 2..<4)?.droppingOpaqueAlpha() == picture.cropped(x: 2..<6, y: 2..<4))
  }

  @Test func `a quarter turn is what orienting does`() {
    let clamped = picture.repeated(x: -3..<11, y: -3..<9)
    let turned = clamped.resampled(width: 6, height: 8, PixelMap(x: [0, -1], y: [1, 0], origin: [3, 9]))
    #expect(turned == picture.oriented(6))
  }

  @Test func `beyond the source is nothing`() {
    let far = picture.resampled(width: 2, height: 2, PixelMap(x: [1, 0], y: [0, 1], origin: [100, 100]))
    #expect(far.bytes == [UInt8](repeating: 0, count: 16))
  }

  @Test func `the outermost pixels are repeated`() {
    let wide = picture.repeated(x: -2..<10, y: -1..<7)
    #expect(wide.width == 12 && wide.height == 8)
    #expect(wide[0, 0] == picture[0, 0] && wide[11, 7] == picture[7, 5] && wide[5, 3] == picture[3, 2])
  }
}
