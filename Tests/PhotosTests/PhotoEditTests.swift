import CoreImage
import Foundation
import Imaging
import Photos
import Testing

/// Tests the serialization of edits, and the pictures that edits produce.
@Suite struct PhotoEditTests {
  private func json(_ edit: PhotoEdit) -> String { String(decoding: edit.adjustmentData.data, as: UTF8.self) }

  private func data(_ text: String, version: String = "1", identifier: String = "org.calotype.edit") -> PHAdjustmentData
  {
    PHAdjustmentData(formatIdentifier: identifier, formatVersion: version, data: Data(text.utf8))
  }

  private static var everything: PhotoEdit {
    var edit = PhotoEdit()
    edit.filter = .noir
    edit.crop = .init(x: 0, y: 0.25, width: 1, height: 0.5)
    (edit.straighten, edit.exposure, edit.contrast, edit.saturation, edit.warmth) = (2.5, -0.5, 0.1, 0.2, -0.3)
    edit.flip(.horizontal)
    edit.turn(byQuarters: 1)
    return edit
  }

  @Test func anEditIsJSONAndComesBackFromIt() throws {
    #expect(json(PhotoEdit()) == "{}")
    let edit = Self.everything
    #expect(
      json(edit)
        == #"{"contrast":0.1,"crop":{"height":1,"width":0.5,"x":0.25,"y":0},"exposure":-0.5,"filter":"noir","mirror":true,"#
        + #""rotate":90,"saturation":0.2,"straighten":-2.5,"warmth":-0.3}"#)
    #expect(edit.adjustmentData.formatIdentifier == "org.calotype.edit")
    #expect(edit.adjustmentData.formatVersion == "1")
    #expect(try PhotoEdit(edit.adjustmentData) == edit)
  }

  @Test(
    "A written edit can be read",
    arguments: [
      (1.0, 0.0, 0.5, 1.0), (0.5, 0.5, 0, 0), (0.5, 0.5, -0.25, 1), (-3, -3, 1, 1), (0.25, 0.25, 9, 9),
      (0, 1e-12, 1, 1),
    ])
  func comesBack(_ x: Double, _ y: Double, _ width: Double, _ height: Double) throws {
    var edit = PhotoEdit()
    edit.crop = .init(x: x, y: y, width: width, height: height)
    #expect(try PhotoEdit(edit.adjustmentData).adjustmentData.data == edit.adjustmentData.data)
    let size = edit.size(ofPictureOf: CGSize(width: 64, height: 48))
    #expect(size.width >= 1 && size.height >= 1)
  }

