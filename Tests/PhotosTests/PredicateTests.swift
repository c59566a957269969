import Foundation
import LibraryStore
import PhotosTesting
import Testing

@testable import Photos

private let day = Date(timeIntervalSince1970: 86_400)

private func condition(_ format: String, _ arguments: [Any] = [], _ entity: PredicateEntity = .asset) throws
  -> Condition
{
  try NSPredicate(format: format, argumentArray: arguments).condition(for: entity)
}

private func compared(_ key: FetchKey, _ comparison: Condition.Comparison, _ value: Value) -> Condition {
  .comparison(.key(key), comparison, .value(value))
}

/// Arguments of a predicate in a table of tests.
struct PredicateArguments: @unchecked Sendable, ExpressibleByArrayLiteral {
  // Read by the one test that it is handed to.
  let all: [Any]
  init(arrayLiteral elements: Any...) { all = elements }
}

@Suite struct PredicateFormatTests {
  private static let bits = Operand.arithmetic(.key(.mediaSubtypes), .bitAnd, .value(.integer(4)))
  private static let isScreenshot = Condition.comparison(bits, .notEqual, .value(.integer(0)))

  @Test(
    "A format becomes exactly this condition",
    arguments: [
      ("mediaType == 1", compared(.mediaType, .equal, .integer(1))),
      ("mediaType = 1", compared(.mediaType, .equal, .integer(1))),
      ("5 < pixelWidth", compared(.pixelWidth, .greater, .integer(5))),
      ("pixelWidth >= 0x10", compared(.pixelWidth, .greaterOrEqual, .integer(16))),
      ("duration =< 1.5e1", compared(.duration, .lessOrEqual, .real(15))),
      ("latitude > -5", compared(.latitude, .greater, .integer(-5))),
      ("favorite == YES", compared(.isFavorite, .equal, .integer(1))),
      ("isFavorite != true", compared(.isFavorite, .equal, .integer(0))),
      ("NO == hidden", compared(.isHidden, .equal, .integer(0))),
      ("hidden == 1", compared(.isHidden, .equal, .integer(1))),
      ("burstIdentifier == nil", compared(.burstIdentifier, .equal, .null)),
      ("burstIdentifier != NULL", compared(.burstIdentifier, .notEqual, .null)),
      ("(mediaSubtypes & 4) != 0", isScreenshot),
      ("mediaSubtype & 4 != 0", isScreenshot),
      ("pixelWidth > pixelHeight", .comparison(.key(.pixelWidth), .greater, .key(.pixelHeight))),
      (
        "pixelWidth * pixelHeight > 12000000",
        .comparison(
          .arithmetic(.key(.pixelWidth), .times, .key(.pixelHeight)), .greater, .value(.integer(12_000_000)))
      ),
      ("duration BETWEEN {1, 9}", .between(.key(.duration), .value(.integer(1)), .value(.integer(9)))),
      ("mediaType IN {1, 2}", .isIn(.key(.mediaType), [.integer(1), .integer(2)])),
      ("originalFilename CONTAINS 'IMG'", .text(.key(.originalFilename), .contains, "IMG", [])),
      (
        "filename beginswith[cd] \"img\"",
        .text(.key(.originalFilename), .beginsWith, "img", [.caseInsensitive, .diacriticInsensitive])
      ),
      ("cameraModel ENDSWITH[c] 'pro'", .text(.key(.cameraModel), .endsWith, "pro", [.caseInsensitive])),
      ("cameraModel LIKE 'iPhone*'", .text(.key(.cameraModel), .like, "iPhone*", [])),
      ("cameraModel MATCHES 'iPhone \\\\d+'", .text(.key(.cameraModel), .matches, "iPhone \\d+", [])),
      ("cameraModel ==[c] 'x'", .text(.key(.cameraModel), .equal, "x", [.caseInsensitive])),
      ("localIdentifier == 'ab-c/L0/001'", compared(.uuid, .equal, .text("AB-C"))),
      ("creationDate > CAST(0, 'NSDate')", compared(.creationDate, .greater, .real(978_307_200))),
      ("TRUEPREDICATE", .always), ("1 == 1", .always), ("FALSEPREDICATE OR 1 == 2", .any([.never, .never])),
      (
        "favorite == YES AND NOT hidden == YES OR mediaType == 2",
        .any([
          .all([compared(.isFavorite, .equal, .integer(1)), .not(compared(.isHidden, .equal, .integer(1)))]),
          compared(.mediaType, .equal, .integer(2)),
        ])
      ),
      (
        "!(favorite == YES || hidden == YES) && mediaType == 2",
        .all([
          .not(.any([compared(.isFavorite, .equal, .integer(1)), compared(.isHidden, .equal, .integer(1))])),
          compared(.mediaType, .equal, .integer(2)),
        ])
      ),
      ("((mediaType)) == ((1))", compared(.mediaType, .equal, .integer(1))),
      ("#mediaType == 1", compared(.mediaType, .equal, .integer(1))),
    ] as [(String, Condition)])
  func format(_ format: String, expected: Condition) throws { #expect(try condition(format) == expected) }

  @Test(
    "Arguments stand where they are written",
    arguments: [
      ("mediaType == %d", [1], compared(.mediaType, .equal, .integer(1))),
      ("mediaType == %ld", [2 as UInt], compared(.mediaType, .equal, .integer(2))),
      ("mediaType == %i", [PHAssetMediaType.video.rawValue], compared(.mediaType, .equal, .integer(2))),
      ("%K == %lu", ["pixelWidth", 9], compared(.pixelWidth, .equal, .integer(9))),
      ("duration > %f", [1.5], compared(.duration, .greater, .real(1.5))),
      ("creationDate > %@", [day], compared(.creationDate, .greater, .real(86_400))),
      ("creationDate > %@", [NSDate(timeIntervalSince1970: 86_400)], compared(.creationDate, .greater, .real(86_400))),
      (
        "creationDate BETWEEN %@", [[day, day] as NSArray],
        .between(.key(.creationDate), .value(.real(86_400)), .value(.real(86_400)))
      ),
      ("favorite == %@", [NSNumber(value: true)], compared(.isFavorite, .equal, .integer(1))),
      ("favorite == %@", [false], compared(.isFavorite, .equal, .integer(0))),
      ("localIdentifier IN %@", [["A/L0/001", "B"]], .isIn(.key(.uuid), [.text("A"), .text("B")])),
      ("burstIdentifier == %@", [Optional<String>.none as Any], compared(.burstIdentifier, .equal, .null)),
      (
        "(mediaSubtypes & %d) == %d", [PHAssetMediaSubtype.photoLive, 8],
        .comparison(
          .arithmetic(.key(.mediaSubtypes), .bitAnd, .value(.integer(8))), .equal, .value(.integer(8)))
      ),
      ("%d < pixelWidth", [5], compared(.pixelWidth, .greater, .integer(5))),
    ] as [(String, PredicateArguments, Condition)])
  func arguments(format: String, arguments: PredicateArguments, expected: Condition) throws {
    #expect(try condition(format, arguments.all) == expected)
  }

  @Test func anObjectIsComparedByItsIdentifier() throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let all = PHAsset.fetchAssets(with: options)
    options.predicate = NSPredicate(format: "SELF == %@", all.object(at: 1))
    #expect(PHAsset.fetchAssets(with: options).firstObject == all.object(at: 1))
    options.predicate = NSPredicate(format: "SELF IN %@", all)
    #expect(PHAsset.fetchAssets(with: options).count == 2)
    options.predicate = NSPredicate(format: "NOT (SELF IN %@)", [all.object(at: 0)])
    #expect(PHAsset.fetchAssets(with: options).count == 1)
  }

