import CoreLocation
import Foundation
internal import LibraryStore

extension PHObject {
  /// Returns the value that a predicate compares if it is evaluated on the object: one of the
  /// object's properties, or a value that only its library has.
  func value(for key: FetchKey) -> Value {
    switch self {
    case _ where key == .uuid: .text(PHObject.uuid(localIdentifier: localIdentifier))
    case let asset as PHAsset: asset.assetValue(key)
    case let collection as PHCollection: collection.collectionValue(key)
    default: .null
    }
  }
}

extension PHAsset {
  fileprivate func assetValue(_ key: FetchKey) -> Value {
    switch key {
    case .creationDate: Value(creationDate)
    case .localDate: Value(localCreationDate)
    case .localDay: localCreationDate.flatMap(Self.day).map(Value.integer) ?? .null
    case .modificationDate: Value(modificationDate)
    case .addedDate: Value(addedDate)
    case .mediaType: .integer(mediaType.rawValue)
    case .mediaSubtypes: .integer(Int(bitPattern: mediaSubtypes.rawValue))
    case .duration: .real(duration)
    case .pixelWidth: .integer(pixelWidth)
    case .pixelHeight: .integer(pixelHeight)
    case .isFavorite: .integer(isFavorite ? 1 : 0)
    case .isHidden: .integer(isHidden ? 1 : 0)
    case .burstIdentifier: Value(burstIdentifier)
    case .hasAdjustments: .integer(hasAdjustments ? 1 : 0)
    case .latitude: Value(location?.coordinate.latitude)
    case .longitude: Value(location?.coordinate.longitude)
    case .originalFilename, .fileSize, .uniformTypeIdentifier, .cameraModel: detailValue(key)
    case .uuid, .title, .startDate, .endDate, .assetCount: .null
    }
  }

  private var localCreationDate: Date? { creationDate?.addingTimeInterval(Double(timeZoneOffset)) }

  /// Returns the number of days from 1970 to a date; `nil` for a date that is too far away.
  private static func day(of date: Date) -> Int? {
    Int(exactly: (date.timeIntervalSince1970 / 86_400).rounded(.down))
  }

  /// Reads a value from the library. It is null for an asset that a test made. It is also null if
  /// the library can't be read, since `NSPredicate.evaluate(with:)` can't throw.
  private func detailValue(_ key: FetchKey) -> Value {
    guard let engine = library?.engine, rowID != 0 else { return .null }
    let value = engine.damage.optional("the details of an asset could not be read") { () throws -> Value? in
      if key == .cameraModel { return Value(try details()?.camera.model) }
      guard let detail = try engine.available().detail(assetID: rowID) else { return nil }
      return switch key {
      case .originalFilename: .text(detail.originalFilename)
      case .uniformTypeIdentifier: .text(detail.uniformTypeIdentifier)
      case .fileSize: .integer(detail.fileSize)
      default: nil
      }
    }
    return value ?? .null
  }
}

extension PHCollection {
  fileprivate func collectionValue(_ key: FetchKey) -> Value {
    let (album, folder) = (self as? PHAssetCollection, self as? PHCollectionList)
    switch key {
    case .title: return Value(localizedTitle)
    case .modificationDate: return Value(modificationDate)
    case .startDate: return Value(album?.startDate ?? folder?.startDate)
    case .endDate: return Value(album?.endDate ?? folder?.endDate)
    case .assetCount:
      let count = album?.estimatedAssetCount ?? NSNotFound
      return count == NSNotFound ? .null : .integer(count)
    default: return .null
    }
  }
}

extension Value {
  fileprivate init(_ date: Date?) { self = date.map { .real($0.timeIntervalSince1970) } ?? .null }
  fileprivate init(_ text: String?) { self = text.map(Value.text) ?? .null }
  fileprivate init(_ number: Double?) { self = number.map(Value.real) ?? .null }
}
