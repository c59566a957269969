import Foundation
import LibraryStore
import Testing

@testable import Photos

@Suite struct PredicateErrorTests {
  private static let assetKeys = """
    localIdentifier, creationDate, modificationDate, addedDate, mediaType, mediaSubtypes, duration, pixelWidth, \
    pixelHeight, favorite, hidden, burstIdentifier, localCreationDate, localCreationDay, hasAdjustments, originalFilename, \
    fileSize, uniformTypeIdentifier, cameraModel, latitude, longitude
    """
  private static let numberOperators = "==, !=, <, <=, >, >=, BETWEEN and IN"
  private static let operators =
    "==, !=, <, <=, >, >=, BETWEEN, IN, CONTAINS, BEGINSWITH, ENDSWITH, LIKE, MATCHES"

  private func message(_ format: String, _ arguments: PredicateArguments, _ entity: PredicateEntity = .asset) -> String?
  {
    let error = #expect(throws: PHPhotosError.self) { try condition(format, arguments.all, entity) }
    return error?.localizedDescription
  }

  /// Returns the message, the position and the line with the caret.
  private func expected(_ sentence: String, _ offset: Int, _ format: String) -> String {
    """
    Unsupported predicate in fetch options: \(sentence), at character \(offset + 1):
      \(format)
      \(String(repeating: " ", count: offset))^
    """
  }

  @Test(
    "An unreadable format is refused by exactly this sentence, at exactly this character",
    arguments: [
      ("", [], "it is empty", 0),
      ("mediaType == ", [], "a key or a value was expected", 13),
      ("(mediaType == 1", [], "what begins here has no “)”", 0),
      ("mediaType IN {1, 2", [], "what begins here has no “}”", 13),
      ("mediaType == (1 == 1", [], "a “)” was expected", 16),
      ("mediaType == 1)", [], "this “)” closes nothing", 14),
      ("mediaType == 1 hidden == 1", [], "AND or OR was expected, or nothing more", 15),
      ("mediaType ISA 1", [], "“ISA” is not an operator; the operators are \(operators)", 10),
      ("favorite", [], "a key alone is not a predicate; write “favorite == YES”", 0),
      ("NOT hidden", [], "a key alone is not a predicate; write “hidden == YES”", 4),
      ("!isFavorite AND 1 == 1", [], "a key alone is not a predicate; write “isFavorite == YES”", 1),
      ("1 == 1 AND (NOT hidden)", [], "a key alone is not a predicate; write “hidden == YES”", 16),
      ("5", [], "an operator was expected: \(operators)", 1),
      ("mediaType == AND", [], "a key or a value was expected, not AND; a key of that name is written #AND", 13),
      ("cameraModel LIKE[x] 'a'", [], "“x” is not an option; c ignores case, d accents", 17),
      ("mediaType IN (1, 2)", [], "write a list in braces: {1, 2}", 13),
      ("mediaType IN {{1}}", [], "a list can't contain another list", 14),
      ("mediaType IN 1", [], "IN takes a list, not the number 1", 13),
      ("mediaType IN {pixelWidth}", [], "the list after IN may only contain values", 13),
      ("mediaType == 1 ** 2", [], "“**” can't be computed in a fetch; +, -, *, /, & and | can", 15),
      ("~mediaType == 1", [], "“~” can't be computed in a fetch; +, -, *, /, & and | can", 0),
      ("mediaType == 1 / 0", [], "“/” has no result for the number 1 and the number 0", 15),
      ("mediaType == 1 + 'a'", [], "“+” computes with numbers, not with the text “a”", 15),
      ("mediaType == 12abc", [], "“12abc” is not a number", 13),
      ("mediaType == 0xZ", [], "“0xZ” is not a number", 13),
      ("mediaType == ?", [], "“?” has no meaning here", 13),
      ("cameraModel == 'x", [], "the text that begins here has no end", 15),
      ("cameraModel == '\\d'", [], "“\\d” is not an escape sequence; a backslash itself is written “\\\\”", 16),
      ("mediaType == %s", [1], "“%s” is not an argument; use %@, %K, %d, %ld, %lu or %f", 13),
      ("mediaType == 5 %% 2", [1], "“%%” is not an argument; use %@, %K, %d, %ld, %lu or %f", 15),
      ("mediaType == %d", [], "%d is the argument number 1, and 0 were given", 13),
      ("mediaType == %d OR %K == %@", [1, "mediaType"], "%@ is the argument number 3, and 2 were given", 25),
      ("mediaType == %d", ["x"], "%d takes an integer, not the text “x”", 13),
      ("mediaType == %d", [1.5], "%d takes an integer, not the number 1.5", 13),
      ("mediaType == %f", [firstDay], "%f takes a number, not a date", 13),
      ("mediaType == %@", [UInt.max], "%@ was given a UInt, which no key can be compared with", 13),
      ("mediaType == %@", [Double.nan], "%@ was given a Double, which no key can be compared with", 13),
      ("mediaType == %@", [Data()], "%@ was given a Data, which no key can be compared with", 13),
      ("%K == 1", [5], "%K takes the name of a key, not the number 5", 0),
      ("ANY mediaType == 1", [], "ANY asks relations, and the objects of a fetch have none", 0),
      ("SUBQUERY(a, $x, $x == 1) == 1", [], "SUBQUERY asks relations, and the objects of a fetch have none", 0),
      ("assets.@count > 1", [], "“assets.@count” asks relations, and the objects of a fetch have none", 0),
      ("mediaType == $type", [], "variables like “$type” can't be used in a fetch; use %@ and an argument", 13),
      (
        "lowercase(title) == 'x'", [],
        "functions like “lowercase” can't be used in a fetch; now() and CAST(seconds, \"NSDate\") can", 0
      ),
      ("creationDate > CAST('5', 'NSDate')", [], "CAST takes seconds since 2001 and \"NSDate\"", 15),
      ("creationDate > CAST(5, 'NSString')", [], "CAST takes seconds since 2001 and \"NSDate\"", 15),
    ] as [(String, PredicateArguments, String, Int)])
  func unreadable(format: String, arguments: PredicateArguments, sentence: String, offset: Int) {
    #expect(message(format, arguments) == expected(sentence, offset, format))
  }

