import Foundation
internal import Imaging

/// The properties of a request that determine its image. Requests for an asset with equal
/// specifications share one decode.
struct ImageSpecification: Hashable, Sendable {
  var picture: PictureRequest
  var version: PHImageRequestOptionsVersion
  var deliveryMode: PHImageRequestOptionsDeliveryMode

  init(
    targetSize: CGSize, contentMode: PHImageContentMode, resizeMode: PHImageRequestOptionsResizeMode = .fast,
    crop: CGRect = .zero, version: PHImageRequestOptionsVersion = .current,
    deliveryMode: PHImageRequestOptionsDeliveryMode = .opportunistic
  ) {
    let part = UnitRect(x: crop.minX, y: crop.minY, width: crop.width, height: crop.height)
    picture = PictureRequest(
      Self.size(targetSize, contentMode: contentMode, resizeMode: resizeMode), part: part ?? .whole,
      isExact: resizeMode == .exact)
    self.version = version
    self.deliveryMode = deliveryMode
  }

  /// A limit for the sides of requested images, above that of any picture.
  private static let longestSide: CGFloat = 1_000_000

  private static func size(
    _ target: CGSize, contentMode: PHImageContentMode, resizeMode: PHImageRequestOptionsResizeMode
  ) -> PictureRequest.Size {
    guard target != PHImageManagerMaximumSize, resizeMode != .none, !target.width.isNaN, !target.height.isNaN else {
      return .whole
    }
    let width = Int(min(max(1, target.width), longestSide).rounded(.up))
    let height = Int(min(max(1, target.height), longestSide).rounded(.up))
    return contentMode == .aspectFill ? .filling(width: width, height: height) : .fitting(width: width, height: height)
  }

  /// The specification for a synchronous request, which has one answer: the requested image.
  var forSingleAnswer: ImageSpecification {
    var specification = self
    specification.deliveryMode = .highQualityFormat
    return specification
  }

  /// The specification of a single pixel. To make it, the library's small renditions are made and
  /// stored.
  var forSmallRenditions: ImageSpecification {
    var smallest = self
    smallest.picture = PictureRequest(.fitting(width: 1, height: 1))
    return smallest
  }

  /// Returns the estimated bytes of the image of an asset with this size.
  func byteCount(of whole: PixelSize) -> Int {
    // A grid picture is delivered whole, even if the request is for a smaller image.
    let cell = picture.isExact ? 0 : RenditionKind.grid.size(of: whole).pixels
    return max(cell, picture.largestPixelCount(of: whole)) * 4
  }

  /// Returns whether a rendition of this size is sufficient. A request for a photo's full size gets
  /// the original's own pixels, and not a copy that was compressed again. A video has only frames.
  func isSatisfied(by size: PixelSize, of whole: PixelSize, isVideo: Bool) -> Bool {
    let needed = picture.sourceSize(of: whole)
    if isVideo, size.longSide >= whole.longSide { return true }
    guard needed != whole else { return false }
    // At half its size or less, a rendition no longer shows its own compression.
    let margin = deliveryMode == .highQualityFormat ? 2 : 1
    // A decoder that scales by a fraction rounds the size up or down.
    return size.longSide + 1 >= needed.longSide * margin
  }
}
