import Foundation
import LibraryStore
import Testing

@testable import Photos

@Suite struct PredicateMacroTests {
  private func condition(_ predicate: Predicate<PHAsset>) throws -> Condition {
    try #require(NSPredicate(predicate)).condition(for: .asset)
  }

  private func condition(ofAlbums predicate: Predicate<PHAssetCollection>) throws -> Condition {
    try #require(NSPredicate(predicate)).condition(for: .assetCollection)
  }

  private func refusal(_ predicate: Predicate<PHAsset>) -> String? {
    let error = #expect(throws: PHPhotosError.self) { try condition(predicate) }
    return error?.localizedDescription
  }

  private let isInBurst = compared(.burstIdentifier, .equal, .text("B"))
  private let hasNoBurst = compared(.burstIdentifier, .equal, .null)

  @Test func logicAndComparisons() throws {
    #expect(try condition(#Predicate { $0.isFavorite }) == isFavorite)
    #expect(try condition(#Predicate { $0.isFavorite == false }) == compared(.isFavorite, .equal, .integer(0)))
    #expect(
      try condition(#Predicate { $0.isFavorite && $0.pixelWidth > 4000 })
        == .all([isFavorite, compared(.pixelWidth, .greater, .integer(4000))]))
    #expect(
      try condition(#Predicate { !$0.isHidden || $0.duration <= 1.5 })
        == .any([.not(compared(.isHidden, .equal, .integer(1))), compared(.duration, .lessOrEqual, .real(1.5))]))
    #expect(try condition(#Predicate { 5 < $0.pixelWidth }) == compared(.pixelWidth, .greater, .integer(5)))
    #expect(
      try condition(#Predicate { ($0.pixelWidth < 5) == false }) == .not(compared(.pixelWidth, .less, .integer(5))))
    #expect(try condition(#Predicate { _ in true }) == .always)
  }

  @Test func capturedValues() throws {
    let (image, live) = (PHAssetMediaType.image.rawValue, PHAssetMediaSubtype.photoLive.rawValue)
    let (types, identifiers) = ([1, 2], Set(["a/L0/001"]))
    #expect(try condition(#Predicate { $0.mediaType.rawValue == image }) == compared(.mediaType, .equal, .integer(1)))
    #expect(try condition(#Predicate { $0.mediaType.rawValue == 2 }) == compared(.mediaType, .equal, .integer(2)))
    #expect(
      try condition(#Predicate { $0.mediaSubtypes.rawValue == live }) == compared(.mediaSubtypes, .equal, .integer(8)))
    #expect(
      try condition(#Predicate { types.contains($0.mediaType.rawValue) })
        == .isIn(.key(.mediaType), [.integer(1), .integer(2)]))
    #expect(
      try condition(#Predicate { identifiers.contains($0.localIdentifier) }) == .isIn(.key(.uuid), [.text("A")]))
  }

  @Test func sumsAndRanges() throws {
    let from = firstDay
    let dates = from..<Date(timeIntervalSince1970: 172_800)
    #expect(
      try condition(#Predicate { $0.pixelWidth * $0.pixelHeight > 12 * 1000 })
        == .comparison(.arithmetic(.key(.pixelWidth), .times, .key(.pixelHeight)), .greater, .value(.integer(12_000))))
    #expect(
      try condition(#Predicate { $0.pixelWidth / 2 == 1 && -$0.duration < 0.5 / 2.0 })
        == .all([
          .comparison(
            .arithmetic(.key(.pixelWidth), .dividedBy, .value(.integer(2))), .equal, .value(.integer(1))),
          .comparison(.arithmetic(.value(.integer(0)), .minus, .key(.duration)), .less, .value(.real(0.25))),
        ]))
    #expect(
      try condition(#Predicate { (100...200).contains($0.pixelWidth) })
        == .all([
          compared(.pixelWidth, .greaterOrEqual, .integer(100)), compared(.pixelWidth, .lessOrEqual, .integer(200)),
        ]))
    #expect(
      try condition(#Predicate { dates.contains($0.creationDate ?? from) })
        == .all([
          .any([compared(.creationDate, .greaterOrEqual, .real(86_400)), compared(.creationDate, .equal, .null)]),
          .any([compared(.creationDate, .less, .real(172_800)), compared(.creationDate, .equal, .null)]),
        ]))
  }

  @Test func missingValuesCompareLikeInSwift() throws {
    let (from, future) = (firstDay, Date.distantFuture)
    #expect(
      try condition(#Predicate { ($0.creationDate ?? from) > from }) == compared(.creationDate, .greater, .real(86_400))
    )
    #expect(
      try condition(#Predicate { ($0.creationDate ?? future) > from })
        == .any([compared(.creationDate, .greater, .real(86_400)), compared(.creationDate, .equal, .null)]))
    #expect(try condition(#Predicate { $0.creationDate! > from }) == compared(.creationDate, .greater, .real(86_400)))
    #expect(
      try condition(#Predicate { if let date = $0.creationDate { date > from } else { false } })
        == compared(.creationDate, .greater, .real(86_400)))
    #expect(try condition(#Predicate { $0.burstIdentifier == nil }) == hasNoBurst)
    #expect(try condition(#Predicate { $0.burstIdentifier != nil }) == compared(.burstIdentifier, .notEqual, .null))
    #expect(try condition(#Predicate { ($0.burstIdentifier ?? "") == "B" }) == isInBurst)
    #expect(try condition(#Predicate { "B" == ($0.burstIdentifier ?? "") }) == isInBurst)
    #expect(try condition(#Predicate { ($0.burstIdentifier ?? "") != "B" }) == .not(isInBurst))
    #expect(
      try condition(#Predicate { ($0.burstIdentifier ?? "").isEmpty })
        == .any([compared(.burstIdentifier, .equal, .text("")), hasNoBurst]))
  }

  @Test func textsThatMayBeMissing() throws {
    let holdsParis = Condition.text(.key(.title), .contains, "Paris", [])
    let hasTitle = Condition.not(compared(.title, .equal, .null))
    #expect(try condition(ofAlbums: #Predicate { $0.localizedTitle?.contains("Paris") ?? false }) == holdsParis)
    #expect(try condition(ofAlbums: #Predicate { $0.localizedTitle?.contains("Paris") == true }) == holdsParis)
    #expect(try condition(ofAlbums: #Predicate { ($0.localizedTitle ?? "").contains("Paris") }) == holdsParis)
    #expect(try condition(ofAlbums: #Predicate { $0.localizedTitle!.contains("Paris") }) == holdsParis)
    #expect(
      try condition(ofAlbums: #Predicate { $0.localizedTitle?.contains("Paris") == false })
        == .all([hasTitle, .not(holdsParis)]))
    #expect(
      try condition(ofAlbums: #Predicate { $0.localizedTitle?.contains("Paris") ?? true })
        == .any([holdsParis, compared(.title, .equal, .null)]))
    #expect(
      try condition(ofAlbums: #Predicate { $0.localizedTitle?.starts(with: "P") == true })
        == .text(.key(.title), .beginsWith, "P", []))
    #expect(try condition(ofAlbums: #Predicate { $0.localizedTitle?.contains("") ?? false }) == hasTitle)
    #expect(
      try condition(ofAlbums: #Predicate { $0.estimatedAssetCount > 3 }) == compared(.assetCount, .greater, .integer(3))
    )
  }

  @Test func placesAndNames() throws {
    #expect(try condition(#Predicate { $0.location == nil }) == compared(.latitude, .equal, .null))
    #expect(
      try condition(#Predicate { ($0.location?.coordinate.longitude ?? 0) > 9 })
        == compared(.longitude, .greater, .real(9)))
    #expect(
      try condition(#Predicate { $0.extendedMetadata.originalFilename == "a.jpg" })
        == compared(.originalFilename, .equal, .text("a.jpg")))
  }

  @Test func partsWithoutMeaningInAFetchAreNamed() {
    #expect(
      refusal(#Predicate { $0.isFavorite ? $0.isHidden : true })
        == "Unsupported predicate in fetch options: “Conditional” in a #Predicate can't be used in a fetch")
    #expect(
      refusal(#Predicate { $0.sourceType == $0.sourceType })?.hasPrefix(
        "Unsupported predicate in fetch options: a property of PHAsset in a #Predicate can't be used in a fetch; the keys of assets are"
      ) == true)
    let data = Data()
    #expect(
      refusal(#Predicate { _ in data == data })
        == "Unsupported predicate in fetch options: no key can be compared with a Data")
    #expect(
      refusal(#Predicate { $0.burstIdentifier!.contains(/x/) })
        == "Unsupported predicate in fetch options: “StringContainsRegex” in a #Predicate can't be used in a fetch")
  }
}
