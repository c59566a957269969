import Foundation
import Photos
import PhotosTesting
import Testing

/// Tests the owner's decisions about clients, and their effect on clients that are running.
@Suite struct ClientAccessTests {
  let fixture: AccessFixture
  init() throws { fixture = try AccessFixture() }

  @Test func twoClientsSeeDifferentThingsAtTheSameTime() throws {
    let (one, two) = (LibraryClient(identifier: "one"), LibraryClient(identifier: "two"))
    try fixture.owner.setAuthorization(limitedTo: [fixture.photos[0]], for: one)
    try fixture.owner.setAuthorization(limitedTo: [fixture.photos[1], fixture.photos[2]], for: two)
    let (first, second) = (fixture.library(for: one), fixture.library(for: two))
    #expect(first.names() == "A")
    #expect(second.names() == "B C")
    #expect(fixture.library(for: LibraryClient(identifier: "three")).names() == "")
    #expect(fixture.owner.names() == "A B C")

    let file = try AccessFixture.file("D.JPG", day: 3)
    try second.performChangesAndWait {
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = "D.JPG"
      PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file.data, options: options)
    }
    #expect(first.names() == "A")
    #expect(second.names() == "B C D")
  }

  @Test func aDecisionHoldsInOtherOpeningsOfTheLibraryAtOnce() throws {
    let elsewhere = try PHPhotoLibrary(url: fixture.temporary.url, client: fixture.client)
    try fixture.owner.setAuthorization(.authorized, for: fixture.client, accessLevel: .readWrite)
    #expect(elsewhere.names() == "A B C")
    try fixture.owner.setAuthorization(.denied, for: fixture.client, accessLevel: .readWrite)
    #expect(elsewhere.names() == "")
  }

  @Test func theOwnerIsToldWhoTheClientsAre() throws {
    try fixture.owner.setAuthorization(limitedTo: Array(fixture.photos[..<2]), for: LibraryClient(identifier: "one"))
    try fixture.owner.setAuthorization(.authorized, for: fixture.client, accessLevel: .addOnly)
    #expect(
      try fixture.owner.clients() == [
        ClientAuthorization(
          client: LibraryClient(identifier: "com.example.Slideshow", name: "Slideshow"), readWrite: .notDetermined,
          addOnly: .authorized, selectedAssetCount: 0),
        ClientAuthorization(
          client: LibraryClient(identifier: "one"), readWrite: .limited, addOnly: .authorized, selectedAssetCount: 2),
      ])
  }

  @Test func aNewSelectionReplacesTheOld() throws {
    let library = try fixture.limitedLibrary()
    try fixture.owner.setAuthorization(limitedTo: [fixture.photos[0]], for: fixture.client)
    #expect(library.names() == "A")
    try fixture.owner.select([fixture.photos[1]], for: fixture.client)
    #expect(library.names() == "A B")
    try fixture.owner.deselect([fixture.photos[0]], for: fixture.client)
    #expect(library.names() == "B")
  }

  @Test func aForgottenClientMayAskAgain() async throws {
    let library = try fixture.library(.denied)
    try fixture.owner.forget(fixture.client)
    #expect(try fixture.owner.clients() == [])
    library.authorizationAnswerer = AuthorizationScript { _ in .authorized }
    #expect(await library.requestAuthorization(for: .readWrite) == .authorized)
  }

  @Test func addingIsNeverLimited() {
    let failure = code { try fixture.owner.setAuthorization(.limited, for: fixture.client, accessLevel: .addOnly) }
    #expect(failure == .changeNotSupported)
  }

  @Test func assetsOfAnotherLibraryAreNotSelected() throws {
    let other = try AccessFixture()
    let failure = code { try fixture.owner.setAuthorization(limitedTo: other.photos, for: fixture.client) }
    #expect(failure == .identifierNotFound)
    #expect(try fixture.owner.clients() == [])
  }

  @Test func aClientDecidesNothing() throws {
    let library = try fixture.library(.authorized)
    let (photos, client) = (fixture.photos, fixture.client)
    let attempts: [() throws -> Void] = [
      { _ = try library.clients() },
      { try library.setAuthorization(.authorized, for: client, accessLevel: .readWrite) },
      { try library.setAuthorization(limitedTo: photos, for: client) },
      { try library.select(photos, for: client) },
      { try library.deselect(photos, for: client) },
      { _ = try library.selectedAssets(for: client) },
      { try library.forget(client) },
    ]
    #expect(attempts.map { code($0) } == Array(repeating: .accessUserDenied, count: attempts.count))
  }

  // MARK: Revocation

  private struct Held {
    let library: PHPhotoLibrary
    let result: PHFetchResult<PHAsset>
    let asset: PHAsset
    let resource: PHAssetResource
  }

  /// Collects the objects of a client with full access, and then gives the client another status.
  private func hold(then status: PHAuthorizationStatus) throws -> Held {
    let library = try fixture.library(.authorized)
    let result = PHAsset.fetchAssets(with: library.options())
    let asset = result.object(at: 0)
    let resource = try #require(PHAssetResource.assetResources(for: asset).first)
    try fixture.owner.setAuthorization(status, for: fixture.client, accessLevel: .readWrite)
    return Held(
      library: library, result: PHAsset.fetchAssets(with: library.options()), asset: asset, resource: resource)
  }

  @Test(
    "A client whose access is revoked reads no more of the assets that it holds",
    arguments: [
      (PHAuthorizationStatus.denied, PHPhotosError.Code.accessUserDenied), (.restricted, .accessRestricted),
      (.limited, .accessUserDenied), (.notDetermined, .accessUserDenied),
    ])
  func revocation(status: PHAuthorizationStatus, expected: PHPhotosError.Code) async throws {
    let held = try hold(then: status)
    let copy = fixture.temporary.folder.appendingPathComponent("copy.jpg")
    var failures: [PHPhotosError.Code?] = []
    failures.append(await codeOfAwaited { _ = try await PHImageManager.default().rendition(.grid, for: held.asset) })
    failures.append(await codeOfAwaited { _ = try await PHImageManager.default().playableMovie(for: held.asset) })
    failures.append(code { _ = try PHImageManager.default().placeholders(for: [held.asset]) })
    failures.append(code { _ = try PHAssetResourceManager.default().reader(for: held.resource) })
    failures.append(
      await codeOfAwaited {
        try await PHAssetResourceManager.default().writeData(for: held.resource, toFile: copy, options: nil)
      })
    failures.append(code { _ = try held.resource.hasBytes(ofFileAt: fixture.temporary.url) })
    failures.append(code { _ = try held.asset.details() })
    #expect(failures == Array(repeating: expected, count: failures.count))
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    #expect(PHAssetResource.assetResources(for: held.asset).isEmpty)
    #expect(held.result.count == 0)
    #expect(!held.asset.canPerform(.delete))
  }

  @Test func objectsThatWereNotReadYetStayUnread() throws {
    let library = try fixture.library(.authorized)
    let result = PHAsset.fetchAssets(with: library.options())
    try fixture.owner.setAuthorization(.denied, for: fixture.client, accessLevel: .readWrite)
    #expect(result.count == 3)
    #expect(result.object(at: 0).localIdentifier != fixture.photos[0].localIdentifier)
    #expect(result.object(at: 0).pixelWidth == 0)
  }

  @Test func onlyWhoSeesEverythingMayVerify() throws {
    let limited = try fixture.limitedLibrary()
    #expect(code { try limited.verify { _ in } } == .accessUserDenied)
  }
}
