import Foundation

/// A moment by two clocks.
struct PickerMoment: Sendable {
  var date: Date
  /// The time by a clock that nobody sets, and that stands still while the machine is suspended.
  var awakeTime: SuspendingClock.Instant

  init(_ date: Date, awakeTime: SuspendingClock.Instant = .now) {
    self.date = date
    self.awakeTime = awakeTime
  }

  /// Returns the moment that comes later by both clocks.
  static func + (moment: PickerMoment, seconds: TimeInterval) -> PickerMoment {
    PickerMoment(moment.date + seconds, awakeTime: moment.awakeTime + .seconds(seconds))
  }
}
