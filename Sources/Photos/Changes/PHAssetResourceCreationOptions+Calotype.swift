import Foundation

extension PHAssetResourceCreationOptions {
  /// Whether the file is already in the library's folder, without an asset, and stays in its place.
  /// For repairs.
  package var isInPlace: Bool {
    get { additions.isInPlace }
    set { additions.isInPlace = newValue }
  }

  /// Whether nothing writes to the file any more. The library may then link it instead of copying
  /// it.
  package var allowsLinking: Bool {
    get { additions.allowsLinking }
    set { additions.allowsLinking = newValue }
  }

  /// Whether links on the way to the file are followed. An importer has looked at the file before,
  /// and a link that took its place leads elsewhere.
  package var followsLinks: Bool {
    get { additions.followsLinks }
    set { additions.followsLinks = newValue }
  }

  /// The date from a file beside this one, in the time zone of this machine. It is used if the file
  /// itself has no date with a time.
  public var sidecarDate: Date? {
    get { additions.sidecarDate }
    set { additions.sidecarDate = newValue }
  }

  /// The values of these properties.
  struct Additions {
    var isInPlace = false
    var allowsLinking = false
    var followsLinks = true
    var sidecarDate: Date?
  }
}
