import Foundation
import MobileCoreServices
import PhotosUI
import UIKit

/// Reads what another program offers, in the way of share extensions.
enum Attachment {
  case file(URL)
  case data(Data)
  case picture(UIImage)
  case text(String)
}

final class AttachmentReader {
  enum Problem: Error { case unsupported }

  func read(_ provider: NSItemProvider, completion: @escaping (Attachment?, Error?) -> Void) {
    let types = [kUTTypeMovie as String, kUTTypeImage as String, kUTTypePlainText as String]
    guard let type = types.first(where: { provider.hasItemConformingToTypeIdentifier($0) }) else {
      return completion(nil, Problem.unsupported)
    }
    provider.loadItem(forTypeIdentifier: type, options: nil) { item, error in
      if let error = error { return completion(nil, error) }
      switch item {
      case let url as URL: completion(.file(url), nil)
      case let picture as UIImage: completion(.picture(picture), nil)
      case let data as Data: completion(.data(data), nil)
      case let text as String: completion(.text(text), nil)
      default: completion(nil, Problem.unsupported)
      }
    }
  }

  func readSecurely(_ provider: NSItemProvider, completion: @escaping (URL?) -> Void) {
    provider.loadItem(forTypeIdentifier: kUTTypeImage as String) { (item: NSSecureCoding?, error: Error?) in
      guard let url = item as? NSURL else { return completion(nil) }
      completion(url as URL)
    }
  }

  func address(of provider: NSItemProvider) async -> URL? {
    guard provider.hasItemConformingToTypeIdentifier(UTType.fileURL.identifier) else { return nil }
    let item = try? await provider.loadItem(forTypeIdentifier: UTType.fileURL.identifier, options: nil)
    if let data = item as? Data { return URL(dataRepresentation: data, relativeTo: nil) }
    return item as? URL
  }
}
