/// The browser or program that sends a request, as far as signing in needs it.
struct SignInClient: Hashable, Sendable {
  /// The address, without a port.
  var address: String
  /// The browser and its system, in words.
  var device: String
  /// The token of a browser that has signed in before, genuine or not.
  var deviceToken: String?
  /// The token of the browser's session, valid or not.
  var token: String?
}
