import Foundation
import NIOCore
import Photos

/// The assets of a source at one revision.
struct ListedAssets: @unchecked Sendable {
  // Any thread may use a fetch result.

  let moment: Moment
  private let library: PHPhotoLibrary
  private let found: FoundAssets

  /// Reads the assets at a moment, or at a later revision.
  init(_ source: AssetSource, in library: PHPhotoLibrary, at moment: Moment) throws {
    self.library = library
    let (revision, found) = try library.readConsistently { try FoundAssets(source, in: library) }
    self.moment = moment.at(revision)
    self.found = found
  }

  var revision: String { moment.revision }

  var count: Int { found.result.count }

  /// Returns the assets of a part of the list. The part may extend beyond the end.
  func assets(offset: Int, limit: Int) throws -> [PHAsset] {
    guard offset < count else { return [] }
    let assets = (offset..<min(offset + limit, count)).map(found.result.object(at:))
    if let error = found.result.error { throw error }
    return assets
  }

  /// Returns the index of an asset; `nil` if the list does not contain it.
  func index(of id: String) throws -> Int? { try found.result.index(ofAssetWithUUID: id) }

  func days() throws -> StableBody {
    let (present, days) = try library.readConsistently { try countsOfDays() }
    // Without days, the number is that of the assets that were found.
    let counted = found.dayOrder == nil ? moment : moment.at(present)
    let body = DaysBody.encode(
      revision: counted.revision, total: days.reduce(0) { $0 + $1.count }, days: days)
    return StableBody(ByteBuffer(bytes: body), at: counted, type: .json)
  }

  /// Returns the number of assets of each day, or of all days together in an order of another kind.
  func countsOfDays() throws -> [DayCount] {
    guard let order = found.dayOrder else { return count == 0 ? [] : [DayCount(day: nil, count: count)] }
    let days = try found.result.days().map { DayCount(day: $0.daysSince1970, count: $0.count) }
    return order == .oldest ? days.reversed() : days
  }

  /// One byte for each asset: 42 times the binary logarithm of width divided by height, and 128. So
  /// there is a byte for each shape from 1:8 to 8:1, of which a cell shows all but half a percent.
  func aspects() throws -> StableBody {
    let (revision, bytes) = try library.readConsistently {
      try found.result.aspectRatios().map { UInt8(max(0, min(255, (42 * log2($0)).rounded() + 128))) }
    }
    return StableBody(ByteBuffer(bytes: bytes), at: moment.at(revision), type: .bytes)
  }

  /// Three bytes for each asset: the average color of its placeholder, or gray.
  func colors() throws -> StableBody {
    var bytes = ByteBuffer()
    bytes.reserveCapacity(count * 3)
    for offset in stride(from: 0, to: count, by: Self.placeholdersAtOnce) {
      let assets = try assets(offset: offset, limit: Self.placeholdersAtOnce)
      let placeholders = try PHImageManager.default().placeholders(for: assets)
      for asset in assets { bytes.writeBytes(Self.averageColor(of: placeholders[asset.localIdentifier])) }
    }
    return StableBody(bytes, at: moment, type: .bytes)
  }

  private static let placeholdersAtOnce = 256

  private static func averageColor(of placeholder: Data?) -> [UInt8] {
    let pixels = placeholder?.dropFirst(2) ?? Data()
    guard pixels.count >= 3 else { return [128, 128, 128] }
    var sums = [0, 0, 0]
    for (index, byte) in pixels.enumerated() { sums[index % 3] += Int(byte) }
    return sums.map { UInt8($0 / (pixels.count / 3)) }
  }

  /// The places on a map: `"locations": [[latitude, longitude, count, "id"], …]`.
  func places() throws -> StableBody {
    let (revision, places) = try library.readConsistently { try found.result.places(limit: Self.largestPlaceCount) }
    var text = JSONText(capacity: 100 + places.count * 80)
    text.raw(#"{"revision":"#)
    text.string(revision)
    text.raw(#","locations":"#)
    text.array(places) { text, place in
      text.raw("[")
      text.number((place.latitude * 1e6).rounded() / 1e6)
      text.raw(",")
      text.number((place.longitude * 1e6).rounded() / 1e6)
      text.raw(",")
      text.number(place.count)
      text.raw(",")
      text.string(place.asset.uuid)
      text.raw("]")
    }
    text.raw("}")
    return StableBody(ByteBuffer(bytes: text.bytes), at: moment.at(revision), type: .json)
  }

  /// The largest number of places in an answer.
  private static let largestPlaceCount = 2000
}

/// The number of assets of one day, or of all if `day` is `nil`.
struct DayCount: Hashable, Sendable {
  /// The days since 1970.
  var day: Int?
  var count: Int
}

extension PHPhotoLibrary {
  /// Returns the result of `read` with the library's revision. Reads again if something was
  /// committed in between.
  func readConsistently<Value>(_ read: () throws -> Value) rethrows -> (revision: String, value: Value) {
    // An import commits a few times a second. If no attempt fits between two commits, the client
    // soon asks again anyway.
    let attempts = 4
    var revision = currentChangeToken.stringValue
    var value = try read()
    for _ in 1..<attempts {
      let revisionAfter = currentChangeToken.stringValue
      if revisionAfter == revision { break }
      revision = revisionAfter
      value = try read()
    }
    return (revision, value)
  }
}
