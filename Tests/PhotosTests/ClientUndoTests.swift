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
    _ = try favor(fixture.photos[2], in: library)
    let found = try #require(library.transactions().first)
    #expect(found.names == ["C.JPG"])
    #expect(found.assets.updated == 1)
    #expect(found.actions.map { "\($0.kind) \($0.count)" } == ["favorited 1"])
    try fixture.owner.deselect([fixture.photos[2]], for: fixture.client)
    try await expectUnseen(found, in: library)
    #expect(favorites() == "C")
    try fixture.owner.select([fixture.photos[2]], for: fixture.client)
    #expect(try library.transactions() == [found])
    try await library.undo()
    #expect(favorites() == "")
  }

  @Test func `a limited client undoes the deletion of a frame whose burst has unseen frames`() async throws {
    let frames = try SampleMedia.burst(count: 3, size: PictureSize(width: 16, height: 16))
    let added = try fixture.temporary.add(frames.enumerated().map { SampleFile("F\($0.offset).JPG", $0.element) })
    try fixture.owner.setAuthorization(limitedTo: [added[0]], for: fixture.client)
    let library = fixture.library()
    library.authorizationAnswerer = Questions { _ in .confirmed }
    for number in [nil, 0] as [Int64?] {
      try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([added[0]]) }
      #expect(library.names() == "")
      #expect(fixture.owner.names() == "A B C F1")
      try await library.undo(number == nil ? nil : library.transactions(limit: 1).first?.number)
      #expect(library.names() == "F0")
      #expect(fixture.owner.names() == "A B C F0")
    }
  }

  @Test func `a limited client does not learn that a change of an unseen asset was undone`() async throws {
    let library = try fixture.limitedLibrary()
    let number = try favor(fixture.photos[2], in: library)
    let found = try #require(library.transactions().first)
    try fixture.owner.deselect([fixture.photos[2]], for: fixture.client)
    try await fixture.owner.undo(number)
    try await expectUnseen(found, in: library)
    try fixture.owner.select([fixture.photos[2]], for: fixture.client)
    #expect(try library.transactions().map(\.isUndone) == [true])
  }

  /// Expects that a client learns nothing of its own transaction, whose assets it does not see.
  private func expectUnseen(_ transaction: LibraryTransaction, in library: PHPhotoLibrary) async throws {
    #expect(try library.transactions() == [])
    #expect(try library.transaction(transaction.number) == nil)
    let undo = await #expect(throws: PHPhotosError.self) { try await library.undo(transaction.number) }
    let redo = await #expect(throws: PHPhotosError.self) { try await library.redo(transaction.number) }
    #expect((undo?.code, redo?.code) == (.identifierNotFound, .identifierNotFound))
    let nothing = await #expect(throws: UndoError.self) { try await library.undo() }
    #expect(nothing?.code == .nothingToUndo)
  }

  @Test func `a limited client's numbers are its own`() async throws {
    let library = try fixture.limitedLibrary()
    let (seen, unseen) = (fixture.photos[2], fixture.photos[0])
    for isFavorite in [true, false] {
      for value in [true, false] {
        try fixture.owner.performChangesAndWait { PHAssetChangeRequest(for: unseen).isFavorite = value }
      }
      try library.performChangesAndWait { PHAssetChangeRequest(for: seen).isFavorite = isFavorite }
    }
    let own = try library.transactions()
    try #require(own.count == 2)
    #expect(own[0].number == own[1].number + 1)
    #expect(own[0].changeToken == library.currentChangeToken)
    #expect(try library.fetchPersistentChanges(since: own[1].changeToken).map(\.changeToken) == [own[0].changeToken])
    let conflict = await #expect(throws: UndoError.self) { try await library.undo(own[1].number) }
    #expect((conflict?.code, conflict?.transaction) == (.conflict, own[1].number))
    let undo = try await library.undo(own[0].number)
    #expect((undo.number, undo.undoes) == (own[0].number + 1, own[0].number))
    let again = await #expect(throws: UndoError.self) { try await library.undo(own[0].number) }
    #expect((again?.code, again?.transaction) == (.alreadyUndone, own[0].number))
    let redo = try await library.redo(undo.number)
    #expect((redo.number, redo.undoes) == (undo.number + 1, undo.number))
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
