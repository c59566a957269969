import Foundation
internal import Imaging

extension PHContentEditingInput {
  /// Returns the picture mirrored if `isMirrored`, then turned clockwise by a multiple of 90°,
  /// without encoding it again.
  ///
  ///     if let data = try input.losslesslyTurnedImageData(byDegrees: 90) {
  ///       try data.write(to: output.renderedContentURL)
  ///     }
  ///
  /// Works for a JPEG, whose metadata and color profile are kept. Returns `nil` for another format,
  /// a damaged file or another angle; render these instead. If the picture's size does not allow
  /// it, the pixels stay as they are and the file gets another orientation.
  public func losslesslyTurnedImageData(byDegrees degrees: Int, isMirrored: Bool = false) throws -> Data? {
    guard degrees % 90 == 0, let url = fullSizeImageURL, contentType == .jpeg else { return nil }
    do {
      let file = try MediaFile(path: url.path)
      return try rotateJPEGLosslessly(file, by: Turn(isMirrored: isMirrored, quarterTurns: degrees / 90 % 4))
    } catch {
      switch error.code {
      case .cannotOpen, .cannotRead, .notEnoughSpace: throw PHPhotosError(error)
      case .unknownType, .damaged, .tooLarge, .tookTooLong, .unsupported, .cannotEncode, .missingProgram, .crashed:
        return nil
      }
    }
  }
}
