import Foundation
internal import Imaging

extension PHContentEditingInput {
  /// Extension: the picture turned by a multiple of 90° clockwise, and mirrored before that, without being encoded again.
  ///
  ///     if let data = try input.losslesslyTurnedImageData(byDegrees: 90) { try data.write(to: output.renderedContentURL) }
  ///
  /// Of a JPEG; its metadata and its colour profile stay. `nil` for everything else – another format, a damaged file, another
  /// angle –, which is to be rendered anew. Where the picture's edges don't allow for it, its pixels stay as they are and the
  /// file says another orientation.
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
