import Foundation
@_spi(Testing) import Photos
import PhotosTesting
import Testing

@testable import PhotosServer

/// Tests that the requests of the querying guide are answered like its fetches in Swift.
@Suite struct QueryingGuideTests {
  private let temporary: TemporaryLibrary
  private let server: TestServer
  /// The library as another program opens it.
  private let program: PHPhotoLibrary

  init() throws {
    temporary = try TemporaryLibrary()
    server = try TestServer(library: temporary.library)
    program = try PHPhotoLibrary(url: temporary.url)
  }

  private var options: PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = program
    return options
  }

  private func ids(_ path: String) async throws -> [String] {
    let answer = try await server.ask("/api/v1\(path)")
    #expect(answer.status == 200, "\(answer.text)")
    return try JSONDecoder().decode(AssetsAnswer.self, from: answer.body).assets.map(\.id)
  }

  private func ids(_ result: PHFetchResult<PHAsset>) -> [String] { (0..<result.count).map { result[$0].uuid } }

  /// Adds a screenshot, an HDR photo that is no screenshot, a screenshot with a depth map, and a
  /// video, one after another. Each date belongs to two of them.
  private func add(_ count: Int) throws {
    let kinds: [(PHAssetMediaType, PHAssetMediaSubtype)] = [
      (.image, .photoScreenshot), (.image, .photoHDR), (.image, [.photoScreenshot, .photoDepthEffect]), (.video, []),
    ]
    let assets = (0..<count).map { index in
      let (type, subtypes) = kinds[index % kinds.count]
      var asset = AssetWithoutFiles(
        type, originalFilename: "IMG_\(index)",
        creationDate: Date(timeIntervalSince1970: 1_600_000_000 + Double(index / 2)), pixelWidth: 40, pixelHeight: 30)
      asset.mediaSubtypes = subtypes
      return asset
    }
    _ = try temporary.library.create(assets)
  }

  @Test func `O-01: the newest images are those of the same fetch in Swift`() async throws {
    try add(80)
    let options = options
    options.predicate = NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    options.fetchLimit = 50
    let fetched = ids(PHAsset.fetchAssets(with: options))
    #expect(fetched.count == 50)
    #expect(try await ids("/assets?limit=50&sort=-creationDate&where=mediaType==1") == fetched)
  }

  @Test func `O-02: a bit of the subtypes chooses the assets of the same fetch in Swift`() async throws {
    try add(8)
    let options = options
    options.predicate = NSPredicate(
      format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.photoScreenshot.rawValue)
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    let fetched = ids(PHAsset.fetchAssets(with: options))
    #expect(fetched.count == 4)
    #expect(try await ids("/assets?where=(mediaSubtypes%20%26%204)%20!=%200") == fetched)
    #expect(try await ids("/collections/screenshots/assets") == fetched)
  }

  private struct Collections: Decodable {
    struct Collection: Decodable {
      var id: String
      var kind: String
      var title: String
      var parent: String?
    }
    var collections: [Collection]
  }

  /// Returns the collections that a folder contains, or the top level.
  private func children(of folder: String?) async throws -> [Collections.Collection] {
    let answer = try await server.ask("/api/v1/collections")
    return try JSONDecoder().decode(Collections.self, from: answer.body).collections.filter {
      $0.kind != "smartAlbum" && $0.parent == folder
    }
  }

  /// Sends one change, and returns the identifier of the collection that it makes.
  @discardableResult private func change(_ change: String) async throws -> String? {
    let before = program.currentChangeToken
    let answer = try await server.post("/api/v1/changes", json: #"{"changes":[\#(change)]}"#, isSignedIn: true)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(try Array(program.fetchPersistentChanges(since: before)).count == 1)
    return try JSONDecoder().decode(Changes.Answer.self, from: answer.body).created["$1"]
  }

  @Test func `O-03: the collections of the top level and of a folder are those of the fetches in Swift`() async throws {
    let folder = try #require(try await change(#"{"type":"createFolder","as":"$1","title":"Travels"}"#))
    for (title, parent) in [("Norway", folder), ("Receipts", nil), ("Alps", nil), ("Bergen", folder)] {
      let parent = parent.map { #","parent":"\#($0)""# } ?? ""
      try await change(#"{"type":"createAlbum","as":"$1","title":"\#(title)"\#(parent)}"#)
    }
    let sorted = options
    sorted.sortDescriptors = [NSSortDescriptor(key: "localizedTitle", ascending: true)]
    let topLevel = PHCollectionList.fetchTopLevelUserCollections(with: sorted)
    let titles = (0..<topLevel.count).map { topLevel[$0].localizedTitle }
    #expect(titles == ["Alps", "Receipts", "Travels"])
    #expect(try await children(of: nil).map(\.title).sorted() == titles)
    let list = try #require(
      PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [folder], options: options).firstObject)
    let albums = PHCollection.fetchCollections(in: list, options: options)
    #expect(albums.count == 2)
    #expect(try await children(of: folder).map(\.title) == (0..<albums.count).map { albums[$0].localizedTitle })
  }

  @Test func `O-03: an album in a folder is made, gets assets and loses one, each by one change`() async throws {
    try add(3)
    let assets = try await ids("/assets?sort=creationDate")
    let folder = try #require(try await change(#"{"type":"createFolder","as":"$1","title":"Travels"}"#))
    let album = try #require(
      try await change(#"{"type":"createAlbum","as":"$1","title":"Norway","parent":"\#(folder)"}"#))
    #expect(try await children(of: folder).map(\.id) == [album])
    try await change(
      #"{"type":"addAssets","collection":"\#(album)","assets":["\#(assets[2])","\#(assets[0])","\#(assets[1])"]}"#)
    #expect(try await ids("/collections/\(album)/assets") == [2, 0, 1].map { assets[$0] })
    #expect(try await ids("/collections/\(album)/assets?limit=2") == [2, 0].map { assets[$0] })
    try await change(#"{"type":"removeAssets","collection":"\#(album)","assets":["\#(assets[0])"]}"#)
    #expect(try await ids("/collections/\(album)/assets") == [2, 1].map { assets[$0] })
    let found = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [album], options: options)
    #expect(
      ids(PHAsset.fetchAssets(in: try #require(found.firstObject), options: options)) == [2, 1].map { assets[$0] })
  }
}
