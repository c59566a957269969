import Foundation
internal import LibraryStore
import Synchronization

/// Writes to standard error that a library's database is damaged, where a signature of PhotoKit
/// can't throw. Each failure is written once for an open library, since programs read properties in
/// loops.
final class DamageReports: Sendable {
  private let reported = Mutex<Set<String>>([])

  /// The failures that were written.
  var failures: Set<String> { reported.withLock(\.self) }

  /// Writes a failure, like "the texts of an asset could not be read". Other errors are answers: a
  /// missing file or disk, access that a client lacks, and a library that can't be written now.
  func report(_ error: any Error, _ failure: String) {
    let cause = (error as? PHPhotosError)?._nsError.userInfo[NSUnderlyingErrorKey] ?? error
    guard let cause = cause as? StoreError, [.damaged, .failed].contains(cause.code),
      reported.withLock({ $0.insert(failure).inserted })
    else { return }
    StandardError.write("photos: \(failure): \(cause)\n")
  }

  /// Returns the result of the work; `nil` if it throws, after a report.
  func optional<Value>(_ failure: String, _ work: () throws -> Value?) -> Value? {
    do { return try work() } catch {
      report(error, failure)
      return nil
    }
  }
}
