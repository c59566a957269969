import Foundation
import LibraryStore
import Testing

@testable import Photos

let firstDay = Date(timeIntervalSince1970: 86_400)

/// Returns the condition of a fetch for a predicate format.
func condition(
  _ format: String, _ arguments: [Any] = [], _ entity: PredicateEntity = .asset
) throws -> Condition {
  try NSPredicate(format: format, argumentArray: arguments).condition(for: entity)
}

/// Describes the condition of a fetch of assets for a predicate.
func asked(_ predicate: NSPredicate?) throws -> String {
  String(describing: try #require(predicate).condition(for: .asset))
}

func compared(_ key: FetchKey, _ comparison: Condition.Comparison, _ value: Value) -> Condition {
  .comparison(.key(key), comparison, .value(value))
}

let isFavorite = compared(.isFavorite, .equal, .integer(1))

/// The arguments of a predicate in a table of test cases.
struct PredicateArguments: @unchecked Sendable, ExpressibleByArrayLiteral {
  // Unchecked, because only one test reads the values.
  let all: [Any]
  init(arrayLiteral elements: Any...) { all = elements }
}

/// An asset that belongs to no library.
final class SampleAsset: PHAsset, @unchecked Sendable {
  // Unchecked, because nothing changes the properties after the setup.
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

/// An album that belongs to no library.
final class SampleAlbum: PHAssetCollection, @unchecked Sendable {
  // Unchecked, because it has no state.
  override var localIdentifier: String { "0C/L0/040" }
  override var localizedTitle: String? { "Été à Paris" }
  override var startDate: Date? { firstDay }
  override var endDate: Date? { nil }
  override var estimatedAssetCount: Int { NSNotFound }
}
