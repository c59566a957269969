import Foundation
import Photos
import PhotosTesting
import Testing

/// Tests which operations each authorization status allows.
@Suite struct AccessTableTests {
  let fixture: AccessFixture
  init() throws { fixture = try AccessFixture() }

  enum Access: String, CaseIterable {
    case notDetermined, restricted, denied, addOnly, addOnlyUndecided, limited, authorized
  }

  enum Operation: String, CaseIterable {
    case fetch, fetchAlbums, fetchSmartAlbums, add, favorite, makeAlbum, addToAlbum, delete, history, token
  }

  private func library(_ access: Access) throws -> PHPhotoLibrary {
    switch access {
    case .notDetermined: try fixture.library(.notDetermined)
    case .restricted: try fixture.library(.restricted, addOnly: .restricted)
    case .denied: try fixture.library(.denied, addOnly: .denied)
    case .addOnly: try fixture.library(.denied, addOnly: .authorized)
    case .addOnlyUndecided: try fixture.library(.notDetermined, addOnly: .authorized)
    case .limited: try fixture.limitedLibrary()
    case .authorized: try fixture.library(.authorized)
    }
  }

  /// Returns the number of objects found, or `ok`, or the code of the error.
  private func outcome(_ operation: Operation, in library: PHPhotoLibrary) throws -> String {
    let (photo, album) = (fixture.photos[2], fixture.album)
    func change(_ block: @escaping () -> Void) -> String {
      library.codeOfChange(block).map { String($0.rawValue) } ?? "ok"
    }
    func count<Object>(_ result: PHFetchResult<Object>) -> String {
      #expect(result.error == nil)
      return String(result.count)
    }
    switch operation {
    case .fetch: return count(PHAsset.fetchAssets(with: library.options()))
    case .fetchAlbums:
      return count(PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: library.options()))
    case .fetchSmartAlbums:
      return count(
        PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .any, options: library.options()))
    case .add:
      let file = try AccessFixture.file("D.JPG", day: 9)
      return change { PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file.data, options: nil) }
    case .favorite: return change { PHAssetChangeRequest(for: photo).isFavorite = true }
    case .makeAlbum:
      return change { _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Mine") }
    case .addToAlbum: return change { PHAssetCollectionChangeRequest(for: album)?.addAssets([photo]) }
    case .delete:
      library.authorizationAnswerer = AuthorizationScript { _ in .confirmed }
      return change { PHAssetChangeRequest.deleteAssets([photo]) }
    case .history:
      do {
        _ = try library.fetchPersistentChanges(since: library.currentChangeToken)
        return "ok"
      } catch { return String((error as? PHPhotosError)?.code.rawValue ?? 0) }
    case .token:
      // The photo is outside of the selection of a client with limited access.
      let before = library.currentChangeToken
      try fixture.owner.performChangesAndWait { [photo = fixture.photos[0]] in
        PHAssetChangeRequest(for: photo).isFavorite = true
      }
      return library.currentChangeToken == before ? "same" : "new"
    }
  }

  @Test(
    "A status allows exactly this",
    arguments: [
      // The columns: fetch, albums, smart albums, add, favorite, make album, add to album, delete,
      // history, and whether the token changes with a change that the client may not see.
      (Access.notDetermined, "0 0 0 3311 3311 3311 3311 3311 3311 same"),
      (.restricted, "0 0 0 3310 3310 3310 3310 3310 3310 same"),
      (.denied, "0 0 0 3311 3311 3311 3311 3311 3311 same"),
      (.addOnly, "0 0 0 ok 3311 3311 3311 3311 3311 same"),
      (.addOnlyUndecided, "0 0 0 ok 3311 3311 3311 3311 3311 same"),
      (.limited, "1 0 22 ok ok 3311 3311 ok ok same"),
      (.authorized, "3 1 22 ok ok ok ok ok ok new"),
    ])
  func table(access: Access, expected: String) throws {
    let library = try library(access)
    #expect(try Operation.allCases.map { try outcome($0, in: library) }.joined(separator: " ") == expected)
  }

  @Test func `a client that may only add does not find its assets`() throws {
    let library = try fixture.library(.denied, addOnly: .authorized)
    let file = try AccessFixture.file("D.JPG", day: 9)
    nonisolated(unsafe) var identifier = ""
    try library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: .photo, data: file.data, options: nil)
      identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    #expect(PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: library.options()).count == 0)
    #expect(PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: fixture.owner.options()).count == 1)
  }

  @Test func aClientThatMayNotSeeAssetsDoesNotLearnWhichExist() throws {
    for library in [try fixture.library(.denied, addOnly: .authorized), try fixture.limitedLibrary()] {
      let file = try AccessFixture.file("A.JPG", day: 0)
      nonisolated(unsafe) var request: PHAssetCreationRequest?
      try library.performChangesAndWait {
        request = PHAssetCreationRequest.forAsset()
        request?.joinsExistingAsset = true
        request?.addResource(with: .photo, data: file.data, options: nil)
      }
      #expect(request?.outcome == .created)
    }
  }

  // MARK: Requests made by other operations

  private func asking(_ answer: AuthorizationAnswer) throws -> (PHPhotoLibrary, Questions) {
    let questions = Questions { _ in answer }
    let library = try fixture.library(.notDetermined)
    library.authorizationAnswerer = questions
    return (library, questions)
  }

  @Test func aChangeAsksForTheAccessThatItNeeds() throws {
    let (library, questions) = try asking(.authorized)
    let photo = fixture.photos[0]
    #expect(library.codeOfChange { PHAssetChangeRequest(for: photo).isFavorite = true } == nil)
    #expect(questions.all.map(\.question) == [.access(.readWrite, usageDescription: "Shows your photos.")])
  }

  @Test func anAdditionAsksOnlyToAddWhereTheProgramSaysWhyItAdds() throws {
    let file = try AccessFixture.file("D.JPG", day: 9)
    for (client, level) in [
      (LibraryClient(identifier: "one", usageDescription: "Shows."), PHAccessLevel.readWrite),
      (LibraryClient(identifier: "two", usageDescription: "Shows.", addUsageDescription: "Adds."), .addOnly),
    ] {
      let questions = Questions { _ in .authorized }
      let library = fixture.library(for: client)
      library.authorizationAnswerer = questions
      let code = library.codeOfChange {
        PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file.data, options: nil)
      }
      #expect(code == nil)
      #expect(library.authorizationStatus(for: level) == .authorized)
      #expect(questions.all.count == 1)
    }
  }

  @Test func aChangeThatWasNotAllowedSaysWhyNobodyCouldBeAsked() throws {
    let (library, _) = try asking(.unanswered(reason: "nobody is there"))
    let photo = fixture.photos[0]
    let error = #expect(throws: PHPhotosError.self) {
      try library.performChangesAndWait { PHAssetChangeRequest(for: photo).isFavorite = true }
    }
    #expect(error?.code == .accessUserDenied)
    #expect(error?.localizedDescription == "nobody is there")
  }

  @Test func aChangeWithoutAUsageDescriptionFailsAndNamesIt() throws {
    let library = fixture.library(for: LibraryClient(identifier: "https://example.com"))
    let photo = fixture.photos[0]
    let error = #expect(throws: PHPhotosError.self) {
      try library.performChangesAndWait { PHAssetChangeRequest(for: photo).isFavorite = true }
    }
    #expect(
      error?.localizedDescription.contains("give its LibraryClient a usageDescription; ") == true
    )
  }

  @Test func aFetchDoesNotWaitForAPerson() throws {
    let (library, questions) = try asking(.authorized)
    #expect(library.names() == "")
    #expect(questions.all == [])
  }

  @Test func aFetchThatAScriptAnswersFindsWhatItAllows() throws {
    let library = try fixture.library(.notDetermined)
    library.authorizationAnswerer = AuthorizationScript { _ in .authorized }
    #expect(library.names() == "A B C")
    #expect(library.authorizationStatus(for: .readWrite) == .authorized)
  }
}
