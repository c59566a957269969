import Foundation
import Photos
import Testing

@testable import PhotosServer

/// Tests that each kind of change over HTTP can be undone and redone.
@Suite struct ChangeUndoTests {
  private let server: TestServer
  /// The identifiers that take the place of names like `$P1` in the changes below.
  private let names: [String: String]

  /// Makes a library with the album Norway, and the folder Travels that contains the album Sweden.
  /// P4 has an edit, and P5 is in Recently Deleted.
  init() async throws {
    server = try TestServer()
    var names: [String: String] = [:]
    for number in 0..<6 {
      names["P\(number)"] = try server.add(
        bitmap(red: UInt8(number)), named: "P\(number).BMP", minute: number
      ).uuid
    }
    let changes = [
      #"{"type":"createAlbum","as":"$Norway","title":"Norway"}"#,
      #"{"type":"createFolder","as":"$Travels","title":"Travels"}"#,
      #"{"type":"createAlbum","as":"$Sweden","title":"Sweden","parent":"$Travels"}"#,
      #"{"type":"addAssets","collection":"$Norway","assets":["$P0","$P1","$P2"]}"#,
      #"{"type":"setAssets","assets":["$P0"],"keywords":["sea"],"title":"Fjord","caption":"Calm","isHidden":true}"#,
      #"{"type":"editAssets","assets":["$P4"],"steps":{"filter":"sepia"}}"#,
      #"{"type":"deleteAssets","assets":["$P5"]}"#,
    ]
    let answer = try await Self.post("changes", Self.batch(changes, names), server)
    self.names = names.merging(answer.created.map { (String($0.dropFirst()), $1) }) { $1 }
  }

  private static func post(_ path: String, _ body: String, _ server: TestServer) async throws -> Changes.Answer {
    let answer = try await server.post("/api/v1/\(path)", json: body, isSignedIn: true)
    try #require(answer.status == 200, "\(answer.text)")
    return try JSONDecoder().decode(Changes.Answer.self, from: answer.body)
  }

  private static func batch(_ changes: [String], _ names: [String: String]) -> String {
    let text = #"{"changes":[\#(changes.joined(separator: ","))]}"#
    return names.reduce(text) { $0.replacing("\"$\($1.key)\"", with: "\"\($1.value)\"") }
  }

