import Foundation
internal import LibraryStore

/// Names an asset or a collection wherever its library lies: equal to another one with the same text.
///
///     let names = library.cloudIdentifierMappings(forLocalIdentifiers: [asset.localIdentifier])
///     let name = try names[asset.localIdentifier]?.get().archivalStringValue
///
/// It holds the library's identifier and the object's, so that it is found in a copy of the library and in no other.
public final class PHCloudIdentifier: NSObject, NSSecureCoding, Sendable {
  /// Deprecated by PhotoKit in favour of `archivalStringValue`.
  public let stringValue: String

  /// To be stored: the same from one run of a program to the next.
  public var archivalStringValue: String { stringValue }

  /// Takes any text; one that names nothing is `identifierNotFound` when it is looked up.
  public init(stringValue: String) { self.stringValue = stringValue }

  /// `nil` for a text that `archivalStringValue` can't have given.
  public init?(archivalStringValue: String) {
    guard Parts(archivalStringValue) != nil else { return nil }
    stringValue = archivalStringValue
  }

  /// What stands for an identifier that was not found.
  public class var notFound: PHCloudIdentifier { PHCloudIdentifier(stringValue: "") }

  init(localIdentifier: String, libraryUUID: String) {
    let parts = localIdentifier.split(separator: "/")
    stringValue = "\(parts.first ?? ""):\(parts.last ?? ""):\(libraryUUID)"
  }

  /// The identifier in a library; `nil` for an object of another one.
  func localIdentifier(libraryUUID: String) -> String? {
    guard let parts = Parts(stringValue), parts.library == libraryUUID else { return nil }
    return "\(parts.object)/L0/\(parts.kind)"
  }

  /// `object:kind:library`.
  private struct Parts {
    let object: String
    /// The end of a local identifier: `001`, `040` or `020`.
    let kind: Substring
    let library: String

    init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 3, ["001", "040", "020"].contains(parts[1]), let object = UUID(uuidString: String(parts[0])),
        let library = UUID(uuidString: String(parts[2]))
      else { return nil }
      (self.object, kind, self.library) = (object.uuidString, parts[1], library.uuidString)
    }
  }

  public static var supportsSecureCoding: Bool { true }
  private static let stringKey = "stringValue"

  public init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: Self.stringKey) else { return nil }
    stringValue = String(text)
  }

  public func encode(with coder: NSCoder) { coder.encode(NSString(string: stringValue), forKey: Self.stringKey) }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? PHCloudIdentifier)?.stringValue == stringValue
  }

  public override var hash: Int { stringValue.hashValue }
  public override var description: String { stringValue }
}
