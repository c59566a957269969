package import LibraryStore

package typealias SignIns = SignInRecords
package typealias BrowserSession = BrowserSessionRecord
package typealias FailedSignIns = SignInFailures

extension PHPhotoLibrary {
  /// The people who may sign in at the library's server, and their sessions. A client's library has
  /// none.
  package var signIns: SignIns {
    get throws { try asOwner { $0.signIn } }
  }
}
