@_exported import Foundation

// Of UniformTypeIdentifiers, the types that a photo library meets: `UTType+Declarations.swift` lists them. There is no registry of the
// system's types, so an identifier, file name or MIME type that isn't listed has no type. Tags other than those two are left out.

/// What kind of data something is.
///
///     UTType(filenameExtension: "HEIC")?.conforms(to: .image)   // true
///     asset.contentType.preferredMIMEType                       // "image/heic"
///
/// Two types with the same identifier are equal.
public struct UTType: Sendable {
  public let identifier: String
  /// Of a type that the program itself declares.
  private let declaredSupertype: String?

  /// `nil` for an identifier that isn't listed.
  public init?(_ identifier: String) {
    guard Declaration.byIdentifier[identifier] != nil else { return nil }
    self.init(known: identifier)
  }

  /// The type of files whose names end so, in capitals or not; `nil` for an ending that isn't listed, and for one whose type is of
  /// another kind than `supertype`.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    guard let identifier = Declaration.byExtension[filenameExtension.lowercased()] else { return nil }
    self.init(known: identifier)
    guard conforms(to: supertype) else { return nil }
  }

  /// The type of data with a MIME type; as `init(filenameExtension:conformingTo:)`.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    guard let identifier = Declaration.byMIMEType[mimeType.lowercased()] else { return nil }
    self.init(known: identifier)
    guard conforms(to: supertype) else { return nil }
  }

  /// A type that this program owns.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    self.init(declared: identifier, parentType)
  }

  /// A type that another program owns.
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

  /// Without the dot: `heic`.
  public var preferredFilenameExtension: String? { declaration?.extensions.first }
  public var preferredMIMEType: String? { declaration?.mimeTypes.first }
  /// In English; `nil` for a type that isn't listed.
  public var localizedDescription: String? { declaration?.description }

  /// All that it is besides itself, the nearest and the farthest.
  public var supertypes: Set<UTType> {
    var found: Set<UTType> = []
    var open = declaration?.supertypes ?? declaredSupertype.map { [$0] } ?? []
    while let next = open.popLast() {
      guard found.insert(UTType(known: next)).inserted else { continue }
      open += Declaration.byIdentifier[next]?.supertypes ?? []
    }
    return found
  }

  /// Whether it is `type` or a kind of it.
  public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }
  public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }
  public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

  /// Whether it is listed here.
  public var isDeclared: Bool { declaration != nil }
  /// No type is made up for an unknown file name.
  public var isDynamic: Bool { false }
  public var isPublic: Bool { identifier.hasPrefix("public.") }
}

extension UTType: Hashable, CustomStringConvertible {
  public static func == (a: UTType, b: UTType) -> Bool { a.identifier == b.identifier }
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
  public var description: String { identifier }
}
