import Foundation
import ItemProviding

extension UIImage: NSItemProviderReading, NSItemProviderWriting {
  public static var readableTypeIdentifiersForItemProvider: [String] { [UTType.image.identifier] }

  public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
    guard let image = UIImage(data: data) as? Self else {
      throw NSItemProvider.error(.unavailableCoercionError, "\(typeIdentifier): the data is no picture")
    }
    return image
  }

  public static var writableTypeIdentifiersForItemProvider: [String] {
    [UTType.png.identifier, UTType.jpeg.identifier]
  }

  public func loadData(
    withTypeIdentifier typeIdentifier: String,
    forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress? {
    DispatchQueue.global().async { [self] in
      let data = typeIdentifier == UTType.jpeg.identifier ? jpegData(compressionQuality: 1) : pngData()
      completionHandler(
        data, data == nil ? NSItemProvider.error(.unavailableCoercionError, "the image has no pixels") : nil)
    }
    return nil
  }
}
