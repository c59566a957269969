import Foundation
import Photos
import PhotosTesting
import PhotosTestingTraits
import Testing

@Suite struct TraitTests {
  @Test(.photoLibrary(photos: 2)) func aTestHasItsLibrary() throws {
    #expect(PHAsset.fetchAssets(with: nil).count == 2)
    #expect(try #require(TemporaryLibrary.current).library === PHPhotoLibrary.shared())
  }

  @Test(.photoLibrary(photos: 1), arguments: 0..<3) func eachCaseHasItsOwnLibrary(_ number: Int) throws {
    try #require(TemporaryLibrary.current).add(.photo())
    #expect(PHAsset.fetchAssets(with: nil).count == 2)
  }

  @Test(.photoLibrary(photos: 1, everywhere: true), arguments: Hop.allCases) func aLibraryIsThereOnEveryThread(
    _ hop: Hop
  ) async throws {
    #expect(try await hop.run { PHAsset.fetchAssets(with: nil).count } == 1)
  }

  @Test(.photoLibrary { try TemporaryLibrary(photos: 3, hasNumberedIdentifiers: true) })
  func aLibraryIsMadeByAFunction() throws {
    #expect(PHAsset.fetchAssets(with: nil).count == 3)
  }

  @Suite(.photoLibrary(photos: 4)) struct OfASuite {
    @Test func everyTestOfASuiteHasALibrary() throws {
      #expect(PHAsset.fetchAssets(with: nil).count == 4)
      try PHPhotoLibrary.shared().performChangesAndWait {
        PHAssetChangeRequest.deleteAssets(PHAsset.fetchAssets(with: nil))
      }
    }

    @Test func noTestSeesTheLibraryOfAnother() { #expect(PHAsset.fetchAssets(with: nil).count == 4) }
  }
}
