import ImageCoding
import MediaMetadata

/// A sequence of filters, reduced to as few steps as possible.
///
///     var pipeline = ColorPipeline([.sepia(intensity: 1)])
///     pipeline.append(.exposure(stops: -0.5))
///     pipeline.exact([1, 1, 1])
///
/// Adjacent matrices become one, and a conversion to light followed by one back is dropped.
/// `ColorKernel` prepares a pipeline for computing pixels, and agrees with `exact` within the
/// tolerance that it states.
public struct ColorPipeline: Hashable, Sendable {
  private(set) var steps: [ColorStep] = []

  public init(_ filters: [ColorFilter] = []) {
    for filter in filters { append(filter) }
  }

  /// Whether the pipeline leaves every color as it is.
  public var isEmpty: Bool { steps.isEmpty }

  public mutating func append(_ filter: ColorFilter) {
    for step in filter.steps { append(step) }
  }

  public mutating func append(_ other: ColorPipeline) {
    for step in other.steps { append(step) }
  }

  mutating func append(_ step: ColorStep) {
    switch (steps.last, step) {
    case (_, .matrix(let matrix)) where matrix == .identity: break
    case (_, .vibrance(0)), (_, .curve(.contrast(0))): break
    case (.curve(.decodeSRGB), .curve(.encodeSRGB)), (.curve(.encodeSRGB), .curve(.decodeSRGB)): steps.removeLast()
    case (.matrix(let one), .matrix(let next)):
      steps.removeLast()
      append(ColorStep.matrix(one.followed(by: next)))
    default: steps.append(step)
    }
  }

  /// Returns the exact result for a color in sRGB's code, clipped at the end. It defines the
  /// pipeline.
  public func exact(_ color: ColorValue) -> ColorValue {
    unclipped(color).clamped(lowerBound: .zero, upperBound: .one)
  }

  func unclipped(_ color: ColorValue) -> ColorValue { steps.reduce(color) { $1($0) } }
}
