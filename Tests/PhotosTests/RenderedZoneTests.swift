import Foundation
import Imaging
import Photos
import PhotosTesting
import Testing

/// Tests rendered pictures of photos whose metadata states no time zone. Each test runs in a
/// process of its own, so that it can set the process's time zone.
@Suite struct RenderedZoneTests {
  private struct Machine {
    let fixture: EditingFixture
    let asset: PHAsset

    /// Imports a photo taken at 12:30:00.25 on 4 March 2019, on a machine whose zone is Tokyo's.
    init() throws {
      Self.move(to: "Asia/Tokyo")
      fixture = try EditingFixture()
      var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_702_600))
      metadata.subseconds = 250
      asset = try fixture.photo(metadata)
      #expect(asset.timeZoneOffset == 9 * 3600)
    }

    static func move(to zone: String) {
      setenv("TZ", zone, 1)
      NSTimeZone.resetSystemTimeZone()
      #expect(TimeZone.current.identifier == zone)
    }

    func rendered() throws -> (data: Data, date: CaptureDate) {
      let data = try fixture.refetched(asset).renderedImageData(as: .jpeg)
      return (data, try MediaMetadata(of: MediaFile(data: data, name: "rendered")).captureDate)
    }
  }

  @Test func theClocksTimeStaysAsTheCameraWroteIt() async {
    await #expect(processExitsWith: .success) {
      let (data, date) = try Machine().rendered()
      // The same time is written as the dates of the last change, of the capture and of the
      // digitization.
      #expect(data.count(of: "2019:03:04 12:30:00") == 3)
      #expect(date.zoneSource == .machine && date.offset == 9 * 3600)
    }
  }

  @Test func aMachineThatHasMovedWritesNoGuessDown() async {
    await #expect(processExitsWith: .success) {
      let machine = try Machine()
      Machine.move(to: "Europe/London")
      let (data, date) = try machine.rendered()
      #expect(data.count(of: "2019:03:04 12:30:00") == 3)
      #expect(data.count(of: "+09:00") == 0)
      #expect(date.zoneSource == .machine && date.offset == 0)
    }
  }

  @Test func aCorrectionByTheZonesOffsetIsWrittenWhereverTheMachineIs() async {
    await #expect(processExitsWith: .success) {
      let machine = try Machine()
      let corrected = Date(timeIntervalSince1970: 1_551_702_600.25)
      try machine.fixture.library.performChangesAndWait {
        PHAssetChangeRequest(for: machine.asset).creationDate = corrected
      }
      for zone in ["Asia/Tokyo", "Europe/London"] {
        Machine.move(to: zone)
        let date = try machine.rendered().date
        #expect(date.date == corrected && date.offset == 9 * 3600 && date.zoneSource == .file)
      }
    }
  }

  /// No metadata states a time zone for the date.
  @Test func theDateOfARenderWithoutOneIsTheOriginalsClock() async {
    await #expect(processExitsWith: .success) {
      let machine = try Machine()
      try await machine.fixture.edit(machine.asset, SampleMedia.jpeg(size: EditingFixture.square))
      Machine.move(to: "Europe/London")
      let (data, date) = try machine.rendered()
      #expect(data.count(of: "2019:03:04 12:30:00") == 1)
      #expect(date.source == .original && date.zoneSource == .machine && date.offset == 0)
    }
  }
}

extension Data {
  fileprivate func count(of text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let found = rest.firstRange(of: Data(text.utf8)) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
