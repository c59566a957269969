import Foundation

/// What a sample file says of itself; what is `nil` is left out of the file.
///
///     var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_558_428_352), offset: 7200)
///     metadata.camera = .iPhone
///     metadata.place = SampleMetadata.Place(latitude: 48.8584, longitude: 2.2945, altitude: 35)
///     let data = try SampleMedia.jpeg(seed: 1, metadata: metadata)
///
/// `SampleMetadata()` writes no metadata at all.
public struct SampleMetadata: Hashable, Sendable {
  /// An instant. Stills tell it as the time that the camera's clock showed, `offset` seconds east of UTC.
  public var captureDate: Date?
  /// Seconds east of UTC. Without it the file says no zone, and the clock showed UTC.
  public var offset: Int?
  /// Thousandths of a second, 0…999.
  public var subseconds: Int?
  public var camera: Camera?
  public var place: Place?
  /// EXIF's 1…8; the pixels are stored so that they are upright when it is applied.
  public var orientation = 1
  /// Pairs a Live Photo's still and movie.
  public var contentIdentifier: String?
  /// Shared by the frames of a burst.
  public var burstIdentifier: String?
  /// The photo was merged from several exposures.
  public var isHDR = false
  /// EXIF's CustomRendered: Apple's cameras write 6 for a panorama and 8 for a portrait.
  public var customRendered: Int?
  /// iOS writes `Screenshot`.
  public var userComment: String?
  public var software: String?
  /// A small picture beside the photo, as every camera writes it: in JPEG, HEIC and AVIF.
  public var hasThumbnail = false

  public init(captureDate: Date? = nil, offset: Int? = nil) {
    self.captureDate = captureDate
    self.offset = offset
  }

  /// A position in degrees (WGS 84) and metres above the sea.
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

  /// A camera and how it was set.
  public struct Camera: Hashable, Sendable {
    public var make: String
    public var model: String
    public var lens: String?
    /// Seconds.
    public var exposureTime: Double?
    public var fNumber: Double?
    public var iso: Int?
    /// Millimetres.
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

    /// A phone of the maker whose MakerNote carries the identifiers.
    public static let iPhone = Camera(
      make: "Apple", model: "iPhone 15 Pro", lens: "iPhone 15 Pro back triple camera 6.86mm f/1.78",
      exposureTime: 1.0 / 250, fNumber: 1.78, iso: 80, focalLength: 6.86)
  }

  /// The file has nothing to tell.
  var isEmpty: Bool { self == SampleMetadata() }

  var needsAppleMakerNote: Bool { contentIdentifier != nil || burstIdentifier != nil || isHDR }
}
