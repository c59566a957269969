/// A day of the Gregorian calendar, extended to the time before its introduction.
///
///     CivilDay(year: 1970, month: 1, day: 2).daysSince1970      // 1
package struct CivilDay: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the date of a day: Howard Hinnant's "civil from days". Eras of 400 years begin on
  /// March 1, and thus a leap day is the last day of its year.
  package init(daysSince1970: Int) {
    let (era, dayOfEra) = (daysSince1970 + 719_468).dividedByFloor(146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }

  /// The number of the day. A day that the month doesn't have is one of the next month.
  package var daysSince1970: Int {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedByFloor(400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int {
  /// Divides by a positive number, with a remainder that is never negative.
  package func dividedByFloor(_ divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
