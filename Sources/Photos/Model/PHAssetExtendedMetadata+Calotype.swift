import Foundation

extension PHAssetExtendedMetadata {
  /// The names of places, from the most exact to the widest.
  public var placeNames: [String] { detail?.placeNames ?? [] }

  /// The title, from the imported file or as a person has changed it.
  public var title: String? { detail?.title }
}
