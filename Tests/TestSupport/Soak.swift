import Foundation
import Testing

/// The long tests: those with random input, those that kill programs at random times, those with
/// real files or many processes, and those over five seconds. `make soak` runs them in full. The
/// suite runs a few of their cases, always the same ones.
public enum Soak {
  /// The seed of `make soak`, which prints it.
  private static let given = ProcessInfo.processInfo.environment["CALOTYPE_SOAK_SEED"].flatMap { UInt64($0) }

  public static let isOn = given != nil

  /// The reason of a skipped test.
  public static let reason: Comment = "make soak runs it"

  /// Returns the number of cases: a few in the suite.
  public static func count(few: Int, many: Int) -> Int { isOn ? many : few }

  /// Returns a seed. In `make soak` it differs from run to run.
  public static func seed(_ seed: UInt64) -> UInt64 { seed &+ (given ?? 0) &* 0x9E37_79B9_7F4A_7C15 }

  /// Waits before a program is killed at a random time. An event ends all other waits.
  public static func pause(_ duration: Duration) { Thread.sleep(forTimeInterval: duration.seconds) }
}
