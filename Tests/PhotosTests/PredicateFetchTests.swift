import Foundation
import Photos
import PhotosTesting
import Testing

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

  @Test func aPredicateCanBeEvaluatedOnAnObject() throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let asset = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    #expect(NSPredicate(format: "pixelWidth > 100").evaluate(with: asset))
    #expect(NSPredicate(format: "pixelWidth > 1000").evaluate(with: asset) == false)
  }
}
