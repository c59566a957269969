import Foundation
import Photos
import PhotosTesting
import Testing

/// Tests undo by clients, and by the owner of what clients did.
@Suite struct ClientUndoTests {
  let fixture: AccessFixture

  init() throws { fixture = try AccessFixture() }

  private func favor(_ asset: PHAsset, in library: PHPhotoLibrary) throws -> Int64 {
    try library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
    return try #require(fixture.owner.transactions(limit: 1).first).number
  }

  private func favorites() -> String {
    let owner = fixture.owner
    return PHPhotoLibrary.names(
      PHAsset.fetchAssets(in: owner.smartAlbum(.smartAlbumFavorites), options: owner.options()))
  }

  @Test func `a client sees and undoes its own changes alone`() async throws {
    let library = try fixture.library(.authorized)
    let owners = try favor(fixture.photos[0], in: fixture.owner)
    let own = try favor(fixture.photos[1], in: library)
    #expect(try library.transactions().map(\.number) == [own])
    #expect(try library.transaction(owners) == nil)
    let error = await #expect(throws: UndoError.self) { try await library.undo(owners) }
    #expect(error?.code == .unknownTransaction)
    try await library.undo()
    #expect(favorites() == "A")
    let nothing = await #expect(throws: UndoError.self) { try await library.undo() }
    #expect(nothing?.code == .nothingToUndo)
  }

  @Test func `the owner undoes a client's change by its number`() async throws {
    let library = try fixture.library(.authorized)
    _ = try favor(fixture.photos[0], in: fixture.owner)
    let clients = try favor(fixture.photos[1], in: library)
    #expect(
      try fixture.owner.transaction(clients)?.author
        == .client(.init(identifier: "com.example.Slideshow", name: "Slideshow")))
    try await fixture.owner.undo()
    #expect(favorites() == "B")
    try await fixture.owner.undo(clients)
    #expect(favorites() == "")
    // The undo is the owner's.
    let error = await #expect(throws: UndoError.self) { try await library.redo() }
    #expect(error?.code == .nothingToRedo)
    await #expect(throws: UndoError.self) { try await library.redo(clients) }
  }

  @Test func `a limited client counts only what it sees, and undoes only that`() async throws {
    let library = try fixture.limitedLibrary()
    let number = try favor(fixture.photos[2], in: library)
    let found = try #require(library.transactions().first)
    #expect(found.names == ["C.JPG"])
    #expect(found.assets.updated == 1)
    try fixture.owner.deselect([fixture.photos[2]], for: fixture.client)
    #expect(try library.transactions().map(\.names) == [[]])
    let error = await #expect(throws: PHPhotosError.self) { try await library.undo(number) }
    #expect(error?.code == .identifierNotFound)
    #expect(favorites() == "C")
    try fixture.owner.select([fixture.photos[2]], for: fixture.client)
    try await library.undo()
    #expect(favorites() == "")
  }

  @Test func `the owner confirms that an undo deletes what a client created`() async throws {
    let library = try fixture.library(.authorized)
    try library.performChangesAndWait {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Alps")
    }
    let refused = await #expect(throws: PHPhotosError.self) { try await library.undo() }
    #expect(refused?.code == .userCancelled)
    let questions = Questions { _ in .confirmed }
    library.authorizationAnswerer = questions
    try await library.undo()
    #expect(questions.all.count == 1)
    guard case .deletion(let deletions)? = questions.all.first?.question else {
      Issue.record("the owner was not asked")
      return
    }
    #expect(deletions.map(\.kind) == [.albums])
  }

  @Test func `a client without access has no history`() async throws {
    let library = try fixture.library(.denied)
    #expect(code { _ = try library.transactions() } == .accessUserDenied)
    let error = await #expect(throws: PHPhotosError.self) { try await library.undo() }
    #expect(error?.code == .accessUserDenied)
  }
}
