import Foundation
internal import Imaging
import ItemProviding
internal import LibraryStore

/// A Live Photo as an item: a folder with its still and its movie.
///
///     provider.loadObject(ofClass: PHLivePhoto.self) { livePhoto, error in … }
extension PHLivePhoto: ItemFileReading {
  public static var readableTypeIdentifiersForItemProvider: [String] { [UTType.livePhoto.identifier] }

  /// Throws, since a Live Photo is two files.
  public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
    throw PHPhotosError(.invalidResource, "\(typeIdentifier): a Live Photo is a folder of two files, and no data")
  }

  /// Makes a Live Photo in full size of a folder with the two files, which it takes over.
  package static func object(withItemProviderFileAt url: URL, typeIdentifier: String) throws -> Self {
    let folder = PrivateFolder()
    let files = try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil).map { file in
      let taken = folder.url.appendingPathComponent(file.lastPathComponent)
      try FileManager.default.moveItem(at: file, to: taken)
      return try LivePhotoFile(at: taken, in: folder)
    }
    guard let still = files.first(where: { $0.metadata.type.kind == .image }),
      let movie = files.first(where: { $0.metadata.type.kind == .video })
    else {
      throw PHPhotosError(.invalidResource, "\(url.lastPathComponent): a Live Photo is made of a still and a movie")
    }
    let picture = ImageSpecification(targetSize: PHImageManagerMaximumSize, contentMode: .aspectFit).picture
    guard let live = try LivePhotoFiles(still, movie).livePhoto(picture) as? Self else {
      throw PHPhotosError(.invalidResource, "\(Self.self): only a PHLivePhoto is made of an item")
    }
    return live
  }
}
