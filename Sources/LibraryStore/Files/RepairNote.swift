import Crypto
import Essentials
import Foundation

/// The identifier of the new database with which this account repairs a library.
///
/// It is in the account's folder of settings. A library may come from anybody, who could have put
/// the database of an unfinished repair into it. The identifier is made at random, so only this
/// account's own database has it. The note's name is made of the library's path without links.
struct RepairNote {
  private static let folderName = "repairs"

  private let folder: LibraryFolder
  private let name: String

  /// Throws if the account's folder can't be made.
  init(ofLibraryAt library: String, in settings: String = AccountFolders.settings) throws(StoreError) {
    close(try AccountFolder.open(Self.folderName, in: settings))
    folder = LibraryFolder(path: "\(settings)/\(AccountFolder.programName)/\(Self.folderName)")
    name = SHA256.hash(data: FilePath(library).withoutLinks ?? Data(library.utf8)).prefix(16).hexadecimal
  }

  /// Returns the identifier; `nil` if this account has no unfinished repair of the library.
  func read() throws(StoreError) -> String? {
    guard let descriptor = try folder.openIfPresent(name, O_RDONLY) else { return nil }
    var bytes = Data()
    try OpenFile(descriptor: descriptor, name: folder.absolute(name)).forEachChunk { bytes.append(contentsOf: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  func write(_ uuid: String) throws(StoreError) {
    let file = UploadFile(
      descriptor: try folder.open(name, O_WRONLY | O_CREAT | O_TRUNC), name: folder.absolute(name))
    try file.append(Data(uuid.utf8))
  }

  func remove() throws(StoreError) { try folder.remove(name) }
}
