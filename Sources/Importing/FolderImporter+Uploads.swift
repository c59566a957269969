import Foundation
import Photos
import Synchronization

extension FolderImporter {
  /// The outcomes of an import of single files.
  package struct Outcomes: Sendable {
    /// The outcome of each file, in the order of the paths; `nil` if the import ended before it.
    package var events: [ImportEvent?]
    /// The last transaction of the import; `nil` if it changed nothing.
    package var transaction: Int64?
    /// The error that ended the import, for example because the disk is full.
    package var failure: (any Error)?
  }

  /// Imports files that nothing writes to any more, in this order, into an album if there is one.
  ///
  /// The library links them if it can. An album gets each asset in the transaction that creates it.
  /// It also gets the assets that have the files already.
  package static func importFiles(
    at paths: [String], to library: PHPhotoLibrary, album: PHAssetCollection? = nil, bringsBackDeleted: Bool = false
  ) -> Outcomes {
    let events = Mutex<[String: ImportEvent]>([:])
    var importer = FolderImporter(
      library: library, bringsBackDeleted: bringsBackDeleted,
      eventHandler: { event in events.withLock { $0[event.path] = event } })
    importer.linksFiles = true
    importer.keepsOrder = true
    importer.album = album
    var (transaction, failure): (Int64?, (any Error)?) = (nil, nil)
    do { transaction = try importer.importFiles(at: paths).latestTransaction } catch { failure = error }
    // Events have paths without links.
    return Outcomes(
      events: events.withLock { events in paths.map { events[SourcePath($0).resolvingLinks().description] } },
      transaction: transaction, failure: failure)
  }
}
