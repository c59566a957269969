internal import ImageFilters
internal import Imaging

/// The name, the inputs and the effect of a filter.
struct FilterDefinition: Sendable {
  var name: String
  var category: String
  var inputs: [FilterInput]
  var apply: @Sendable (CIImage, FilterValues) -> CIImage

  var categories: [String] { [category, kCICategoryBuiltIn, kCICategoryStillImage, kCICategoryVideo] }

  static func named(_ name: String) -> FilterDefinition? { byName[name] }
  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  static let all: [FilterDefinition] = colors + effects + geometry + reductions

  /// Makes the definition of a color filter.
  private static func color(
    _ name: String, in category: String, inputs: [FilterInput],
    _ filter: @escaping @Sendable (FilterValues) -> ColorFilter
  ) -> FilterDefinition {
    FilterDefinition(name: name, category: category, inputs: inputs) { $0.colored(by: filter($1)) }
  }

  private static let colors = [
    color("CISepiaTone", in: kCICategoryColorEffect, inputs: [.number(kCIInputIntensityKey, 1, in: 0...1)]) {
      .sepia(intensity: $0.number(kCIInputIntensityKey))
    },
    color("CIColorInvert", in: kCICategoryColorEffect, inputs: []) { _ in .invert },
    color(
      "CIColorControls", in: kCICategoryColorAdjustment,
      inputs: [
        .number(kCIInputSaturationKey, 1, in: 0...2), .number(kCIInputBrightnessKey, 0, in: -1...1),
        .number(kCIInputContrastKey, 1, in: 0.25...4),
      ]
    ) {
      .controls(
        brightness: $0.number(kCIInputBrightnessKey), contrast: $0.number(kCIInputContrastKey),
        saturation: $0.number(kCIInputSaturationKey))
    },
    color("CIExposureAdjust", in: kCICategoryColorAdjustment, inputs: [.number(kCIInputEVKey, 0, in: -10...10)]) {
      .exposure(stops: $0.number(kCIInputEVKey))
    },
    color("CIVibrance", in: kCICategoryColorAdjustment, inputs: [.number(kCIInputAmountKey, 0, in: -1...1)]) {
      .vibrance($0.number(kCIInputAmountKey))
    },
    color(
      "CITemperatureAndTint", in: kCICategoryColorAdjustment,
      inputs: [.vector("inputNeutral", [6500, 0]), .vector("inputTargetNeutral", [6500, 0])]
    ) {
      let (from, to) = ($0.vector("inputNeutral"), $0.vector("inputTargetNeutral"))
      return .temperature(
        from: WhitePoint(kelvin: from.x, tint: from.y), to: WhitePoint(kelvin: to.x, tint: to.y))
    },
    // The effect of `inputAVector` on alpha is left out.
    color(
      "CIColorMatrix", in: kCICategoryColorAdjustment,
      inputs: [
        .vector("inputRVector", [1, 0, 0, 0]), .vector("inputGVector", [0, 1, 0, 0]),
        .vector("inputBVector", [0, 0, 1, 0]), .vector("inputAVector", [0, 0, 0, 1]),
        .vector("inputBiasVector", [0, 0, 0, 0]),
      ]
    ) {
      func shares(_ key: String, _ values: FilterValues) -> ColorValue {
        let vector = values.vector(key)
        return ColorValue(vector.x, vector.y, vector.z)
      }
      return .matrix(
        ColorMatrix(
          red: shares("inputRVector", $0), green: shares("inputGVector", $0), blue: shares("inputBVector", $0),
          bias: shares("inputBiasVector", $0)))
    },
  ]

  private static let effects = PhotoEffect.allCases.map { effect in
    color("CIPhotoEffect\(effect.rawValue.capitalized)", in: kCICategoryColorEffect, inputs: []) { _ in .effect(effect)
    }
  }

  private static let geometry = [
    FilterDefinition(
      name: "CICrop", category: kCICategoryGeometryAdjustment, inputs: [.vector("inputRectangle", [0, 0, 300, 300])]
    ) { $0.cropped(to: $1.vector("inputRectangle").cgRectValue) },
    FilterDefinition(
      name: "CIAffineTransform", category: kCICategoryGeometryAdjustment,
      inputs: [FilterInput(key: kCIInputTransformKey, defaultValue: CGAffineTransform.identity)]
    ) { $0.transformed(by: $1.transform(kCIInputTransformKey)) },
    FilterDefinition(
      name: "CIAffineClamp", category: kCICategoryGeometryAdjustment,
      inputs: [FilterInput(key: kCIInputTransformKey, defaultValue: CGAffineTransform.identity)]
    ) { $0.transformed(by: $1.transform(kCIInputTransformKey)).clampedToExtent() },
    FilterDefinition(
      name: "CIStraightenFilter", category: kCICategoryGeometryAdjustment,
      inputs: [.number(kCIInputAngleKey, 0, in: -Double.pi...Double.pi)]
    ) { $0.straightened(by: $1.number(kCIInputAngleKey)) },
    FilterDefinition(
      name: "CILanczosScaleTransform", category: kCICategoryGeometryAdjustment,
      inputs: [.number(kCIInputScaleKey, 1, in: 0.001...16), .number(kCIInputAspectRatioKey, 1, in: 0.1...10)]
    ) {
      let scale = $1.number(kCIInputScaleKey)
      return $0.transformed(by: CGAffineTransform(scaleX: scale * $1.number(kCIInputAspectRatioKey), y: scale))
    },
  ]
}

