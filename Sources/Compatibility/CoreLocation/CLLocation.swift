@_exported import Foundation

/// Degrees of latitude or longitude (WGS 84).
public typealias CLLocationDegrees = Double
/// A distance in meters.
public typealias CLLocationDistance = Double
/// An accuracy in meters.
public typealias CLLocationAccuracy = Double

/// Meters per second.
public typealias CLLocationSpeed = Double
public typealias CLLocationSpeedAccuracy = Double
/// Degrees from north, clockwise.
public typealias CLLocationDirection = Double
public typealias CLLocationDirectionAccuracy = Double

/// A position on the Earth.
public struct CLLocationCoordinate2D: Hashable, Sendable {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees

  public init() { self.init(latitude: 0, longitude: 0) }

  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Returns whether latitude and longitude are within their ranges.
// CoreLocation uses this name.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  (-90...90).contains(coordinate.latitude) && (-180...180).contains(coordinate.longitude)
}

/// A place and a time: the part of CoreLocation's class that `PHAsset.location` uses.
///
///     asset.location?.coordinate.latitude
///
/// Floors are left out. A photo's location has no speed and no course.
public final class CLLocation: NSObject, Sendable {
  public let coordinate: CLLocationCoordinate2D
  /// In meters above sea level; 0 if `verticalAccuracy` is negative.
  public let altitude: CLLocationDistance
  public let horizontalAccuracy: CLLocationAccuracy
  /// Negative if the altitude is not known.
  public let verticalAccuracy: CLLocationAccuracy
  public let timestamp: Date
  /// Negative if the direction of travel is not known.
  public let course: CLLocationDirection
  public let courseAccuracy: CLLocationDirectionAccuracy
  /// Negative if the speed is not known.
  public let speed: CLLocationSpeed
  public let speedAccuracy: CLLocationSpeedAccuracy

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.timestamp = timestamp
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1,
      timestamp: timestamp)
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
    verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  /// Returns the distance in meters on a sphere. The error is at most half a percent. Altitudes are
  /// ignored.
  public func distance(from location: CLLocation) -> CLLocationDistance {
    let meanRadius = 6_371_008.8
    let radians = Double.pi / 180
    let (north, otherNorth) = (coordinate.latitude * radians, location.coordinate.latitude * radians)
    let (up, across) = (
      sin((otherNorth - north) / 2), sin((location.coordinate.longitude - coordinate.longitude) * radians / 2)
    )
    let share = up * up + cos(north) * cos(otherNorth) * across * across
    return 2 * meanRadius * asin(min(1, share.squareRoot()))
  }
}
