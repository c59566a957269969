import Foundation
import Photos
import PhotosTesting
import Synchronization

/// A library of three photos, each taken a day after the one before, and clients of the library.
/// The first two photos are in the album Norway.
struct AccessFixture {
  let temporary: TemporaryLibrary
  let photos: [PHAsset]
  let album: PHAssetCollection
  let client = LibraryClient(
    identifier: "com.example.Slideshow", name: "Slideshow", usageDescription: "Shows your photos.")

  var owner: PHPhotoLibrary { temporary.library }

  init() throws {
    temporary = try TemporaryLibrary()
    photos = try temporary.add(["A.JPG", "B.JPG", "C.JPG"].enumerated().map { try Self.file($1, day: $0) })
    nonisolated(unsafe) var identifier = ""
    try temporary.library.performChangesAndWait { [photos] in
      let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Norway")
      request.addAssets(Array(photos[..<2]))
      identifier = request.placeholderForCreatedAssetCollection.localIdentifier
    }
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    album = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: options).object(at: 0)
  }

  static func file(_ name: String, day: Int) throws -> SampleFile {
    let metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: Double(day) * 86_400), offset: 0)
    return SampleFile(
      name,
      try SampleMedia.jpeg(size: PictureSize(width: 16, height: 16), seed: UInt64(day), metadata: metadata))
  }

  /// Returns the library as the client sees it. Its authorization requests stay unanswered.
  func library(for client: LibraryClient? = nil) -> PHPhotoLibrary {
    let library = owner.photoLibrary(for: client ?? self.client)
    library.authorizationAnswerer = Questions { _ in .unanswered(reason: "nobody is there") }
    return library
  }

  func library(_ readWrite: PHAuthorizationStatus, addOnly: PHAuthorizationStatus = .notDetermined) throws
    -> PHPhotoLibrary
  {
    try owner.setAuthorization(readWrite, for: client, accessLevel: .readWrite)
    try owner.setAuthorization(addOnly, for: client, accessLevel: .addOnly)
    return library()
  }

  /// Returns the library as a client sees it whose access is limited to the last photo.
  func limitedLibrary() throws -> PHPhotoLibrary {
    try owner.setAuthorization(limitedTo: [photos[2]], for: client)
    return library()
  }
}

extension PHPhotoLibrary {
  func options(_ change: (PHFetchOptions) -> Void = { _ in }) -> PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = self
    change(options)
    return options
  }

  /// Returns the file names, without extensions, of all assets that a fetch finds.
  func names(_ change: (PHFetchOptions) -> Void = { _ in }) -> String {
    Self.names(PHAsset.fetchAssets(with: options(change)))
  }

  static func names(_ result: PHFetchResult<PHAsset>) -> String {
    result.objects(at: IndexSet(0..<result.count))
      .map { ($0.extendedMetadata.originalFilename as NSString?)?.deletingPathExtension ?? "?" }
      .joined(separator: " ")
  }

  /// Returns `nil` if the change succeeds, else the code of its error.
  func codeOfChange(_ block: @escaping () -> Void) -> PHPhotosError.Code? {
    code { try performChangesAndWait(block) }
  }

  func smartAlbum(_ subtype: PHAssetCollectionSubtype) -> PHAssetCollection {
    PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: subtype, options: options()).object(at: 0)
  }
}

/// Returns the code of the error that `work` throws, or `nil` if it succeeds.
func code(_ work: () throws -> Void) -> PHPhotosError.Code? {
  do {
    try work()
    return nil
  } catch { return (error as? PHPhotosError)?.code ?? .internalError }
}

func codeOfAwaited(_ work: () async throws -> Void) async -> PHPhotosError.Code? {
  do {
    try await work()
    return nil
  } catch { return (error as? PHPhotosError)?.code ?? .internalError }
}

/// Answers authorization requests and records them.
final class Questions: AuthorizationAnswerer {
  private let asked = Mutex<[AuthorizationRequest]>([])
  private let answer: @Sendable (AuthorizationRequest) -> AuthorizationAnswer

  init(_ answer: @escaping @Sendable (AuthorizationRequest) -> AuthorizationAnswer) { self.answer = answer }

  var all: [AuthorizationRequest] { asked.withLock { $0 } }

  func answer(
    _ request: AuthorizationRequest, completionHandler: @escaping @Sendable (AuthorizationAnswer) -> Void
  ) {
    asked.withLock { $0.append(request) }
    completionHandler(answer(request))
  }
}
