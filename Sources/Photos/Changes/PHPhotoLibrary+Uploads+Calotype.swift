import Foundation
package import LibraryStore

extension PHPhotoLibrary {
  /// The folder of uploads, for the library's server.
  package typealias Uploads = UploadFolder
  package typealias UploadedFile = UploadFile
  package typealias UploadHash = RunningHash

  package var uploads: Uploads { get throws { try withPhotosErrors { try engine.available().uploads } } }

  /// Returns for each SHA-256 an asset that has a whole file of these bytes and is not deleted.
  /// Returns `nil` for all if the client does not see the whole library.
  package func assets(withFiles hashes: [Data]) throws -> [String?] {
    try withPhotosErrors {
      guard try access().seesEverything else { return hashes.map { _ in nil } }
      let store = try engine.available()
      let concealsHidden = try concealsHidden()
      let found = try store.inspect { transaction in
        try hashes.map { sha256 in
          try transaction.assets(holdingAnyOf: [sha256]).first {
            $0.trashedDate == nil && !(concealsHidden && $0.isHidden)
          }?.uuid
        }
      }
      return try zip(hashes, found).map { sha256, uuid in
        try uuid == nil || store.hasWholeOriginal(sha256: sha256) ? uuid : nil
      }
    }
  }
}
