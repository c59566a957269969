import Foundation
import Photos
import Testing

@testable import PhotosServer

/// Compares the values that the document lists with those that the server reads and writes.
@Suite struct APIValueTests {
  @Test func `a search returns the documented kinds of terms`() async throws {
    let fixture = try ListFixture()
    let found = try await fixture.object("search?q=photos+2019+longer+than+1+s+fjord")
    let terms = try #require(found["understood"] as? [[String: String]])
    #expect(Set(terms.compactMap { $0["kind"] }) == APIDocument.values(at: "SearchAnswer", "understood", "kind"))
  }

  @Test func `a search suggests collections of the kinds of the document`() async throws {
    let fixture = try ListFixture()
    var kinds: Set<String> = []
    for text in ["norway", "favorites"] {
      let found = try await fixture.object("search?q=\(text)")
      let suggestions = try #require(found["suggestions"] as? [[String: String]])
      kinds.formUnion(suggestions.compactMap { $0["kind"] })
    }
    #expect(
      kinds == APIDocument.values(at: "SearchAnswer", "suggestions", "kind"))
  }

  @Test func `the collections have the kinds of the document`() async throws {
    let found = try await ListFixture().object("collections")
    let collections = try #require(found["collections"] as? [[String: Any]])
    #expect(Set(collections.compactMap { $0["kind"] as? String }) == APIDocument.values(at: "Collection", "kind"))
  }

  @Test(arguments: ["contentMode", "version", "deliveryMode", "resizeMode"])
  func `a request for an image takes the values of the document`(key: String) async throws {
    let answer = try await TestServer().post(
      "/api/v1/images", json: #"{"asset":"A","\#(key)":"none at all"}"#, isSignedIn: true)
    let known = try #require(answer.problem?.detail.split(separator: "one of ").last)
    #expect(Set(known.split(separator: ", ").map(String.init)) == APIDocument.values(at: "POST /images", "body", key))
  }

  @Test(arguments: [
    ("orders", APIDocument.values(ofParameter: "order"), AssetOrder.allCases.map(\.rawValue)),
    ("orders of a range", APIDocument.values(at: "Range", "order"), AssetOrder.allCases.map(\.rawValue)),
    ("filters", APIDocument.values(at: "EditSteps", "filter"), PhotoEdit.Filter.allCases.map(\.rawValue)),
    (
      "outcomes", APIDocument.values(at: "POST /imports", "200", "files", "outcome"),
      UploadRecord.Outcome.Kind.allCases.map(\.rawValue)
    ),
    ("kinds of clients", APIDocument.values(at: "Client", "kind"), ClientKind.allCases.map(\.rawValue)),
    (
      "answers to clients", APIDocument.values(at: "POST /access/requests/{id}/answer", "body", "answer"),
      AccessService.Answer.allCases.map(\.rawValue)
    ),
    (
      "kinds of downloads", APIDocument.values(at: "POST /downloads", "body", "kind"),
      Archive.Kind.allCases.map(\.rawValue)
    ),
  ])
  func `each enumeration of the document equals the server's`(name: String, documented: Set<String>, known: [String]) {
    #expect(documented == Set(known), "\(name)")
  }

  @Test func `the document has PhotoKit's statuses`() {
    let statuses: [PHAuthorizationStatus] = [.notDetermined, .restricted, .denied, .authorized, .limited]
    #expect(APIDocument.values(at: "Status") == Set(statuses.map(\.name)))
  }
}
