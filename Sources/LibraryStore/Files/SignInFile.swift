import Crypto
import Essentials
import Foundation

/// The place of the file in which this account keeps who may sign in at the server of one library.
enum SignInFile {
  private static let folderName = "sign-in"

  /// Makes the file of a library unless it exists. Returns its path.
  ///
  /// The library's identity and its path without links are in the name.
  static func make(
    ofLibrary uuid: String, at library: String, in settings: String = AccountFolders.settings
  ) throws(StoreError) -> String {
    close(try AccountFolder.open(folderName, in: settings))
    let folder = LibraryFolder(path: "\(settings)/\(AccountFolder.programName)/\(folderName)")
    let place = FilePath(library).withoutLinks ?? Data(library.utf8)
    let hash = SHA256.hash(data: Data("\(uuid)\n".utf8) + place)
    let name = hash.prefix(16).hexadecimal + ".sqlite"
    // SQLite would create the file with the permissions that the umask leaves.
    close(try folder.open(name, O_RDWR | O_CREAT))
    return folder.absolute(name)
  }
}