  @Test func aPredicateSurvivesCopiesAndCompounds() throws {
    let favorite = NSPredicate(format: "favorite == YES")
    let wide = NSPredicate(format: "pixelWidth > %d", 9)
    let copy = try #require(favorite.copy() as? NSPredicate)
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
      copy,
      NSCompoundPredicate(orPredicateWithSubpredicates: [
        wide, NSCompoundPredicate(notPredicateWithSubpredicate: favorite),
      ]),
    ])
    let isFavorite = compared(.isFavorite, .equal, .integer(1))
    #expect(
      try compound.condition(for: .asset)
        == .all([isFavorite, .any([compared(.pixelWidth, .greater, .integer(9)), .not(isFavorite)])]))
    #expect(try NSPredicate(value: true).condition(for: .asset) == .always)
    #expect(try NSPredicate(value: false).condition(for: .asset) == .never)
  }

  @Test func aPredicateCanBeEvaluatedOnAnObject() throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let asset = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    #expect(NSPredicate(format: "pixelWidth > 100").evaluate(with: asset))
    #expect(NSPredicate(format: "pixelWidth > 1000").evaluate(with: asset) == false)
  }

  @Test func randomWordsNeverCrash() {
    var random = SeededGenerator(seed: 11)
    let words = [
      "(", ")", "{", "}", ",", "==", "!=", "AND", "OR", "NOT", "!", "&", "favorite", "pixelWidth", "1", "'x'", "%@",
      "%d", "-",
      "IN", "BETWEEN", "CONTAINS[cd]", "[", "CAST", "SELF", "nil", "#", "TRUEPREDICATE", "\"", "0x", "1.2.3", "%K",
      "ANY",
    ]
    for _ in 0..<5000 {
      let count = Int.random(in: 1...12, using: &random)
      let format = (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &random)] }.joined(
        separator: " ")
      _ = try? condition(format, [1, "x", day])
    }
  }

  @Test func deepNestingIsRefused() {
    let format = String(repeating: "(", count: 5000) + "favorite == YES" + String(repeating: ")", count: 5000)
    #expect(throws: PHPhotosError.self) { try condition(format) }
    #expect(throws: PHPhotosError.self) { try condition(String(repeating: "NOT ", count: 5000) + "favorite == YES") }
  }
}

