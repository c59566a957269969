import Foundation
import PhotosTesting
import Testing

@testable import Photos

@Suite struct ImageCacheTests {
  private func specification(_ side: Int) -> ImageSpecification {
    ImageSpecification(targetSize: CGSize(width: side, height: side), contentMode: .aspectFit, options: nil)
  }

  private func isKept(_ asset: PHAsset, _ specification: ImageSpecification, in cache: ImageCache) async throws -> Bool
  {
    for _ in 0..<200 {
      if cache.image(of: asset, specification) != nil { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  @Test func whatIsLargerThanTheMemoryHoldsNothingUp() async throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let photos = PHAsset.fetchAssets(with: temporary.options()).objects(at: IndexSet(0..<2))
    // All of a photo of 160 × 120 pixels may take 172,800 bytes, its cell in the grid 76,800.
    let cache = ImageCache(limit: 100_000)
    cache.start([photos[0]], specification(160))
    cache.start([photos[1]], specification(80))
    #expect(try await isKept(photos[1], specification(80), in: cache))
    #expect(cache.image(of: photos[0], specification(160)) == nil)
  }

  @Test func whatFindsNoRoomIsMadeWhenThereIsSome() async throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let photos = PHAsset.fetchAssets(with: temporary.options()).objects(at: IndexSet(0..<2))
    let cache = ImageCache(limit: specification(80).byteCount(of: photos[0].pixelSize))
    cache.start(photos, specification(80))
    #expect(try await isKept(photos[0], specification(80), in: cache))
    #expect(cache.image(of: photos[1], specification(80)) == nil)
    cache.stop([photos[0]], specification(80))
    #expect(try await isKept(photos[1], specification(80), in: cache))
    #expect(cache.image(of: photos[0], specification(80)) == nil)
  }
}
