import Foundation
import Photos
import Synchronization

/// The lock of the Hidden album. It is a setting of the library. Each session opens it for itself,
/// by the password and for ten minutes.
///
/// Without a password nothing could open the lock, so it is not closed then.
final class HiddenLock: Sendable {
  private let owner: PHPhotoLibrary
  private let withoutHidden: PHPhotoLibrary
  private let clock: @Sendable () -> Date
  private let events: AccessEvents
  private let setting = Mutex<Setting?>(nil)
  /// The times until which sessions have opened the lock.
  private let openings = Mutex<[String: Date]>([:])

  /// The setting as it was read. Another process may have changed it since.
  private struct Setting {
    var isSet: Bool
    var readDate: Date
  }

  static let openingLifetime: TimeInterval = 10 * 60
  /// The time for which the setting is used without asking the library again.
  private static let settingLifetime: TimeInterval = 1

  init(owner: PHPhotoLibrary, events: AccessEvents, clock: @escaping @Sendable () -> Date) {
    self.owner = owner
    self.events = events
    withoutHidden = owner.withoutHidden
    self.clock = clock
  }

  /// Returns the library as a session sees it.
  func library(for session: BrowserSession) async throws -> PHPhotoLibrary {
    try await isClosed(for: session) ? withoutHidden : owner
  }

  func isClosed(for session: BrowserSession) async throws -> Bool {
    try await isSet() && openSeconds(of: session) == nil
  }

  /// Returns the time for which a session has still opened the lock; `nil` if it has not.
  func openSeconds(of session: BrowserSession) -> TimeInterval? {
    openings.withLock { $0[session.id] }.map { $0.timeIntervalSince(clock()) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Opens the lock for a session, whose password was checked.
  func open(for session: BrowserSession) {
    let now = clock()
    openings.withLock { openings in
      openings = openings.filter { now < $0.value }
      openings[session.id] = now + Self.openingLifetime
    }
    events.send(.hiddenLock)
  }

  func close(for session: BrowserSession) {
    openings.withLock { $0[session.id] = nil }
    events.send(.hiddenLock)
  }

  /// Sets the lock, closed for every session, or removes it.
  func set(_ isSet: Bool) async throws {
    try await Blocking.commit { [owner] in try owner.setLocksHidden(isSet) }
    openings.withLock { $0 = [:] }
    setting.withLock { $0 = nil }
    events.send(.hiddenLock)
  }

  /// Returns whether the lock is set, and there is a password that opens it.
  func isSet() async throws -> Bool {
    let now = clock()
    if let known = setting.withLock({ $0 }), abs(now.timeIntervalSince(known.readDate)) < Self.settingLifetime {
      return known.isSet
    }
    let isSet = try await Blocking.run { [owner] in
      try owner.locksHidden() && owner.signIns.owner().passwordHash != nil
    }
    setting.withLock { $0 = Setting(isSet: isSet, readDate: now) }
    return isSet
  }
}
