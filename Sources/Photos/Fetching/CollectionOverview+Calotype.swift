import Foundation
internal import LibraryStore

/// A collection with its number of assets, their dates, and the pictures on its cover.
package struct CollectionOverview: Sendable {
  /// An asset whose picture is on a cover.
  package struct Cover: Hashable, Sendable {
    package var uuid: String
    package var renditionVersion: String
  }

  package let collection: PHCollection
  private let summary: CollectionSummary
  /// Whether the client was allowed to change collections when the overview was read.
  private let isChangeable: Bool

  init(_ summary: CollectionSummary, of library: PHPhotoLibrary, isChangeable: Bool) {
    self.summary = summary
    self.isChangeable = isChangeable
    let record = summary.record
    collection =
      record.kind == .folder
      ? PHCollectionList(record: record, photoLibrary: library)
      : PHAssetCollection(record: record, photoLibrary: library)
  }

  package var uuid: String { summary.record.uuid }
  /// The folder that contains the collection; `nil` at the top level.
  package var parentUUID: String? { summary.parentUUID }
  /// The number of assets without hidden ones, or of the hidden ones in their album. An asset in
  /// several albums of a folder counts once.
  package var count: Int { summary.count }
  package var videoCount: Int { summary.videoCount }
  /// `nil` for an empty collection, and for smart albums in another order than that of the dates.
  package var startDate: Date? { summary.startDate }
  package var endDate: Date? { summary.endDate }
  /// An album's key asset, else the newest; of a folder up to four of its albums' covers.
  package var covers: [Cover] { summary.covers.map { Cover(uuid: $0.uuid, renditionVersion: $0.renditionVersion) } }

  /// Returns what `PHCollection.canPerform` returned when the overview was read.
  package func isAllowed(_ operation: PHCollectionEditOperation) -> Bool {
    isChangeable && collection.allows(operation)
  }
}

extension PHPhotoLibrary {
  /// Returns the smart albums, and then the albums and folders in the order of their tree, each
  /// folder before its contents. A client gets the collections that it sees.
  package func collectionOverviews() throws -> [CollectionOverview] {
    try withPhotosErrors {
      let access = try accessForFetching()
      guard access.isReading else { return [] }
      var query = try restricted(FetchQuery(.assets), to: access)
      query.now = engine.clock().timeIntervalSince1970
      query.expiresTrash = engine.trustsClock
      return try engine.available().collectionSummaries(query)
        .map { CollectionOverview($0, of: self, isChangeable: access.seesEverything) }
    }
  }
}
