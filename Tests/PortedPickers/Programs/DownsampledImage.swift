import ImageIO
import MobileCoreServices
import PhotosUI
import UIKit
import UniformTypeIdentifiers

/// Reads a picked picture in a smaller size, and its metadata, without decoding all of it.
enum DownsampledImage {
  static func load(
    _ provider: NSItemProvider, maximumPixels: Int, completion: @escaping (UIImage?, [String: Any]) -> Void
  ) {
    provider.loadFileRepresentation(forTypeIdentifier: UTType.image.identifier) { url, error in
      guard let url = url else { return completion(nil, [:]) }
      let sourceOptions = [kCGImageSourceShouldCache: false] as CFDictionary
      guard let source = CGImageSourceCreateWithURL(url as CFURL, sourceOptions) else { return completion(nil, [:]) }
      let thumbnailOptions =
        [
          kCGImageSourceCreateThumbnailFromImageAlways: true,
          kCGImageSourceCreateThumbnailWithTransform: true,
          kCGImageSourceThumbnailMaxPixelSize: maximumPixels,
        ] as CFDictionary
      let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [String: Any] ?? [:]
      guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, thumbnailOptions) else {
        return completion(nil, properties)
      }
      completion(UIImage(cgImage: image), properties)
    }
  }

  static func jpeg(_ image: UIImage) -> Data? {
    guard let cgImage = image.cgImage else { return nil }
    let data = NSMutableData()
    guard let destination = CGImageDestinationCreateWithData(data, UTType.jpeg.identifier as CFString, 1, nil) else {
      return nil
    }
    let options = [kCGImageDestinationLossyCompressionQuality: 0.75] as CFDictionary
    CGImageDestinationAddImage(destination, cgImage, options)
    return CGImageDestinationFinalize(destination) ? data as Data : nil
  }
}