  @Test(
    "An unsupported comparison is refused by exactly this sentence, at exactly this character",
    arguments: [
      ("location == nil", [], "“location” can't be used in a fetch; use latitude and longitude", 0),
      ("size > 5", [], "assets have no key “size”; the keys are \(assetKeys)", 0),
      (
        "1 < creatonDate", [],
        "assets have no key “creatonDate”; did you mean “creationDate”? The keys are \(assetKeys)", 4
      ),
      (
        "ISFAVORITE == 1", [], "assets have no key “ISFAVORITE”; did you mean “isFavorite”? The keys are \(assetKeys)",
        0
      ),
      ("title == 'a'", [], "“title” is a key of albums, not of assets; the keys of assets are \(assetKeys)", 0),
      ("pixelWidth CONTAINS 5", [], "“pixelWidth” can't be compared by CONTAINS; it can be by \(numberOperators)", 11),
      ("creationDate LIKE 'a'", [], "“creationDate” can't be compared by LIKE; it can be by \(numberOperators)", 13),
      (
        "mediaSubtypes CONTAINS 4", [],
        "“mediaSubtypes” can't be compared by CONTAINS; it can be by ==, !=, IN and & as in “(mediaSubtypes & 4) != 0”",
        14
      ),
      ("pixelWidth == 'wide'", [], "“pixelWidth” is compared with numbers, not with the text “wide”", 14),
      ("pixelWidth == YES", [], "“pixelWidth” is compared with numbers, not with YES", 14),
      (
        "mediaType == 'image'", [],
        "“mediaType” is compared with numbers, not with the text “image”; 1 is an image, 2 a video, 3 a sound", 13
      ),
      ("mediaSubtypes == 1.5", [], "“mediaSubtypes” is compared with integers, not with the number 1.5", 17),
      ("pixelWidth == creationDate", [], "“pixelWidth” is compared with numbers, not with “creationDate”", 14),
      (
        "creationDate > 5", [],
        "“creationDate” is compared with dates, not with the number 5; pass a Date as the argument of %@", 15
      ),
      (
        "creationDate > '2020'", [],
        "“creationDate” is compared with dates, not with the text “2020”; write it as “2026-04-30” or “2026-04-30 18:05”",
        15
      ),
      ("creationDate > YES", [], "“creationDate” is compared with dates, not with YES", 15),
      ("creationDate > duration", [], "“creationDate” is compared with dates, not with “duration”", 15),
      ("creationDate BETWEEN {nil, nil}", [], "“creationDate” is compared with dates, not with nil", 21),
      (
        "creationDate + 1 > %@", [firstDay],
        "“creationDate” is not a number, so it can't be computed or compared here", 0
      ),
      ("favorite == 2", [], "“favorite” is compared with YES and NO, not with the number 2", 12),
      ("favorite == nil", [], "“favorite” is compared with YES and NO, not with nil", 12),
      ("favorite == pixelWidth", [], "“favorite” is compared with YES and NO, not with “pixelWidth”", 12),
      ("favorite > NO", [], "“favorite” can't be compared by >; it can be by ==, != and IN", 9),
      (
        "localIdentifier CONTAINS 'A'", [],
        "“localIdentifier” can't be compared by CONTAINS; it can be by ==, != and IN", 16
      ),
      ("SELF == 5", [], "“localIdentifier” is compared with identifiers or objects, not with the number 5", 8),
      ("cameraModel CONTAINS 5", [], "“cameraModel” is compared with texts, not with the number 5", 21),
      (
        "cameraModel CONTAINS originalFilename", [],
        "“cameraModel” can be compared by CONTAINS with a value only", 21
      ),
      ("'a' LIKE cameraModel", [], "the key has to be on the left of LIKE", 4),
      ("cameraModel MATCHES '('", [], "“(” is not a regular expression", 20),
      ("cameraModel <[c] 'a'", [], "< compares with case and accents only", 12),
      ("duration BETWEEN {1}", [], "BETWEEN takes two bounds, not 1", 17),
      ("duration BETWEEN 5", [], "BETWEEN takes a list, not the number 5", 17),
      ("duration & 1 == 1", [], "“&” takes integers", 9),
      ("1 + pixelWidth LIKE 'a'", [], "LIKE compares texts, but its left side is a number", 15),
      ("'a' == 1 OR 'a' < 1", [], "the text “a” can't be compared by < here; one side has to be a key", 16),
    ] as [(String, PredicateArguments, String, Int)])
  func unusable(format: String, arguments: PredicateArguments, sentence: String, offset: Int) {
    #expect(message(format, arguments) == expected(sentence, offset, format))
  }