  @Test(
    "An unknown or wrong value is refused with its name",
    arguments: [
      (#"{"blur":1}"#, "blur: unknown step in version 1"), (#"{"filter":"blue"}"#, "filter: "),
      (#"{"rotate":45}"#, "rotate: 45 is none of 0, 90, 180, 270"),
      (#"{"exposure":9}"#, "exposure: 9.0 is not within -5.0 and 5.0"),
      (#"{"crop":{"x":0.5,"y":0,"width":0.6,"height":1}}"#, "crop: it is not inside the picture"),
      (#"{"crop":{"x":0}}"#, "crop: "), ("[]", ""), ("", ""),
    ])
  func refused(_ text: String, _ reason: String) {
    let error = #expect(throws: PHPhotosError.self) { try PhotoEdit(data(text)) }
    #expect(error?.code == .invalidResource)
    #expect(error?.localizedDescription.hasPrefix("org.calotype.edit: " + reason) == true)
  }

  @Test func anotherProgramsEditAndALaterVersionsAreRefused() {
    for data in [data("{}", version: "2"), data("{}", identifier: "com.example.filters")] {
      let error = #expect(throws: PHPhotosError.self) { try PhotoEdit(data) }
      #expect(error?.localizedDescription.hasSuffix("only org.calotype.edit 1 is supported") == true)
    }
  }

  @Test func anEditIsDescribedForAPerson() {
    #expect(PhotoEdit().description == "no edits")
    #expect(
      Self.everything.description
        == "noir, cropped, straightened by -2.5°, mirrored, turned by 90°, exposure -0.5, contrast +0.1, saturation +0.2, "
        + "warmth -0.3")
  }

  @Test func numbersOutsideOfTheirRangesAreTakenToTheNearest() throws {
    var edit = PhotoEdit()
    (edit.exposure, edit.contrast, edit.warmth, edit.straighten) = (99, -2, .nan, -.infinity)
    edit.crop = .init(x: -1, y: 0, width: 3, height: 1)
    #expect(json(edit) == #"{"contrast":-1,"exposure":5,"straighten":-45}"#)
  }

  @Test func oppositeStepsChangeNothing() {
    var edit = PhotoEdit()
    edit.turn(byQuarters: 1)
    #expect(edit.isTurnOnly && !edit.isIdentity)
    edit.turn(byQuarters: -1)
    edit.flip(.vertical)
    edit.flip(.horizontal)
    edit.turn(byQuarters: 6)
    edit.crop = .init(x: 0, y: 0, width: 1, height: 1)
    #expect(edit.isIdentity)
    edit.filter = .mono
    #expect(!edit.isTurnOnly && !edit.isIdentity)
  }

  // MARK: Pictures

  /// A picture in which each pixel is unique: red encodes the column, green the row.
  private static let picture: CIImage = {
    var bytes: [UInt8] = []
    for row in 0..<24 { for column in 0..<40 { bytes += [UInt8(column * 5), UInt8(row * 8), 100] } }
    return CIImage(pixels: PixelBuffer(width: 40, height: 24, channels: 3, bytes: bytes))
  }()

  private func pixels(_ edit: PhotoEdit) throws -> PixelBuffer {
    let image = edit.applied(to: Self.picture)
    #expect(image.extent.origin == .zero)
    #expect(image.extent.size == edit.size(ofPictureOf: Self.picture.extent.size))
    return try #require(image.pixels())
  }

  private func place(_ pixels: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
    let start = (y * pixels.width + x) * pixels.channels
    return [Int(pixels.bytes[start]) / 5, Int(pixels.bytes[start + 1]) / 8]
  }

  @Test func aCropCountsFromTheUpperLeft() throws {
    var edit = PhotoEdit()
    edit.crop = .init(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    let found = try pixels(edit)
    #expect(([found.width, found.height] as [Int]) == [20, 6])
    #expect(place(found, 0, 0) == [10, 12])
    #expect(place(found, 19, 5) == [29, 17])
  }

  @Test func theSmallestCropIsAPixel() throws {
    var edit = PhotoEdit()
    edit.crop = .init(x: 1, y: 1, width: 1e-9, height: 1e-9)
    let found = try pixels(edit)
    #expect(([found.width, found.height] as [Int]) == [1, 1])
    #expect(place(found, 0, 0) == [39, 23])
  }

  /// After any previous edit, a turn or a flip turns or mirrors the picture that is shown.
  @Test("The crop and the straightening turn with the picture", arguments: 0..<8)
  func turned(_ start: Int) throws {
    var edit = PhotoEdit()
    edit.filter = .chrome
    edit.straighten = start == 0 ? 0 : 4
    edit.crop = .init(x: 0.1, y: 0.25, width: 0.5, height: 0.5)
    if start >= 4 { edit.flip(.vertical) }
    edit.turn(byQuarters: start % 4)
    let seen = try pixels(edit)
    for (orientation, change) in [
      (6, { (edit: inout PhotoEdit) in edit.turn(byQuarters: 1) }), (3, { $0.turn(byQuarters: 2) }),
      (8, { $0.turn(byQuarters: 3) }), (2, { $0.flip(.horizontal) }), (4, { $0.flip(.vertical) }),
    ] {
      var next = edit
      change(&next)
      let (found, expected) = (try pixels(next), seen.oriented(orientation))
      #expect(([found.width, found.height] as [Int]) == [expected.width, expected.height])
      let worst = zip(found.bytes, expected.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
      #expect(worst <= (start == 0 ? 0 : 6), "orientation \(orientation)")
    }
  }

  @Test("Straightening turns clockwise and leaves no corner empty", arguments: [-45.0, -3, 3, 45])
  func straightened(_ degrees: Double) throws {
    var edit = PhotoEdit()
    edit.straighten = degrees
    let found = try pixels(edit)
    #expect(([found.width, found.height, found.channels] as [Int]) == [40, 24, 3])
    // Blue is the same everywhere, so a difference would be an empty corner.
    #expect((0..<40 * 24).allSatisfy { abs(Int(found.bytes[$0 * 3 + 2]) - 100) <= 1 })
    // A clockwise turn moves the upper edge to the right and down.
    let (left, right) = (place(found, 0, 12)[1], place(found, 39, 12)[1])
    #expect(degrees > 0 ? left > right : left < right)
  }

  @Test func lightAndColorsGoTheWayThatTheirNamesSay() throws {
    func middle(_ change: (inout PhotoEdit) -> Void) throws -> [Int] {
      var edit = PhotoEdit()
      change(&edit)
      let found = try pixels(edit)
      return (0..<3).map { Int(found.bytes[(12 * 40 + 20) * 3 + $0]) }
    }
    let plain = try middle { _ in }
    #expect(plain == [100, 96, 100])
    #expect(try middle { $0.exposure = 1 }.allSatisfy { $0 > 130 })
    #expect(try middle { $0.exposure = -1 }.allSatisfy { $0 < 80 })
    let (warm, cold) = (try middle { $0.warmth = 1 }, try middle { $0.warmth = -1 })
    #expect(warm[0] > warm[2] + 20 && cold[2] > cold[0] + 20)
    let grey = try middle { $0.saturation = -1 }
    #expect(grey[0] == grey[1] && grey[1] == grey[2])
    #expect(try middle { $0.contrast = 1 }.allSatisfy { $0 < 90 })
    #expect(try middle { $0.contrast = -1 }.allSatisfy { $0 > 105 })
  }

  @Test("A filter is Core Image's", arguments: PhotoEdit.Filter.allCases)
  func filter(_ filter: PhotoEdit.Filter) throws {
    var edit = PhotoEdit()
    edit.filter = filter
    #expect(CIFilter(name: filter.coreImageName) != nil)
    #expect(try pixels(edit) == Self.picture.applyingFilter(filter.coreImageName).pixels())
    #expect(try pixels(edit) != Self.picture.pixels())
  }
}
