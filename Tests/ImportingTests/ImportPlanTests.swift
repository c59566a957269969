import Foundation
import Testing

@testable import Importing
@testable import Photos

@Suite struct ImportPlanTests {
  /// Describes a file by its path and the metadata that matters to the plan.
  private static func still(_ path: String, id: String? = nil, shot: String? = nil, at seconds: Double = 0)
    -> InspectedFile
  {
    file(path, .image, id: id, shot: shot, at: seconds)
  }

  private static func raw(_ path: String, shot: String?) -> InspectedFile {
    file(path, .image, isRaw: true, shot: shot)
  }

  private static func movie(_ path: String, id: String? = nil, at seconds: Double = 0, lasts duration: Double = 3)
    -> InspectedFile
  { file(path, .video, id: id, at: seconds, lasts: duration) }

  private static func file(
    _ path: String, _ type: PHAssetMediaType, isRaw: Bool = false, id: String? = nil, shot: String? = nil,
    at seconds: Double = 0, isExact: Bool = true, isLive: Bool = false, lasts duration: Double = 0
  ) -> InspectedFile {
    InspectedFile(
      file: FoundFile(
        path: SourcePath(path), byteCount: 1, identity: .init(device: 1, number: UInt64(path.utf8.count))),
      inspection: FileInspection(
        mediaType: type, mediaSubtypes: isLive ? .photoLive : [], uniformTypeIdentifier: "public.data", isRaw: isRaw,
        creationDate: Date(timeIntervalSince1970: seconds), hasCaptureTime: isExact, duration: duration,
        contentIdentifier: id,
        shot: shot.map { Shot(filename: $0, model: "Model", date: Date(timeIntervalSince1970: 0)) }))
  }

  /// Returns a file whose clock showed this many seconds after 1970, in a zone of this offset.
  private static func clock(
    _ path: String, _ type: PHAssetMediaType, at seconds: Double, offset: Double = 0, isGuessed: Bool
  ) -> InspectedFile {
    var file = file(path, type, at: seconds - offset, lasts: type == .video ? 3 : 0)
    file.inspection.localDate = Date(timeIntervalSince1970: seconds)
    file.inspection.isZoneGuessed = isGuessed
    return file
  }

  /// Returns a movie that states its time in UTC, and no zone.
  private static func instant(_ path: String, at seconds: Double) -> InspectedFile {
    var file = movie(path, at: seconds)
    file.inspection.isInstantOnly = true
    return file
  }

  /// A still that was taken long after the movies, and contains a movie of its own.
  private static func motion(_ path: String) -> InspectedFile { file(path, .image, at: 999, isLive: true) }

  @Test func `an asset has a size if its files are larger than a number can hold`() {
    var asset = PlannedAsset(photo: Self.still("/a.heic"), movie: Self.movie("/a.mov"))
    asset.photo?.file.byteCount = .max
    #expect(asset.byteCount == .max)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var files: [InspectedFile]
    var assets: [String]
  }