  @Test func aLongFormatIsShownAroundThePlace() {
    let format =
      String(repeating: "favorite == YES AND\n", count: 10) + "size > 1" + String(repeating: " OR 1 == 1", count: 9)
    let excerpt = """
      , at character 201:
        …favorite == YES AND favorite == YES AND size > 1 OR 1 == 1 OR 1 == 1 OR 1 == 1 OR 1 == 1 O…
      \(String(repeating: " ", count: 43))^
      """
    #expect(message(format, [])?.hasSuffix(excerpt) == true)
  }

  @Test func aSortKeyIsNamed() {
    let error = #expect(throws: PHPhotosError.self) { try FetchKey.key(named: "tile", for: .collection) }
    #expect(
      error?.localizedDescription == """
        Unsupported sort descriptor in fetch options: collections have no key “tile”; did you mean “title”? The keys are \
        localIdentifier, localizedTitle, startDate, endDate, modificationDate
        """)
  }

  @Test func albumsHaveKeysOfTheirOwn() {
    let keys = "localIdentifier, localizedTitle, startDate, endDate, modificationDate"
    #expect(
      message("mediaType == 1", [], .assetCollection)
        == expected(
          "“mediaType” is a key of assets, not of albums; the keys of albums are \(keys), estimatedAssetCount", 0,
          "mediaType == 1"))
    #expect(
      message("estimatedAssetCount > 0", [], .collectionList)
        == expected(
          "“estimatedAssetCount” is a key of albums, not of folders; the keys of folders are \(keys)", 0,
          "estimatedAssetCount > 0"))
  }
}
