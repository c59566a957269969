import Foundation
import Photos
import PhotosTesting
import Testing

@Suite struct TemporaryLibraryTests {
  @Test func filesBecomeAssetsInTheirOrder() throws {
    let temporary = try TemporaryLibrary()
    let assets = try temporary.add(
      SampleFile("IMG_0001.JPG", SampleMedia.jpeg(size: .small, seed: 1)),
      SampleFile("IMG_0002.PNG", SampleMedia.png(size: .small.turned, seed: 2)))
    #expect(assets.map(\.pixelWidth) == [160, 120])
    #expect(PHAssetResource.assetResources(for: assets[1]).map(\.originalFilename) == ["IMG_0002.PNG"])
  }

  @Test func theFolderGoesAwayWithTheObject() throws {
    var temporary: TemporaryLibrary? = try TemporaryLibrary()
    let url = try #require(temporary?.url)
    #expect(FileManager.default.fileExists(atPath: url.path))
    temporary = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }
}
