import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

/// Tests files of real cameras. Skipped unless `CALOTYPE_CORPUS` is the path of a folder with such
/// files.
@Suite(.enabled(if: corpus != nil)) struct CorpusCarryingTests {
  private static let stills = Fact.all.filter {
    $0.type.hasPrefix("public.") && !$0.type.contains("mpeg") && !["public.avi", "public.3gpp"].contains($0.type)
  }

  @Test(arguments: stills, ["public.jpeg", "public.heic"])
  func `the facts of a real file survive in an edited picture`(_ fact: Fact, target: String) throws {
    let file = try MediaFile(path: "\(try #require(corpus))/\(fact.path)")
    let before = try MediaMetadata(of: file)
    let carried = try CarriedMetadata(from: file, metadata: before, width: 24, height: 16)
    let data = try encode(Sample.quadrants(24, 16), as: target, quality: 92, carrying: carried)
    let after = try MediaMetadata(of: MediaFile(data: data, name: fact.path))
    if before.captureDate.source != .file { #expect(after.captureDate.date == before.captureDate.date) }
    #expect(after.location?.latitude == before.location?.latitude)
    #expect(after.camera == before.camera)
    #expect([after.title, after.caption] == [before.title, before.caption])
    #expect(after.keywords == before.keywords && after.rating == before.rating)
    #expect(after.contentIdentifier == before.contentIdentifier)
    #expect(after.orientation == 1 && after.pixelWidth == 24 && after.pixelHeight == 16)
  }
}
