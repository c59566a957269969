/// What a client may do with a library.
public enum PHAuthorizationStatus: Int, Sendable {
  /// Nobody has been asked yet.
  case notDetermined = 0
  /// The client may not even ask.
  case restricted = 1
  case denied = 2
  case authorized = 3
  /// The client sees a chosen set of assets. Only told by `authorizationStatus(for:)`.
  case limited = 4
}

/// What a client asks for; each level has its own status.
public enum PHAccessLevel: Int, Sendable {
  /// Adding assets, without seeing any.
  case addOnly = 1
  case readWrite = 2
}