@Suite struct PredicateErrorTests {
  private static let assetKeys = """
    localIdentifier, creationDate, modificationDate, addedDate, mediaType, mediaSubtypes, duration, pixelWidth, pixelHeight, \
    favorite, hidden, burstIdentifier, localCreationDate, hasAdjustments, originalFilename, fileSize, uniformTypeIdentifier, \
    cameraModel, latitude, longitude
    """

  @Test(
    "What can't be asked is refused by exactly this sentence",
    arguments: [
      (
        "location == nil", [],
        "assets have no key “location”; a place is asked for by latitude and longitude; the keys are \(assetKeys)"
      ),
      ("size > 5", [], "assets have no key “size”; the keys are \(assetKeys)"),
      (
        "pixelWidth CONTAINS 5", [],
        "“pixelWidth” can't be compared by CONTAINS; it can be by ==, !=, <, <=, >, >=, BETWEEN and IN"
      ),
      ("pixelWidth == 'wide'", [], "“pixelWidth” is compared with numbers, not with the text “wide”"),
      ("creationDate > 5", [], "“creationDate” is compared with dates, not with an integer"),
      ("favorite == 2", [], "“favorite” is compared with YES and NO, not with an integer"),
      ("favorite > NO", [], "“favorite” can't be compared by >; it can be by == and !="),
      (
        "localIdentifier CONTAINS 'A'", [],
        "“localIdentifier” can't be compared by CONTAINS; it can be by ==, != and IN"
      ),
      ("cameraModel MATCHES '('", [], "“(” is no regular expression"),
      ("duration BETWEEN {1}", [], "BETWEEN takes two bounds, not 1"),
      (
        "favorite", [],
        "“favorite” can't be read at its end: a comparison was expected; a truth value is asked for by “== YES”"
      ),
      ("mediaType == %d", [], "“mediaType == %d” can't be read at “%d”: there is no argument for %d"),
      ("mediaType == %d", ["x"], "“mediaType == %d” can't be read at “%d”: %d takes a number, not the text “x”"),
      ("mediaType == ", [], "“mediaType == ” can't be read at its end: a key or a value was expected"),
      ("(mediaType == 1", [], "“(mediaType == 1” can't be read at “== 1”: a “)” is missing"),
      ("mediaType == 1)", [], "“mediaType == 1)” can't be read at “)”: nothing was expected to follow"),
      (
        "ANY assets.favorite == YES", [],
        "“ANY assets.favorite == YES” can't be read at “ANY assets.favorite ”: ANY is about relations, which the objects of a fetch have none of"
      ),
      (
        "lowercase(title) == 'x'", [],
        "“lowercase(title) == 'x'” can't be read at “lowercase(title) == ”: functions can't be used in a fetch: lowercase"
      ),
      ("title == 'x", [], "“title == 'x” can't be read at “'x”: the text that begins here has no end"),
    ] as [(String, PredicateArguments, String)])
  func refusal(format: String, arguments: PredicateArguments, sentence: String) {
    let error = #expect(throws: PHPhotosError.self) { try condition(format, arguments.all) }
    #expect(error?.localizedDescription == "Unsupported predicate in fetch options: " + sentence)
  }

