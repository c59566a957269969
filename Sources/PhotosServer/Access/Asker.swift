import Photos

/// The one who sends a request.
enum Asker: Sendable {
  /// The library's owner, in a signed-in browser.
  case owner(BrowserSession)
  case client(AskingClient)
}

/// A client that sends a request with one of its tokens.
struct AskingClient: Sendable {
  var client: LibraryClient
  /// The public name of the token. It is no secret.
  var tokenID: String
}
