import PhotosUI
import UIKit

/// Loads small pictures of items before the items themselves.
actor PreviewLoader {
  private var previews: [ObjectIdentifier: UIImage] = [:]

  func preview(of provider: NSItemProvider) async -> UIImage? {
    if let known = previews[ObjectIdentifier(provider)] { return known }
    let image: UIImage? = await withCheckedContinuation { continuation in  // waits: the handler is called once
      provider.loadPreviewImage(options: nil) { item, _ in
        continuation.resume(returning: item as? UIImage)
      }
    }
    previews[ObjectIdentifier(provider)] = image
    return image
  }

  static func smallPreview(of provider: NSItemProvider, completion: @escaping (UIImage?, Error?) -> Void) {
    let size = NSValue(cgSize: CGSize(width: 60, height: 60))
    let options: [AnyHashable: Any] = [NSItemProviderPreferredImageSizeKey: size]
    provider.loadPreviewImage(options: options) { (item: NSSecureCoding?, error: Error?) in
      completion(item as? UIImage, error)
    }
  }

  /// Makes a provider that draws its preview itself.
  static func provider(of url: URL, preview: UIImage) -> NSItemProvider {
    let provider = NSItemProvider(contentsOf: url) ?? NSItemProvider()
    provider.previewImageHandler = { completion, _, _ in completion?(preview, nil) }
    return provider
  }
}
