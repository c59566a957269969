@_exported import Foundation

// The part of CoreMedia that this module contains: times, time ranges and time mappings. Left out:
// samples, formats and clocks.

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32
public typealias CMTimeEpoch = Int64

/// Properties of a time: valid, rounded, infinite, indefinite.
public struct CMTimeFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let valid = CMTimeFlags(rawValue: 1 << 0)
  public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
  public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
  public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
  public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
  public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// A time as a fraction of seconds: `value / timescale`.
///
///     let time = CMTime(value: 1001, timescale: 30_000)
///     (time + time).seconds   // 0.0667…
///
/// Equal times may have different timescales. A sum is exact if a timescale can hold it; otherwise
/// it is rounded and `hasBeenRounded` is true.
public struct CMTime: Sendable {
  public var value: CMTimeValue
  public var timescale: CMTimeScale
  public var flags: CMTimeFlags
  public var epoch: CMTimeEpoch

  /// An invalid time.
  public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
  }

  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// Makes the nearest time with that timescale. The time is infinite if the value is too large,
  /// and invalid for a number that is NaN or a timescale below 1.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    guard !seconds.isNaN, preferredTimescale > 0 else {
      self = .invalid
      return
    }
    let exact = seconds * Double(preferredTimescale)
    guard let value = CMTimeValue(exactly: exact.rounded()) else {
      self = seconds < 0 ? .negativeInfinity : .positiveInfinity
      return
    }
    self.init(value: value, timescale: preferredTimescale)
    if Double(value) != exact { flags.insert(.hasBeenRounded) }
  }

  public static let zero = CMTime(value: 0, timescale: 1)
  public static let invalid = CMTime()
  public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)

  public var isValid: Bool { flags.contains(.valid) }
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

  /// The time in seconds; NaN for an invalid or indefinite time.
  public var seconds: Double {
    if isNumeric { return timescale == 0 ? .nan : Double(value) / Double(timescale) }
    if isPositiveInfinity { return .infinity }
    return isNegativeInfinity ? -.infinity : .nan
  }
}

extension CMTime: Comparable, Hashable {
  public static func == (a: CMTime, b: CMTime) -> Bool { a.compared(to: b) == 0 }
  public static func < (a: CMTime, b: CMTime) -> Bool { a.compared(to: b) < 0 }

  /// The position in CoreMedia's order: −∞, the numbers, indefinite, +∞, invalid.
  private var rank: Int {
    if isNumeric { return 1 }
    if isNegativeInfinity { return 0 }
    if isPositiveInfinity { return 3 }
    return isIndefinite ? 2 : 4
  }

  /// Returns a negative number, 0 or a positive number.
  func compared(to other: CMTime) -> Int {
    guard rank == 1, other.rank == 1 else { return rank - other.rank }
    guard epoch == other.epoch else { return epoch < other.epoch ? -1 : 1 }
    let (left, right) = (Int128(value) * Int128(other.timescale), Int128(other.value) * Int128(timescale))
    return left == right ? 0 : left < right ? -1 : 1
  }

  /// Hashes the fraction in its lowest terms, so that equal times have equal hashes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    guard rank == 1 else { return }
    let divisor = max(1, greatestCommonDivisor(value.magnitude, UInt64(timescale.magnitude)))
    hasher.combine(epoch)
    hasher.combine(value.magnitude / divisor)
    hasher.combine(UInt64(timescale.magnitude) / divisor)
    hasher.combine(value < 0)
  }
}

extension CMTime {
  public static func + (a: CMTime, b: CMTime) -> CMTime { sum(a, b, 1) }
  public static func - (a: CMTime, b: CMTime) -> CMTime { sum(a, b, -1) }

  /// Returns `a ± b` in the smallest timescale that holds both. If there is none, rounds it to the
  /// finer timescale of the two.
  private static func sum(_ a: CMTime, _ b: CMTime, _ sign: Int128) -> CMTime {
    guard a.isNumeric, b.isNumeric, a.timescale > 0, b.timescale > 0 else { return special(a, b, sign) }
    let common =
      Int(a.timescale) / Int(greatestCommonDivisor(UInt64(a.timescale), UInt64(b.timescale))) * Int(b.timescale)
    let scale = CMTimeScale(exactly: common) ?? max(a.timescale, b.timescale)
    let exact = Int128(a.value) * Int128(b.timescale) + sign * Int128(b.value) * Int128(a.timescale)
    let (quotient, remainder) = (exact * Int128(scale)).quotientAndRemainder(
      dividingBy: Int128(a.timescale) * Int128(b.timescale))
    let half = Int128(a.timescale) * Int128(b.timescale)
    let rounded = quotient + (remainder.magnitude * 2 >= half.magnitude ? remainder.signum() : 0)
    guard let value = CMTimeValue(exactly: rounded) else { return exact < 0 ? .negativeInfinity : .positiveInfinity }
    var result = CMTime(value: value, timescale: scale)
    result.epoch = a.epoch
    if remainder != 0 || a.hasBeenRounded || b.hasBeenRounded { result.flags.insert(.hasBeenRounded) }
    return result
  }

  /// Returns the sum if at least one of the times is not a number.
  private static func special(_ a: CMTime, _ b: CMTime, _ sign: Int128) -> CMTime {
    guard a.isValid, b.isValid else { return .invalid }
    if a.isIndefinite || b.isIndefinite { return .indefinite }
    let sum = a.seconds + (sign < 0 ? -b.seconds : b.seconds)
    if sum.isNaN { return .invalid }
    return sum < 0 ? .negativeInfinity : .positiveInfinity
  }
}

private func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
  b == 0 ? a : greatestCommonDivisor(b, a % b)
}
