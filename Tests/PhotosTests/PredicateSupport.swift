import Foundation
import LibraryStore
import Testing

@testable import Photos

let firstDay = Date(timeIntervalSince1970: 86_400)

/// What a fetch is asked by a format.
func condition(
  _ format: String, _ arguments: [Any] = [], _ entity: PredicateEntity = .asset
) throws -> Condition {
  try NSPredicate(format: format, argumentArray: arguments).condition(for: entity)
}

/// What a fetch of assets is asked by a predicate.
func asked(_ predicate: NSPredicate?) throws -> String {
  String(describing: try #require(predicate).condition(for: .asset))
}

func compared(_ key: FetchKey, _ comparison: Condition.Comparison, _ value: Value) -> Condition {
  .comparison(.key(key), comparison, .value(value))
}

let isFavorite = compared(.isFavorite, .equal, .integer(1))

/// Arguments of a predicate in a table of tests.
struct PredicateArguments: @unchecked Sendable, ExpressibleByArrayLiteral {
  // Read by the one test that it is handed to.
  let all: [Any]
  init(arrayLiteral elements: Any...) { all = elements }
}

/// An asset of no library.
final class SampleAsset: PHAsset, @unchecked Sendable {
  // Never changed.
  var width = 4032
  var identifier = "0A1B/L0/001"
  override var localIdentifier: String { identifier }
  override var mediaType: PHAssetMediaType { .image }
  override var mediaSubtypes: PHAssetMediaSubtype { [.photoScreenshot, .photoHDR] }
  override var pixelWidth: Int { width }
  override var pixelHeight: Int { 3024 }
  override var creationDate: Date? { firstDay }
  override var modificationDate: Date? { nil }
  override var duration: TimeInterval { 1.5 }
  override var isFavorite: Bool { true }
  override var isHidden: Bool { false }
  override var burstIdentifier: String? { nil }
}

/// An album of no library.
final class SampleAlbum: PHAssetCollection, @unchecked Sendable {
  // Never changed.
  override var localIdentifier: String { "0C/L0/040" }
  override var localizedTitle: String? { "Été à Paris" }
  override var startDate: Date? { firstDay }
  override var endDate: Date? { nil }
  override var estimatedAssetCount: Int { NSNotFound }
}
