import Foundation
import Photos
import PhotosTesting
import Testing

@testable import Importing

@Suite struct CamcorderRecordingTests {
  /// A header with the date 26 July 2009, 14:05:42.5, and a duration of one second.
  private static let header: [UInt8] =
    Array("V6".utf8) + [0, 0, 1, 0x20, 0x07, 0xD9, 7, 26, 14, 5, 0xA6, 0x04, 0, 0, 3, 0xE8]

  @Test func theLocalTimeIsRead() throws {
    let recording = try #require(CamcorderRecording(Self.header))
    let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
    #expect(recording.date(in: zone) == Date(timeIntervalSince1970: 1_248_584_742.5))
  }

  @Test(
    "A value outside of the calendar or the clock is ignored",
    arguments: [(0, 0), (6, 0), (8, 13), (8, 0), (9, 32), (9, 0), (10, 24), (11, 60), (12, 0xFF)])
  func nonsense(_ place: Int, _ byte: UInt8) {
    var bytes = Self.header
    bytes[place] = byte
    #expect(CamcorderRecording(bytes) == nil)
  }

  @Test(arguments: 0..<14) func aFileThatEndsEarlyIsNoRecording(_ count: Int) {
    #expect(CamcorderRecording(Array(Self.header.prefix(count))) == nil)
  }

  @Test func aMovieTakesItsDateFromTheFileBesideIt() throws {
    let temporary = try TemporaryLibrary()
    let folder = temporary.folder.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (index, name) in ["MOV001.MOD", "MOV002.MOD"].enumerated() {
      try SampleMedia.oldMovie(.mpeg2, duration: Double(index + 1) / 5).write(to: folder.appendingPathComponent(name))
    }
    try Data(Self.header).write(to: folder.appendingPathComponent("MOV001.MOI"))
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    #expect(report.videos == 2)
    #expect(report.leftAlone.map(\.reason) == [.sidecar])
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let movies = PHAsset.fetchAssets(with: options)
    #expect(movies[0].creationDate == CamcorderRecording(Self.header)?.date(in: .current))
    #expect(try movies[0].details()?.dateSource == "container")
    #expect(try movies[0].details()?.timeZoneSource == "machine")
    #expect(try movies[1].details()?.dateSource == "file")
    #expect(try FolderImporter(library: temporary.library).importFiles(at: [folder.path]).alreadyThere == 2)
  }
}
