import Foundation
@_spi(Testing) import Photos
import PhotosTesting
import Testing

@testable import PhotosServer

/// Tests the parts of the lists that `/api/v1/collections` names, in each order and for each kind
/// of requester.
@Suite struct CollectionCellTests {
  /// The requesters, who see different collections.
  enum Reader: CaseIterable {
    case owner, ownerWithOpenedLock, ownerWithClosedLock, clientWithFullAccess, limitedClient
  }

  private static let password = "correct horse battery"
  private let server: TestServer
  /// A library with two assets of each kind or more. Each date belongs to two assets.
  private let temporary: TemporaryLibrary

  init() throws {
    temporary = try TemporaryLibrary()
    server = try TestServer(library: temporary.library)
    try server.setPassword(Self.password)
    let kinds: [(PHAssetMediaType, PHAssetMediaSubtype)] =
      [
        .photoLive, .photoPanorama, .photoScreenshot, .photoDepthEffect, .photoAnimation, .spatialMedia,
      ].map { (.image, $0) }
      + [.videoTimelapse, .videoHighFrameRate, .videoCinematic, .videoScreenRecording].map { (.video, $0) }
    let others = Array(repeating: (PHAssetMediaType.image, PHAssetMediaSubtype()), count: 6)
    var samples = (kinds + kinds + others).enumerated().map { index, kind in
      var sample = AssetWithoutFiles(
        kind.0, originalFilename: "IMG_\(index).JPG",
        creationDate: Date(timeIntervalSince1970: 1_600_000_000 + Double(index / 2 * 86_400)), pixelWidth: 40,
        pixelHeight: 30)
      sample.mediaSubtypes = kind.1
      return sample
    }
    for index in samples.indices {
      samples[index].isFavorite = index % 3 == 0
      samples[index].isHidden = (20..<23).contains(index)
    }
    let ids = try temporary.library.create(samples)
    let options = server.options
    options.includeHiddenAssets = true
    let assets = try ids.map {
      try #require(PHAsset.fetchAssets(withLocalIdentifiers: [$0], options: options).firstObject)
    }
    try temporary.library.performChangesAndWait {
      func album(_ title: String, _ contents: [PHAsset]) -> PHObjectPlaceholder {
        let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
        request.addAssets(contents as NSArray)
        return request.placeholderForCreatedAssetCollection
      }
      func folder(_ title: String, _ children: [PHObjectPlaceholder]) -> PHObjectPlaceholder {
        let request = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: title)
        request.addChildCollections(children as NSArray)
        return request.placeholderForCreatedCollectionList
      }
      _ = album("Norway", [5, 0, 9, 2, 7].map { assets[$0] })
      _ = album("Empty", [])
      let rome = album("Rome", [9, 11, 4].map { assets[$0] })
      _ = folder("Travels", [album("Japan", [12, 3].map { assets[$0] }), folder("Europe", [rome])])
    }
    try temporary.library.performChangesAndWait {
      PHAssetChangeRequest.deleteAssets(Array(assets.suffix(3)) as NSArray)
    }
  }

  private typealias Ask = (String) async throws -> TestServer.Answer

  /// Returns a way to send requests as a requester.
  private func requests(of reader: Reader) async throws -> Ask {
    let server = server
    func asOwner(_ path: String) async throws -> TestServer.Answer { try await server.ask("/api/v1\(path)") }
    switch reader {
    case .owner: return asOwner
    case .ownerWithOpenedLock, .ownerWithClosedLock:
      let set = try await server.post("/api/v1/hidden-lock", json: #"{"isSet":true}"#, method: "PUT", isSignedIn: true)
      #expect(set.status == 200)
      guard reader == .ownerWithOpenedLock else { return asOwner }
      let opening = try await server.post(
        "/api/v1/hidden-lock/opening", json: #"{"password":"\#(Self.password)"}"#, isSignedIn: true)
      #expect(opening.status == 200)
      return asOwner
    case .clientWithFullAccess:
      let client = try await TestClient(server: server).answered("full")
      return { try await client.ask($0) }
    case .limitedClient:
      let all = PHAsset.fetchAssets(with: server.options)
      let chosen = (0..<all.count).map(all.object(at:)).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      let client = try await TestClient(server: server).answered("limited", assets: chosen)
      return { try await client.ask($0) }
    }
  }

  private struct Collections: Decodable {
    struct Collection: Decodable {
      var id: String
      var kind: String
      var title: String
      var count: Int
    }
    var collections: [Collection]
  }

  /// A list with its assets in their order.
  private struct List {
    /// The path with a query, to which arguments can be added.
    var path: String
    var title: String
    var ids: [String]
  }

  private struct Part: Decodable {
    struct Cell: Decodable { var id: String }
    /// The answer to a search has none.
    var offset: Int?
    var total: Int
    var assets: [Cell]

    var ids: [String] { assets.map(\.id) }
  }

  private func part(_ path: String, _ ask: Ask) async throws -> Part {
    let answer = try await ask(path)
    #expect(answer.status == 200, "\(path): \(answer.text)")
    return try JSONDecoder().decode(Part.self, from: answer.body)
  }

  /// Returns the lists that the requester sees: each collection in its orders, filtered, and the
  /// lists of a predicate.
  private func lists(_ ask: Ask) async throws -> [List] {
    let collections = try JSONDecoder().decode(Collections.self, from: await ask("/collections").body).collections
    var lists: [List] = []
    for collection in collections {
      let own = collection.kind == "album" ? "custom" : collection.id == "recentlyDeleted" ? "deleted" : "added"
      for query in ["order=newest", "order=oldest", "order=\(own)", "where=pixelWidth%20==%2040", "q=img"] {
        let path = "/collections/\(collection.id)/assets?\(query)"
        let whole = try await part("\(path)&limit=500", ask)
        #expect((whole.offset, whole.total) == (0, whole.ids.count))
        #expect(whole.total == collection.count, "\(path)")
        lists.append(List(path: path, title: collection.title, ids: whole.ids))
      }
    }
    for query in ["sort=-creationDate", "sort=creationDate", "where=mediaType%20==%201"] {
      let path = "/assets?\(query)"
      lists.append(List(path: path, title: "", ids: try await part("\(path)&limit=500", ask).ids))
    }
    return lists
  }

  @Test(arguments: Reader.allCases)
  func `a requester's collections of several kinds have more than one asset`(reader: Reader) async throws {
    let lists = try await lists(requests(of: reader))
    let titles = Set(lists.filter { $0.ids.count > 1 }.map(\.title))
    #expect(titles.count > 5)
    guard reader == .owner || reader == .ownerWithOpenedLock else { return }
    #expect(
      titles == [
        "", "Recents", "Recently Added", "Favorites", "Videos", "Live Photos", "Portrait", "Panoramas", "Time-lapse",
        "Slo-mo", "Cinematic", "Screenshots", "Screen Recordings", "Animated", "Spatial", "Hidden",
        "Recently Deleted", "Norway", "Rome", "Japan", "Europe", "Travels",
      ])
  }

  @Test(arguments: Reader.allCases)
  func `the parts of a list are the whole together, in each order`(reader: Reader) async throws {
    let ask = try await requests(of: reader)
    let search = "/search?q=img"
    let found = List(path: search, title: "", ids: try await part("\(search)&limit=500", ask).ids)
    var wrong: Set<String> = []
    for list in try await lists(ask) + [found] {
      for limit in [1, 4] {
        var together: [String] = []
        for offset in stride(from: 0, through: list.ids.count, by: limit) {
          let part = try await part("\(list.path)&offset=\(offset)&limit=\(limit)", ask)
          if (part.offset ?? offset, part.total) != (offset, list.ids.count) { wrong.insert(list.path) }
          together += part.ids
        }
        if together != list.ids { wrong.insert(list.path) }
      }
    }
    #expect(wrong == [])
  }

  private struct Days: Decodable {
    var total: Int
    /// Each day as a text or `null`, and its number of assets.
    var days: [[JSONValue]]
  }

  @Test(arguments: Reader.allCases)
  func `the days, shapes and colors of a list are those of its assets`(reader: Reader) async throws {
    let ask = try await requests(of: reader)
    var wrong: Set<String> = []
    for list in try await lists(ask) where list.path.hasPrefix("/collections/") {
      func answer(_ name: String) async throws -> Data {
        try await ask(list.path.replacing("/assets?", with: "/\(name)?")).body
      }
      let days = try JSONDecoder().decode(Days.self, from: await answer("days"))
      let counts = days.days.map { day -> Int in if case .number(let count) = day.last { Int(count) } else { -1 } }
      let numbers = [
        days.total, counts.reduce(0, +), try await answer("aspects").count, try await answer("colors").count / 3,
      ]
      if Set(numbers) != [list.ids.count] { wrong.insert(list.path) }
    }
    #expect(wrong == [])
  }

  private struct Place: Decodable { var index: Int? }

  @Test(arguments: Reader.allCases)
  func `each asset of a list has its place there, and other assets have none`(reader: Reader) async throws {
    let ask = try await requests(of: reader)
    let lists = try await lists(ask)
    let all = Set(lists.flatMap(\.ids)).sorted()
    var wrong: Set<String> = []
    for list in lists {
      let other = all.first { !list.ids.contains($0) }
      for id in list.ids + [other ?? "nothing"] {
        let place = try JSONDecoder().decode(Place.self, from: await ask("\(list.path)&at=\(id)").body)
        if place.index != list.ids.firstIndex(of: id) { wrong.insert(list.path) }
      }
    }
    #expect(wrong == [])
  }

  @Test(arguments: Reader.allCases)
  func `the part around an asset has its neighbors, and its length up to the ends`(reader: Reader) async throws {
    let ask = try await requests(of: reader)
    var wrong: Set<String> = []
    for list in try await lists(ask) {
      for (index, id) in list.ids.enumerated() {
        for limit in [1, 4] {
          let part = try await part("\(list.path)&around=\(id)&limit=\(limit)", ask)
          // The asset is in the middle of the part, except near the ends of the list.
          let start = max(0, min(index - limit / 2, list.ids.count - limit))
          let expected = Array(list.ids[start...].prefix(limit))
          if (part.offset, part.total, part.ids) != (start, list.ids.count, expected) { wrong.insert(list.path) }
        }
      }
    }
    #expect(wrong == [])
  }
}
