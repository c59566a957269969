internal import Imaging
internal import MovieCoding

/// Draws a movie's frames as the instructions of a composition place them.
struct LayerRendering {
  /// The values of an instruction when the export started.
  private struct Instruction {
    var end: CMTime
    var layer: AVVideoCompositionLayerInstruction.State?
  }

  private let instructions: [Instruction]
  /// The size of the composition, in whole pixels and with even sides.
  private let canvas: CGSize
  /// The size of the written frames, which the preset may make smaller.
  private let output: CGSize
  /// The time of the export's first frame in the asset.
  private let start: CMTime
  /// The orientation that undoes the track's rotation.
  private let storedOrientation: CGImagePropertyOrientation

  /// The part of an asset that is exported.
  struct Part {
    var start: CMTime
    /// `nil` if it isn't known.
    var end: CMTime?
    /// The track whose picture an export has.
    var pictureID: CMPersistentTrackID?
    /// Degrees: 0, 90, 180 or 270.
    var clockwiseRotation: Int
  }

  /// Throws `AVError.Code.invalidVideoComposition` if the instructions can't be drawn.
  init(_ composition: AVVideoComposition, _ part: Part, longestSide: Int?) throws {
    let size = composition.renderSize
    guard size.width.isFinite, size.height.isFinite, size.width >= 1, size.height >= 1 else {
      throw Self.invalid("its renderSize is \(size.width) × \(size.height)")
    }
    guard composition.renderScale == 1 else { throw Self.invalid("its renderScale isn’t 1") }
    guard composition.frameDuration.isNumeric, composition.frameDuration > .zero else {
      throw Self.invalid("its frameDuration isn’t positive")
    }
    canvas = CGSize(width: Self.even(size.width), height: Self.even(size.height))
    let longest = longestSide.map { CGFloat($0) } ?? .infinity
    let scale = min(1, longest / max(canvas.width, canvas.height))
    output = CGSize(width: Self.even(canvas.width * scale), height: Self.even(canvas.height * scale))
    start = part.start
    storedOrientation =
      switch part.clockwiseRotation {
      case 90: .left
      case 180: .down
      case 270: .right
      default: .up
      }
    instructions = try Self.instructions(of: composition, part)
  }

  private static func instructions(of composition: AVVideoComposition, _ part: Part) throws -> [Instruction] {
    var instructions: [Instruction] = []
    var end = CMTime.zero
    for instruction in composition.instructions {
      let state = instruction.state.withLock(\.self)
      let range = state.timeRange
      guard range.isValid, range.start.isNumeric, range.duration > .zero, range.end.isValid, !range.end.isIndefinite
      else { throw invalid("the time range of an instruction is empty or invalid") }
      guard instructions.isEmpty ? range.start <= .zero : range.start == end else {
        throw invalid("the time ranges of its instructions overlap, have a gap, or begin after zero")
      }
      let layers = state.layers.map { $0.state.withLock(\.self) }
      guard layers.count <= 1, layers.allSatisfy({ $0.trackID == part.pictureID }) else {
        throw invalid("an instruction has several layers, or one of another track than the picture’s")
      }
      end = range.end
      instructions.append(Instruction(end: end, layer: layers.first))
    }
    guard !instructions.isEmpty else { throw invalid("it has no instructions") }
    if let needed = part.end, end + roundingTolerance < needed {
      throw invalid("its instructions end at \(end.seconds) s, before the picture")
    }
    return instructions
  }

  /// The last instruction may end this much earlier than the picture, because programs round times.
  private static let roundingTolerance = CMTime(value: 1, timescale: 10)

  static func invalid(_ reason: String) -> NSError {
    NSError(
      domain: AVFoundationErrorDomain, code: invalidVideoComposition,
      userInfo: [NSLocalizedDescriptionKey: "the video composition can't be drawn: \(reason)"])
  }

  /// Returns a side as `CIImage.frame` makes it.
  private static func even(_ side: CGFloat) -> CGFloat { max(2, (min(max(side, 2), 8192) / 2).rounded(.down) * 2) }

