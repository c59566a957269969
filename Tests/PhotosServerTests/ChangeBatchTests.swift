import Foundation
import Photos
import PhotosJSON
import PhotosTesting
import Testing

@testable import PhotosServer

/// Tests `POST /api/v1/changes`.
@Suite struct ChangeBatchTests {
  /// Sends a batch with these changes, in JSON.
  private func change(
    _ server: TestServer, _ changes: String..., key: String? = nil
  ) async throws -> TestServer.Answer {
    try await server.post(
      "/api/v1/changes", json: #"{"changes":[\#(changes.joined(separator: ","))]}"#,
      key.map { ["Idempotency-Key": $0] } ?? [:], isSignedIn: true)
  }

  private func answer(_ answer: TestServer.Answer) throws -> Changes.Answer {
    #expect(answer.status == 200, "\(answer.text)")
    return try JSONDecoder().decode(Changes.Answer.self, from: answer.body)
  }

  private func titles(of collections: PHFetchResult<PHCollection>) -> [String] {
    (0..<collections.count).map { collections.object(at: $0).localizedTitle ?? "" }
  }

  private func topLevel(_ server: TestServer) -> [String] {
    titles(of: PHCollection.fetchTopLevelUserCollections(with: server.options))
  }

  private func album(_ id: String?, _ server: TestServer) throws -> PHAssetCollection {
    let found = PHAssetCollection.fetchAssetCollections(
      withLocalIdentifiers: [try #require(id)], options: server.options)
    return try #require(found.firstObject)
  }

  private func assets(of album: String?, _ server: TestServer) throws -> [String] {
    let assets = PHAsset.fetchAssets(in: try self.album(album, server), options: server.options)
    return (0..<assets.count).map { assets.object(at: $0).uuid }
  }

  private func asset(_ asset: PHAsset, _ server: TestServer) throws -> PHAsset {
    try PHAsset.withID(asset.uuid[...], in: server.library)
  }

  private func list(_ assets: PHAsset...) -> String {
    "[" + assets.map { #""\#($0.uuid)""# }.joined(separator: ",") + "]"
  }

  @Test func `G-01: a photo becomes a favorite, in one transaction that the answer names`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let before = server.library.currentChangeToken
    let text = try await change(server, #"{"type":"setAssets","assets":\#(list(photo)),"isFavorite":true}"#).text
    let revision = server.library.currentChangeToken.stringValue
    let number = try #require(revision.split(separator: "-").last)
    #expect(text == #"{"created":{},"isUndoable":true,"revision":"\#(revision)","transaction":\#(number)}"#)
    #expect(try asset(photo, server).isFavorite)
    #expect(try Array(server.library.fetchPersistentChanges(since: before)).count == 1)
  }

  @Test func `O-05: date, zone, place and texts are set, and removed`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    _ = try await answer(
      change(
        server,
        #"""
        {"type":"setAssets","assets":\#(list(photo)),"creationDate":"2019-03-04T17:20:11.250-06:00",
        "location":{"latitude":59.9139,"longitude":10.7522},"title":"Oslo","caption":"At the fjord",
        "keywords":["sea","boat"],"addKeywords":["summer"],"removeKeywords":["boat"],"isHidden":true}
        """#))
    let changed = try asset(photo, server)
    #expect(
      ISODate.string(try #require(changed.creationDate), offset: changed.timeZoneOffset)
        == "2019-03-04T17:20:11.250-06:00")
    #expect(changed.location?.coordinate.latitude == 59.9139)
    #expect(changed.location?.coordinate.longitude == 10.7522)
    #expect(changed.extendedMetadata.title == "Oslo")
    #expect(changed.extendedMetadata.caption == "At the fjord")
    #expect(changed.extendedMetadata.keywords == ["sea", "summer"])
    #expect(changed.isHidden)
    #expect(try changed.details()?.timeZoneSource == "person")
    _ = try await answer(
      change(
        server,
        #"{"type":"setAssets","assets":\#(list(photo)),"location":null,"title":null,"caption":"","timeZone":"+01:00"}"#)
    )
    let cleared = try asset(photo, server)
    #expect(cleared.location == nil)
    #expect(cleared.extendedMetadata.title == nil)
    #expect(cleared.extendedMetadata.caption == nil)
    #expect(cleared.creationDate == changed.creationDate)
    #expect(cleared.timeZoneOffset == 3600)
  }

  @Test func `H-12: the dates of several photos move by the same time, and one undo moves them back`() async throws {
    let server = try TestServer()
    let photos = try (0..<3).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let before = photos.map(\.creationDate)
    let done = try await answer(
      change(
        server,
        #"{"type":"setAssets","assets":\#(list(photos[0], photos[1])),"moveCreationDate":-3600.25,"timeZone":"-06:00"}"#
      ))
    let moved = try photos.map { try asset($0, server) }
    #expect(
      moved.map(\.creationDate) == [
        before[0]?.addingTimeInterval(-3600.25), before[1]?.addingTimeInterval(-3600.25), before[2],
      ])
    #expect(moved[0].timeZoneOffset == -6 * 3600)
    _ = try await server.post(
      "/api/v1/undo", json: #"{"transaction":\#(try #require(done.transaction))}"#, isSignedIn: true)
    #expect(try photos.map { try asset($0, server).creationDate } == before)
  }

  @Test func `a date can't be moved out of the calendar's years`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    for seconds in ["1e12", "-1e300"] {
      let refused = try await change(
        server, #"{"type":"setAssets","assets":\#(list(photo)),"isFavorite":true}"#,
        #"{"type":"setAssets","assets":\#(list(photo)),"moveCreationDate":\#(seconds)}"#,
        #"{"type":"setAssets","assets":\#(list(photo)),"title":"Fjord"}"#)
      #expect(refused.status == 422)
      #expect(refused.problem?.detail == "changes[1]: the date of an asset has to be in the years 1 to 9999")
    }
    #expect(try asset(photo, server).creationDate == photo.creationDate)
  }

  @Test func `O-03: an album is made and filled in one transaction`() async throws {
    let server = try TestServer()
    let photos = try (0..<3).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let before = server.library.currentChangeToken
    let made = try await answer(
      change(
        server, #"{"type":"createFolder","as":"$folder","title":"Travels"}"#,
        #"{"type":"createAlbum","as":"$1","title":"Norway","parent":"$folder"}"#,
        #"{"type":"addAssets","collection":"$1","assets":\#(list(photos[2], photos[0], photos[1]))}"#,
        #"{"type":"setKeyAsset","collection":"$1","asset":"\#(photos[0].uuid)"}"#))
    #expect(try assets(of: made.created["$1"], server) == [2, 0, 1].map { photos[$0].uuid })
    #expect(topLevel(server) == ["Travels"])
    let folders = PHCollectionList.fetchCollectionListsContaining(
      try album(made.created["$1"], server), options: server.options)
    #expect(folders.firstObject?.localIdentifier.hasPrefix(try #require(made.created["$folder"])) == true)
    #expect(try Array(server.library.fetchPersistentChanges(since: before)).count == 1)
  }

  @Test func `assets are put, moved and removed at the places that the album shows`() async throws {
    let server = try TestServer()
    let photos = try (0..<5).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let album =
      try await answer(
        change(
          server, #"{"type":"createAlbum","as":"$1","title":"Norway"}"#,
          #"{"type":"addAssets","collection":"$1","assets":\#(list(photos[0], photos[1], photos[2]))}"#)
      ).created["$1"] ?? ""
    func order() throws -> [Int] {
      try assets(of: album, server).map { id in photos.firstIndex { $0.uuid == id } ?? -1 }
    }
    _ = try await answer(
      change(
        server,
        #"{"type":"addAssets","collection":"\#(album)","assets":\#(list(photos[1], photos[4], photos[3])),"index":1}"#))
    #expect(try order() == [0, 4, 3, 1, 2])
    _ = try await answer(
      change(
        server, #"{"type":"moveAssets","collection":"\#(album)","assets":\#(list(photos[2], photos[0])),"index":1}"#))
    #expect(try order() == [4, 0, 2, 3, 1])
    _ = try await answer(
      change(
        server, #"{"type":"removeAssets","collection":"\#(album)","assets":\#(list(photos[4], photos[2]))}"#,
        #"{"type":"moveAssets","collection":"\#(album)","assets":\#(list(photos[1])),"index":0}"#,
        #"{"type":"addAssets","collection":"\#(album)","assets":\#(list(photos[2])),"index":3}"#))
    #expect(try order() == [1, 0, 3, 2])
  }

  @Test func `collections are renamed, moved and deleted`() async throws {
    let server = try TestServer()
    let made = try await answer(
      change(
        server, #"{"type":"createFolder","as":"$f","title":"Travels"}"#,
        #"{"type":"createAlbum","as":"$a","title":"Alps"}"#, #"{"type":"createAlbum","as":"$b","title":"Bergen"}"#,
        #"{"type":"createAlbum","as":"$c","title":"Crete","index":0}"#)
    ).created
    #expect(topLevel(server) == ["Crete", "Travels", "Alps", "Bergen"])
    let (folder, alps, bergen) = (made["$f"] ?? "", made["$a"] ?? "", made["$b"] ?? "")
    _ = try await answer(
      change(
        server, #"{"type":"renameCollection","collection":"\#(alps)","title":"The Alps"}"#,
        #"{"type":"moveCollections","collections":["\#(bergen)"],"parent":null,"index":1}"#,
        #"{"type":"moveCollections","collections":["\#(made["$c"] ?? "")"],"parent":"\#(folder)"}"#,
        #"{"type":"moveCollections","collections":["\#(alps)"],"parent":"\#(folder)","index":0}"#))
    #expect(topLevel(server) == ["Bergen", "Travels"])
    let list = PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [folder], options: server.options)
    let children = PHCollection.fetchCollections(in: try #require(list.firstObject), options: server.options)
    #expect(titles(of: children) == ["The Alps", "Crete"])
    _ = try await answer(
      change(server, #"{"type":"deleteCollections","collections":["\#(folder)","\#(bergen)","\#(alps)"]}"#))
    #expect(topLevel(server) == [])
  }

  @Test func `J-06: a deleted photo is restored to its place, or deleted for good`() async throws {
    let server = try TestServer()
    let photos = try (0..<2).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let album = try await answer(
      change(
        server, #"{"type":"createAlbum","as":"$1","title":"Norway"}"#,
        #"{"type":"addAssets","collection":"$1","assets":\#(list(photos[0], photos[1]))}"#)
    ).created["$1"]
    _ = try await answer(change(server, #"{"type":"deleteAssets","assets":\#(list(photos[0]))}"#))
    #expect(try assets(of: album, server) == [photos[1].uuid])
    _ = try await answer(change(server, #"{"type":"restoreAssets","assets":\#(list(photos[0]))}"#))
    #expect(try assets(of: album, server) == photos.map(\.uuid))
    _ = try await answer(change(server, #"{"type":"deleteAssets","assets":\#(list(photos[0]))}"#))
    _ = try await answer(change(server, #"{"type":"deleteAssetsPermanently","assets":\#(list(photos[0]))}"#))
    #expect(PHAsset.fetchRecentlyDeletedAssets(with: server.options).count == 0)
  }

  @Test func `photos get an edit together, and lose it`() async throws {
    let server = try TestServer()
    let photos = try (0..<2).map { try server.add(bitmap(width: 32, height: 16, red: UInt8($0)), minute: $0) }
    let before = server.library.currentChangeToken
    _ = try await answer(
      change(
        server, #"{"type":"editAssets","assets":\#(list(photos[0], photos[1])),"steps":{"filter":"sepia","rotate":90}}"#
      ))
    #expect(try Array(server.library.fetchPersistentChanges(since: before)).count == 1)
    for photo in photos {
      let edited = try asset(photo, server)
      #expect((edited.pixelWidth, edited.pixelHeight) == (16, 32))
      #expect(try edited.photoEdit?.filter == .sepia)
    }
    let late = try await change(
      server,
      #"{"type":"editAssets","assets":\#(list(photos[0])),"steps":{},"version":"\#(photos[0].renditionVersion)"}"#)
    #expect(late.status == 409)
    let lateRevert = try await change(
      server, #"{"type":"revertAssets","assets":\#(list(photos[0])),"version":"\#(photos[0].renditionVersion)"}"#)
    #expect(lateRevert.status == 409)
    _ = try await answer(change(server, #"{"type":"revertAssets","assets":\#(list(photos[0], photos[1]))}"#))
    #expect(try !asset(photos[0], server).hasAdjustments)
  }

  @Test func `an edit takes effect before a later change of its batch`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap(width: 32, height: 16))
    _ = try await answer(
      change(
        server, #"{"type":"editAssets","assets":\#(list(photo)),"steps":{"filter":"sepia"}}"#,
        #"{"type":"deleteAssets","assets":\#(list(photo))}"#))
    _ = try await answer(change(server, #"{"type":"restoreAssets","assets":\#(list(photo))}"#))
    #expect(try asset(photo, server).photoEdit?.filter == .sepia)
  }

  @Test func `a range names the assets of a collection, except for some`() async throws {
    let server = try TestServer()
    let photos = try (0..<5).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    func range(_ fields: String, revision: String? = nil) -> String {
      let revision = revision ?? server.library.currentChangeToken.stringValue
      return
        #"{"type":"setAssets","isFavorite":true,"assets":{"range":{"collection":"userLibrary","revision":"\#(revision)",\#(fields)}}}"#
    }
    let old = server.library.currentChangeToken.stringValue
    _ = try await answer(change(server, range(#""first":1,"end":4,"except":["\#(photos[2].uuid)"]"#)))
    #expect(try photos.map { try asset($0, server).isFavorite } == [false, true, false, true, false])
    let late = try await change(server, range(#""first":0,"end":1"#, revision: old))
    #expect(late.status == 409)
    #expect(
      late.problem?.detail
        == "changes[0].assets.range.revision: the library has changed; its revision is \(server.library.currentChangeToken.stringValue) now"
    )
    #expect(
      try await change(server, range(#""first":0,"end":6"#)).problem?.detail
        == "changes[0].assets.range.end: the collection has 5 assets")
  }

  @Test func `two thousand photos become favorites in one transaction, by a range`() async throws {
    let temporary = try TemporaryLibrary()
    try temporary.add([SampleAsset].photos(2000).map(\.withoutFiles))
    let server = try TestServer(library: temporary.library)
    let revision = server.library.currentChangeToken.stringValue
    _ = try await answer(
      change(
        server,
        #"{"type":"setAssets","isFavorite":true,"assets":{"range":{"collection":"userLibrary","revision":"\#(revision)","first":0,"end":2000}}}"#
      ))
    let favorites = PHAssetCollection.fetchAssetCollections(
      with: .smartAlbum, subtype: .smartAlbumFavorites, options: server.options)
    #expect(favorites.firstObject?.estimatedAssetCount == 2000)
  }
}

extension TestServer {
  /// Options for a fetch from the server's library.
  var options: PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = library
    return options
  }
}
