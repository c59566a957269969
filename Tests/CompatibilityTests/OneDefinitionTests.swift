import AVFoundation
import CoreImage
import Imaging
import MovieCoding
import PhotosTesting
import Synchronization
import TestSupport
import Testing

/// A filter from the menu of a photo editor, with its recipe.
struct NamedRecipe: Sendable, CustomTestStringConvertible {
  var name: String
  var recipe: @Sendable (CIImage) -> CIImage
  var testDescription: String { name }

  private static func filter(_ name: String, _ filterName: String, _ values: [String: Double] = [:]) -> NamedRecipe {
    NamedRecipe(name: name) { $0.applyingFilter(filterName, parameters: values) }
  }

  /// The effects differ only in their tables.
  private static let effects = ["Chrome", "Mono", "Noir", "Tonal", "Fade", "Process", "Transfer", "Instant"]

  static let all: [NamedRecipe] =
    effects.prefix(Soak.count(few: 2, many: effects.count)).map { filter($0, "CIPhotoEffect\($0)") } + [
      filter("Sepia", "CISepiaTone", [kCIInputIntensityKey: 0.8]),
      filter("Exposure", "CIExposureAdjust", [kCIInputEVKey: 0.7]),
      filter("Contrast", "CIColorControls", [kCIInputContrastKey: 1.4]),
      filter("Saturation", "CIColorControls", [kCIInputSaturationKey: 0.3]),
      NamedRecipe(name: "Warmth") {
        $0.applyingFilter("CITemperatureAndTint", parameters: ["inputTargetNeutral": CIVector(x: 4500, y: 0)])
      },
      NamedRecipe(name: "Crop") { $0.cropped(to: CGRect(x: 20, y: 10, width: 64, height: 48)).atOrigin },
      filter("Straighten", "CIStraightenFilter", [kCIInputAngleKey: 0.15]),
      NamedRecipe(name: "Rotate") { $0.oriented(.right) },
      NamedRecipe(name: "Flip") { $0.oriented(.upMirrored) },
    ]
}

extension CIImage {
  fileprivate var atOrigin: CIImage {
    transformed(by: CGAffineTransform(translationX: -extent.minX, y: -extent.minY))
  }
}

/// Returns the first frame of a movie without a filter.
private func firstFrame(of url: URL) throws -> PixelBuffer {
  struct Enough: Error {}
  let frame = Mutex<PixelBuffer?>(nil)
  do {
    try MovieExport(file: MediaFile(path: url.path)).write(to: url.appendingPathExtension("none")) { found in
      frame.withLock { $0 = found.pixels }
      throw Enough()
    }
  } catch is Enough {}
  let found = frame.withLock(\.self)
  return try #require(found)
}

private func meanDifference(_ one: PixelBuffer, _ other: PixelBuffer) -> Double {
  guard one.width == other.width, one.height == other.height, one.channels == other.channels else { return .infinity }
  let sum = zip(one.bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
  return Double(sum) / Double(one.bytes.count)
}

@Suite(.serialized) struct OneDefinitionTests {
  private let folder: URL
  private let movie: URL
  private let source: PixelBuffer
  /// The allowed mean difference. 4:2:0 and the encoder change an unfiltered frame by 1.5 to 3.2.
  private static let tolerance = 4.0

  /// The movie of all cases, and its first frame.
  private static let sample = Result {
    let movie = try SampleMedia.movie(
      duration: 0.1, size: PictureSize(width: 128, height: 96), seed: 3, hasAudio: false)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("one-\(UUID().uuidString).mov")
    defer { try? FileManager.default.removeItem(at: file) }
    try movie.write(to: file)
    return (movie: movie, frame: try firstFrame(of: file))
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("one-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    movie = folder.appendingPathComponent("movie.mov")
    let sample = try Self.sample.get()
    try sample.movie.write(to: movie)
    source = sample.frame
  }

  @Test("A still and a movie's frame of the same picture look the same after a filter", arguments: NamedRecipe.all)
  func sameForBoth(_ filter: NamedRecipe) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let png = try encode(source, as: "public.png", quality: 100)
    let still = filter.recipe(try #require(CIImage(data: png)))
    let expected = try #require(still.pixels())

    let composition = AVMutableVideoComposition(
      asset: AVAsset(url: movie),
      applyingCIFiltersWithHandler: { $0.finish(with: filter.recipe($0.sourceImage), context: nil) })
    composition.renderSize = still.extent.size
    let export = try #require(
      AVAssetExportSession(asset: AVAsset(url: movie), presetName: AVAssetExportPresetHighestQuality))
    export.videoComposition = composition
    let output = folder.appendingPathComponent("out.mov")
    try await export.export(to: output, as: .mov)
    let frame = try firstFrame(of: output)
    #expect(meanDifference(frame, expected) < Self.tolerance)
    #expect(meanDifference(expected, source) > Self.tolerance)
  }
}
