import Foundation
internal import LibraryStore

/// An identifier of an asset or a collection that holds in every copy of its library. Two
/// identifiers are equal if their texts are.
///
///     let names = library.cloudIdentifierMappings(forLocalIdentifiers: [asset.localIdentifier])
///     let name = try names[asset.localIdentifier]?.get().archivalStringValue
///
/// It consists of the library's identifier and the object's, so it is found in a copy of the
/// library and in no other one.
public final class PHCloudIdentifier: NSObject, NSSecureCoding, Sendable {
  /// Deprecated by PhotoKit in favor of `archivalStringValue`.
  public let stringValue: String

  /// A text to store, which stays the same from one run of a program to the next.
  public var archivalStringValue: String { stringValue }

  /// Makes an identifier from any text. Looking up a text that identifies nothing fails with
  /// `identifierNotFound`.
  public init(stringValue: String) { self.stringValue = stringValue }

  /// Makes an identifier from a text; `nil` if the text can't come from `archivalStringValue`.
  public init?(archivalStringValue: String) {
    guard Parts(archivalStringValue) != nil else { return nil }
    stringValue = archivalStringValue
  }

  /// The value that replaces an identifier that was not found.
  public class var notFound: PHCloudIdentifier { PHCloudIdentifier(stringValue: "") }

  init(localIdentifier: String, libraryUUID: String) {
    let parts = localIdentifier.split(separator: "/")
    stringValue = "\(parts.first ?? ""):\(parts.last ?? ""):\(libraryUUID)"
  }

  /// Returns the identifier in a library; `nil` if the object belongs to another library.
  func localIdentifier(libraryUUID: String) -> String? {
    guard let parts = Parts(stringValue), parts.library == libraryUUID else { return nil }
    return "\(parts.object)/L0/\(parts.kind)"
  }

  /// The parts of the text `object:kind:library`.
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
