import Foundation
import Photos

/// The lifetimes of sessions.
///
/// A library at home is used daily from the same few devices, so a session ends after 30 days
/// without use and after 90 days in any case.
enum SessionRules {
  static let linkLifetime: TimeInterval = 15 * 60
  /// The time for which a password or an owner link allows what needs a recent one.
  static let authenticationLifetime: TimeInterval = 12 * 3600
  /// The time after which a session's use is recorded again.
  static let seenInterval: TimeInterval = 60

  /// The time that a session lasts without use.
  static func idleLimit(of kind: BrowserSession.Kind) -> TimeInterval {
    switch kind {
    case .ownBrowser: 30 * 86_400
    case .sharedComputer: 30 * 60
    case .unencrypted: 12 * 3600
    }
  }

  /// The time that a session lasts in any case.
  static func ageLimit(of kind: BrowserSession.Kind) -> TimeInterval {
    switch kind {
    case .ownBrowser: 90 * 86_400
    case .sharedComputer, .unencrypted: 12 * 3600
    }
  }

  /// Returns whether a session can be used.
  static func isValid(_ session: BrowserSession, at now: Date) -> Bool {
    !session.isFromFuture(at: now)
      && now < session.creationDate + ageLimit(of: session.kind)
      && now < session.seenDate + idleLimit(of: session.kind)
  }

  static func isRecentlyAuthenticated(_ session: BrowserSession, at now: Date) -> Bool {
    now < session.authenticationDate + authenticationLifetime
  }
}
