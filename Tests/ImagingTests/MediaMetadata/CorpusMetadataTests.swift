import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

/// Tests files of real cameras and programs, which are too many and too large for this repository.
/// Skipped unless `CALOTYPE_CORPUS` is the path of a folder with such files.
@Suite(.enabled(if: corpus != nil)) struct CorpusMetadataTests {
  @Test(arguments: Fact.all) func aRealFileIsRead(_ fact: Fact) throws {
    let path = "\(try #require(corpus))/\(fact.path)"
    let zone = try #require(TimeZone(identifier: "America/Anchorage"))
    let metadata = try MediaMetadata(of: MediaFile(path: path), machineTimeZone: zone)
    #expect(metadata.type.uniformTypeIdentifier == fact.type)
    #expect("\(metadata.pixelWidth)x\(metadata.pixelHeight) \(metadata.orientation)" == fact.size)
    #expect(abs(metadata.duration - fact.duration) < 0.001)
    #expect(metadata.captureDate.source == .file ? fact.date == "" : metadata.captureDate.preciseSummary == fact.date)
    let position = metadata.location.map { String(format: "%.4f %.4f", $0.latitude, $0.longitude) } ?? ""
    #expect(position == fact.position)
    #expect(metadata.subtypes.rawValue == fact.subtypes)
    #expect(
      [metadata.contentIdentifier, metadata.burstIdentifier].compactMap(\.self).joined(separator: " ")
        == fact.identifiers)
  }

  @Test(arguments: [
    "apple-edited/wedding.AAE", "xmp/2000.xmp", "corrupt/zero_bytes.mov", "corrupt/fuzz_github_20.heic",
  ])
  func aFileThatIsNoMediumHasNoType(_ path: String) throws {
    #expect(try MediaType.detect(in: MediaFile(path: "\(try #require(corpus))/\(path)")) == nil)
  }
}

extension CaptureDate {
  fileprivate var preciseSummary: String {
    let formatter = ISO8601DateFormatter()
    formatter.timeZone = TimeZone(secondsFromGMT: offset)
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return "\(formatter.string(from: date)) \(source) \(zoneSource)"
  }
}
