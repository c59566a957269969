import Foundation

extension ImageSpecification {
  init(targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?) {
    self.init(
      targetSize: targetSize, contentMode: contentMode, resizeMode: options?.resizeMode ?? .fast,
      crop: options?.normalizedCropRect ?? .zero, version: options?.version ?? .current,
      deliveryMode: options?.deliveryMode ?? .opportunistic)
  }
}
