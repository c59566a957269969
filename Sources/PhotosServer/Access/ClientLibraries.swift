import Foundation
import Photos
import Synchronization

/// The library as its owner and as each client sees it. There is one object for each of them, so
/// that caches and observers can belong to it.
final class ClientLibraries: Sendable {
  let owner: PHPhotoLibrary
  /// Decides whether a session sees the owner's hidden assets.
  let hiddenLock: HiddenLock
  private let answerer: any AuthorizationAnswerer
  private let libraries = Mutex<[Key: PHPhotoLibrary]>([:])

  private struct Key: Hashable {
    let client: LibraryClient
    /// The bytes of the identifier, which the database compares. For Swift, texts are also equal if
    /// they encode an accent differently, so two clients would share a library.
    let identifier: Data

    init(_ client: LibraryClient) { (self.client, identifier) = (client, Data(client.identifier.utf8)) }
  }

  init(
    owner: PHPhotoLibrary, hiddenLock: HiddenLock, answerer: any AuthorizationAnswerer = ClientQuestions()
  ) {
    self.owner = owner
    self.hiddenLock = hiddenLock
    self.answerer = answerer
  }

  func library(for client: LibraryClient) -> PHPhotoLibrary {
    libraries.withLock { libraries in
      let key = Key(client)
      if let known = libraries[key] { return known }
      let library = owner.photoLibrary(for: client)
      library.authorizationAnswerer = answerer
      libraries[key] = library
      return library
    }
  }
}

/// Leaves the questions of clients unanswered. A client asks for access by a request of its own,
/// and not in passing.
struct ClientQuestions: AuthorizationAnswerer {
  func answer(
    _ request: AuthorizationRequest, completionHandler: @escaping @Sendable (AuthorizationAnswer) -> Void
  ) { completionHandler(.unanswered(reason: "“\(request.client.name)” has to ask for access first")) }
}
