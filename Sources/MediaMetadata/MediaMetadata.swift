import Foundation

/// The metadata of a file, read without decoding its picture.
///
///     let metadata = try MediaMetadata(of: file)
///     metadata.pixelWidth           // 3024, upright
///     metadata.captureDate.source   // .original
///
/// Implausible values (a latitude of 91°, a date of the year 0) are dropped, and `notes` says so.
public struct MediaMetadata: Hashable, Sendable {
  public var type: MediaType
  /// The size in pixels as displayed, after the orientation was applied; 0 if the file doesn't
  /// contain it.
  public var pixelWidth = 0
  public var pixelHeight = 0
  /// EXIF's orientation, 1–8, as stored; 1 if the format itself rotates (HEIF's `irot`, a movie's
  /// matrix).
  public var orientation = 1
  /// The duration in seconds: 0 for stills, one loop for animated images.
  public var duration = 0.0
  public var captureDate: CaptureDate
  public var location: Location?
  public var subtypes: MediaSubtypes = []
  /// The identifier that pairs a Live Photo's still and movie: Apple's MakerNote tag 0x0011,
  /// QuickTime's `com.apple.quicktime.content.identifier`.
  public var contentIdentifier: String?
  /// The seconds from the beginning of a Live Photo's movie to the instant of the still.
  public var stillTime: Double?
  /// The identifier that the frames of a burst share: Apple's MakerNote tag 0x000B.
  public var burstIdentifier: String?
  public var camera = Camera()
  /// The photo was taken with the camera on the screen's side of a phone, according to Apple's or
  /// Google's metadata.
  public var isSelfie = false
  /// The title that a person wrote, in one line. Texts that cameras write by default are left out
  /// of title and caption.
  public var title: String?
  public var caption: String?
  /// The keywords, each once, in their original spelling.
  public var keywords: [String] = []
  /// The names of the place in the file, from the most exact to the widest: "Thompson Springs",
  /// "Utah", "United States".
  public var placeNames: [String] = []
  /// The rating of 0–5 stars; 0 is no rating.
  public var rating = 0
  /// The movie inside a Google or Samsung motion photo.
  public var motionVideo: MotionVideo?
  /// Oddities of the file, each a sentence for a person.
  public var notes: [String] = []

  public init(type: MediaType, captureDate: CaptureDate) {
    self.type = type
    self.captureDate = captureDate
  }
}

/// The instant when a photo was taken, its time zone, and the sources of both.
public struct CaptureDate: Hashable, Sendable {
  public enum Source: String, Sendable, CaseIterable {
    case original, digitized, gps, quickTime, container, png, xmp
    /// The file's name contains the date.
    case name
    /// The date of the file's last change.
    case file
    /// A user set the date in the library.
    case person

    /// Whether the date comes from the file's name or its last change, not from its content. Such a
    /// date is never written into a file, because it would look like the camera's.
    public var isGuess: Bool { self == .name || self == .file }
  }
  public enum ZoneSource: String, Sendable, CaseIterable {
    /// The file contains the offset from UTC.
    case file
    /// The zone is the one at the photo's GPS position.
    case location
    /// The zone is that of the machine that read the file.
    case machine
    /// The file contains the time in UTC and no zone.
    case utc
    /// A user set the zone in the library.
    case person
  }

  /// The last part of a date that is known: many scans have a year, or a year and a month.
  public enum Precision: String, Sendable, CaseIterable, Comparable {
    case year, month, day, time

    /// A year is less precise than a month.
    public static func < (one: Precision, other: Precision) -> Bool { one.rank < other.rank }

    private var rank: Int {
      switch self {
      case .year: 0
      case .month: 1
      case .day: 2
      case .time: 3
      }
    }
  }

  /// The instant. Unknown parts are filled in: January, the 1st, 12:00.
  public var date: Date
  /// Seconds east of UTC.
  public var offset: Int
  public var source: Source
  public var zoneSource: ZoneSource
  public var precision: Precision

  public init(date: Date, offset: Int, source: Source, zoneSource: ZoneSource, precision: Precision = .time) {
    self.date = date
    self.offset = offset
    self.source = source
    self.zoneSource = zoneSource
    self.precision = precision
  }
}

/// A position in degrees (WGS 84) and meters above the sea.
public struct Location: Hashable, Sendable {
  public var latitude: Double
  public var longitude: Double
  public var altitude: Double?

  public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// The plausible altitudes, in meters: space begins at a hundred kilometers.
  public static let altitudes = -100_000.0...100_000.0
}

/// PhotoKit's media subtypes, with its raw values.
public struct MediaSubtypes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let panorama = MediaSubtypes(rawValue: 1 << 0)
  public static let hdr = MediaSubtypes(rawValue: 1 << 1)
  public static let screenshot = MediaSubtypes(rawValue: 1 << 2)
  public static let live = MediaSubtypes(rawValue: 1 << 3)
  public static let depthEffect = MediaSubtypes(rawValue: 1 << 4)
  public static let animated = MediaSubtypes(rawValue: 1 << 6)
  public static let spatial = MediaSubtypes(rawValue: 1 << 10)
  public static let highFrameRate = MediaSubtypes(rawValue: 1 << 17)
  public static let timelapse = MediaSubtypes(rawValue: 1 << 18)
  public static let screenRecording = MediaSubtypes(rawValue: 1 << 19)
  public static let cinematic = MediaSubtypes(rawValue: 1 << 21)

  package static let known: MediaSubtypes = [
    .panorama, .hdr, .screenshot, .live, .depthEffect, .animated, .spatial, .highFrameRate, .timelapse,
    .screenRecording,
    .cinematic,
  ]
}

/// The camera and its settings for one photo.
public struct Camera: Hashable, Sendable, Codable {
  public var make: String?
  public var model: String?
  public var lens: String?
  public var software: String?
  /// Seconds.
  public var exposureTime: Double?
  public var fNumber: Double?
  public var iso: Int?
  /// Millimeters.
  public var focalLength: Double?

  public init() {}

  /// The same values with each text in one line, and without implausible numbers.
  package var cleaned: Camera {
    var camera = self
    for number in [\Camera.exposureTime, \.fNumber, \.focalLength] {
      camera[keyPath: number] = self[keyPath: number].flatMap { Self.numbers.contains($0) ? $0 : nil }
    }
    camera.make = make?.cleaned(limit: Self.textLimit)
    camera.model = model?.cleaned(limit: Self.textLimit)
    camera.lens = lens?.cleaned(limit: Self.textLimit)
    camera.software = software?.cleaned(limit: Self.textLimit)
    return camera
  }

  package static let textLimit = 256
  /// The plausible seconds, f-numbers and millimeters: from a tenth of a microsecond to eleven
  /// days, or a kilometer.
  package static let numbers = 1e-7...1e6
}

/// The position of a motion photo's movie in the file, in bytes.
public struct MotionVideo: Hashable, Sendable {
  public var offset: Int
  public var byteCount: Int

  public init(offset: Int, byteCount: Int) {
    self.offset = offset
    self.byteCount = byteCount
  }
}
