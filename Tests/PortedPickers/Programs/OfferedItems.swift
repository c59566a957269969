import MobileCoreServices
import PhotosUI
import UIKit
import UniformTypeIdentifiers

/// Makes providers in all the ways that drags and shares use.
enum OfferedItems {
  static func file(at url: URL) -> NSItemProvider? {
    let provider = NSItemProvider(contentsOf: url)
    provider?.suggestedName = "Offered"
    return provider
  }

  static func originalFile(at url: URL) -> NSItemProvider {
    if #available(iOS 16, *) {
      return NSItemProvider(
        contentsOf: url, contentType: nil, openInPlace: true, coordinated: false, visibility: .all)
    }
    return NSItemProvider(contentsOf: url) ?? NSItemProvider()
  }

  static func picture(_ image: UIImage) -> NSItemProvider { NSItemProvider(object: image) }

  static func text(_ text: String) -> NSItemProvider { NSItemProvider(object: text as NSString) }

  static func coded(_ url: URL) -> NSItemProvider {
    NSItemProvider(item: url as NSSecureCoding, typeIdentifier: kUTTypeFileURL as String)
  }

  static func data(_ data: Data, type: UTType, name: String) -> NSItemProvider {
    let provider = NSItemProvider()
    provider.suggestedName = name
    provider.registerDataRepresentation(forTypeIdentifier: type.identifier, visibility: .all) { completion in
      completion(data, nil)
      return nil
    }
    return provider
  }

  static func late(_ make: @escaping () -> Data) -> NSItemProvider {
    let provider = NSItemProvider()
    provider.registerItem(forTypeIdentifier: UTType.png.identifier) { completion, expectedClass, options in
      completion?(make() as NSData, nil)
    }
    return provider
  }

  static func file(_ type: UTType, write: @escaping () throws -> URL) -> NSItemProvider {
    let provider = NSItemProvider()
    provider.registerFileRepresentation(
      forTypeIdentifier: type.identifier, fileOptions: [], visibility: .all
    ) { completion in
      let progress = Progress(totalUnitCount: 1)
      do { completion(try write(), false, nil) } catch { completion(nil, false, error) }
      progress.completedUnitCount = 1
      return progress
    }
    return provider
  }

  /// Returns the most exact type of a provider that is a picture or a movie.
  static func mediaType(of provider: NSItemProvider) -> UTType? {
    for identifier in provider.registeredTypeIdentifiers {
      guard let type = UTType(identifier) else { continue }
      if type.conforms(to: .image) || type.conforms(to: .movie) || type.conforms(to: .livePhoto) { return type }
    }
    return nil
  }

  static func fileName(of provider: NSItemProvider) -> String {
    let name = provider.suggestedName ?? UUID().uuidString
    guard let ending = mediaType(of: provider)?.preferredFilenameExtension else { return name }
    return "\(name).\(ending)"
  }
}