extension FilterDefinition {
  fileprivate static let reductions = [
    FilterDefinition(
      name: "CIAreaAverage", category: kCICategoryReduction, inputs: [.vector(kCIInputExtentKey, [0, 0, 640, 80])]
    ) { $0.averaged(over: $1.vector(kCIInputExtentKey).cgRectValue) }
  ]
}

/// An input of a filter other than the image.
struct FilterInput: Sendable {
  var key: String
  var defaultValue: any Sendable
  var bounds: ClosedRange<Double>?

  static func number(_ key: String, _ value: Double, in bounds: ClosedRange<Double>) -> FilterInput {
    FilterInput(key: key, defaultValue: value, bounds: bounds)
  }

  static func vector(_ key: String, _ values: [CGFloat]) -> FilterInput {
    FilterInput(key: key, defaultValue: CIVector(values: values, count: values.count))
  }

  var attributes: [String: Any] {
    var result: [String: Any] = [kCIAttributeDefault: defaultValue]
    switch defaultValue {
    case is Double: result[kCIAttributeClass] = "NSNumber"
    case is CIVector: result[kCIAttributeClass] = "CIVector"
    default: result[kCIAttributeClass] = "NSAffineTransform"
    }
    if let bounds {
      result[kCIAttributeMin] = bounds.lowerBound
      result[kCIAttributeMax] = bounds.upperBound
      result[kCIAttributeSliderMin] = bounds.lowerBound
      result[kCIAttributeSliderMax] = bounds.upperBound
    }
    return result
  }
}

/// The values of a filter's inputs. An input that is not set or has a wrong type has its default.
struct FilterValues {
  private let values: [String: Any]
  private let definition: FilterDefinition

  init(_ values: [String: Any], of definition: FilterDefinition) {
    self.values = values
    self.definition = definition
  }

  func number(_ key: String) -> Double {
    let input = definition.inputs.first { $0.key == key }
    let number = values[key].flatMap(Self.double) ?? input?.defaultValue as? Double ?? 0
    guard let bounds = input?.bounds else { return number }
    return min(max(number, bounds.lowerBound), bounds.upperBound)
  }

  private static func double(_ value: Any) -> Double? {
    let number: Double? =
      switch value {
      case let value as Double: value
      case let value as CGFloat: Double(value)
      case let value as Float: Double(value)
      case let value as Int: Double(value)
      case let value as NSNumber: value.doubleValue
      default: nil
      }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns the vector if all its numbers are finite, else the default.
  func vector(_ key: String) -> CIVector {
    if let vector = values[key] as? CIVector, (0..<vector.count).allSatisfy({ vector.value(at: $0).isFinite }) {
      return vector
    }
    return definition.inputs.first { $0.key == key }?.defaultValue as? CIVector ?? CIVector(x: 0)
  }

  /// Returns a `CGAffineTransform`, converted if the value is Foundation's `AffineTransform`.
  func transform(_ key: String) -> CGAffineTransform {
    if let transform = values[key] as? CGAffineTransform { return transform }
    guard let foundation = values[key] as? AffineTransform else { return .identity }
    return CGAffineTransform(
      a: foundation.m11, b: foundation.m12, c: foundation.m21, d: foundation.m22, tx: foundation.tX, ty: foundation.tY)
  }
}

extension CIImage {
  /// Applies a color filter. Consecutive color filters become one step.
  func colored(by filter: ColorFilter) -> CIImage {
    guard !extent.isNull else { return self }
    let pipeline = ColorPipeline([filter])
    guard !pipeline.isEmpty else { return self }
    guard case .colored(let before, var known) = content else {
      return CIImage(extent: extent, .colored(self, pipeline))
    }
    known.append(pipeline)
    return CIImage(extent: extent, .colored(before, known))
  }

  /// Returns one pixel at the origin: the mean of all pixels in a rectangle.
  func averaged(over rect: CGRect) -> CIImage {
    let part = cropped(to: rect)
    guard !part.extent.isNull, !part.extent.isInfinite else { return .empty() }
    return CIImage(extent: CGRect(x: 0, y: 0, width: 1, height: 1), .averaged(part))
  }

  /// Returns the image rotated counterclockwise around its center, in radians. It is enlarged just
  /// enough to fill its old bounds.
  func straightened(by angle: Double) -> CIImage {
    guard !extent.isNull, !extent.isInfinite, angle != 0 else { return self }
    let (width, height) = (extent.width, extent.height)
    let (sine, cosine) = (abs(sin(angle)), abs(cos(angle)))
    let scale = max((width * cosine + height * sine) / width, (width * sine + height * cosine) / height)
    let turn = CGAffineTransform(translationX: -extent.midX, y: -extent.midY)
      .concatenating(CGAffineTransform(rotationAngle: angle)).concatenating(CGAffineTransform(scaleX: scale, y: scale))
      .concatenating(CGAffineTransform(translationX: extent.midX, y: extent.midY))
    // Clamped, since interpolation reads pixels beyond the edges.
    return clampedToExtent().transformed(by: turn).cropped(to: extent)
  }
}
