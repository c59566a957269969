import Foundation
import Photos
import PhotosTesting
import Testing

@Suite struct DatePrecisionTests {
  private let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  /// Adds a photo whose date is only in its name. If `file` is given, the data come from this file,
  /// which has another name.
  private func add(
    named name: String = "IMG-20161224-WA0014.jpg", exif date: String? = nil, file: URL? = nil,
    changing change: @escaping (PHAssetCreationRequest) -> Void = { _ in }
  ) throws -> String {
    let captureDate = date.map { _ in Date(timeIntervalSince1970: 1_000_000_000) }
    var data = try SampleMedia.jpeg(
      size: PictureSize(width: 32, height: 24), metadata: SampleMetadata(captureDate: captureDate, offset: 0))
    while let date, let found = data.firstRange(of: Data("2001:09:09 01:46:40".utf8)) {
      data.replaceSubrange(found, with: Data(date.utf8))
    }
    nonisolated(unsafe) var identifier: String?
    try temporary.library.performChangesAndWait {
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = name
      let request = PHAssetCreationRequest.forAsset()
      if let file {
        request.addResource(with: .photo, fileURL: file, options: options)
      } else {
        request.addResource(with: .photo, data: data, options: options)
      }
      change(request)
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
    #expect(try clock(identifier) == [2016, 12, 24, 12, 0])
  }

  /// Returns the year, the month, the day, the hour and the minute on the clock of the place.
  private func clock(_ identifier: String) throws -> [Int?] {
    let asset = try asset(identifier)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: asset.timeZoneOffset))
    let date = try #require(asset.creationDate)
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    return [parts.year, parts.month, parts.day, parts.hour, parts.minute]
  }

  private func change(_ identifier: String, _ change: @escaping (PHAssetChangeRequest) -> Void) throws {
    let photo = try asset(identifier)
    try temporary.library.performChangesAndWait { change(PHAssetChangeRequest(for: photo)) }
  }

  @Test func `the name of a photo counts, not that of the file it is copied from`() throws {
    let data = try SampleMedia.jpeg(size: PictureSize(width: 32, height: 24), metadata: SampleMetadata())
    let file = temporary.folder.appending(path: "upload-20010203.tmp")
    try data.write(to: file)
    #expect(try clock(add(file: file)) == [2016, 12, 24, 12, 0])
  }

  @Test func `setting the shown noon makes the date exact`() throws {
    let identifier = try add()
    try change(identifier) { $0.creationDate = $0.creationDate }
    #expect(try date(identifier) == "person time")
    #expect(try clock(identifier) == [2016, 12, 24, 12, 0])
    #expect(try temporary.library.transactions(limit: 1).first?.actions.map { "\($0.kind)" } == ["dateChanged"])
  }

  @Test(arguments: [-11 * 3600, 0, 13 * 3600]) func `a day stays the same day in another zone`(offset: Int) throws {
    let identifier = try add()
    try change(identifier) { $0.timeZoneOffset = offset }
    #expect(try clock(identifier) == [2016, 12, 24, 12, 0])
    #expect(try date(identifier) == "name day")
  }

  @Test(arguments: [
    (3600.0, [2016, 12, 24, 12, 0]), (-86_400.0, [2016, 12, 23, 12, 0]), (3_456_060.0, [2017, 2, 2, 12, 0]),
  ])
  func `a day that moves stays a day`(seconds: Double, day: [Int]) throws {
    let identifier = try add()
    try change(identifier) { $0.moveCreationDate(by: seconds) }
    #expect(try clock(identifier) == day)
    #expect(try date(identifier) == (seconds == 3600 ? "name day" : "person day"))
  }

  @Test(arguments: [
    ("1993:00:00 00:00:00", -86_400.0, 1993, 1), ("1993:00:00 00:00:00", 31_536_000.0, 1994, 1),
    ("1993:00:00 00:00:00", -31_536_000.0, 1992, 1), ("1993:03:00 00:00:00", -86_400.0, 1993, 3),
    ("1993:03:00 00:00:00", 2_678_400.0, 1993, 4),
  ])
  func `a year and a month move from their middle`(date: String, seconds: Double, year: Int, month: Int) throws {
    let identifier = try add(exif: date)
    let precision = try asset(identifier).datePrecision
    try change(identifier) { $0.moveCreationDate(by: seconds) }
    #expect(try clock(identifier) == [year, month, 1, 12, 0])
    #expect(try asset(identifier).datePrecision == precision)
    #expect(precision != .time)
  }

  @Test(arguments: [
    ("1993:00:00 00:00:00", 31_536_000.0, [1994, 1, 1, 12, 0], PHAsset.DatePrecision.year),
    ("1993:00:00 00:00:00", -86_400.0, [1993, 1, 1, 12, 0], .year),
    ("1993:03:00 00:00:00", 2_678_400.0, [1993, 4, 1, 12, 0], .month),
    ("1993:03:04   :  :  ", -86_400.0, [1993, 3, 3, 12, 0], .day),
    ("1993:03:04 05:06:07", 3600.0, [1993, 3, 4, 6, 6], .time),
  ])
  func `a date moves as its photo is created`(
    date: String, seconds: Double, moved: [Int], precision: PHAsset.DatePrecision
  ) throws {
    let identifier = try add(exif: date) { $0.moveCreationDate(by: seconds) }
    #expect(try clock(identifier) == moved)
    #expect(try asset(identifier).datePrecision == precision)
  }

  @Test func `a photo whose date can't move so far is not created`() throws {
    for seconds in [1e300, .nan] {
      #expect(throws: PHPhotosError.self) { try add(exif: "1993:03:00 00:00:00") { $0.moveCreationDate(by: seconds) } }
    }
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    #expect(PHAsset.fetchAssets(with: options).count == 0)
  }

  @Test(arguments: ["1993:00:00 00:00:00", "1993:03:00 00:00:00", "1993:03:04   :  :  "])
  func `a clock that moves with its zone leaves a partial date`(date: String) throws {
    let identifier = try add(exif: date)
    let before = try clock(identifier)
    let offset = try asset(identifier).timeZoneOffset
    try change(identifier) {
      $0.moveCreationDate(by: -15 * 3600)
      $0.timeZoneOffset = offset + 15 * 3600
    }
    #expect(try clock(identifier) == before)
    #expect(try asset(identifier).timeZoneOffset == offset + 15 * 3600)
  }

  @Test(arguments: [1e300, -1e300, .nan, .infinity]) func `an impossible move is refused`(seconds: Double) throws {
    for name in ["IMG-20161224-WA0014.jpg", "20161224_101112.jpg"] {
      let identifier = try add(named: name)
      let before = try asset(identifier).creationDate
      #expect(throws: PHPhotosError.self) { try change(identifier) { $0.moveCreationDate(by: seconds) } }
      #expect(try asset(identifier).creationDate == before)
    }
  }

  @Test func `an exact date moves by seconds`() throws {
    let identifier = try add(named: "20161224_101112.jpg")
    try change(identifier) { $0.moveCreationDate(by: 61) }
    #expect(try clock(identifier) == [2016, 12, 24, 10, 12])
    #expect(try date(identifier) == "person time")
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
