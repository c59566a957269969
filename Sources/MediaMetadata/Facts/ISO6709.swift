/// Positions as text: QuickTime's `+37.3230-122.0322+030.5/` and tzdata's `+4230+00131`.
enum ISO6709 {
  /// Parses degrees, degrees and minutes, or degrees, minutes and seconds. The number of digits
  /// before the point decides which.
  static func position(_ text: String) -> (latitude: Double, longitude: Double, altitude: Double?)? {
    var numbers: [(sign: Double, digits: Substring)] = []
    var rest = text[...]
    while let sign = rest.first, sign == "+" || sign == "-", numbers.count < 3 {
      rest = rest.dropFirst()
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count)
      numbers.append((sign == "-" ? -1 : 1, digits))
    }
    guard numbers.count >= 2, let latitude = degrees(numbers[0].digits, wholeDigits: 2),
      let longitude = degrees(numbers[1].digits, wholeDigits: 3)
    else { return nil }
    let altitude = numbers.count == 3 ? Double(numbers[2].digits).map { $0 * numbers[2].sign } : nil
    return (latitude * numbers[0].sign, longitude * numbers[1].sign, altitude)
  }

  private static func degrees(_ digits: Substring, wholeDigits: Int) -> Double? {
    guard let value = Double(digits), value.isFinite else { return nil }
    // Some writers leave out leading zeros. Only numbers that are too long for degrees contain
    // minutes or seconds.
    let whole = digits.prefix { $0 != "." }.count
    switch whole - wholeDigits {
    case ...0: return value
    case 1...2:
      let degrees = (value / 100).rounded(.down)
      return degrees + (value - degrees * 100) / 60
    case 3...4:
      let degrees = (value / 10_000).rounded(.down)
      let minutes = ((value - degrees * 10_000) / 100).rounded(.down)
      return degrees + minutes / 60 + (value - degrees * 10_000 - minutes * 100) / 3600
    default: return nil
    }
  }
}