  /// Draws an upright frame.
  func render(_ frame: MovieFrame) throws -> PixelBuffer {
    let time = start + CMTime(value: frame.ticks, timescale: frame.timescale)
    let layer = (instructions.first { time < $0.end } ?? instructions.last)?.layer
    let picture = layer.map { place(CIImage(pixels: frame.pixels), $0, at: time) } ?? .empty()
    let pixels = try picture.frame(CGRect(origin: .zero, size: output))
    let opacity = layer?.opacity.value(at: time) ?? 1
    return opacity < 1 ? pixels.darkened(to: max(0, opacity)) : pixels
  }

  private func place(
    _ upright: CIImage, _ layer: AVVideoCompositionLayerInstruction.State, at time: CMTime
  ) -> CIImage {
    var picture = upright.oriented(storedOrientation)
    let height = picture.extent.height
    if let crop = layer.crop.value(at: time), !crop.isInfinite {
      // The rectangle counts from the top.
      let isNothing = crop.isNull || crop.isEmpty
      picture =
        isNothing
        ? .empty()
        : picture.cropped(to: CGRect(x: crop.minX, y: height - crop.maxY, width: crop.width, height: crop.height))
    }
    let transform = layer.transform.value(at: time) ?? .identity
    let placed = Self.flip(height).concatenating(transform).concatenating(Self.flip(canvas.height))
    let shrinking = CGAffineTransform(scaleX: output.width / canvas.width, y: output.height / canvas.height)
    return picture.moved(by: placed.concatenating(shrinking))
  }

  /// Returns the transform between coordinates that count from the bottom and from the top.
  private static func flip(_ height: CGFloat) -> CGAffineTransform {
    CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: height)
  }
}

extension CIImage {
  /// Returns the transformed image. A turn by right angles and a mirroring are exact, because their
  /// pixels are not interpolated.
  fileprivate func moved(by transform: CGAffineTransform) -> CIImage {
    guard !extent.isNull else { return self }
    let exact = transform.snapped
    for orientation in Self.orientations {
      let turn = orientationTransform(for: orientation)
      guard turn.a == exact.a, turn.b == exact.b, turn.c == exact.c, turn.d == exact.d else { continue }
      return oriented(orientation).atPlace(of: self, orientation, turn)
        .transformed(by: CGAffineTransform(translationX: exact.tx - turn.tx, y: exact.ty - turn.ty))
    }
    return transformed(by: exact)
  }

  /// Returns this oriented image at the place to which the turn brings its source.
  private func atPlace(
    of source: CIImage, _ orientation: CGImagePropertyOrientation, _ turn: CGAffineTransform
  ) -> CIImage {
    let place = source.extent.applying(turn)
    return transformed(
      by: CGAffineTransform(translationX: place.minX - extent.minX, y: place.minY - extent.minY))
  }

  private static let orientations: [CGImagePropertyOrientation] = [
    .up, .upMirrored, .down, .downMirrored, .leftMirrored, .right, .rightMirrored, .left,
  ]
}

extension PixelBuffer {
  /// Returns the pixels with less of each color. Over black, that is what opacity does. The codes
  /// are multiplied, as players do, and not the light.
  fileprivate func darkened(to share: Float) -> PixelBuffer {
    let codes = (0...255).map { UInt8((Float($0) * share).rounded()) }
    return PixelBuffer(width: width, height: height, channels: channels, bytes: bytes.map { codes[Int($0)] })
  }
}

extension CGAffineTransform {
  /// The transform with whole numbers where it nearly has them, since sines and cosines are not
  /// exact.
  fileprivate var snapped: CGAffineTransform {
    func snap(_ value: CGFloat, _ tolerance: CGFloat) -> CGFloat {
      abs(value - value.rounded()) < tolerance ? value.rounded() : value
    }
    return CGAffineTransform(
      a: snap(a, 1e-9), b: snap(b, 1e-9), c: snap(c, 1e-9), d: snap(d, 1e-9), tx: snap(tx, 1e-6), ty: snap(ty, 1e-6))
  }
}

/// The number of `AVError.Code`.
private let invalidVideoComposition = -11841
