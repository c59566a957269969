import Foundation
internal import Imaging
internal import LibraryStore
import UIKit

extension PHAsset {
  /// Makes a Live Photo from a still of the asset and the asset's movie.
  func livePhoto(_ still: UIImage, _ version: PHImageRequestOptionsVersion) throws -> PHLivePhoto {
    try withPhotosErrors {
      let pictures = pictures
      let picture = try pictures.resource(for: version)
      let movie = try pictures.movieResource(isOriginal: version != .current)
      let copy = try movie.motionVideo.map { try pictures.movie(inside: movie, at: $0) }
      let file = try copy.map { try MediaFile(path: $0.path) } ?? pictures.open(movie)
      let metadata = try MediaMetadata(of: file)
      let paired =
        copy.map { PHAssetResource(.pairedVideo, of: $0, file: file, metadata: metadata) }
        ?? PHAssetResource(movie, of: self, as: .pairedVideo)
      return PHLivePhoto(
        still, resources: [PHAssetResource(picture, of: self, as: .photo), paired], stillTime: metadata.stillTime)
    }
  }

  func checkIsLive(_ version: PHImageRequestOptionsVersion) throws {
    let isLive = version == .current ? playbackStyle == .livePhoto : mediaSubtypes.contains(.photoLive)
    guard isLive else {
      throw PHPhotosError(
        .requestNotSupportedForAsset, "\(localIdentifier) is not a Live Photo", identifiers: [localIdentifier])
    }
  }
}
