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
