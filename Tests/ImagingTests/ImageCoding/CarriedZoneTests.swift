import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import Sandbox

/// Tests the metadata copied from photos that state no time zone, on a machine whose zone is not
/// UTC.
@Suite struct CarriedZoneTests {
  enum Place: CaseIterable { case worker, process }

  private let zone: TimeZone
  private let file: MediaFile
  private let metadata: MediaMetadata

  private static let exif = EXIFBuilder(
    original: "2020:06:01 12:00:00", originalSubseconds: "123456", digitized: "2020:06:01 12:00:01"
  ).bytes

  private static let xmp = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description exif:DateTimeOriginal="2020-06-01T12:00:00.123456"
    exif:DateTimeDigitized="2020-06-01T12:00:01" photoshop:DateCreated="2020-06-01T12:00:00" xmp:CreateDate="2020-06-01T12:00:01"/>
    </rdf:RDF></x:xmpmeta>
    """

  init() throws {
    zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
    let blocks = CarriedMetadata(exif: Self.exif, xmp: Array(Self.xmp.utf8))
    let data = try encode(Sample.quadrants(40, 30), as: "public.jpeg", quality: 90, carrying: blocks)
    file = try MediaFile(data: data, name: "clock.jpg")
    metadata = try MediaMetadata(of: file, machineTimeZone: zone)
    #expect(metadata.captureDate.summary == "2020-06-01T12:00:00+12:00 original machine")
  }

  private func carried(
    _ metadata: MediaMetadata, _ changes: MetadataChanges, in place: Place
  ) throws -> CarriedMetadata {
    func carry() throws -> CarriedMetadata {
      try CarriedMetadata(from: file, metadata: metadata, changes: changes, width: 24, height: 16)
    }
    switch place {
    case .worker:
      try #require(!WorkerPlace.pools.isEmpty, "calotype-worker was not found")
      return try carry()
    case .process: return try WorkerPool.$place.withValue(.inProcess) { try carry() }
    }
  }

  @Test(arguments: Place.allCases) func unchangedMetadataStaysByteForByte(place: Place) throws {
    let carried = try carried(metadata, [], in: place)
    #expect(carried.exif == EXIFRewriting.rewritten(Self.exif, width: 24, height: 16))
    #expect(carried.xmp == Array(Self.xmp.utf8))
  }

  /// The corrected date is the one that a machine in UTC would read in the file.
  @Test(arguments: Place.allCases) func aCorrectionByTheZonesOffsetIsWritten(place: Place) throws {
    var corrected = metadata
    corrected.captureDate.date += Double(metadata.captureDate.offset)
    corrected.captureDate.zoneSource = .file
    let carried = try carried(corrected, .date, in: place)
    let data = try encode(Sample.quadrants(24, 16), as: "public.jpeg", quality: 92, carrying: carried)
    let after = try MediaMetadata(of: MediaFile(data: data, name: "rendered"), machineTimeZone: zone)
    #expect(after.captureDate.summary == "2020-06-02T00:00:00+12:00 original file")
    #expect(carried.xmp.map { String(decoding: $0, as: UTF8.self).contains("2020-06-01") } == false)
  }

  @Test(arguments: Place.allCases) func `only the metadata named as changed is rewritten`(place: Place) throws {
    var moved = metadata
    moved.location = Location(latitude: -41.25, longitude: 174.75)
    #expect(try carried(moved, [], in: place).exif == carried(metadata, [], in: place).exif)
    let data = try encode(
      Sample.quadrants(24, 16), as: "public.jpeg", quality: 92, carrying: carried(moved, .location, in: place))
    let after = try MediaMetadata(of: MediaFile(data: data, name: "rendered"), machineTimeZone: .gmt)
    #expect(after.location == moved.location)
    #expect(data.firstRange(of: Data("2020:06:01 12:00:01".utf8)) != nil)
  }
}
