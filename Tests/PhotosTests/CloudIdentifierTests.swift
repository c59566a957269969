import Photos
import PhotosTesting
import Testing

@Suite struct CloudIdentifierTests {
  let temporary: TemporaryLibrary
  let assets: [PHAsset]
  var library: PHPhotoLibrary { temporary.library }

  init() throws {
    temporary = try TemporaryLibrary()
    let size = PictureSize(width: 32, height: 24)
    assets = try temporary.add(
      SampleFile("1.JPG", SampleMedia.jpeg(size: size, seed: 1)),
      SampleFile("2.JPG", SampleMedia.jpeg(size: size, seed: 2)))
  }

  private func code(_ result: Result<some Any, any Error>?) -> PHPhotosError.Code? {
    guard case .failure(let error) = result else { return nil }
    return (error as? PHPhotosError)?.code
  }

  @Test func `assets, albums and folders are found by their cloud identifiers`() throws {
    nonisolated(unsafe) var made: [String] = []
    try library.performChangesAndWait {
      made = [
        PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Album")
          .placeholderForCreatedAssetCollection.localIdentifier,
        PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Folder")
          .placeholderForCreatedCollectionList.localIdentifier,
      ]
    }
    let local = assets.map(\.localIdentifier) + made
    let cloud = try local.map { try #require(library.cloudIdentifierMappings(forLocalIdentifiers: local)[$0]).get() }
    #expect(Set(cloud).count == 4)
    let back = library.localIdentifierMappings(for: cloud)
    #expect(try cloud.map { try #require(back[$0]).get() } == local)
    #expect(library.localIdentifiers(for: cloud) == local)
    #expect(library.cloudIdentifiers(forLocalIdentifiers: local) == cloud)
  }

  @Test func `an object that isn't there is not found, and the others are`() throws {
    let missing = "00000000-0000-0000-0000-000000000000/L0/001"
    let mappings = library.cloudIdentifierMappings(forLocalIdentifiers: [missing, "", assets[0].localIdentifier])
    #expect(mappings.count == 3)
    #expect(code(mappings[missing]) == .identifierNotFound)
    #expect(code(mappings[""]) == .identifierNotFound)
    #expect(try mappings[assets[0].localIdentifier]?.get() != nil)
    #expect(library.cloudIdentifiers(forLocalIdentifiers: [missing]) == [.notFound])
  }

  @Test func `a deleted asset is not found`() throws {
    let cloud = library.cloudIdentifiers(forLocalIdentifiers: [assets[0].localIdentifier])
    try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([assets[0]] as NSArray) }
    #expect(code(library.localIdentifierMappings(for: cloud)[cloud[0]]) == .identifierNotFound)
    #expect(library.localIdentifiers(for: cloud) == [PHLocalIdentifierNotFound])
  }

  @Test(arguments: ["", "nothing", "a:001:b"])
  func `a text that names nothing is not found`(text: String) {
    let identifier = PHCloudIdentifier(stringValue: text)
    #expect(code(library.localIdentifierMappings(for: [identifier])[identifier]) == .identifierNotFound)
    #expect(PHCloudIdentifier(archivalStringValue: text) == nil)
  }

  @Test func `another library knows none of them`() throws {
    let cloud = library.cloudIdentifiers(forLocalIdentifiers: assets.map(\.localIdentifier))
    let other = try TemporaryLibrary()
    #expect(other.library.localIdentifiers(for: cloud) == [PHLocalIdentifierNotFound, PHLocalIdentifierNotFound])
    let moved = cloud[0].stringValue.split(separator: ":").dropLast().joined(separator: ":") + ":\(UUID().uuidString)"
    #expect(library.localIdentifiers(for: [PHCloudIdentifier(stringValue: moved)]) == [PHLocalIdentifierNotFound])
  }

  @Test func `a client without access finds none of them`() throws {
    let client = library.photoLibrary(for: LibraryClient(identifier: "com.example.Stranger"))
    let local = assets.map(\.localIdentifier)
    let cloud = library.cloudIdentifiers(forLocalIdentifiers: local)
    #expect(client.cloudIdentifiers(forLocalIdentifiers: local) == [.notFound, .notFound])
    #expect(code(client.localIdentifierMappings(for: cloud)[cloud[0]]) == .identifierNotFound)
  }

  @Test func `an identifier is what its text and its archive say`() throws {
    let cloud = library.cloudIdentifiers(forLocalIdentifiers: [assets[0].localIdentifier])[0]
    #expect(PHCloudIdentifier(archivalStringValue: cloud.archivalStringValue) == cloud)
    #expect(PHCloudIdentifier(stringValue: cloud.stringValue).hash == cloud.hash)
    let data = try NSKeyedArchiver.archivedData(withRootObject: cloud, requiringSecureCoding: true)
    #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: PHCloudIdentifier.self, from: data) == cloud)
  }
}
