import Foundation
internal import Imaging

/// What a request for an image asks for, as far as the image depends on it; two that are equal share one decode.
struct ImageSpecification: Hashable, Sendable {
  var picture: PictureRequest
  var version: PHImageRequestOptionsVersion
  var deliveryMode: PHImageRequestOptionsDeliveryMode

  init(targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?) {
    let resizeMode = options?.resizeMode ?? .fast
    let crop = options?.normalizedCropRect ?? .zero
    let part = UnitRect(x: crop.minX, y: crop.minY, width: crop.width, height: crop.height)
    picture = PictureRequest(
      Self.size(targetSize, contentMode, resizeMode), part: part ?? .whole, isExact: resizeMode == .exact)
    version = options?.version ?? .current
    deliveryMode = options?.deliveryMode ?? .opportunistic
  }

  /// A synchronous request has one answer: the good one.
  var ofOneAnswer: ImageSpecification {
    var specification = self
    specification.deliveryMode = .highQualityFormat
    return specification
  }

  /// Sides beyond this are more than any picture has.
  private static let longestSide: CGFloat = 1_000_000

  private static func size(
    _ target: CGSize, _ contentMode: PHImageContentMode, _ resizeMode: PHImageRequestOptionsResizeMode
  ) -> PictureRequest.Size {
    guard target != PHImageManagerMaximumSize, resizeMode != .none, !target.width.isNaN, !target.height.isNaN else {
      return .whole
    }
    let width = Int(min(max(1, target.width), longestSide).rounded(.up))
    let height = Int(min(max(1, target.height), longestSide).rounded(.up))
    return contentMode == .aspectFill ? .filling(width: width, height: height) : .fitting(width: width, height: height)
  }

  /// A single pixel: to make it, the library's small renditions are made, and kept in the library.
  var ofSmallRenditions: ImageSpecification {
    var smallest = self
    smallest.picture = PictureRequest(.fitting(width: 1, height: 1))
    return smallest
  }

  /// Bytes that the image of an asset of this size will take, as far as that can be told.
  func byteCount(of whole: PixelSize) -> Int {
    // A cell of the grid is handed out whole, however little of it was asked for.
    let cell = picture.isExact ? 0 : RenditionKind.grid.size(of: whole).pixels
    return max(cell, picture.largestPixelCount(of: whole)) * 4
  }

  /// Whether a rendition of this size shows all that is asked for. Whoever asks for all of a photo's own pixels gets them, and no
  /// copy that was compressed once more; a video has but frames.
  func isServed(by size: PixelSize, of whole: PixelSize, isVideo: Bool) -> Bool {
    let needed = picture.sourceSize(of: whole)
    if isVideo, size.longSide >= whole.longSide { return true }
    guard needed != whole else { return false }
    // A rendition at least twice as large shows nothing of its own compression any more.
    let margin = deliveryMode == .highQualityFormat ? 2 : 1
    // Decoders round a fraction of a picture up or down.
    return size.longSide + 1 >= needed.longSide * margin
  }
}
