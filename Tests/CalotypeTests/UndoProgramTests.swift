import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@Suite struct UndoProgramTests {
  let organized: OrganizedLibrary
  var program: Program { organized.program }
  var identifiers: [String] { organized.identifiers }

  init() throws { organized = try OrganizedLibrary() }

  private func latest() throws -> Int64 {
    try #require(organized.temporary.library.transactions(limit: 1).first).number
  }

  @Test func `undo takes the latest change back and redo makes it again`() throws {
    #expect(try program.run("favorite", identifiers[0], identifiers[1]).status == 0)
    let number = try latest()
    #expect(
      try program.run("undo").output == "Undid \(number): 2 assets unfavorited (IMG_1.JPG, IMG_2.JPG)\n")
    #expect(try organized.names("--in", "Favorites") == [])
    #expect(
      try program.run("redo").output == "Redid what \(number + 1) undid: 2 assets favorited (IMG_1.JPG, IMG_2.JPG)\n")
    #expect(try organized.names("--in", "Favorites").count == 2)
    let object = try #require(try organized.objects("undo", "\(number)", "--json").first)
    #expect(object["undoes"] as? Int64 == number + 2)
    #expect(try organized.names("--in", "Favorites") == [])
  }

  @Test func `an impossible undo is explained`() throws {
    #expect(try program.run("favorite", identifiers[0]).status == 0)
    let number = try latest()
    #expect(try program.run("favorite", "--off", identifiers[0]).status == 0)
    let conflict = try program.run("undo", "\(number)")
    #expect(conflict.status == 1)
    #expect(conflict.errors == "calotype: Can’t undo: IMG_1.JPG has been changed since\n")
    #expect(
      try program.run("undo", "999").errors
        == "calotype: Can’t undo transaction 999: the history does not contain it\n")
    #expect(try program.run("redo").errors == "calotype: There is nothing to redo\n")
    #expect(try program.run("undo", "x").status == 2)
  }

  @Test func `undo passes over what was deleted for good`() throws {
    #expect(try program.run("favorite", identifiers[1]).status == 0)
    let number = try latest()
    #expect(try program.run("delete", "--yes", identifiers[0]).status == 0)
    #expect(try program.run("trash", "empty", "--yes").status == 0)
    #expect(try program.run("undo").output == "Undid \(number): 1 asset unfavorited (IMG_2.JPG)\n")
    #expect(try organized.names("--in", "Favorites") == [])
  }

  @Test func `history lists the latest changes`() throws {
    #expect(try program.run("album", "create", "Norway").status == 0)
    let number = try latest()
    #expect(try program.run("undo").status == 0)
    #expect(try program.run("delete", "--yes", identifiers[0]).status == 0)
    #expect(try program.run("trash", "empty", "--yes").status == 0)
    let lines = try program.run("history", "--limit", "4").lines
    let numbers: [Int64?] = lines.map { line in Int64(line.prefix { $0 != " " }) }
    #expect(numbers == [number + 3, number + 2, number + 1, number])
    // After the number come the time of 16 characters and the author.
    let texts: [String] = lines.map { line in String(line.drop { $0 != " " }.dropFirst(20)) }
    #expect(
      texts == [
        "owner  1 asset deleted; can’t be undone", "owner  1 asset deleted",
        "owner  undo of \(number): album Norway deleted",
        "owner  album Norway made; undone",
      ])
    #expect(try program.run("history", "--before", "\(number + 1)", "--limit", "1").lines == [lines[3]])
  }

  @Test func `history tells what was done to albums and photos`() throws {
    for arguments in [
      ["album", "create", "Norway"], ["album", "add", "Norway", identifiers[0], identifiers[1]],
      ["album", "rename", "Norway", "Oslo"], ["hide", identifiers[0]],
    ] {
      let outcome = try program.run(arguments: arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
    let texts: [String] = try program.run("history", "--limit", "3").lines.map { line in
      String(line.drop { $0 != " " }.dropFirst(20))
    }
    #expect(
      texts == [
        "owner  1 asset hidden (IMG_1.JPG)", "owner  Norway renamed to Oslo",
        "owner  2 assets added to Oslo",
      ])
  }

  @Test func `history as JSON`() throws {
    #expect(try program.run("favorite", identifiers[0]).status == 0)
    let object = try #require(try organized.objects("history", "--json", "--limit", "1").first)
    #expect(
      object.keys.sorted() == [
        "actions", "client", "counts", "date", "isUndo", "isUndoable", "isUndone", "names", "token", "transaction",
        "undoes",
      ])
    #expect(object["transaction"] as? Int64 == (try latest()))
    #expect(object["names"] as? [String] == ["IMG_1.JPG"])
    let actions = try #require(object["actions"] as? [[String: Any]])
    #expect(actions.map { $0["kind"] as? String } == ["favorited"])
    #expect(actions.map { $0["count"] as? Int } == [1])
    #expect(object["isUndo"] as? Bool == false)
    #expect(object["isUndoable"] as? Bool == true)
    #expect(object["client"] is NSNull)
    let counts = try #require(object["counts"] as? [String: [String: Int]])
    #expect(counts["assets"] == ["inserted": 0, "updated": 1, "deleted": 0])
  }

  @Test func `an undo in another process is seen as a change`() throws {
    let library = organized.temporary.library
    #expect(try program.run("favorite", identifiers[0]).status == 0)
    let options = PHFetchOptions()
    options.photoLibrary = library
    let asset = PHAsset.fetchAssets(withLocalIdentifiers: [identifiers[0]], options: options).object(at: 0)
    let token = library.currentChangeToken
    let observer = UndoObserver()
    library.register(observer)
    #expect(try program.run("undo").status == 0)
    #expect(observer.nextChange()?.changeDetails(for: asset)?.objectAfterChanges?.isFavorite == false)
    let changes = try Array(library.fetchPersistentChanges(since: token))
    #expect(try changes.map { try $0.changeDetails(for: .asset).updatedLocalIdentifiers } == [[identifiers[0]]])
  }
}

private final class UndoObserver: NSObject, PHPhotoLibraryChangeObserver, Sendable {
  private let change = Mutex<PHChange?>(nil)
  private let signal = DispatchSemaphore(value: 0)

  func photoLibraryDidChange(_ changeInstance: PHChange) {
    change.withLock { $0 = changeInstance }
    signal.signal()
  }

  func nextChange() -> PHChange? {
    signal.waits(for: "a change")
    return change.withLock(\.self)
  }
}
