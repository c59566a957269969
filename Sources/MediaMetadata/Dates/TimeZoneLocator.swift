import Foundation

/// Finds the time zone at a position, by the principal cities in tzdata's tables.
///
///     TimeZoneLocator.shared.timeZone(at: Location(latitude: 52.5, longitude: 13.3))  // Europe/Berlin
///
/// tzdata contains a city for each zone, but no borders: the zone of the nearest city is returned.
/// `ZoneAnchors` adds cities if the nearest one is known to mislead (Vigo is nearer to Lisbon than
/// to Madrid). If a photo has both GPS's time and its local time, their difference is its offset.
/// The nearest zone with that offset is then returned. Without tzdata, every result is nil.
package struct TimeZoneLocator: Sendable {
  package static let shared = TimeZoneLocator(directory: "/usr/share/zoneinfo")

  /// The distance in kilometers by which a zone's city may be farther than the nearest city, if its
  /// offset matches.
  private static let candidateRadius = 1_500.0

  fileprivate struct City: Sendable {
    /// Coordinates on the unit sphere, where the dot product gives the distance.
    var x, y, z: Double
    var zone: String
  }

  private let cities: [City]

  package init(directory: String) {
    var cities: [City] = []
    for table in ["zone1970.tab", "zone.tab"] {
      guard let text = try? String(contentsOfFile: "\(directory)/\(table)", encoding: .utf8) else { continue }
      // Bytes are faster than characters, and every worker reads the tables before it answers.
      for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
        let columns = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard columns.count >= 3, let position = ISO6709.position(String(Substring(columns[1]))) else { continue }
        cities.append(City(position.latitude, position.longitude, String(Substring(columns[2]))))
      }
    }
    if !cities.isEmpty {
      for (zone, positions) in ZoneAnchors.positions {
        cities += positions.map { City($0.0, $0.1, zone) }
      }
    }
    self.cities = cities
  }

  /// Returns the zone at a position.
  package func timeZone(at location: Location) -> TimeZone? {
    let here = City(location.latitude, location.longitude, "")
    guard let nearest = cities.max(by: { $0.dot(here) < $1.dot(here) }) else { return nil }
    return TimeZone(identifier: nearest.zone)
  }

  /// Returns the zone at a position whose clocks showed `time` when GPS's showed `gpsInstant`.
  func timeZone(at location: Location, showing time: CivilTime, gpsInstant: Date?) -> TimeZone? {
    let here = City(location.latitude, location.longitude, "")
    if let gpsInstant, let wanted = Self.offset(showing: time, at: gpsInstant),
      let zone = zone(near: here, where: { $0.offset(showing: time) == wanted })
    {
      return zone
    }
    return timeZone(at: location)
  }

  /// Returns the nearest zone that satisfies a condition, within `candidateRadius`.
  private func zone(near here: City, where isWanted: (TimeZone) -> Bool) -> TimeZone? {
    let byDistance = cities.map { (city: $0, kilometers: $0.kilometers(to: here)) }.sorted {
      $0.kilometers < $1.kilometers
    }
    guard let nearest = byDistance.first?.kilometers else { return nil }
    var asked: Set<String> = []
    for (city, kilometers) in byDistance where asked.insert(city.zone).inserted {
      guard kilometers <= nearest + Self.candidateRadius else { return nil }
      if let zone = TimeZone(identifier: city.zone), isWanted(zone) { return zone }
    }
    return nil
  }

  /// Returns the difference between the two clocks if a zone can have that offset from UTC. A
  /// receiver may show the time of its last fix instead of the photo's. Its difference is usually
  /// no multiple of 15 minutes, to within five.
  private static func offset(showing time: CivilTime, at gpsInstant: Date) -> Int? {
    let difference = time.secondsOnUTC - gpsInstant.timeIntervalSince1970
    guard abs(difference) < 86_400 else { return nil }
    let offset = Int((difference / 900).rounded()) * 900
    return abs(difference - Double(offset)) <= 300 && (-12 * 3600...14 * 3600).contains(offset) ? offset : nil
  }
}

extension TimeZoneLocator.City {
  fileprivate init(_ latitude: Double, _ longitude: Double, _ zone: String) {
    let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
    x = cos(phi) * cos(lambda)
    y = cos(phi) * sin(lambda)
    z = sin(phi)
    self.zone = zone
  }

  fileprivate func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  fileprivate func kilometers(to other: Self) -> Double {
    let earthRadius = 6_371.0
    return acos(min(1, max(-1, dot(other)))) * earthRadius
  }
}
