import Foundation

extension PHAssetExtendedMetadata {
  /// The names of places, from the most exact to the widest.
  public var placeNames: [String] { detail?.placeNames ?? [] }

  /// The title in the metadata of the imported file.
  public var title: String? { detail?.title }
}
