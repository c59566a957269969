import Foundation

/// Chooses a photo's date and time zone from the dates that its file contains.
///
/// - The best rank wins. Among dates of one rank, the first wins. A date with an impossible part
///   comes after a name's date.
/// - If GPS's time is known, dates of the rank `created` count as `xmp`: a person may have typed
///   them.
/// - A local time without a zone gets the zone of its position (`.location`), else the machine's
///   (`.machine`).
/// - A time in UTC without a zone is a certain instant. Its offset is that of the position
///   (`.location`), else the machine's: `.utc` then means that only the offset is a guess.
/// - If the best date lacks its time, its day or its month, the next date that agrees with it and
///   is more exact replaces it, again and again. Dates of later changes complete only a name's
///   date. A name's date completes no other, since it is a guess.
/// - Without any date, the file's own is used, in the machine's zone.
struct CaptureDateResolver {
  var machineTimeZone: TimeZone
  var locator: TimeZoneLocator = .shared

  func captureDate(from found: ParsedValues, fileDate: Date) -> CaptureDate {
    var dates = found.dates
    // A file with GPS's time is not a scan. The times of its clocks are more exact than a typed
    // date.
    if found.gpsInstant != nil {
      for index in dates.indices where dates[index].rank == .created { dates[index].rank = .xmp }
    }
    guard let best = best(of: dates, found) else { return CaptureDate(fileDate: fileDate, in: machineTimeZone) }
    var date = captureDate(from: best, found)
    date.precision = best.precision
    return date
  }

  private func best(of dates: [DateCandidate], _ found: ParsedValues) -> DateCandidate? {
    guard var best = Self.first(of: dates) else { return nil }
    let isName = best.rank == .name
    // The loop ends, since each date is more exact than the last.
    while let better = Self.first(
      of: dates.filter { date in
        date.precision > best.precision && (isName || !date.rank.isOfModification && date.rank != .name)
          && agrees(date, with: best, found)
      })
    {
      best = better
    }
    return best
  }

  /// Whether a date has the known parts of another one, on the clock of the place.
  private func agrees(_ date: DateCandidate, with other: DateCandidate, _ found: ParsedValues) -> Bool {
    let parts: [KeyPath<CivilTime, Int>] =
      switch other.precision {
      case .year: [\.year]
      case .month: [\.year, \.month]
      case .day, .time: [\.year, \.month, \.day]
      }
    let (time, otherTime) = (captureDate(from: date, found).localTime, captureDate(from: other, found).localTime)
    return parts.allSatisfy { time[keyPath: $0] == otherTime[keyPath: $0] }
  }

  private static func first(of dates: [DateCandidate]) -> DateCandidate? {
    // `min` keeps the first of equal elements.
    dates.min { $0.precedes($1) }
  }

  private func captureDate(from best: DateCandidate, _ found: ParsedValues) -> CaptureDate {
    let source = best.rank.source
    switch best.reading {
    case .zoned(let date, let offset):
      return CaptureDate(date: date, offset: offset, source: source, zoneSource: .file)
    case .instant(let date):
      let zone = found.location.flatMap { locator.timeZone(at: $0) }
      let offset = (zone ?? machineTimeZone).secondsFromGMT(for: date)
      return CaptureDate(date: date, offset: offset, source: source, zoneSource: zone == nil ? .utc : .location)
    case .local(let time):
      let zone = found.location.flatMap { locator.timeZone(at: $0, showing: time, gpsInstant: found.gpsInstant) }
      let offset = (zone ?? machineTimeZone).offset(showing: time)
      let date = Date(timeIntervalSince1970: time.secondsOnUTC - Double(offset))
      return CaptureDate(date: date, offset: offset, source: source, zoneSource: zone == nil ? .machine : .location)
    }
  }
}

extension CaptureDate {
  /// Whether the file's content has the date with its time.
  package var isExact: Bool { !source.isGuess && precision == .time }

  /// The years 1800 to 2200. File systems can store dates far outside any calendar.
  private static let earliestFileDate = Date(timeIntervalSince1970: -5_364_662_400)
  private static let latestFileDate = Date(timeIntervalSince1970: 7_289_654_399)

  /// The date of a file that contains none: its modification date, in the machine's zone.
  public init(fileDate: Date, in machineTimeZone: TimeZone = .current) {
    let date = min(max(fileDate, Self.earliestFileDate), Self.latestFileDate)
    self.init(date: date, offset: machineTimeZone.secondsFromGMT(for: date), source: .file, zoneSource: .machine)
  }
}

extension TimeZone {
  /// Returns the offset at which this zone's clocks show `time`. If the hour occurs twice, this is
  /// the first offset. If it is skipped, this is the offset before the change.
  func offset(showing time: CivilTime) -> Int {
    let seconds = time.secondsOnUTC
    func offset(at seconds: Double) -> Int { secondsFromGMT(for: Date(timeIntervalSince1970: seconds)) }
    // If the offsets a day before and a day after are equal, there is no change nearby.
    let before = offset(at: seconds - 86_400)
    let after = offset(at: seconds + 86_400)
    if before == after { return before }
    return offset(at: seconds - Double(before)) == before
      ? before : offset(at: seconds - Double(after)) == after ? after : before
  }
}