  /// Returns the answers about collections, their assets and each photo. Revisions, modification
  /// dates and placeholders are left out. A placeholder appears once a picture is made.
  private func facts() async throws -> [String] {
    let lists = ["userLibrary", "Norway", "Sweden", "recentlyDeleted"].map {
      "collections/\(names[$0] ?? $0)/assets?limit=100"
    }
    let assets = names.filter { $0.key.hasPrefix("P") }.map { "assets/\($0.value)" }.sorted()
    var facts: [String] = []
    for path in ["collections"] + lists + assets {
      let answer = try await server.ask("/api/v1/\(path)")
      let text = answer.text.replacing(/"(revision|modificationDate|placeholder)":("[^"]*"|null)/, with: "")
      facts.append("\(path): \(text)")
    }
    return facts
  }

  /// A value for each key of `setAssets` but `removeKeywords`, which is in `changes`.
  private static let values = [
    #""isFavorite":true"#, #""isHidden":true"#, #""isBurstPick":true"#,
    #""creationDate":"2020-01-02T03:04:05.250+02:00""#, #""moveCreationDate":-3600"#, #""timeZone":"+05:30""#,
    #""location":{"latitude":59.9139,"longitude":10.7522}"#, #""title":"Harbor""#, #""caption":"Boats""#,
    #""keywords":["boat","pier"]"#, #""addKeywords":["summer"]"#,
  ]

  private static let changes =
    values.map { #"{"type":"setAssets","assets":["$P1","$P2"],\#($0)}"# } + [
      #"{"type":"setAssets","assets":["$P0"],"removeKeywords":["sea"],"title":null,"caption":"","isHidden":false}"#,
      #"{"type":"deleteAssets","assets":["$P1","$P3"]}"#,
      #"{"type":"restoreAssets","assets":["$P5"]}"#,
      #"{"type":"editAssets","assets":["$P1"],"steps":{"filter":"mono","rotate":90}}"#,
      #"{"type":"editAssets","assets":["$P4"],"steps":{"filter":"mono"}}"#,
      #"{"type":"revertAssets","assets":["$P4"]}"#,
      #"{"type":"createAlbum","as":"$1","title":"Denmark","parent":"$Travels","index":0}"#,
      #"{"type":"createFolder","as":"$1","title":"Home"}"#,
      #"{"type":"renameCollection","collection":"$Norway","title":"Oslo"}"#,
      #"{"type":"renameCollection","collection":"$Travels","title":"Trips"}"#,
      #"{"type":"deleteCollections","collections":["$Norway"]}"#,
      #"{"type":"deleteCollections","collections":["$Travels"]}"#,
      #"{"type":"moveCollections","collections":["$Norway"],"parent":"$Travels","index":0}"#,
      #"{"type":"moveCollections","collections":["$Sweden"],"parent":null,"index":1}"#,
      #"{"type":"moveCollections","collections":["$Travels"],"parent":null,"index":0}"#,
      #"{"type":"addAssets","collection":"$Norway","assets":["$P3","$P4"],"index":1}"#,
      #"{"type":"removeAssets","collection":"$Norway","assets":["$P1"]}"#,
      #"{"type":"moveAssets","collection":"$Norway","assets":["$P2"],"index":0}"#,
      #"{"type":"setKeyAsset","collection":"$Norway","asset":"$P1"}"#,
    ]

  @Test(arguments: changes)
  func `Y-01: a change is undone and redone, fact by fact`(change: String) async throws {
    let before = try await facts()
    let done = try await Self.post("changes", Self.batch([change], names), server)
    // A photo that is not of a burst can't be picked from one.
    guard !change.contains("isBurstPick") else { return #expect(done.transaction == nil) }
    #expect(done.isUndoable)
    let after = try await facts()
    #expect(after != before)
    _ = try await Self.post("undo", "{}", server)
    for (now, then) in zip(try await facts(), before) { #expect(now == then) }
    _ = try await Self.post("redo", "{}", server)
    for (now, then) in zip(try await facts(), after) { #expect(now == then) }
  }

  /// Changes of one transaction, what it did, and what its undo did. A redo does the same as the
  /// change, but brings back what the change made.
  private static let actions: [(changes: [String], done: String, undone: String)] = [
    ([#"{"type":"setAssets","assets":["$P1","$P2"],"isFavorite":true}"#], "favorited 2", "unfavorited 2"),
    ([#"{"type":"setAssets","assets":["$P1","$P2"],"isHidden":true}"#], "hidden 2", "unhidden 2"),
    (
      [#"{"type":"setAssets","assets":["$P0"],"isHidden":false,"removeKeywords":["sea"],"title":null}"#],
      "unhidden 1, described 1", "hidden 1, described 1"
    ),
    (
      [#"{"type":"setAssets","assets":["$P1"],"creationDate":"2020-01-02T03:04:05.250+02:00"}"#], "dateChanged 1",
      "dateChanged 1"
    ),
    ([#"{"type":"setAssets","assets":["$P1"],"moveCreationDate":-3600}"#], "dateChanged 1", "dateChanged 1"),
    ([#"{"type":"setAssets","assets":["$P1"],"timeZone":"+05:30"}"#], "dateChanged 1", "dateChanged 1"),
    (
      [#"{"type":"setAssets","assets":["$P1"],"location":{"latitude":59.9139,"longitude":10.7522}}"#],
      "placeChanged 1", "placeChanged 1"
    ),
    ([#"{"type":"setAssets","assets":["$P1"],"caption":"Boats"}"#], "described 1", "described 1"),
    (
      [
        #"{"type":"setAssets","assets":["$P1","$P2"],"isFavorite":true}"#,
        #"{"type":"setAssets","assets":["$P2"],"addKeywords":["summer"]}"#,
      ], "favorited 2, described 1", "unfavorited 2, described 1"
    ),
    ([#"{"type":"deleteAssets","assets":["$P1","$P3"]}"#], "deleted 2", "restored 2"),
    ([#"{"type":"restoreAssets","assets":["$P5"]}"#], "restored 1", "deleted 1"),
    ([#"{"type":"editAssets","assets":["$P1"],"steps":{"filter":"mono","rotate":90}}"#], "edited 1", "reverted 1"),
    ([#"{"type":"editAssets","assets":["$P4"],"steps":{"filter":"mono"}}"#], "edited 1", "edited 1"),
    ([#"{"type":"revertAssets","assets":["$P4"]}"#], "reverted 1", "edited 1"),
    (
      [#"{"type":"createAlbum","as":"$1","title":"Denmark","parent":"$Travels","index":0}"#], "albumMade 1 Denmark",
      "albumDeleted 1 Denmark"
    ),
    (
      [
        #"{"type":"createAlbum","as":"$1","title":"Denmark"}"#,
        #"{"type":"addAssets","collection":"$1","assets":["$P1","$P2"]}"#,
      ], "albumMade 1 Denmark, addedToAlbum 2 Denmark", "albumDeleted 1 Denmark"
    ),
    (
      (1...4).map { #"{"type":"createAlbum","as":"$\#($0)","title":"\#($0)"}"# }, "albumMade 4", "albumDeleted 4"
    ),
    (
      (1...3).map { #"{"type":"createAlbum","as":"$\#($0)","title":"\#($0)"}"# },
      "albumMade 1 1, albumMade 1 2, albumMade 1 3", "albumDeleted 1 1, albumDeleted 1 2, albumDeleted 1 3"
    ),
    ([#"{"type":"createFolder","as":"$1","title":"Home"}"#], "folderMade 1 Home", "folderDeleted 1 Home"),
    (
      [#"{"type":"renameCollection","collection":"$Norway","title":"Oslo"}"#], "renamed 1 Oslo, once Norway",
      "renamed 1 Norway, once Oslo"
    ),
    (
      [#"{"type":"renameCollection","collection":"$Travels","title":"Trips"}"#], "renamed 1 Trips, once Travels",
      "renamed 1 Travels, once Trips"
    ),
    (
      [#"{"type":"deleteCollections","collections":["$Norway"]}"#], "albumDeleted 1 Norway", "albumRestored 1 Norway"
    ),
    (
      [#"{"type":"deleteCollections","collections":["$Travels"]}"#], "folderDeleted 1 Travels",
      "folderRestored 1 Travels"
    ),
    (
      [#"{"type":"moveCollections","collections":["$Norway"],"parent":"$Travels","index":0}"#], "moved 1 Norway",
      "moved 1 Norway"
    ),
    ([#"{"type":"moveCollections","collections":["$Travels"],"parent":null,"index":0}"#], "reordered 2", "reordered 2"),
    (
      [#"{"type":"addAssets","collection":"$Norway","assets":["$P3","$P4"],"index":1}"#], "addedToAlbum 2 Norway",
      "removedFromAlbum 2 Norway"
    ),
    (
      [#"{"type":"removeAssets","collection":"$Norway","assets":["$P1"]}"#], "removedFromAlbum 1 Norway",
      "addedToAlbum 1 Norway"
    ),
    (
      [#"{"type":"moveAssets","collection":"$Norway","assets":["$P2"],"index":0}"#], "photosReordered 1 Norway",
      "photosReordered 1 Norway"
    ),
    (
      [#"{"type":"setKeyAsset","collection":"$Norway","asset":"$P1"}"#], "coverChanged 1 Norway",
      "coverChanged 1 Norway"
    ),
  ]

  /// Returns what the latest transaction did.
  private func latestActions() throws -> String {
    let actions = try #require(server.library.transactions(limit: 1).first).actions
    return actions.map { action in
      ["\(action.kind) \(action.count)", action.name.map { " \($0)" }, action.former.map { ", once \($0)" }]
        .compactMap(\.self).joined()
    }.joined(separator: ", ")
  }

  @Test(arguments: actions.indices)
  func `Y-03: the history tells each change and its undo`(index: Int) async throws {
    let (changes, done, undone) = Self.actions[index]
    _ = try await Self.post("changes", Self.batch(changes, names), server)
    #expect(try latestActions() == done)
    _ = try await Self.post("undo", "{}", server)
    #expect(try latestActions() == undone)
    _ = try await Self.post("redo", "{}", server)
    let restored = done.replacing("Made", with: "Restored").replacing(/, addedToAlbum 2 Denmark/, with: "")
    #expect(try latestActions() == restored)
  }

  @Test func `Y-03: an album that passes others is the one that was moved`() async throws {
    let albums = (1...3).map { #"{"type":"createAlbum","as":"$\#($0)","title":"\#($0)"}"# }
    let third = try #require(try await Self.post("changes", Self.batch(albums, names), server).created["$3"])
    let move = #"{"type":"moveCollections","collections":["\#(third)"],"parent":null,"index":0}"#
    _ = try await Self.post("changes", Self.batch([move], names), server)
    #expect(try latestActions() == "moved 1 3")
    _ = try await Self.post("undo", "{}", server)
    #expect(try latestActions() == "moved 1 3")
  }

  @Test func `Y-03: a cover that was removed from its album is not told`() async throws {
    let cover = #"{"type":"setKeyAsset","collection":"$Norway","asset":"$P1"}"#
    _ = try await Self.post("changes", Self.batch([cover], names), server)
    let removal = #"{"type":"removeAssets","collection":"$Norway","assets":["$P1"]}"#
    _ = try await Self.post("changes", Self.batch([removal], names), server)
    #expect(try latestActions() == "removedFromAlbum 1 Norway")
  }

  @Test func `a permanent deletion can't be undone`() async throws {
    let done = try await Self.post(
      "changes", Self.batch([#"{"type":"deleteAssetsPermanently","assets":["$P5"]}"#], names), server)
    #expect(!done.isUndoable)
  }

  /// New kinds and keys need a line above.
  @Test func `each kind of change but a permanent deletion, and each value, is among the changes`() {
    let kinds = Set(Self.changes.compactMap { $0.firstMatch(of: /"type":"(\w+)"/).map { String($0.1) } })
    #expect(Set(BatchChange.kinds).subtracting(kinds) == ["deleteAssetsPermanently"])
    #expect(AssetValues.keys.filter { key in !Self.changes.contains { $0.contains("\"\(key)\":") } } == [])
  }
}