  @Test func aBlockIsRefused() {
    let error = #expect(throws: PHPhotosError.self) {
      try NSPredicate(block: { _, _ in true }).condition(for: .asset)
    }
    #expect(error?.localizedDescription.contains("predicates made of a block can't be used in a fetch") == true)
  }

  @Test func albumsHaveKeysOfTheirOwn() throws {
    #expect(try condition("title == 'A'", [], .collection) == compared(.title, .equal, .text("A")))
    #expect(
      try condition("estimatedAssetCount > 0", [], .assetCollection) == compared(.assetCount, .greater, .integer(0)))
    #expect(throws: PHPhotosError.self) { try condition("estimatedAssetCount > 0", [], .collectionList) }
    #expect(throws: PHPhotosError.self) { try condition("mediaType == 1", [], .assetCollection) }
  }
}

@Suite struct PredicateMacroTests {
  private func condition(_ predicate: NSPredicate?) throws -> Condition {
    try #require(predicate).condition(for: .asset)
  }

  @Test func aPredicateIsWrittenAsSwift() throws {
    let isFavorite = compared(.isFavorite, .equal, .integer(1))
    #expect(try condition(NSPredicate(#Predicate<PHAsset> { $0.isFavorite })) == isFavorite)
    #expect(
      try condition(NSPredicate(#Predicate<PHAsset> { $0.isFavorite && $0.pixelWidth > 4000 }))
        == .all([isFavorite, compared(.pixelWidth, .greater, .integer(4000))]))
    #expect(
      try condition(NSPredicate(#Predicate<PHAsset> { !$0.isHidden || $0.duration <= 1.5 }))
        == .any([.not(compared(.isHidden, .equal, .integer(1))), compared(.duration, .lessOrEqual, .real(1.5))]))
  }

  @Test func capturedValuesAreArguments() throws {
    let (from, widths) = (day, [1, 2])
    #expect(
      try condition(NSPredicate(#Predicate<PHAsset> { widths.contains($0.pixelWidth) }))
        == .isIn(.key(.pixelWidth), [.integer(1), .integer(2)]))
    #expect(
      try condition(NSPredicate(#Predicate<PHAsset> { $0.creationDate ?? from > from }))
        == compared(.creationDate, .greater, .real(86_400)))
    #expect(
      try condition(NSPredicate(#Predicate<PHAsset> { ($0.burstIdentifier ?? "") == "B" }))
        == compared(.burstIdentifier, .equal, .text("B")))
    #expect(
      try condition(NSPredicate(#Predicate<PHAsset> { $0.burstIdentifier == nil }))
        == compared(.burstIdentifier, .equal, .null))
    #expect(
      try condition(NSPredicate(#Predicate<PHAsset> { (100...200).contains($0.pixelWidth) }))
        == .all([
          compared(.pixelWidth, .greaterOrEqual, .integer(100)), compared(.pixelWidth, .lessOrEqual, .integer(200)),
        ]))
  }

  @Test func whatHasNoMeaningInAFetchIsRefused() {
    let predicate = NSPredicate(#Predicate<PHAsset> { $0.sourceType == $0.sourceType })
    let error = #expect(throws: PHPhotosError.self) { try predicate?.condition(for: .asset) }
    #expect(error?.localizedDescription.contains("can't be used in a fetch") == true)
  }
}
