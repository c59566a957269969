import Foundation

/// A folder of this program in the account's folder of settings. Nobody else may enter it.
enum AccountFolder {
  static let programName = "calotype"

  /// Makes and opens a folder. The caller closes the descriptor.
  static func open(_ name: String, in settings: String) throws(StoreError) -> Int32 {
    // A person may keep the program's settings elsewhere, behind a link.
    let program = LibraryFolder(path: "\(settings)/\(programName)")
    try program.makeRoot()
    let folder = try program.openFolder(name, makesMissing: true)
    // The system refuses this for a folder that another user has made.
    guard LibraryFolder.mode(of: folder) & 0o777 == 0o700 || fchmod(folder, 0o700) == 0 else {
      let number = errno
      close(folder)
      throw FileOperations.error(number, program.absolute(name))
    }
    return folder
  }
}
