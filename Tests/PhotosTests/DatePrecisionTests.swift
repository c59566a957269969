import Foundation
import Photos
import PhotosTesting
import Testing

@Suite struct DatePrecisionTests {
  private let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  /// Adds a photo whose date is only in its name.
  private func add() throws -> String {
    let data = try SampleMedia.jpeg(size: PictureSize(width: 32, height: 24), metadata: SampleMetadata())
    nonisolated(unsafe) var identifier: String?
    try temporary.library.performChangesAndWait {
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = "IMG-20161224-WA0014.jpg"
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: .photo, data: data, options: options)
      identifier = request.placeholderForCreatedAsset?.localIdentifier
    }
    return try #require(identifier)
  }

  private func asset(_ identifier: String) throws -> PHAsset {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    return try #require(PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: options).firstObject)
  }

  private func date(_ identifier: String) throws -> String {
    let asset = try asset(identifier)
    return "\(try asset.details()?.dateSource ?? "none") \(asset.datePrecision)"
  }

  @Test func `a date in a name is that day's noon, and is said to be the name's`() throws {
    let identifier = try add()
    #expect(try date(identifier) == "name day")
    let created = try #require(try asset(identifier).creationDate)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: created)
    #expect([parts.year, parts.month, parts.day, parts.hour, parts.minute] == [2016, 12, 24, 12, 0])
  }

  @Test func `a date in a name is not written into a sidecar`() throws {
    let packet = try asset(add()).xmpSidecar()
    #expect(!String(decoding: packet, as: UTF8.self).contains("2016"))
  }

  @Test func `the date that a person sets has a time, and an undo takes it back`() async throws {
    let identifier = try add()
    let photo = try asset(identifier)
    try temporary.library.performChangesAndWait {
      PHAssetChangeRequest(for: photo).creationDate = Date(timeIntervalSince1970: 1_000_000_000)
    }
    #expect(try date(identifier) == "person time")
    #expect(try temporary.library.transactions(limit: 1).first?.actions.map { "\($0.kind)" } == ["dateChanged"])
    try await temporary.library.undo()
    #expect(try date(identifier) == "name day")
  }
}
