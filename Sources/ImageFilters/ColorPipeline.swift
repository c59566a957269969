import ImageCoding
import MediaMetadata

/// Filters in their order, as few steps as they come down to.
///
///     var pipeline = ColorPipeline([.sepia(intensity: 1)])
///     pipeline.append(.exposure(stops: -0.5))
///     pipeline.exact([1, 1, 1])
///
/// Neighbouring matrices become one, and a way into light and back out of it is none. What computes pixels is made of this once
/// (`ColorKernel`), and agrees with `exact` within the tolerance that it states.
public struct ColorPipeline: Hashable, Sendable {
  private(set) var steps: [ColorStep] = []

  public init(_ filters: [ColorFilter] = []) {
    for filter in filters { append(filter) }
  }

  /// Leaves every colour as it is.
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
    case (.curve(.toLight), .curve(.toCode)), (.curve(.toCode), .curve(.toLight)): steps.removeLast()
    case (.matrix(let one), .matrix(let next)):
      steps.removeLast()
      append(ColorStep.matrix(one.followed(by: next)))
    default: steps.append(step)
    }
  }

  /// The definition: of a colour in sRGB's code, clipped to it at the end.
  public func exact(_ color: ColorValue) -> ColorValue {
    unclipped(color).clamped(lowerBound: .zero, upperBound: .one)
  }

  func unclipped(_ color: ColorValue) -> ColorValue { steps.reduce(color) { $1($0) } }
}
