import Foundation
import Photos
import PhotosTesting
import Synchronization

extension TemporaryLibrary {
  /// Adds tiny photos of these names. The first was taken on 1 January 1970, and each other one a
  /// day after the one before.
  @discardableResult
  func addPhotos(_ names: String...) throws -> [PHAsset] {
    try add(
      names.enumerated().map { day, name in
        let metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: Double(day) * 86_400), offset: 0)
        let size = PictureSize(width: 16, height: 16)
        return SampleFile(
          name, try SampleMedia.jpeg(size: size, seed: seed(of: name), metadata: metadata))
      })
  }

  /// Returns the FNV hash of a name. Unlike `hashValue`, it is the same in each process.
  private func seed(of name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns fetch options for this library.
  func options(_ change: (PHFetchOptions) -> Void = { _ in }) -> PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = library
    change(options)
    return options
  }

  /// Makes an album of these assets and returns it.
  func album(_ title: String, _ assets: [PHAsset] = []) throws -> PHAssetCollection {
    nonisolated(unsafe) var identifier = ""
    try library.performChangesAndWait {
      let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
      request.addAssets(assets)
      identifier = request.placeholderForCreatedAssetCollection.localIdentifier
    }
    return PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: options()).object(at: 0)
  }

  func folder(_ title: String, _ children: [PHCollection] = []) throws -> PHCollectionList {
    nonisolated(unsafe) var identifier = ""
    try library.performChangesAndWait {
      let request = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: title)
      request.addChildCollections(children)
      identifier = request.placeholderForCreatedCollectionList.localIdentifier
    }
    return PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [identifier], options: options()).object(at: 0)
  }

  /// Returns the file names of an album's assets, in the album's order.
  func names(in album: PHAssetCollection) -> String { names(PHAsset.fetchAssets(in: album, options: options())) }

  func names(_ result: PHFetchResult<PHAsset>) -> String {
    result.objects(at: IndexSet(0..<result.count)).compactMap(\.extendedMetadata.originalFilename).joined(
      separator: " ")
  }

  /// Returns the tree of albums and folders in the form `Travels(Norway Sweden) Family`.
  func tree() -> String {
    func text(_ collections: PHFetchResult<PHCollection>) -> String {
      collections.objects(at: IndexSet(0..<collections.count)).map { collection in
        guard let list = collection as? PHCollectionList else { return collection.localizedTitle ?? "" }
        return "\(list.localizedTitle ?? "")(\(text(PHCollection.fetchCollections(in: list, options: options()))))"
      }.joined(separator: " ")
    }
    return text(PHCollection.fetchTopLevelUserCollections(with: options()))
  }
}

/// Records the changes that it is told of.
final class RecordingObserver: NSObject, PHPhotoLibraryChangeObserver, Sendable {
  private let told = Mutex<[PHChange]>([])

  var changes: [PHChange] { told.withLock { $0 } }

  func photoLibraryDidChange(_ changeInstance: PHChange) { told.withLock { $0.append(changeInstance) } }
}

extension PHFetchResultChangeDetails {
  /// The indexes in the form `−[1] +[0] ~[2] →[3 to 0]`, or `anew` for a non-incremental change.
  var summary: String {
    guard hasIncrementalChanges else { return "anew" }
    nonisolated(unsafe) var moves: [String] = []
    enumerateMoves { moves.append("\($0) to \($1)") }
    func list(_ indexes: IndexSet?) -> String { "\(indexes.map(Array.init) ?? [])" }
    return
      "−\(list(removedIndexes)) +\(list(insertedIndexes)) ~\(list(changedIndexes)) →[\(moves.joined(separator: ", "))]"
  }
}
