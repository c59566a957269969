import Foundation
import Photos
import PhotosTesting
import Testing

@Suite struct FetchingTests {
  let temporary: TemporaryLibrary

  /// Adds three photos in the order B, A, C, which were taken in the order A, B, C.
  init() throws {
    temporary = try TemporaryLibrary()
    for (name, date) in [("B", 2000.0), ("A", 1000.0), ("C", 3000.0)] {
      let metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: date * 86_400), offset: 0)
      let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 16, height: 16), metadata: metadata)
      try temporary.add(SampleFile(name, jpeg))
    }
  }

  private func names(_ change: (PHFetchOptions) -> Void = { _ in }) -> [String] {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    change(options)
    let result = PHAsset.fetchAssets(with: options)
    return (0..<result.count).map {
      PHAssetResource.assetResources(for: result.object(at: $0)).first?.originalFilename ?? ""
    }
  }

  @Test func withoutSortDescriptorsTheOldestAddedComesFirst() { #expect(names() == ["B", "A", "C"]) }

  @Test(
    "A sort descriptor's key orders the result",
    arguments: [("creationDate", true, "ABC"), ("creationDate", false, "CBA"), ("localCreationDate", false, "CBA")])
  func sorted(key: String, ascending: Bool, order: String) {
    #expect(names { $0.sortDescriptors = [NSSortDescriptor(key: key, ascending: ascending)] } == order.map(String.init))
  }

  @Test func aLimitIsAppliedAfterSorting() {
    #expect(
      names {
        $0.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
        $0.fetchLimit = 2
      } == ["C", "B"])
  }

  @Test func anIndexKeepsItsObjectWhenMoreOfItsPageLoads() throws {
    let more = try (3..<70).map { number in
      SampleFile("\(number)", try SampleMedia.jpeg(size: PictureSize(width: 16, height: 16), seed: UInt64(number)))
    }
    try temporary.add(more)
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let result = PHAsset.fetchAssets(with: options)
    let last = try #require(result.lastObject)
    let all = (0..<result.count).map(result.object(at:))
    #expect(all.count == 70)
    #expect(all.last === last)
    #expect(all.first === result.firstObject)
    let names = all.map { PHAssetResource.assetResources(for: $0).first?.originalFilename }
    #expect(names == ["B", "A", "C"] + (3..<70).map { "\($0)" })
  }

  @Test func aPropertyThatMayHaveNoValueSorts() {
    let descriptor = NSSortDescriptor(keyPath: \PHAsset.creationDate, ascending: false)
    #expect(descriptor.key == "creationDate")
    let byKey = names { $0.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)] }
    #expect(names { $0.sortDescriptors = [descriptor] } == byKey)
  }

  @Test func anUnknownKeyIsAnErrorThatNamesIt() {
    let options = PHFetchOptions()
    options.sortDescriptors = [NSSortDescriptor(key: "size", ascending: true)]
    let error = #expect(throws: PHPhotosError.self) { try options.validate(for: PHAsset.self) }
    #expect(error?.localizedDescription.contains("creationDate") == true)
    #expect(error?.localizedDescription.contains("“size”") == true)
  }

  @Test func unknownIdentifiersAreLeftOut() throws {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let first = try #require(PHAsset.fetchAssets(with: options).firstObject)
    let found = PHAsset.fetchAssets(withLocalIdentifiers: [first.localIdentifier, "nothing", ""], options: options)
    #expect(found.count == 1)
    #expect(found.firstObject == first)
  }

  @Test func daysAreThoseOfThePlace() throws {
    let tokyo = SampleMetadata(captureDate: Date(timeIntervalSince1970: 3000 * 86_400 - 3600), offset: 9 * 3600)
    try temporary.add(SampleFile("T", SampleMedia.jpeg(size: PictureSize(width: 16, height: 16), metadata: tokyo)))
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let days = try PHAsset.fetchDays(with: options).map { "\($0.date) \($0.count)" }
    #expect(days == ["1978-03-20 2", "1975-06-24 1", "1972-09-27 1"])
  }

  @Test func aResultDoesNotChangeWithTheLibrary() throws {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let result = PHAsset.fetchAssets(with: options)
    try temporary.add(SampleFile("D", SampleMedia.jpeg(size: PictureSize(width: 16, height: 16), seed: 9)))
    #expect(result.count == 3)
  }
}
