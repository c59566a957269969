@_exported import Foundation

// The part of UniformTypeIdentifiers that this module contains: the types that a photo library
// meets, listed in `UTType+Declarations.swift`. There is no registry of the system's types, so an
// identifier, filename extension or MIME type that isn't listed has no type. Other tags are left
// out.

/// A type of data.
///
///     UTType(filenameExtension: "HEIC")?.conforms(to: .image)   // true
///     asset.contentType.preferredMIMEType                       // "image/heic"
///
/// Two types with the same identifier are equal.
public struct UTType: Sendable {
  public let identifier: String
  /// The supertype, if the program itself declared the type.
  private let declaredSupertype: String?

  /// Returns `nil` for an identifier that isn't listed.
  public init?(_ identifier: String) {
    guard Declaration.byIdentifier[identifier] != nil else { return nil }
    self.init(known: identifier)
  }

  /// Finds the type of a filename extension, ignoring case. Returns `nil` if the extension isn't
  /// listed, and if its type doesn't conform to `supertype`.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    guard let identifier = Declaration.byExtension[filenameExtension.lowercased()] else { return nil }
    self.init(known: identifier)
    guard conforms(to: supertype) else { return nil }
  }

  /// Finds the type of a MIME type, ignoring case. Returns `nil` if it isn't listed, and if the
  /// found type doesn't conform to `supertype`.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    guard let identifier = Declaration.byMIMEType[mimeType.lowercased()] else { return nil }
    self.init(known: identifier)
    guard conforms(to: supertype) else { return nil }
  }

  /// Declares a type that this program owns.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(declared: identifier, parentType)
  }

  /// Declares a type that another program owns.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(declared: identifier, parentType)
  }

  init(known identifier: String) {
    self.identifier = identifier
    declaredSupertype = nil
  }

  private init(declared identifier: String, _ parent: UTType?) {
    self.identifier = identifier
    declaredSupertype = parent?.identifier
  }

  private var declaration: Declaration? { Declaration.byIdentifier[identifier] }

  /// The extension without its dot: `heic`.
  public var preferredFilenameExtension: String? { declaration?.extensions.first }
  public var preferredMIMEType: String? { declaration?.mimeTypes.first }
  /// The English name, or `nil` for a type that isn't listed.
  public var localizedDescription: String? { declaration?.description }

  /// All types that this type conforms to, directly or indirectly, without the type itself.
  public var supertypes: Set<UTType> {
    var found: Set<UTType> = []
    var open = declaration?.supertypes ?? declaredSupertype.map { [$0] } ?? []
    while let next = open.popLast() {
      guard found.insert(UTType(known: next)).inserted else { continue }
      open += Declaration.byIdentifier[next]?.supertypes ?? []
    }
    return found
  }

  /// Returns whether the type is `type` or conforms to it.
  public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }
  public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

  /// True if the list contains the type.
  public var isDeclared: Bool { declaration != nil }
  /// Always `false`: unknown filename extensions have no type.
  public var isDynamic: Bool { false }
  public var isPublic: Bool { identifier.hasPrefix("public.") }
}

extension UTType: Hashable, CustomStringConvertible {
  public static func == (a: UTType, b: UTType) -> Bool { a.identifier == b.identifier }
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
  public var description: String { identifier }
}
