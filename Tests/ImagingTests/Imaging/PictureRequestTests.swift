import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct PictureRequestTests {
  private static let picture = PixelSize(width: 4000, height: 3000)
  private static let leftHalf = UnitRect(x: 0, y: 0, width: 0.5, height: 1) ?? .whole

  private struct Case: CustomTestStringConvertible {
    var request: PictureRequest
    var source: (Int, Int)
    var result: (Int, Int)?
    var cut: (x: Double, y: Double, width: Double, height: Double)
    var testDescription: String { "\(request)" }
  }

  private static func exact(_ size: PictureRequest.Size, _ part: UnitRect = .whole) -> PictureRequest {
    PictureRequest(size, part: part, isExact: true)
  }

  @Test(arguments: [
    Case(request: .init(.whole), source: (4000, 3000), result: nil, cut: (0, 0, 1, 1)),
    Case(request: .init(.fitting(width: 400, height: 400)), source: (400, 300), result: nil, cut: (0, 0, 1, 1)),
    Case(request: .init(.filling(width: 300, height: 300)), source: (400, 300), result: nil, cut: (0, 0, 1, 1)),
    // A picture is enlarged only if the request asks for it.
    Case(request: .init(.fitting(width: 9000, height: 9000)), source: (4000, 3000), result: nil, cut: (0, 0, 1, 1)),
    Case(
      request: exact(.fitting(width: 8000, height: 8000)), source: (4000, 3000), result: (8000, 6000),
      cut: (0, 0, 1, 1)),
    Case(
      request: exact(.filling(width: 300, height: 300)), source: (400, 300), result: (300, 300),
      cut: (0.125, 0, 0.75, 1)),
    Case(
      request: exact(.fitting(width: 300, height: 300)), source: (300, 225), result: (300, 225), cut: (0, 0, 1, 1)),
    // If a request names a part of the picture, the size refers to that part.
    Case(request: exact(.whole, leftHalf), source: (4000, 3000), result: (2000, 3000), cut: (0, 0, 0.5, 1)),
    Case(
      request: exact(.fitting(width: 300, height: 300), leftHalf), source: (400, 300), result: (200, 300),
      cut: (0, 0, 0.5, 1)),
    Case(
      request: exact(.filling(width: 200, height: 200), leftHalf), source: (400, 300), result: (200, 200),
      cut: (0, 1 / 6, 0.5, 2 / 3)),
  ])
  private func `a request becomes this plan`(_ test: Case) {
    let plan = test.request.plan(for: Self.picture)
    #expect(plan.source == PixelSize(width: test.source.0, height: test.source.1))
    #expect(plan.result == test.result.map { PixelSize(width: $0.0, height: $0.1) })
    for (found, wanted) in [
      (plan.cut.x, test.cut.x), (plan.cut.y, test.cut.y), (plan.cut.width, test.cut.width),
      (plan.cut.height, test.cut.height),
    ] { #expect(abs(found - wanted) < 1e-9) }
  }

  @Test(arguments: [
    ((0.0, 0.0, 0.0, 0.0), nil), ((2.0, 0.0, 1.0, 1.0), nil), ((.nan, 0.0, 1.0, 1.0), nil),
    ((-1.0, -1.0, 3.0, 1.5), (0.0, 0.0, 1.0, 0.5)),
  ])
  func aPartLiesInsideOfThePicture(
    _ given: (Double, Double, Double, Double), _ found: (Double, Double, Double, Double)?
  ) {
    let rect = UnitRect(x: given.0, y: given.1, width: given.2, height: given.3)
    #expect(rect == found.flatMap { UnitRect(x: $0.0, y: $0.1, width: $0.2, height: $0.3) })
    #expect((rect == nil) == (found == nil))
  }

  @Test(arguments: 1...8)
  func aSmallPictureIsUprightInAllOrientations(_ orientation: Int) throws {
    // The quarters are red, green, blue and white, from the upper left.
    let upright = Sample.quadrants(640, 480)
    let stored = upright.oriented(orientation == 6 ? 8 : orientation == 8 ? 6 : orientation)
    var metadata = Sample.metadata("public.jpeg")
    (metadata.pixelWidth, metadata.pixelHeight, metadata.orientation) = (640, 480, orientation)
    let file = try TemporaryFolder().file(encode(stored, as: "public.jpeg", quality: 95))
    let made = try makePicture(
      of: file, metadata: metadata, PictureRequest(.fitting(width: 160, height: 160), isExact: true))
    #expect((made.width, made.height) == (160, 120))
    #expect(made.largestDifference(from: upright.resized(to: PixelSize(width: 160, height: 120)), inside: 8) <= 12)
  }

  @Test(arguments: [
    PictureRequest.Size.whole, .fitting(width: 200, height: 200), .filling(width: 200, height: 200),
    .fitting(width: .max, height: 1),
  ])
  func aPictureOfUnknownOrImpossibleSizeIsNoTrap(_ size: PictureRequest.Size) {
    for side in [0, 1, 1 << 30] {
      let picture = PixelSize(width: side, height: side)
      for isExact in [false, true] {
        let request = PictureRequest(
          size, part: UnitRect(x: 0, y: 0, width: 1e-300, height: 1e-300) ?? .whole, isExact: isExact)
        #expect(request.sourceSize(of: picture).width <= max(1, side))
        #expect((1...DecodingLimits.standard.pixels * 9 / 4).contains(request.largestPixelCount(of: picture)))
      }
    }
  }

  @Test(arguments: [PictureRequest.Size.whole, .fitting(width: 10, height: 10), .filling(width: 10, height: 10)])
  func aPartWithoutAPixelIsNoTrap(_ size: PictureRequest.Size) throws {
    let part = try #require(UnitRect(x: 0, y: 0, width: .leastNonzeroMagnitude, height: .leastNonzeroMagnitude))
    let plan = PictureRequest(size, part: part, isExact: true).plan(for: PixelSize(width: 400, height: 300))
    let side = size == .whole ? 1 : 10
    #expect(plan.result == PixelSize(width: side, height: side))
  }

  @Test func anEnormousPictureIsRefused() throws {
    let file = try TemporaryFolder().file(encode(Sample.quadrants(64, 48), as: "public.jpeg", quality: 90))
    var metadata = Sample.metadata("public.jpeg")
    (metadata.pixelWidth, metadata.pixelHeight) = (64, 48)
    #expect {
      _ = try makePicture(
        of: file, metadata: metadata, Self.exact(.fitting(width: 1_000_000, height: 1_000_000)))
    } throws: { ($0 as? ImagingError)?.code == .tooLarge }
  }
}

extension PixelBuffer {
  /// Returns the largest difference in any channel, without the pixels that are less than `inside`
  /// pixels from a border of the quarters.
  fileprivate func largestDifference(from other: PixelBuffer, inside: Int) -> Int {
    var largest = 0
    for y in stride(from: inside, to: height - inside, by: 1) where abs(y - height / 2) > inside {
      for x in stride(from: inside, to: width - inside, by: 1) where abs(x - width / 2) > inside {
        for channel in 0..<3 {
          let index = (y * width + x) * 3 + channel
          largest = max(largest, abs(Int(bytes[index]) - Int(other.bytes[index])))
        }
      }
    }
    return largest
  }
}
