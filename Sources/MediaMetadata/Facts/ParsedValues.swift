import Foundation

/// The values that the readers found in the parts of a file, before implausible ones are dropped.
struct ParsedValues {
  /// The size in pixels as stored, before `orientation` is applied.
  var storedWidth = 0
  var storedHeight = 0
  /// EXIF's orientation, 1–8.
  var orientation = 1
  /// The format rotates its picture itself, and EXIF's orientation is ignored.
  var formatRotates = false
  var duration = 0.0
  var dates: [DateCandidate] = []
  /// The instant by GPS's clock.
  var gpsInstant: Date?
  var location: Location?
  /// EXIF contained a position, even if an implausible one: no other source is used.
  var hasReadPosition = false
  var subtypes: MediaSubtypes = []
  var contentIdentifier: String?
  var stillTime: Double?
  var burstIdentifier: String?
  var camera = Camera()
  /// A field other than the lens's name marks the front camera.
  var isFrontCamera = false
  var texts = TextCandidates()
  var motionVideo: MotionVideo?
  var notes: [String] = []

  mutating func note(_ sentence: String) {
    if !notes.contains(sentence), notes.count < 20 { notes.append(sentence) }
  }

  /// Keeps the date in `text`, or adds a note if it can't be read. `fallbackOffset` is used if the
  /// text has no zone.
  mutating func addDate(
    _ rank: DateCandidate.Rank, _ text: String, fraction: Double = 0, offset fallbackOffset: Int? = nil
  ) {
    switch DateText(text) {
    case .empty: break
    case .unreadable where DateText.mayBeOfOtherCalendar(text):
      note("The year in the date “\(text.prefix(40))” may be of another calendar, and the date was ignored.")
    case .unreadable: note("The date “\(text.prefix(40))” can't be read and was ignored.")
    case .date(var parts):
      if parts.isBuddhist { note("The date “\(text.prefix(40))” was read as of the Buddhist calendar.") }
      if parts.hasImpossiblePart {
        let part = parts.precision == .year ? "month" : "day"
        note("The \(part) in the date “\(text.prefix(40))” can't be true and was ignored.")
      }
      if parts.hasUnreadableTime { note("The time in the date “\(text.prefix(40))” can't be read and was ignored.") }
      if parts.precision == .time, parts.time.fraction == 0 { parts.time.fraction = fraction }
      parts.offset = parts.offset ?? fallbackOffset
      dates.append(
        DateCandidate(rank, parts.reading, precision: parts.precision, isDoubtful: parts.hasImpossiblePart))
    }
  }

  /// Keeps a plausible position. Receivers without a fix write 0, 0.
  mutating func setPosition(_ latitude: Double, _ longitude: Double, altitude: Double? = nil) {
    guard !hasReadPosition else { return }
    hasReadPosition = true
    guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 180 else {
      note("The position is not on the Earth and was ignored.")
      return
    }
    guard latitude != 0 || longitude != 0 else {
      note("The position 0, 0 means that there was no GPS fix; it was ignored.")
      return
    }
    let plausible = altitude.flatMap { Location.altitudes.contains($0) ? $0 : nil }
    location = Location(latitude: latitude, longitude: longitude, altitude: plausible)
  }
}

extension DateText.Parts {
  /// The date with its zone, if the text has one.
  var reading: DateCandidate.Reading {
    // A day in UTC is read as a local one. As an instant, its noon is the next day in some zones.
    guard let offset, !isUTC || precision == .time else { return .local(time) }
    let instant = Date(timeIntervalSince1970: time.secondsOnUTC - Double(offset))
    return isUTC ? .instant(instant) : .zoned(instant, offset: offset)
  }
}

/// A date in a file, with its rank.
struct DateCandidate: Hashable {
  /// The priority of dates, best first.
  enum Rank: Int, Comparable {
    case original
    /// XMP's exif:DateTimeOriginal, a copy of `original`.
    case xmpOriginal
    /// When the photo or the paper was made, not the file: XMP's photoshop:DateCreated, and IPTC's
    /// date of creation.
    /// For a scan, `digitized` is the date when the paper was scanned.
    case created
    case digitized, gps, quickTime, container, pngCreation, xmp
    case name
    /// The last change by a program: EXIF's DateTime, XMP's ModifyDate and PNG's tIME.
    case modification, pngModification

    static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }

    var source: CaptureDate.Source {
      switch self {
      case .original: .original
      case .digitized, .modification: .digitized
      case .gps: .gps
      case .quickTime: .quickTime
      case .container: .container
      case .pngCreation, .pngModification: .png
      case .xmpOriginal, .created, .xmp: .xmp
      case .name: .name
      }
    }

    /// Whether this is the date of a later change, not of the picture.
    var isOfModification: Bool { self == .modification || self == .pngModification }
  }

  enum Reading: Hashable {
    case local(CivilTime)
    case zoned(Date, offset: Int)
    /// An instant in UTC, without a zone.
    case instant(Date)
  }

  var rank: Rank
  var reading: Reading
  var precision: CaptureDate.Precision
  /// Whether a part of the date was impossible. Then the other parts are doubtful, too.
  var isDoubtful: Bool

  init(
    _ rank: Rank, _ reading: Reading, precision: CaptureDate.Precision = .time, isDoubtful: Bool = false
  ) {
    self.rank = rank
    self.reading = reading
    self.precision = precision
    self.isDoubtful = isDoubtful
  }

  /// Whether this date has priority. A doubtful date comes after those of the picture and its name,
  /// and before those of changes.
  func precedes(_ other: DateCandidate) -> Bool {
    func order(_ date: DateCandidate) -> Int {
      2 * (date.isDoubtful && date.rank < .name ? Rank.name : date.rank).rawValue + (date.isDoubtful ? 1 : 0)
    }
    return order(self) == order(other) ? rank < other.rank : order(self) < order(other)
  }
}
