@_spi(Testing) import Photos
import PhotosTesting
import Testing

@Suite struct KeyedValueTests {
  let temporary: TemporaryLibrary
  let asset: PHAsset

  init() throws {
    temporary = try TemporaryLibrary()
    let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 64, height: 48))
    asset = try temporary.add(SampleFile("IMG_1.JPG", jpeg))[0]
  }

  @Test func `an asset's values are read by their names`() {
    #expect(asset.value(forKey: "filename") as? String == "IMG_1.JPG")
    #expect(asset.value(forKey: "localIdentifier") as? String == asset.localIdentifier)
    #expect(asset.value(forKey: "creationDate") as? Date == asset.creationDate)
    #expect(asset.value(forKey: "mediaType") as? Int == PHAssetMediaType.image.rawValue)
    #expect(asset.value(forKey: "pixelWidth") as? Int == 64)
    #expect(asset.value(forKey: "duration") as? Double == 0)
  }

  @Test(arguments: ["favorite", "isFavorite", "hidden", "isHidden", "hasAdjustments", "representsBurst"])
  func `a truth is a Bool and a number`(key: String) {
    #expect(asset.value(forKey: key) as? Bool == false)
    #expect((asset.value(forKey: key) as? NSNumber)?.intValue == 0)
  }

  @Test func `a resource tells its size in any type of number, and where it is`() throws {
    let resource = try #require(PHAssetResource.assetResources(for: asset).first)
    let size = try #require(resource.dataSize)
    #expect(resource.value(forKey: "fileSize") as? Int == size)
    #expect(resource.value(forKey: "fileSize") as? Int64 == Int64(size))
    #expect(resource.value(forKey: "fileSize") as? UInt64 == UInt64(size))
    #expect(resource.value(forKey: "fileSize") as? CGFloat == CGFloat(size))
    #expect(resource.value(forKey: "fileSize") as? Double == Double(size))
    #expect(resource.value(forKey: "filename") as? String == "IMG_1.JPG")
    #expect(resource.value(forKey: "locallyAvailable") as? Bool == true)
    temporary.setOriginalsRemote(of: asset)
    #expect(resource.value(forKey: "locallyAvailable") as? Bool == false)
    temporary.setOriginalsLocal(of: asset)
    try FileManager.default.removeItem(at: temporary.url.appendingPathComponent("originals"))
    #expect(resource.value(forKey: "locallyAvailable") as? Bool == false)
  }

  @Test func `the file that is shown is the current one`() async throws {
    func current() -> [String] {
      PHAssetResource.assetResources(for: asset).map { "\($0.type) \($0.value(forKey: "isCurrent") as? Bool ?? false)" }
    }
    #expect(current() == ["photo true"])
    try await asset.edit { $0.filter = .mono }
    #expect(current() == ["photo false", "fullSizePhoto true", "adjustmentData false"])
  }

  @Test func `an album's and a folder's values are read by their names`() throws {
    try temporary.library.performChangesAndWait {
      _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Album")
      _ = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Folder")
    }
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let made = PHCollection.fetchTopLevelUserCollections(with: options)
    let values = Dictionary(
      (0..<made.count).map { index in
        let collection = made.object(at: index)
        let type = collection.value(
          forKey: collection is PHCollectionList ? "collectionListType" : "assetCollectionType")
        return (collection.value(forKey: "localizedTitle") as? String ?? "", type as? Int ?? 0)
      }, uniquingKeysWith: { first, _ in first })
    #expect(values == ["Album": PHAssetCollectionType.album.rawValue, "Folder": PHCollectionListType.folder.rawValue])
  }

  @Test func `an unknown key has no value`() throws {
    #expect(asset.value(forKey: "nothing") == nil)
    #expect(try #require(PHAssetResource.assetResources(for: asset).first).value(forKey: "nothing") == nil)
  }
}