  static let cases: [Case] = [
    Case(
      testDescription: "the same content identifier pairs across folders and names",
      files: [still("/a/1.HEIC", id: "X"), movie("/b/2.MOV", id: "X", at: 9999, lasts: 60)],
      assets: ["photo /a/1.HEIC + pairedVideo /b/2.MOV"]),
    Case(
      testDescription: "different content identifiers never pair, whatever their names",
      files: [still("/a/1.HEIC", id: "X"), movie("/a/1.MOV", id: "Y")],
      assets: ["photo /a/1.HEIC", "video /a/1.MOV"]),
    Case(
      testDescription: "of two stills with one identifier the one of the movie's name gets it",
      files: [still("/a/0.JPG", id: "X"), still("/a/1.HEIC", id: "X"), movie("/a/1.MOV", id: "X")],
      assets: ["photo /a/0.JPG", "photo /a/1.HEIC + pairedVideo /a/1.MOV"]),
    Case(
      testDescription: "without identifiers the same name, a short movie and the same moment pair",
      files: [still("/a/IMG_1.jpg", at: 10), movie("/a/img_1.mov", at: 13, lasts: 4)],
      assets: ["photo /a/IMG_1.jpg + pairedVideo /a/img_1.mov"]),
    Case(
      testDescription: "if the zone of one half is a guess, the same clock is the same moment",
      files: [
        clock("/a/1.jpg", .image, at: 10, isGuessed: true),
        clock("/a/1.mov", .video, at: 12, offset: 32_400, isGuessed: false),
        clock("/a/2.jpg", .image, at: 10, offset: 32_400, isGuessed: false),
        clock("/a/2.mov", .video, at: 12, isGuessed: true),
      ],
      assets: ["photo /a/1.jpg + pairedVideo /a/1.mov", "photo /a/2.jpg + pairedVideo /a/2.mov"]),
    Case(
      testDescription: "another clock, and the same clock in two known zones, are no same moment",
      files: [
        clock("/a/1.jpg", .image, at: 10, isGuessed: true),
        clock("/a/1.mov", .video, at: 14, offset: 32_400, isGuessed: false),
        clock("/a/2.jpg", .image, at: 10, isGuessed: false),
        clock("/a/2.mov", .video, at: 12, offset: 32_400, isGuessed: false),
        still("/a/3.jpg", at: 10), clock("/a/3.mov", .video, at: 12, offset: 32_400, isGuessed: true),
      ],
      assets: [
        "photo /a/1.jpg", "video /a/1.mov", "photo /a/2.jpg", "video /a/2.mov", "photo /a/3.jpg", "video /a/3.mov",
      ]),
    Case(
      testDescription: "a movie in UTC pairs with a still whose clock fits any zone",
      files: [
        clock("/a/1.jpg", .image, at: 100_000, offset: 7200, isGuessed: true), instant("/a/1.mov", at: 67_602),
        clock("/a/2.jpg", .image, at: 100_000, offset: 7200, isGuessed: true), instant("/a/2.mov", at: 119_800),
        clock("/a/3.jpg", .image, at: 100_000, offset: 7200, isGuessed: true), instant("/a/3.mov", at: 49_600),
        clock("/a/4.jpg", .image, at: 100_000, offset: 7200, isGuessed: true), instant("/a/4.mov", at: 143_200),
      ],
      assets: [
        "photo /a/1.jpg + pairedVideo /a/1.mov", "photo /a/2.jpg + pairedVideo /a/2.mov",
        "photo /a/3.jpg + pairedVideo /a/3.mov", "photo /a/4.jpg + pairedVideo /a/4.mov",
      ]),
    Case(
      testDescription: "a movie in UTC needs a still without a zone, and a difference that a zone can have",
      files: [
        clock("/a/1.jpg", .image, at: 100_000, offset: 7200, isGuessed: true), instant("/a/1.mov", at: 67_604),
        clock("/a/2.jpg", .image, at: 100_000, offset: 7200, isGuessed: true), instant("/a/2.mov", at: 48_700),
        clock("/a/3.jpg", .image, at: 100_000, offset: 7200, isGuessed: true), instant("/a/3.mov", at: 144_100),
        clock("/a/4.jpg", .image, at: 100_000, offset: 7200, isGuessed: false), instant("/a/4.mov", at: 67_600),
      ],
      assets: [
        "photo /a/1.jpg", "video /a/1.mov", "photo /a/2.jpg", "video /a/2.mov", "photo /a/3.jpg", "video /a/3.mov",
        "photo /a/4.jpg", "video /a/4.mov",
      ]),
    Case(
      testDescription: "the noon of one day is not the same moment",
      files: [
        file("/a/IMG_1.jpg", .image, isExact: false), file("/a/IMG_1.mov", .video, isExact: false, lasts: 4),
      ],
      assets: ["photo /a/IMG_1.jpg", "video /a/IMG_1.mov"]),
    Case(
      testDescription: "a movie longer than 4 s stays a video",
      files: [still("/a/1.jpg"), movie("/a/1.mov", lasts: 4.01)], assets: ["photo /a/1.jpg", "video /a/1.mov"]),
    Case(
      testDescription: "a recording of unknown length stays a video",
      files: [still("/a/1.jpg"), movie("/a/1.mov", lasts: 0), motion("/a/2.MP.jpg"), movie("/a/2.MP", lasts: 0)],
      assets: ["photo /a/1.jpg", "video /a/1.mov", "photo /a/2.MP.jpg", "video /a/2.MP"]),
    Case(
      testDescription: "a movie of more than 3 s away stays a video",
      files: [still("/a/1.jpg", at: 10), movie("/a/1.mov", at: 13.01)], assets: ["photo /a/1.jpg", "video /a/1.mov"]),
    Case(
      testDescription: "without identifiers another folder does not pair",
      files: [still("/a/1.jpg"), movie("/b/1.mov")], assets: ["photo /a/1.jpg", "video /b/1.mov"]),
    Case(
      testDescription: "if one half has lost its identifier, name and moment pair",
      files: [
        still("/a/1.jpg", id: "X"), movie("/a/1.mov"), still("/a/2.jpg"), movie("/a/2.mov", id: "Y"),
        still("/a/3.jpg", id: "Z"), movie("/a/3.mov", at: 9),
      ],
      assets: [
        "photo /a/1.jpg + pairedVideo /a/1.mov", "photo /a/2.jpg + pairedVideo /a/2.mov", "photo /a/3.jpg",
        "video /a/3.mov",
      ]),
    Case(
      testDescription: "an identifier counts before a name",
      files: [still("/a/1.jpg"), still("/b/2.jpg", id: "X"), movie("/a/1.mov", id: "X")],
      assets: ["photo /a/1.jpg", "photo /b/2.jpg + pairedVideo /a/1.mov"]),
    Case(
      testDescription: "Takeout's second copy of a motion photo's movie belongs to its photo",
      files: [
        motion("/a/PXL_1.MP.jpg"), movie("/a/PXL_1.MP", lasts: 10), motion("/a/PXL_2.jpg"), movie("/a/PXL_2.MV"),
        motion("/a/PXL_3.MP~2.jpg"), movie("/a/PXL_3.MP~2"), motion("/a/MVIMG_4.jpg"), movie("/a/MVIMG_4"),
      ],
      assets: [
        "photo /a/PXL_1.MP.jpg + pairedVideo /a/PXL_1.MP", "photo /a/PXL_2.jpg + pairedVideo /a/PXL_2.MV",
        "photo /a/PXL_3.MP~2.jpg + pairedVideo /a/PXL_3.MP~2", "photo /a/MVIMG_4.jpg + pairedVideo /a/MVIMG_4",
      ]),
    Case(
      testDescription: "Takeout's number of a second movie is before the last dot",
      files: [
        motion("/a/PXL_1.MP.jpg"), movie("/a/PXL_1.MP"), motion("/a/PXL_1.MP(1).jpg"), movie("/a/PXL_1(1).MP"),
        motion("/a/PXL_2(1).MP.jpg"), movie("/a/PXL_2(1).MP"), motion("/a/3.MOV(1).jpg"), movie("/a/3(1).MOV"),
        motion("/a/4.MP(x).jpg"), movie("/a/4(x).MP"),
      ],
      assets: [
        "photo /a/PXL_1.MP.jpg + pairedVideo /a/PXL_1.MP", "photo /a/PXL_1.MP(1).jpg + pairedVideo /a/PXL_1(1).MP",
        "photo /a/PXL_2(1).MP.jpg + pairedVideo /a/PXL_2(1).MP", "photo /a/3.MOV(1).jpg", "video /a/3(1).MOV",
        "photo /a/4.MP(x).jpg", "video /a/4(x).MP",
      ]),
    Case(
      testDescription: "a photo that lost the movie inside it gets Takeout's copy of the same moment",
      files: [
        still("/a/1.MP.jpg"), movie("/a/1.MP"), still("/a/2.MP.jpg", at: 99), movie("/a/2.MP"),
        still("/a/3.MP(1).jpg"), movie("/a/3(1).MP"),
      ],
      assets: [
        "photo /a/1.MP.jpg + pairedVideo /a/1.MP", "photo /a/2.MP.jpg", "video /a/2.MP",
        "photo /a/3.MP(1).jpg + pairedVideo /a/3(1).MP",
      ]),
    Case(
      testDescription: "a longer movie, or one of a photo without a movie inside, stays a video",
      files: [
        motion("/a/1.MP.jpg"), movie("/a/1.MP", lasts: 11), still("/a/2.jpg", at: 99), movie("/a/2.MP"),
        still("/a/3.MOV.jpg"), movie("/a/3.MOV"), motion("/a/4.jpg"), movie("/a/4.MOV"),
      ],
      assets: [
        "photo /a/1.MP.jpg", "video /a/1.MP", "photo /a/2.jpg", "video /a/2.MP", "photo /a/3.MOV.jpg",
        "video /a/3.MOV", "photo /a/4.jpg", "video /a/4.MOV",
      ]),
    Case(
      testDescription: "a still whose true movie is there takes no other one of its name",
      files: [
        still("/a/1.HEIC", id: "X"), movie("/a/1.MOV", id: "X"), still("/b/1.HEIC", id: "X"), movie("/b/1.MP4"),
        still("/c/2.HEIC", id: "Known"), movie("/c/2.MP4"), still("/d/3.HEIC"), movie("/d/3.MOV", id: "Known too"),
      ],
      assets: [
        "photo /a/1.HEIC + pairedVideo /a/1.MOV", "photo /b/1.HEIC", "video /b/1.MP4", "photo /c/2.HEIC",
        "video /c/2.MP4", "photo /d/3.HEIC", "video /d/3.MOV",
      ]),
    Case(
      testDescription: "a RAW file and a JPEG of one shot are one asset",
      files: [still("/a/1.JPG", shot: "S"), raw("/raw/1.NEF", shot: "S")],
      assets: ["photo /a/1.JPG + alternatePhoto /raw/1.NEF"]),
    Case(
      testDescription: "a RAW file alone is the photo",
      files: [raw("/a/1.NEF", shot: "S"), raw("/a/2.NEF", shot: nil)],
      assets: ["photo /a/1.NEF", "photo /a/2.NEF"]),
    Case(
      testDescription: "a Live Photo may have a RAW file too",
      files: [still("/a/1.HEIC", id: "X", shot: "S"), raw("/a/1.DNG", shot: "S"), movie("/a/1.MOV", id: "X")],
      assets: ["photo /a/1.HEIC + alternatePhoto /a/1.DNG + pairedVideo /a/1.MOV"]),
    Case(
      testDescription: "every file is in exactly one asset",
      files: [movie("/a/1.MOV", id: "X"), movie("/a/2.MOV", id: "X"), still("/a/3.HEIC", id: "X")],
      assets: ["video /a/2.MOV", "photo /a/3.HEIC + pairedVideo /a/1.MOV"]),
  ]

  @Test func theFirstOfSeveralFilesGetsTheMovie() {
    let raws = (10..<40).map { Self.raw("/a/1.R\($0)", shot: "\($0)") }
    let assets = ImportPlan(raws + [Self.movie("/a/1.MOV")]) { _ in false }.assets
    #expect(assets.filter { $0.movie != nil }.map(\.raw?.file.path) == [raws[0].file.path])
  }

  @Test("Files make these assets", arguments: cases)
  func plan(_ example: Case) {
    let plan = ImportPlan(example.files) { $0.hasPrefix("Known") }
    let assets = plan.assets.map { asset in
      asset.resources.map { "\($0.type) \($0.file.path)" }.joined(separator: " + ")
    }
    #expect(assets.sorted() == example.assets.sorted())
  }
}
