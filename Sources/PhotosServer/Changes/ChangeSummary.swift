import Foundation
import Photos

/// The objects that have been inserted, updated and deleted since a position in the history, each
/// of them once.
struct ChangeSummary: Encodable, Hashable, Sendable {
  var revision: String
  var assets = Identifiers()
  /// Albums and folders.
  var collections = Identifiers()

  /// The plain identifiers of the objects, in alphabetical order.
  struct Identifiers: Encodable, Hashable, Sendable {
    var inserted: [String] = []
    var updated: [String] = []
    var deleted: [String] = []

    var count: Int { inserted.count + updated.count + deleted.count }
  }

  /// Reads the changes since a token. Throws `persistentChangeTokenExpired` and
  /// `persistentChangeDetailsUnavailable` like the fetch itself, and 410 for a token of another
  /// library, or of a time before the client's access changed.
  init(since token: PHPersistentChangeToken, in library: PHPhotoLibrary) throws {
    try library.require(.reading)
    let present = library.currentChangeToken
    guard token.isOfHistory(of: present) else {
      throw Failure(
        .gone, "the token \(token.stringValue) is from another library, or was made when you had different access",
        code: .persistentChangeTokenExpired)
    }
    try self.init(try Array(library.fetchPersistentChanges(since: token)), since: token)
  }

  init(_ changes: [PHPersistentChange], since token: PHPersistentChangeToken) throws {
    revision = (changes.last?.changeToken ?? token).stringValue
    var (assets, collections) = (FoldedChanges(), FoldedChanges())
    for change in changes {
      assets.add(try change.changeDetails(for: .asset))
      collections.add(try change.changeDetails(for: .assetCollection))
      collections.add(try change.changeDetails(for: .collectionList))
    }
    (self.assets, self.collections) = (assets.identifiers, collections.identifiers)
  }
}

extension PHPersistentChangeToken {
  /// Reads the argument `since` of a request.
  static func since(_ text: Substring) throws -> PHPersistentChangeToken {
    guard let token = PHPersistentChangeToken(stringValue: String(text)) else {
      throw Failure(.badRequest, "since: “\(text.prefix(100))” is not a change token")
    }
    return token
  }
}

/// The effect of several transactions on each object.
private struct FoldedChanges {
  private enum Effect { case inserted, updated, deleted }
  private var effects: [String: Effect] = [:]

  mutating func add(_ details: PHPersistentObjectChangeDetails) {
    for id in details.insertedLocalIdentifiers {
      // An object that was deleted and restored may have been changed in between.
      effects[id] = effects[id] == .deleted ? .updated : .inserted
    }
    for id in details.updatedLocalIdentifiers where effects[id] == nil { effects[id] = .updated }
    for id in details.deletedLocalIdentifiers {
      effects[id] = effects[id] == .inserted ? nil : .deleted
    }
  }

  var identifiers: ChangeSummary.Identifiers {
    func all(_ effect: Effect) -> [String] {
      effects.lazy.filter { $0.value == effect }.map { String($0.key.prefix { $0 != "/" }) }.sorted()
    }
    return .init(inserted: all(.inserted), updated: all(.updated), deleted: all(.deleted))
  }
}
