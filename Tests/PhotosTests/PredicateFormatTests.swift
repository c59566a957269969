import Foundation
import LibraryStore
import Testing

@testable import Photos

@Suite struct PredicateFormatTests {
  private static let bits = Operand.arithmetic(.key(.mediaSubtypes), .bitAnd, .value(.integer(4)))
  private static let isScreenshot = Condition.comparison(bits, .notEqual, .value(.integer(0)))
  private static let isWide = compared(.pixelWidth, .greater, .integer(5))

  @Test(
    "A comparison becomes exactly this condition",
    arguments: [
      ("mediaType == 1", compared(.mediaType, .equal, .integer(1))),
      ("mediaType = 1", compared(.mediaType, .equal, .integer(1))),
      ("mediaType != 1", compared(.mediaType, .notEqual, .integer(1))),
      ("mediaType <> 1", compared(.mediaType, .notEqual, .integer(1))),
      ("pixelWidth < 1", compared(.pixelWidth, .less, .integer(1))),
      ("pixelWidth <= 1", compared(.pixelWidth, .lessOrEqual, .integer(1))),
      ("pixelWidth =< 1", compared(.pixelWidth, .lessOrEqual, .integer(1))),
      ("pixelWidth > 5", isWide),
      ("pixelWidth >= 5", compared(.pixelWidth, .greaterOrEqual, .integer(5))),
      ("pixelWidth => 5", compared(.pixelWidth, .greaterOrEqual, .integer(5))),
      ("5 < pixelWidth", isWide), ("5<pixelWidth", isWide), ("SELF.pixelWidth>5", isWide),
      ("5 >= pixelWidth", compared(.pixelWidth, .lessOrEqual, .integer(5))),
      ("pixelHeight > 0x1F", compared(.pixelHeight, .greater, .integer(31))),
      ("pixelHeight > 0o17", compared(.pixelHeight, .greater, .integer(15))),
      ("pixelHeight > 0b101", compared(.pixelHeight, .greater, .integer(5))),
      ("duration < 1.5e1", compared(.duration, .less, .real(15))),
      ("duration < 2E-1", compared(.duration, .less, .real(0.2))),
      ("duration < .5", compared(.duration, .less, .real(0.5))),
      ("fileSize < 99999999999999999999", compared(.fileSize, .less, .real(1e20))),
      ("latitude > -5", compared(.latitude, .greater, .integer(-5))),
      ("longitude > -(2.5)", compared(.longitude, .greater, .real(-2.5))),
      ("burstIdentifier == nil", compared(.burstIdentifier, .equal, .null)),
      ("burstIdentifier != NULL", compared(.burstIdentifier, .notEqual, .null)),
      ("nil == creationDate", compared(.creationDate, .equal, .null)),
      ("pixelWidth > pixelHeight", .comparison(.key(.pixelWidth), .greater, .key(.pixelHeight))),
      ("creationDate < modificationDate", .comparison(.key(.creationDate), .less, .key(.modificationDate))),
      ("duration BETWEEN {1, 9}", .between(.key(.duration), .value(.integer(1)), .value(.integer(9)))),
      ("duration BETWEEN {1, pixelWidth}", .between(.key(.duration), .value(.integer(1)), .key(.pixelWidth))),
      (
        "5 between {pixelHeight, pixelWidth}",
        .all([compared(.pixelHeight, .lessOrEqual, .integer(5)), compared(.pixelWidth, .greaterOrEqual, .integer(5))])
      ),
      ("mediaType IN {1, 2}", .isIn(.key(.mediaType), [.integer(1), .integer(2)])),
      ("mediaType IN {}", .isIn(.key(.mediaType), [])),
      ("{1, 2} CONTAINS mediaType", .isIn(.key(.mediaType), [.integer(1), .integer(2)])),
      ("creationDate > CAST(0, 'NSDate')", compared(.creationDate, .greater, .real(978_307_200))),
      ("creationDate > CAST(-0.5, \"NSDate\")", compared(.creationDate, .greater, .real(978_307_199.5))),
      ("localIdentifier == 'ab-c/L0/001'", compared(.uuid, .equal, .text("AB-C"))),
      ("SELF != 'ab-c'", compared(.uuid, .notEqual, .text("AB-C"))),
      ("#mediaType == 1", compared(.mediaType, .equal, .integer(1))),
      ("((mediaType)) == ((1))", compared(.mediaType, .equal, .integer(1))),
    ] as [(String, Condition)])
  func comparison(format: String, expected: Condition) throws { #expect(try condition(format) == expected) }

  @Test(
    "A truth value is 0 or 1, however it is compared",
    arguments: [
      ("favorite == YES", 1), ("isFavorite = true", 1), ("favorite == 1", 1), ("favorite == 1.0", 1),
      ("favorite != NO", 1), ("YES == favorite", 1), ("favorite IN {YES}", 1), ("isFavorite != 0", 1),
      ("favorite == NO", 0), ("favorite == FALSE", 0), ("favorite == 0", 0), ("favorite != TRUE", 0),
      ("NO == favorite", 0), ("favorite IN {0}", 0),
    ])
  func truth(format: String, value: Int) throws {
    #expect(try condition(format) == compared(.isFavorite, .equal, .integer(value)))
  }

  @Test func `IN {YES, NO} is always true`() throws {
    #expect(try condition("favorite IN {YES, NO}") == .always)
    #expect(try condition("favorite IN {}") == .never)
    #expect(try condition("favorite == hidden") == .comparison(.key(.isFavorite), .equal, .key(.isHidden)))
  }

  @Test(
    "A comparison of texts becomes exactly this condition",
    arguments: [
      ("originalFilename CONTAINS 'IMG'", .text(.key(.originalFilename), .contains, "IMG", [])),
      (
        "filename beginswith[cd] \"img\"",
        .text(.key(.originalFilename), .beginsWith, "img", [.caseInsensitive, .diacriticInsensitive])
      ),
      ("cameraModel ENDSWITH[c] 'pro'", .text(.key(.cameraModel), .endsWith, "pro", .caseInsensitive)),
      ("cameraModel LIKE[d] 'iPhone*'", .text(.key(.cameraModel), .like, "iPhone*", .diacriticInsensitive)),
      ("cameraModel LIKE[n] 'iPhone*'", .text(.key(.cameraModel), .like, "iPhone*", [])),
      ("cameraModel MATCHES 'iPhone \\\\d+'", .text(.key(.cameraModel), .matches, "iPhone \\d+", [])),
      ("cameraModel ==[c] 'x'", .text(.key(.cameraModel), .equal, "x", .caseInsensitive)),
      ("'x' !=[cd] cameraModel", .text(.key(.cameraModel), .notEqual, "x", [.caseInsensitive, .diacriticInsensitive])),
      ("cameraModel ==[c] nil", compared(.cameraModel, .equal, .null)),
      ("cameraModel < 'M'", compared(.cameraModel, .less, .text("M"))),
      ("'IMG' IN originalFilename", .text(.key(.originalFilename), .contains, "IMG", [])),
      ("cameraModel IN {'a', nil}", .isIn(.key(.cameraModel), [.text("a"), .null])),
      (
        "cameraModel IN[c] {'a', nil}",
        .any([.text(.key(.cameraModel), .equal, "a", .caseInsensitive), compared(.cameraModel, .equal, .null)])
      ),
      ("cameraModel BETWEEN {'a', 'b'}", .between(.key(.cameraModel), .value(.text("a")), .value(.text("b")))),
      ("cameraModel == originalFilename", .comparison(.key(.cameraModel), .equal, .key(.originalFilename))),
      ("cameraModel == 'it\\'s'", compared(.cameraModel, .equal, .text("it's"))),
      ("cameraModel == \"a\\\\b\\n\\u00e9\\x41\"", compared(.cameraModel, .equal, .text("a\\b\néA"))),
      ("cameraModel == '%@ == (1'", compared(.cameraModel, .equal, .text("%@ == (1"))),
    ] as [(String, Condition)])
  func text(format: String, expected: Condition) throws { #expect(try condition(format) == expected) }

  @Test(
    "Sums and bits become exactly this condition",
    arguments: [
      ("(mediaSubtypes & 4) != 0", isScreenshot), ("mediaSubtype & 4 != 0", isScreenshot),
      ("0 != (mediaSubtypes & 2 * 2)", isScreenshot),
      (
        "(mediaSubtypes & 12) == 12",
        .comparison(
          .arithmetic(.key(.mediaSubtypes), .bitAnd, .value(.integer(12))), .equal, .value(.integer(12)))
      ),
      (
        "pixelWidth * pixelHeight > 12000000",
        .comparison(
          .arithmetic(.key(.pixelWidth), .times, .key(.pixelHeight)), .greater, .value(.integer(12_000_000)))
      ),
      (
        "pixelWidth - pixelHeight - 1 < 2 * 5 + 1",
        .comparison(
          .arithmetic(.arithmetic(.key(.pixelWidth), .minus, .key(.pixelHeight)), .minus, .value(.integer(1))),
          .less, .value(.integer(11)))
      ),
      (
        "pixelWidth | 1 & 2 == 3",
        .comparison(.arithmetic(.key(.pixelWidth), .bitOr, .value(.integer(0))), .equal, .value(.integer(3)))
      ),
      ("duration > 7 / 2", compared(.duration, .greater, .integer(3))),
      ("duration > 7 / 2.0", compared(.duration, .greater, .real(3.5))),
      ("mediaSubtypes IN {2 | 8}", .isIn(.key(.mediaSubtypes), [.integer(10)])),
      (
        "pixelWidth / 2 IN {1}",
        .isIn(.arithmetic(.key(.pixelWidth), .dividedBy, .value(.integer(2))), [.integer(1)])
      ),
      (
        "-pixelWidth < 1",
        .comparison(.arithmetic(.value(.integer(0)), .minus, .key(.pixelWidth)), .less, .value(.integer(1)))
      ),
    ] as [(String, Condition)])
  func computing(format: String, expected: Condition) throws { #expect(try condition(format) == expected) }

  @Test(
    "NOT binds tightest, then AND, then OR",
    arguments: [
      ("TRUEPREDICATE", .always), ("falsepredicate", .never), ("(TRUEPREDICATE)", .always), ("1 == 1", .always),
      ("'b' < 'a'", .never), ("1 IN {1, 2}", .always), ("FALSEPREDICATE OR 1 == 2", .any([.never, .never])),
      (
        "favorite == YES or mediaType == 2 and 1 == 1",
        .any([isFavorite, .all([compared(.mediaType, .equal, .integer(2)), .always])])
      ),
      (
        "favorite == YES AND NOT hidden == YES OR mediaType == 2",
        .any([
          .all([isFavorite, .not(compared(.isHidden, .equal, .integer(1)))]), compared(.mediaType, .equal, .integer(2)),
        ])
      ),
      (
        "!(favorite == YES || hidden == YES) && (mediaType) == 2",
        .all([
          .not(.any([isFavorite, compared(.isHidden, .equal, .integer(1))])),
          compared(.mediaType, .equal, .integer(2)),
        ])
      ),
      ("NOT NOT (NOT (favorite == YES))", .not(.not(.not(isFavorite)))),
      (
        "((pixelWidth + 0) > 5 AND ((favorite == YES)))",
        .all([
          .comparison(.arithmetic(.key(.pixelWidth), .plus, .value(.integer(0))), .greater, .value(.integer(5))),
          isFavorite,
        ])
      ),
    ] as [(String, Condition)])
  func logic(format: String, expected: Condition) throws { #expect(try condition(format) == expected) }

  @Test(
    "Arguments are read in the order of the format",
    arguments: [
      ("mediaType == %d", [1], compared(.mediaType, .equal, .integer(1))),
      ("mediaType == %d", [NSNumber(value: 2), "ignored"], compared(.mediaType, .equal, .integer(2))),
      ("mediaType == %ld", [2 as UInt], compared(.mediaType, .equal, .integer(2))),
      (
        "mediaType == %lu OR mediaType == %lld", [1, 2 as Int64],
        .any([
          compared(.mediaType, .equal, .integer(1)), compared(.mediaType, .equal, .integer(2)),
        ])
      ),
      ("mediaType == %i", [PHAssetMediaType.video.rawValue], compared(.mediaType, .equal, .integer(2))),
      ("mediaType == %@", [PHAssetMediaType.video], compared(.mediaType, .equal, .integer(2))),
      ("mediaType IN %@", [[PHAssetMediaType.image, .video]], .isIn(.key(.mediaType), [.integer(1), .integer(2)])),
      ("%K == %x", ["pixelWidth", 9], compared(.pixelWidth, .equal, .integer(9))),
      ("%K > %@", ["creationDate", firstDay], compared(.creationDate, .greater, .real(86_400))),
      ("duration > %f", [1.5], compared(.duration, .greater, .real(1.5))),
      ("duration > %g", [1.5 as Float], compared(.duration, .greater, .real(1.5))),
      ("duration > %lf", [2], compared(.duration, .greater, .integer(2))),
      ("creationDate > %@", [NSDate(timeIntervalSince1970: 86_400)], compared(.creationDate, .greater, .real(86_400))),
      (
        "creationDate BETWEEN %@", [[firstDay, firstDay] as NSArray],
        .between(.key(.creationDate), .value(.real(86_400)), .value(.real(86_400)))
      ),
      (
        "creationDate BETWEEN {%@, %@}", [firstDay, Date(timeIntervalSince1970: 0)],
        .between(.key(.creationDate), .value(.real(86_400)), .value(.real(0)))
      ),
      ("favorite == %@", [NSNumber(value: true)], isFavorite),
      ("favorite == %@", [true], isFavorite), ("favorite == %d", [true], isFavorite),
      ("favorite == %@", [Optional(true) as Any], isFavorite),
      ("localIdentifier IN %@", [["a/L0/001", "B"]], .isIn(.key(.uuid), [.text("A"), .text("B")])),
      ("localIdentifier IN %@", [Set(["a/L0/001"])], .isIn(.key(.uuid), [.text("A")])),
      ("localIdentifier == %@", ["a/L0/001" as NSString], compared(.uuid, .equal, .text("A"))),
      ("burstIdentifier == %@", [Optional<String>.none as Any], compared(.burstIdentifier, .equal, .null)),
      ("burstIdentifier == %@", [NSNull()], compared(.burstIdentifier, .equal, .null)),
      (
        "(mediaSubtypes & %d) == %d", [PHAssetMediaSubtype.photoLive, PHAssetMediaSubtype.photoLive.rawValue],
        .comparison(
          .arithmetic(.key(.mediaSubtypes), .bitAnd, .value(.integer(8))), .equal, .value(.integer(8)))
      ),
      ("%d < pixelWidth", [5], isWide),
      ("SELF == %@", [SampleAsset()], compared(.uuid, .equal, .text("0A1B"))),
      ("SELF IN %@", [[SampleAsset()]], .isIn(.key(.uuid), [.text("0A1B")])),
      ("NOT (SELF IN %@)", [[SampleAsset()] as NSArray], .not(.isIn(.key(.uuid), [.text("0A1B")]))),
      ("SELF IN %@", [PHFetchResult<PHAsset>()], .isIn(.key(.uuid), [])),
    ] as [(String, PredicateArguments, Condition)])
  func arguments(format: String, arguments: PredicateArguments, expected: Condition) throws {
    #expect(try condition(format, arguments.all) == expected)
  }

  @Test func everyKeyIsKnownByItsNames() throws {
    for entity in PredicateEntity.allCases {
      for key in entity.keys {
        for name in key.names { #expect(try FetchKey.key(named: name, for: entity) == key.key) }
      }
    }
    #expect(
      try condition("title == 'A'", [], .collection) == compared(.title, .equal, .text("A")))
    #expect(
      try condition("estimatedAssetCount > 0", [], .assetCollection) == compared(.assetCount, .greater, .integer(0)))
  }

  @Test func everyKeyIsDocumented() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let document = try String(contentsOf: folder.appending(path: "../../docs/PREDICATES.md"), encoding: .utf8)
    let rows = document.split(separator: "\n").filter { $0.hasPrefix("| `") }
    for entity in PredicateEntity.allCases {
      for key in entity.keys {
        for name in key.names where name != "self" {
          let owner = key.isExtension ? "extension |" : "PhotoKit |"
          #expect(rows.contains { $0.contains("`\(name)`") && $0.hasSuffix(owner) }, "\(name)")
        }
      }
    }
  }

  @Test func `now() is the current time`() throws {
    let before = Date().timeIntervalSince1970
    guard
      case .comparison(.key(.creationDate), .less, .value(.real(let seconds))) = try condition("creationDate < now()")
    else {
      Issue.record("now() is no date")
      return
    }
    #expect((before...Date().timeIntervalSince1970).contains(seconds))
  }
}
