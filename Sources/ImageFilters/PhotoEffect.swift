import ImageCoding
import MediaMetadata

/// Apple's eight photo effects, in the character that its documentation describes. Apple has not
/// published their exact colors; these are Calotype's own.
public enum PhotoEffect: String, Hashable, Sendable, CaseIterable {
  /// Exaggerated colors.
  case chrome
  /// Diminished colors.
  case fade
  /// The distorted colors of vintage instant film.
  case instant
  /// Black and white with low contrast.
  case mono
  /// Black and white with exaggerated contrast.
  case noir
  /// The cool colors of cross-processed film.
  case process
  /// Black and white with hardly changed contrast.
  case tonal
  /// The warm colors of a transferred print.
  case transfer

  /// A matrix in sRGB's code, then a curve.
  var steps: [ColorStep] {
    switch self {
    case .chrome: [.matrix(.saturation(1.3)), .curve(.contrast(0.45))]
    case .fade: [.matrix(.saturation(0.65)), .curve(.points([0.1, 0.31, 0.52, 0.72, 0.92]))]
    case .instant:
      [
        .matrix(.saturation(0.75)),
        .curve(
          .points(
            red: [0.08, 0.28, 0.56, 0.8, 0.95], green: [0.05, 0.28, 0.55, 0.79, 0.94],
            blue: [0.16, 0.33, 0.5, 0.66, 0.82])),
      ]
    case .mono: [.matrix(.saturation(0, shares: Self.panchromatic)), .curve(.points([0.06, 0.29, 0.52, 0.75, 0.96]))]
    case .noir: [.matrix(.saturation(0, shares: Self.panchromatic)), .curve(.points([0, 0.1, 0.44, 0.86, 1]))]
    case .process:
      [
        .matrix(.saturation(0.9)),
        .curve(
          .points(
            red: [0, 0.19, 0.46, 0.76, 1], green: [0.02, 0.26, 0.52, 0.77, 1], blue: [0.12, 0.34, 0.56, 0.77, 0.95])),
      ]
    case .tonal: [.matrix(.saturation(0))]
    case .transfer:
      [
        .matrix(.saturation(0.9)),
        .curve(
          .points(
            red: [0.06, 0.34, 0.6, 0.82, 1], green: [0.04, 0.28, 0.53, 0.77, 0.97],
            blue: [0.05, 0.23, 0.43, 0.64, 0.86])),
      ]
    }
  }

  /// The weights of black and white film: more red than the eye sees, and less green.
  private static let panchromatic = ColorValue(0.3, 0.59, 0.11)
}
