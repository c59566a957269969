import Foundation
internal import Imaging

extension ImageSpecification {
  init(targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?) {
    let resizeMode = options?.resizeMode ?? .fast
    let crop = options?.normalizedCropRect ?? .zero
    let part = UnitRect(x: crop.minX, y: crop.minY, width: crop.width, height: crop.height)
    self.init(
      picture: PictureRequest(
        Self.size(targetSize, contentMode, resizeMode), part: part ?? .whole, isExact: resizeMode == .exact),
      version: options?.version ?? .current, deliveryMode: options?.deliveryMode ?? .opportunistic)
  }

  /// A limit for the sides of requested images, above that of any picture.
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
}
