// Imports the module as a client does: without `@testable`, and beside Foundation, whose own
// initializers of `NSPredicate` are unavailable.
import Foundation
import Photos
import Testing

@Suite struct PredicateClientTests {
  private let date = Date(timeIntervalSince1970: 86_400)

  @Test func codeForApplesPlatformsCompiles() throws {
    let identifiers = ["A/L0/001", "B/L0/001"]
    let asset = SampleAsset()
    let number = NSNumber(value: 1)
    let predicates = [
      NSPredicate(format: "favorite == YES"),
      NSPredicate(format: "mediaType == %d", 3),
      NSPredicate(format: "mediaType = %d", PHAssetMediaType.image.rawValue),
      NSPredicate(format: "mediaType == %i || mediaType == %d", PHAssetMediaType.image.rawValue, 2),
      NSPredicate(format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.photoScreenshot.rawValue),
      NSPredicate(format: "NOT ((mediaSubtype & %lu) != 0)", PHAssetMediaSubtype.photoLive.rawValue),
      NSPredicate(format: "creationDate > %@", date as NSDate),
      NSPredicate(format: "creationDate > %@", date as CVarArg),
      NSPredicate(format: "creationDate > %@ AND creationDate <= %@", date as CVarArg, Date() as NSDate),
      NSPredicate(format: "creationDate > %@", NSDate()),
      NSPredicate(format: "creationDate > %@", date),
      NSPredicate(format: "localIdentifier IN %@", identifiers),
      NSPredicate(format: "localIdentifier IN %@", identifiers as NSArray),
      NSPredicate(format: "localIdentifier == %@", identifiers[0] as CVarArg),
      NSPredicate(format: "SELF == %@", asset),
      NSPredicate(format: "SELF IN %@", PHFetchResult<PHAsset>()),
      NSPredicate(format: "mediaType == %@", number),
      NSPredicate(format: "%K == %d", "mediaType", 1),
      NSPredicate(format: "%K == %@", #"favorite"#, NSNumber(booleanLiteral: true)),
      NSPredicate(format: "duration >= %f", 1.5),
      NSPredicate(format: "mediaType == %d", argumentArray: [1]),
      NSPredicate(format: "mediaType == 1", argumentArray: nil),
    ]
    for predicate in predicates { _ = try asked(predicate) }
    #expect(try asked(predicates[1]).contains("mediaType"))
  }

  @Test func aSwiftPredicateIsTaken() throws {
    #expect(try asked(NSPredicate(#Predicate<PHAsset> { $0.isFavorite })).contains("isFavorite"))
    let made: NSPredicate? = NSPredicate(#Predicate<PHAssetCollection> { $0.estimatedAssetCount > 0 })
    #expect(made != nil)
  }
}
