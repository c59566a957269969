/// A client's access to a library.
public enum PHAuthorizationStatus: Int, Sendable {
  /// The client has not asked yet, or had no answer.
  case notDetermined = 0
  /// The client has no access and may not ask.
  case restricted = 1
  case denied = 2
  case authorized = 3
  /// The client sees a chosen set of assets. Only `authorizationStatus(for:)` returns this.
  case limited = 4
}

/// A level of access. Each level has its own status.
public enum PHAccessLevel: Int, Sendable {
  /// Access for adding assets without seeing any.
  case addOnly = 1
  case readWrite = 2
}
