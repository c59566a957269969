/// A reason why signing in failed, or why a session may not do what it asks for.
enum SignInError: Error, Equatable, CustomStringConvertible {
  /// The owner link was used, has expired, or was never made.
  case wrongLink
  case wrongPassword
  /// The set-up code is wrong, or a password has been set since it was made.
  case wrongSetUpCode
  /// The new password breaks a rule, which the text names.
  case refusedPassword(String)
  /// The request needs a recent password or owner link, and its session has none.
  case notRecentlyAuthenticated(hasPassword: Bool)
  /// The person has no session with this identifier.
  case unknownSession(String)
  /// The sender has failed too often, and may try again after some seconds.
  case tooManyAttempts(seconds: Int)
  /// Unknown browsers together have failed too often. They are refused until somebody signs in by
  /// an owner link or from a known browser.
  case tooManyFailures
  /// Too many passwords are being checked.
  case tooManyChecks

  /// The seconds after which the person may try again; `nil` if waiting does not help.
  var retrySeconds: Int? {
    switch self {
    case .tooManyAttempts(let seconds): seconds
    case .tooManyFailures: Int(SignInLimiter.longestWait)
    case .tooManyChecks: 2
    default: nil
    }
  }

  var description: String {
    switch self {
    case .wrongLink:
      "this link has been used, has expired or is incomplete; run `calotype open` on the machine of the library for a new one"
    case .wrongPassword: "the password is wrong"
    case .wrongSetUpCode: "the set-up code is wrong; `calotype serve` prints it when it starts"
    case .refusedPassword(let reason): reason
    case .notRecentlyAuthenticated(hasPassword: true): "enter the password again to do this"
    case .notRecentlyAuthenticated(hasPassword: false):
      "run `calotype open` on the machine of the library, and open its link in this browser to do this"
    case .unknownSession(let id): "there is no session \(id)"
    case .tooManyAttempts(let seconds): "too many attempts; try again in \(seconds) seconds"
    case .tooManyFailures:
      "too many attempts failed; run `calotype open` on the machine of the library for a link that signs you in"
    case .tooManyChecks: "too many sign-ins at once; try again in a moment"
    }
  }
}
