import ArgumentParser
import Foundation
import Photos
import PhotosJSON

struct ChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "Show the changes of the library since a position in its history.",
    discussion: """
      A token names a position in the library’s history, which is kept for thirty days.

      Without --since, this prints the token of the present. With it, this prints each transaction after the \
      token, oldest first, and then the token to use next time. With --follow, it keeps running until \
      Control-C, and prints each transaction when it is committed, also by a server or by other programs.

      EXAMPLES
        token=$(calotype changes)
        calotype changes --since $token
        calotype changes --follow --json
      """)

  @OptionGroup var options: LibraryOptions
  @Option(help: ArgumentHelp("The token to start from.", valueName: "token")) var since: String?
  @Flag(help: "Keep running, and print new changes until Control-C.") var follow = false
  @Flag(help: "Print one JSON object per line, for each transaction and for the token at the end.") var json = false

  func run() throws {
    let library = try options.open()
    var token = library.currentChangeToken
    if let since {
      guard let given = PHPersistentChangeToken(stringValue: since) else {
        throw CommandError("“\(since)” is not a change token; `calotype changes` prints one")
      }
      token = given
    }
    if follow { Interruption.watch() }
    let observer = HistoryObserver()
    // Registered before the first reading, so that no commit is missed between two readings.
    if follow { library.register(observer) }
    if since != nil || follow { token = try write(from: library, since: token) }
    while follow, !Interruption.isCancelled {
      if observer.waitForChange(within: .milliseconds(200)) { token = try write(from: library, since: token) }
    }
    if json {
      try JSONLines.print(["token": token.stringValue])
    } else {
      try Output.write(token.stringValue)
    }
  }

  /// Writes each transaction. Returns the position after the last one.
  private func write(
    from library: PHPhotoLibrary, since token: PHPersistentChangeToken
  ) throws -> PHPersistentChangeToken {
    var token = token
    for change in try changes(of: library, since: token) {
      let description = try TransactionDescription(change)
      if json { try JSONLines.print(description) } else { try Output.write(description.lines) }
      token = change.changeToken
    }
    return token
  }

  private func changes(
    of library: PHPhotoLibrary, since token: PHPersistentChangeToken
  ) throws -> PHPersistentChangeFetchResult {
    guard token.library == library.currentChangeToken.library else {
      throw CommandError(
        "\(token.stringValue): this token is of another library; `calotype changes` prints one of \(library.url.path)")
    }
    do { return try library.fetchPersistentChanges(since: token) } catch PHPhotosError.persistentChangeTokenExpired {
      throw CommandError(
        """
        \(token.stringValue): the library’s history no longer contains this position; read everything again with \
        `calotype list`, and continue from \(library.currentChangeToken.stringValue)
        """)
    }
  }
}

extension PHPersistentChangeToken {
  /// The part of the token's text that all tokens of a library share.
  fileprivate var library: Substring {
    stringValue.prefix(upTo: stringValue.lastIndex(of: "-") ?? stringValue.endIndex)
  }
}

/// Signals the command when the library has committed something.
private final class HistoryObserver: NSObject, PHPhotoLibraryPersistentChangesObserver {
  private let signal = DispatchSemaphore(value: 0)

  func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary) { signal.signal() }

  func waitForChange(within time: DispatchTimeInterval) -> Bool { signal.wait(timeout: .now() + time) == .success }
}

/// The JSON form of one transaction.
struct TransactionDescription: Encodable {
  /// The position after the transaction.
  var token: String
  /// In this machine's time zone.
  var date: String
  /// The changes of assets. All three are `null` if the history no longer has the details.
  @NullIfUnknown var assets: Changes?
  @NullIfUnknown var albums: Changes?
  @NullIfUnknown var folders: Changes?

  /// Lists of identifiers.
  struct Changes: Codable, Hashable {
    var inserted: [String]
    var updated: [String]
    var deleted: [String]
  }

  init(_ change: PHPersistentChange) throws {
    token = change.changeToken.stringValue
    date = ISODate.string(change.date, offset: TimeZone.current.secondsFromGMT(for: change.date))
    do {
      assets = try Changes(change.changeDetails(for: .asset))
      albums = try Changes(change.changeDetails(for: .assetCollection))
      folders = try Changes(change.changeDetails(for: .collectionList))
    } catch PHPhotosError.persistentChangeDetailsUnavailable { (assets, albums, folders) = (nil, nil, nil) }
  }

  /// A line for the transaction and one for each object.
  var lines: [String] {
    let head = "\(date.replacing("T", with: " ").prefix(19))  \(token)"
    guard let assets, let albums, let folders else { return [head, "  its details have been removed"] }
    return [head] + assets.lines("asset") + albums.lines("album") + folders.lines("folder")
  }
}

extension TransactionDescription.Changes {
  fileprivate init(_ details: PHPersistentObjectChangeDetails) {
    inserted = details.insertedLocalIdentifiers.sorted()
    updated = details.updatedLocalIdentifiers.sorted()
    deleted = details.deletedLocalIdentifiers.sorted()
  }

  fileprivate func lines(_ type: String) -> [String] {
    [("inserted", inserted), ("updated", updated), ("deleted", deleted)].flatMap { verb, identifiers in
      identifiers.map { "  \(verb.padded(to: 8)) \(type.padded(to: 6))  \($0)" }
    }
  }
}
