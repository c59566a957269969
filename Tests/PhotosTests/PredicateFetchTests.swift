import Foundation
import PhotosTesting
import Testing

@testable import Photos

@Suite struct PredicateFetchTests {
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

  @Test func threeThousandAlternativesAreOnePredicate() throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let format = (0..<3000).map { "pixelWidth == \($0)" }.joined(separator: " OR ")
    options.predicate = NSPredicate(format: format)
    #expect(PHAsset.fetchAssets(with: options).count == 1)
    let parts = (0..<3000).map { NSPredicate(format: "pixelHeight != %d", 10_000 + $0) }
    options.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    #expect(PHAsset.fetchAssets(with: options).count == 1)
  }

  @Test("A deeply nested predicate finds its assets or is refused", arguments: [false, true])
  func nesting(isWide: Bool) throws {
    let temporary = try TemporaryLibrary(photos: 1)
    func options(levels: Int) -> PHFetchOptions {
      var predicate = NSPredicate(format: "pixelWidth == 160")
      for level in 0..<levels {
        let other = NSPredicate(format: level % 2 == 0 ? "pixelWidth == 1" : "pixelHeight > 1")
        let parts = Array(repeating: other, count: isWide ? 50 : 1) + [predicate]
        predicate =
          level % 2 == 0
          ? NSCompoundPredicate(orPredicateWithSubpredicates: parts)
          : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        if level % 5 == 4 {
          predicate = NSCompoundPredicate(
            notPredicateWithSubpredicate: NSCompoundPredicate(notPredicateWithSubpredicate: predicate))
        }
      }
      let options = PHFetchOptions()
      options.photoLibrary = temporary.library
      options.predicate = predicate
      return options
    }
    var refused = 0
    for levels in stride(from: 4, through: 90, by: 2) {
      let options = options(levels: levels)
      if (try? options.validate(for: PHAsset.self)) == nil {
        refused += 1
      } else {
        let result = PHAsset.fetchAssets(with: options)
        #expect(result.error == nil, "\(levels) levels")
        #expect(result.count == 1, "\(levels) levels")
      }
    }
    #expect(refused > 0 && refused < 44)
  }

  @Test func aListIsOneArgument() throws {
    #expect(
      try NSPredicate(format: "mediaType IN %@", [1, 2] as [Any]).condition(for: .asset)
        == .isIn(.key(.mediaType), [.integer(1), .integer(2)]))
  }

  @Test func aSearchOfVeryManyWordsIsRefused() throws {
    let options = PHFetchOptions()
    options.searchText = String(repeating: "a ", count: 101)
    let error = #expect(throws: PHPhotosError.self) { try options.validate(for: PHAsset.self) }
    #expect(error?.localizedDescription == "Unsupported search text in fetch options: more than 100 words")
  }

  @Test func moreComparisonsThanSQLiteReadsAreRefused() throws {
    let format = (0...5000).map { "pixelWidth == \($0)" }.joined(separator: " OR ")
    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: format)
    let error = #expect(throws: PHPhotosError.self) { try options.validate(for: PHAsset.self) }
    #expect(
      error?.localizedDescription
        == "Unsupported predicate in fetch options: it has 5001 comparisons, and 5000 are the most; IN takes a list of any length"
    )
  }

  @Test(
    "A text that is a date is compared as one",
    arguments: [
      ("2020-09-13 12:26:40Z", 1_600_000_000), ("2020-09-13T14:26:40+02:00", 1_600_000_000),
      ("2020-09-13T12:26Z", 1_599_999_960),
    ])
  func dateText(text: String, seconds: Double) throws {
    #expect(
      try condition("creationDate > %@", [text])
        == .comparison(.key(.creationDate), .greater, .value(.real(seconds))))
  }

  @Test func aDayBeginsOnThisMachinesClock() throws {
    let day = try #require(
      Calendar(identifier: .gregorian).date(from: DateComponents(year: 2026, month: 4, day: 30)))
    #expect(
      try condition("creationDate >= '2026-04-30'")
        == .comparison(.key(.creationDate), .greaterOrEqual, .value(.real(day.timeIntervalSince1970))))
  }

  @Test(
    "A text that is no date is refused",
    arguments: ["yesterday", "2026-02-30", "2026-04-30x", "2026-04-30 25:00", "20260430", ""])
  func noDateText(text: String) throws {
    let error = #expect(throws: PHPhotosError.self) { try condition("creationDate > %@", [text]) }
    #expect(error?.localizedDescription.contains("write it as “2026-04-30” or “2026-04-30 18:05”") == true)
  }

  @Test func aResultExplainsTheFetchThatItWas() throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let album = try #require(
      PHAssetCollection.fetchAssetCollections(
        with: .smartAlbum, subtype: .smartAlbumVideos, options: temporary.options()
      ).firstObject)
    let explanation = try PHAsset.fetchAssets(in: album, options: temporary.options()).explanation()
    #expect(
      explanation.hasPrefix("SELECT id FROM asset WHERE media_type = 2 AND visibility = 0 ORDER BY id ASC\n"))
  }

  @Test func aPredicateCanBeEvaluatedOnAnObject() throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let asset = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    #expect(NSPredicate(format: "pixelWidth > 100").evaluate(with: asset))
    #expect(NSPredicate(format: "pixelWidth > 1000").evaluate(with: asset) == false)
  }
}
