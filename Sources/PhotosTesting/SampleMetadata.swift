import Foundation

/// The metadata of a sample file. Properties that are `nil` are not written.
///
///     var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_558_428_352), offset: 7200)
///     metadata.camera = .iPhone
///     metadata.place = SampleMetadata.Place(latitude: 48.8584, longitude: 2.2945, altitude: 35)
///     let data = try SampleMedia.jpeg(seed: 1, metadata: metadata)
///
/// `SampleMetadata()` writes no metadata at all.
public struct SampleMetadata: Hashable, Sendable {
  /// The instant of the capture. Stills contain it as local time, `offset` seconds east of UTC.
  public var captureDate: Date?
  /// Seconds east of UTC. If it is `nil`, the file contains no time zone, and its times are UTC.
  public var offset: Int?
  /// Milliseconds, 0…999.
  public var subseconds: Int?
  public var camera: Camera?
  public var place: Place?
  /// The EXIF orientation, 1…8. The pixels are stored so that applying it makes them upright.
  public var orientation = 1
  /// The identifier that pairs a Live Photo's still and movie.
  public var contentIdentifier: String?
  /// The identifier that the frames of a burst share.
  public var burstIdentifier: String?
  /// True for a photo that was merged from several exposures.
  public var isHDR = false
  /// EXIF's CustomRendered. Apple's cameras write 6 for a panorama and 8 for a portrait.
  public var customRendered: Int?
  /// EXIF's UserComment. iOS writes `Screenshot`.
  public var userComment: String?
  public var software: String?
  /// True to embed a thumbnail as cameras do: in JPEG, HEIC and AVIF.
  public var hasThumbnail = false

  public init(captureDate: Date? = nil, offset: Int? = nil) {
    self.captureDate = captureDate
    self.offset = offset
  }

  /// A position in degrees (WGS 84) and meters above sea level.
  public struct Place: Hashable, Sendable {
    public var latitude: Double
    public var longitude: Double
    public var altitude: Double?

    public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
      self.latitude = latitude
      self.longitude = longitude
      self.altitude = altitude
    }
  }

  /// A camera and its settings.
  public struct Camera: Hashable, Sendable {
    public var make: String
    public var model: String
    public var lens: String?
    /// In seconds.
    public var exposureTime: Double?
    public var fNumber: Double?
    public var iso: Int?
    /// In millimeters.
    public var focalLength: Double?

    public init(
      make: String, model: String, lens: String? = nil, exposureTime: Double? = nil, fNumber: Double? = nil,
      iso: Int? = nil, focalLength: Double? = nil
    ) {
      self.make = make
      self.model = model
      self.lens = lens
      self.exposureTime = exposureTime
      self.fNumber = fNumber
      self.iso = iso
      self.focalLength = focalLength
    }

    /// An Apple phone, whose MakerNote contains the identifiers.
    public static let iPhone = Camera(
      make: "Apple", model: "iPhone 15 Pro", lens: "iPhone 15 Pro back triple camera 6.86mm f/1.78",
      exposureTime: 1.0 / 250, fNumber: 1.78, iso: 80, focalLength: 6.86)
  }

  /// True if the file gets no metadata.
  var isEmpty: Bool { self == SampleMetadata() }

  var needsAppleMakerNote: Bool { contentIdentifier != nil || burstIdentifier != nil || isHDR }
}
