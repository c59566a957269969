import Foundation

extension PHAssetCollectionChangeRequest {
  /// Sets the asset that represents the album; `nil` leaves the choice to the library.
  public func setKeyAsset(_ asset: PHObject?) {
    keyAsset = asset.flatMap { Member($0, PHAsset.self) }.map { .chosen($0) } ?? .automatic
  }
}
