import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

@Suite struct StillTimeTests {
  /// A timed-metadata track that shows its sample after `wait` six-hundredths of a second.
  private func track(wait: Int?, key: String = "com.apple.quicktime.still-image-time") -> [UInt8] {
    let edits =
      wait.map {
        box(
          "edts",
          fullBox("elst", big(2, 4), big($0, 4), big(-1, 4), big(1 << 16, 4), big(1, 4), big(0, 4), big(1 << 16, 4)))
      } ?? []
    let description = fullBox("stsd", big(1, 4), box("mebx", big(0, 8), ascii(key)))
    return box(
      "trak", fullBox("tkhd", flags: 3, big(0, 80)), edits,
      box("mdia", fullBox("hdlr", big(0, 4), ascii("meta"), big(0, 13)), box("minf", box("stbl", description))))
  }

  @Test(arguments: [(300, 0.5), (0, 0.0), (600, 1.0), (601, nil)] as [(Int, Double?)])
  func theStillsInstantIsHowLongItsTrackWaits(_ wait: Int, _ seconds: Double?) throws {
    let metadata = try #require(readMetadata(of: SampleFiles.movie(moov: track(wait: wait))))
    #expect(metadata.stillTime == seconds)
  }

  @Test func aTrackWithoutAnEditListMarksTheBeginning() throws {
    #expect(try #require(readMetadata(of: SampleFiles.movie(moov: track(wait: nil)))).stillTime == 0)
  }

  @Test func `a track with another key gives no still time`() throws {
    let other = track(wait: 300, key: "com.apple.quicktime.video-orientation")
    #expect(try #require(readMetadata(of: SampleFiles.movie(moov: other))).stillTime == nil)
    #expect(try #require(readMetadata(of: SampleFiles.movie())).stillTime == nil)
  }

  @Test("No box is longer than its file", arguments: [UInt64.max, UInt64(Int64.max), 17])
  func longBox(_ length: UInt64) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("movie.mov")
    let long = big(1, 4) + ascii("mdat") + (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * (7 - $0))) }
    try Data(box("ftyp", ascii("qt  ")) + long).write(to: file)
    let error = #expect(throws: ImagingError.self) { try StillTimeTrack.add(0.5, toMovieAt: file.path) }
    #expect(error?.reason == "its index is not at its end")
  }
}
