import Foundation
import Photos

/// Shows how an app catches up with changes since its last run. It keeps a change token in a file,
/// fetches all changes since that token, and keeps the token of the last change that it has read.
@main
struct TrackChanges {
  static func main() async throws {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    let photos = PHAsset.fetchAssets(with: .image, options: nil)
    guard photos.count >= 2 else { return print("fewer than two photos to change") }
    let (first, second) = (photos.object(at: 0), photos.object(at: 1))

    let tracker = ChangeTracker(
      archive: FileManager.default.temporaryDirectory.appendingPathComponent("token-\(UUID().uuidString)"))
    defer { tracker.forget() }
    try tracker.keep(PHPhotoLibrary.shared().currentChangeToken)

    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: first).isFavorite = true }
    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest.deleteAssets([second] as NSArray) }
    try tracker.readChanges()
    try await PHPhotoLibrary.shared().performChanges { PHAssetChangeRequest(for: first).isFavorite = false }
    try tracker.readChanges()
    try tracker.readChanges()
  }
}

struct ChangeTracker {
  let archive: URL

  func keep(_ token: PHPersistentChangeToken) throws {
    try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true).write(
      to: archive, options: .atomic)
  }

  private func kept() throws -> PHPersistentChangeToken? {
    try NSKeyedUnarchiver.unarchivedObject(ofClass: PHPersistentChangeToken.self, from: Data(contentsOf: archive))
  }

  func forget() { try? FileManager.default.removeItem(at: archive) }

  /// Reads the changes since the token. A change that can't be read is read again next time.
  func readChanges() throws {
    guard let token = try kept() else { return print("no token: everything has to be fetched again") }
    do {
      var count = 0
      for change in try PHPhotoLibrary.shared().fetchPersistentChanges(since: token) {
        let details = try change.changeDetails(for: .asset)
        print(
          "inserted \(details.insertedLocalIdentifiers.count), updated \(details.updatedLocalIdentifiers.count), "
            + "deleted \(details.deletedLocalIdentifiers.count)")
        try keep(change.changeToken)
        count += 1
      }
      print("changes in this round: \(count)")
    } catch PHPhotosError.persistentChangeTokenExpired, PHPhotosError.persistentChangeDetailsUnavailable {
      print("too long ago: everything has to be fetched again")
      try keep(PHPhotoLibrary.shared().currentChangeToken)
    }
  }
}
