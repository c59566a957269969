import CoreImage
import Foundation
internal import Imaging

extension PhotoEdit {
  /// Returns an upright picture, or a movie's frame, with the edit applied. The extent of the
  /// result starts at zero.
  ///
  ///     request.finish(with: edit.applied(to: request.sourceImage), context: nil)
  public func applied(to image: CIImage) -> CIImage {
    guard !image.extent.isNull, !image.extent.isInfinite else { return image }
    let edit = normalized
    return edit.applyingColors(edit.applyingGeometry(image))
  }

  /// Returns the size of an edited picture, for a picture of this size.
  public func size(ofPictureOf size: CGSize) -> CGSize {
    let edit = normalized
    let turned = edit.quarterTurns % 2 == 1 ? CGSize(width: size.height, height: size.width) : size
    return edit.cropRectangle(in: CGRect(origin: .zero, size: turned)).size
  }

  private func applyingGeometry(_ image: CIImage) -> CIImage {
    let turn = Turn(isMirrored: isMirrored, quarterTurns: quarterTurns)
    var result = image.oriented(forExifOrientation: Int32(turn.exifOrientation))
    if straighten != 0 {
      // Core Image measures angles in the opposite direction.
      result = result.applyingFilter(
        "CIStraightenFilter", parameters: [kCIInputAngleKey: -straighten * Double.pi / 180])
    }
    if crop != nil { result = result.cropped(to: cropRectangle(in: result.extent)) }
    let origin = result.extent.origin
    return result.transformed(by: CGAffineTransform(translationX: -origin.x, y: -origin.y))
  }

  /// Returns the crop in whole pixels, at least one. Its y axis points up.
  private func cropRectangle(in extent: CGRect) -> CGRect {
    guard let crop else { return extent }
    func range(_ start: Double, _ length: Double, in side: CGFloat) -> (start: CGFloat, length: CGFloat) {
      let first = min(max(0, (start * side).rounded()), side - 1)
      return (first, max(1, min(((start + length) * side).rounded(), side) - first))
    }
    let columns = range(crop.x, crop.width, in: extent.width)
    let rows = range(crop.y, crop.height, in: extent.height)
    return CGRect(
      x: extent.minX + columns.start, y: extent.maxY - rows.start - rows.length, width: columns.length,
      height: rows.length)
  }

  private func applyingColors(_ image: CIImage) -> CIImage {
    var result = image
    if exposure != 0 {
      result = result.applyingFilter("CIExposureAdjust", parameters: [kCIInputEVKey: exposure])
    }
    if warmth != 0 {
      // Color temperatures are compared by their reciprocals, whose equal steps look equal.
      let kelvin = 1 / (1 / Self.daylight + warmth * Self.warmestShift)
      result = result.applyingFilter(
        "CITemperatureAndTint",
        parameters: [
          "inputNeutral": CIVector(x: Self.daylight, y: 0), "inputTargetNeutral": CIVector(x: kelvin, y: 0),
        ])
    }
    if contrast != 0 || saturation != 0 {
      result = result.applyingFilter(
        "CIColorControls",
        parameters: [kCIInputContrastKey: pow(2, contrast), kCIInputSaturationKey: 1 + saturation])
    }
    if let filter { result = result.applyingFilter(filter.coreImageName) }
    return result
  }

  /// The color temperature of daylight in kelvins.
  private static let daylight = 6500.0
  /// The shift from daylight to a lamp's 4,700 kelvins, in reciprocal kelvins.
  private static let warmestShift = 60e-6
}

extension PhotoEdit.Filter {
  /// The name of Core Image's filter.
  public var coreImageName: String { self == .sepia ? "CISepiaTone" : "CIPhotoEffect\(rawValue.capitalized)" }
}
