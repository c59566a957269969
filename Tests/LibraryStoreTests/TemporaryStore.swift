import Foundation
import TestSupport

@testable import LibraryStore

/// A folder for one test's library, removed with the last reference.
final class TemporaryFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("calotype-\(UUID().uuidString)").path

  var library: String { "\(path)/Library.calotype" }

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func open() throws -> LibraryStore { try LibraryStore(path: library, create: true) }

  /// Creates the folder of a session that has ended, with this journal, and returns its path.
  @discardableResult
  func leaveSession(journal: String) throws -> String {
    let session = "\(library)/incoming/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: session, withIntermediateDirectories: true)
    try "".write(toFile: "\(session)/lock", atomically: false, encoding: .utf8)
    try journal.write(toFile: "\(session)/journal", atomically: false, encoding: .utf8)
    return session
  }

  /// Returns the files in this folder of the library.
  func files(in folder: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: "\(library)/\(folder)")?.compactMap { $0 as? String } ?? []
    return all.filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(library)/\(folder)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }
}

/// Returns the result of work that may hang. If it does, its thread stays and the test fails.
func onOwnThread<Made: Sendable>(
  _ what: String, _ work: @escaping @Sendable () throws -> Made
) async throws -> Made {
  let result: Result<Made, any Error> = try await answer(what) { done in
    Thread.detachNewThread { done(Result { try work() }) }
  }
  return try result.get()
}

extension LibraryStore {
  /// Adds an asset with one file of these bytes.
  @discardableResult
  func add(_ bytes: String, as name: String = "A.jpg", date: Date = Date(timeIntervalSince1970: 0)) throws
    -> AssetRecord
  {
    let staged = try stage(.data(Data(bytes.utf8)))
    let placement = Placement(staged: staged, originalFilename: name, creationDate: date, timeZoneOffset: 0)
    return try commit(placing: [placement]) { transaction in
      try transaction.insert(
        .sample(date: date), .sample, resources: [(record: .sample(name: name), sha256: staged.sha256)])
    }
  }
}

extension AssetRecord {
  static func sample(uuid: String = UUID().uuidString, date: Date = Date(timeIntervalSince1970: 0)) -> AssetRecord {
    AssetRecord(
      uuid: uuid, mediaType: 1, mediaSubtypes: 0, creationDate: date, timeZoneOffset: 0, addedDate: date,
      pixelWidth: 4, pixelHeight: 3, duration: 0, renditionVersion: "1")
  }
}

extension AssetDetailRecord {
  static var sample: AssetDetailRecord {
    AssetDetailRecord(dateSource: "file", timeZoneSource: "machine", camera: "{}", notes: [])
  }
}

extension ResourceRecord {
  static func sample(name: String) -> ResourceRecord {
    ResourceRecord(
      type: 1, originalFilename: name, uniformTypeIdentifier: "public.jpeg", pixelWidth: 4, pixelHeight: 3)
  }
}
