import Foundation

/// Looks up the name of a place. Calotype has no place names: each request ends with
/// `CLError.geocodeFoundNoResult`.
///
///     let names = try? await CLGeocoder().reverseGeocodeLocation(location)   // nil
///
/// A file's metadata may contain the name of its place: `kCGImagePropertyIPTCDictionary` has the
/// keys for city and country.
open class CLGeocoder: NSObject, @unchecked Sendable {
  // Stateless; subclasses guard what they add.

  public override init() {}

  public typealias CompletionHandler = @Sendable ([CLPlacemark]?, (any Error)?) -> Void

  /// Always `false`: a request ends at once.
  open var isGeocoding: Bool { false }

  /// Calls the handler on the main queue with `geocodeFoundNoResult`.
  open func reverseGeocodeLocation(_ location: CLLocation, completionHandler: @escaping CompletionHandler) {
    DispatchQueue.main.async { completionHandler(nil, Self.noResult) }
  }

  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale: Locale?, completionHandler: @escaping CompletionHandler
  ) { reverseGeocodeLocation(location, completionHandler: completionHandler) }

  open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] { throw Self.noResult }

  open func reverseGeocodeLocation(_ location: CLLocation, preferredLocale: Locale?) async throws -> [CLPlacemark] {
    throw Self.noResult
  }

  open func geocodeAddressString(_ addressString: String, completionHandler: @escaping CompletionHandler) {
    DispatchQueue.main.async { completionHandler(nil, Self.noResult) }
  }

  open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] { throw Self.noResult }

  /// Does nothing, since no request is ever pending.
  open func cancelGeocode() {}

  private static let noResult = CLError(
    .geocodeFoundNoResult,
    userInfo: [NSLocalizedDescriptionKey: "There is no geocoder off Apple's platforms: places have no names."])
}

/// A place and its names. `CLGeocoder` never returns one.
open class CLPlacemark: NSObject, @unchecked Sendable {
  // Immutable after init; subclasses guard what they add.

  public init(placemark: CLPlacemark) {}

  open var location: CLLocation? { nil }
  open var name: String? { nil }
  open var thoroughfare: String? { nil }
  open var subThoroughfare: String? { nil }
  open var locality: String? { nil }
  open var subLocality: String? { nil }
  open var administrativeArea: String? { nil }
  open var subAdministrativeArea: String? { nil }
  open var postalCode: String? { nil }
  open var isoCountryCode: String? { nil }
  open var country: String? { nil }
  open var inlandWater: String? { nil }
  open var ocean: String? { nil }
  open var areasOfInterest: [String]? { nil }
  open var timeZone: TimeZone? { nil }
}

/// An error of CoreLocation.
public struct CLError: CustomNSError, @unchecked Sendable {
  // Immutable; the values of `errorUserInfo` are texts.

  public enum Code: Int, Sendable {
    case locationUnknown
    case denied
    case network
    case geocodeFoundNoResult = 8
    case geocodeFoundPartialResult
    case geocodeCanceled
  }

  public let code: Code
  public let errorUserInfo: [String: Any]

  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    errorUserInfo = userInfo
  }

  public static let errorDomain = "kCLErrorDomain"
  public var errorCode: Int { code.rawValue }

  public static let network = Code.network
  public static let geocodeFoundNoResult = Code.geocodeFoundNoResult
  public static let geocodeFoundPartialResult = Code.geocodeFoundPartialResult
  public static let geocodeCanceled = Code.geocodeCanceled
}
