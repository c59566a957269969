import Foundation
import Photos
import PhotosTesting
import Testing

/// Tests a client with full access, and the confirmation requested before it deletes assets.
@Suite struct DeletionRequestTests {
  let fixture: AccessFixture
  init() throws { fixture = try AccessFixture() }

  private func library(_ answer: AuthorizationAnswer) throws -> (PHPhotoLibrary, Questions) {
    let questions = Questions { _ in answer }
    let library = try fixture.library(.authorized)
    library.authorizationAnswerer = questions
    return (library, questions)
  }

  @Test func oneBlockIsOneQuestion() throws {
    let (library, questions) = try library(.confirmed)
    let (photos, album) = (fixture.photos, fixture.album)
    try library.performChangesAndWait {
      PHAssetChangeRequest.deleteAssets([photos[0], photos[1]])
      PHAssetCollectionChangeRequest.deleteAssetCollections([album])
      PHAssetChangeRequest.deleteAssets([photos[1], photos[2]])
    }
    #expect(
      questions.all == [
        AuthorizationRequest(
          client: fixture.client, libraryURL: library.url,
          question: .deletion([
            .init(.assets, localIdentifiers: photos.map(\.localIdentifier)),
            .init(.albums, localIdentifiers: [album.localIdentifier]),
          ]))
      ])
    #expect(fixture.owner.names() == "")
  }

  @Test func expungingIsAskedAsSuch() throws {
    let (library, questions) = try library(.confirmed)
    let photo = fixture.photos[0]
    try fixture.owner.performChangesAndWait { PHAssetChangeRequest.deleteAssets([photo]) }
    try library.performChangesAndWait { PHAssetChangeRequest.expungeAssets([photo]) }
    #expect(
      questions.all.map(\.question) == [
        .deletion([.init(.recentlyDeletedAssets, localIdentifiers: [photo.localIdentifier])])
      ])
  }

  @Test(
    "Whatever is no confirmation cancels the whole block",
    arguments: [AuthorizationAnswer.refused, .authorized, .denied, .unanswered(reason: "nobody is there")])
  func refused(answer: AuthorizationAnswer) throws {
    let (library, _) = try library(answer)
    let photos = fixture.photos
    let code = library.codeOfChange {
      PHAssetChangeRequest(for: photos[1]).isFavorite = true
      PHAssetChangeRequest.deleteAssets([photos[0]])
    }
    #expect(code == .userCancelled)
    #expect(fixture.owner.names() == "A B C")
    #expect(!fixture.owner.smartAlbumNames(.smartAlbumFavorites).contains("B"))
  }

  @Test func aRefusalNamesWhatItIsAbout() throws {
    let (library, _) = try library(.refused)
    let photo = fixture.photos[0]
    let error = #expect(throws: PHPhotosError.self) {
      try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([photo]) }
    }
    #expect(error?.localizedDescription == "the deletion that “Slideshow” asked for was not confirmed")
    #expect(error?.userInfo[PHLocalIdentifiersErrorKey] as? [String] == [photo.localIdentifier])
  }

  @Test func nothingToDeleteIsNoQuestion() throws {
    let (library, questions) = try library(.refused)
    #expect(library.codeOfChange { PHAssetChangeRequest.deleteAssets([PHAsset]() as NSArray) } == nil)
    #expect(questions.all == [])
  }

  @Test func removingFromAnAlbumAndRestoringAreNoDeletions() throws {
    let (library, questions) = try library(.refused)
    let (photos, album) = (fixture.photos, fixture.album)
    try fixture.owner.performChangesAndWait { PHAssetChangeRequest.deleteAssets([photos[2]]) }
    let code = library.codeOfChange {
      PHAssetCollectionChangeRequest(for: album)?.removeAssets([photos[0]])
      PHAssetChangeRequest.restoreAssets([photos[2]])
    }
    #expect(code == nil)
    #expect(questions.all == [])
  }

  @Test func theOwnerIsNotAsked() throws {
    let questions = Questions { _ in .refused }
    fixture.owner.authorizationAnswerer = questions
    let photo = fixture.photos[0]
    #expect(fixture.owner.codeOfChange { PHAssetChangeRequest.deleteAssets([photo]) } == nil)
    #expect(questions.all == [])
  }

  @Test func aDeniedDeletionAsksNoQuestion() throws {
    let questions = Questions { _ in .confirmed }
    let library = try fixture.library(.denied)
    library.authorizationAnswerer = questions
    let photo = fixture.photos[0]
    #expect(library.codeOfChange { PHAssetChangeRequest.deleteAssets([photo]) } == .accessUserDenied)
    #expect(questions.all == [])
  }

  @Test func `access revoked during a confirmation stops the deletion`() throws {
    let library = try fixture.library(.authorized)
    library.authorizationAnswerer = AuthorizationScript { [fixture] _ in
      try? fixture.owner.setAuthorization(.denied, for: fixture.client, accessLevel: .readWrite)
      return .confirmed
    }
    let photo = fixture.photos[0]
    #expect(library.codeOfChange { PHAssetChangeRequest.deleteAssets([photo]) } == .accessUserDenied)
    #expect(fixture.owner.names() == "A B C")
  }
}

extension PHPhotoLibrary {
  fileprivate func smartAlbumNames(_ subtype: PHAssetCollectionSubtype) -> String {
    Self.names(PHAsset.fetchAssets(in: smartAlbum(subtype), options: options()))
  }
}
