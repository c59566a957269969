/// An item that was picked, as the picker's process describes it.
package struct PickedItem: Codable, Hashable, Sendable {
  /// The item's name in its session, which says nothing of the library.
  package var item: String
  /// The asset's identifier, if the request wants identifiers.
  package var identifier: String?
  package var isLivePhoto: Bool
  /// The files that can be loaded, the displayed one first.
  package var types: [File]
  /// The name of the original.
  package var name: String

  package init(item: String, identifier: String? = nil, isLivePhoto: Bool, types: [File], name: String) {
    self.item = item
    self.identifier = identifier
    self.isLivePhoto = isLivePhoto
    self.types = types
    self.name = name
  }

  package struct File: Codable, Hashable, Sendable {
    package var kind: Kind
    /// The type's identifier, such as `public.heic`.
    package var uniformType: String
    /// The size, if it is known before the file is made.
    package var bytes: Int?
  }

  package enum Kind: String, Codable, Sendable {
    /// The displayed picture or movie, in the representation that the request prefers.
    case main
    /// The displayed picture as it is stored, for a Live Photo whose `main` is converted.
    case still
    /// The movie of a Live Photo.
    case pairedVideo
  }
}
