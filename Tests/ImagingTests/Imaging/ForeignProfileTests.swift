import Foundation
import Synchronization
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import Sandbox

/// The tests that parse profiles, or count them. A process has one count, so they run one after the
/// other.
@Suite(.serialized) enum ProfileParsingTests {}

extension ProfileParsingTests {
  /// Tests that a worker, not the calling process, parses the profile of a file.
  @Suite struct ForeignProfileTests {
    /// A Display P3 profile with another date, as other programs write it.
    private static let foreign: [UInt8] = (ColoredPicture.displayP3 ?? []).enumerated().map { $0 == 25 ? 200 : $1 }

    private static var parsedCount: Int { ColorProfile.parsedCount.load(ordering: .relaxed) }

    private let picture = ColoredPicture(
      pixels: PixelBuffer(width: 2, height: 1, channels: 3, bytes: [200, 100, 50, 255, 0, 0]), profile: foreign)

    @Test(arguments: [
      (nil as [UInt8]?, [215, 92, 31, 255, 0, 0] as [UInt8]), (ColoredPicture.displayP3, [200, 100, 50, 255, 0, 0]),
    ])
    func `colors are converted without a look at the profile`(target: [UInt8]?, bytes: [UInt8]) throws {
      let before = Self.parsedCount
      let converted = try picture.converted(to: target)
      #expect(Self.parsedCount == before)
      #expect(zip(converted.bytes, bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(converted.bytes)")
      let here = try WorkerPool.$place.withValue(.inProcess) { try picture.converted(to: target) }
      #expect(here == converted)
      #expect(Self.parsedCount == before + 1, "the count can't fail")
    }

    @Test func `a program's own profile is not parsed either`() throws {
      let before = Self.parsedCount
      let plain = ColoredPicture(pixels: picture.pixels)
      #expect(try plain.converted(to: Self.foreign) == plain.converted(to: ColoredPicture.displayP3))
      let error = #expect(throws: ImagingError.self) { try plain.converted(to: Array("no profile".utf8)) }
      #expect(error?.reason == "its colors can't be converted to the profile")
      #expect(Self.parsedCount == before)
    }

    @Test(arguments: ["public.jpeg", "public.png", "public.heic", "org.webmproject.webp"])
    func `a picture is decoded and written without a look at its profile`(type: String) throws {
      let before = Self.parsedCount
      let data = try encode(
        Sample.quadrants(64, 48), as: type, quality: 100, carrying: CarriedMetadata(profile: Self.foreign))
      let file = try EncodedPicture(data, named: "foreign")
      let own = try file.inOwnColors()
      #expect(own.profile == Self.foreign)
      #expect(try file.pixels() != own.pixels)
      _ = try makeRenditions(of: MediaFile(data: data, name: "foreign"), metadata: file.metadata, kinds: [.grid])
      #expect(Self.parsedCount == before)
    }
  }
}
