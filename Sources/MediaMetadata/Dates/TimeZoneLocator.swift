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
  private static let earthRadius = 6_371.0

  /// The cities' points on the unit sphere, where the dot product gives the distance.
  private let points: [SIMD3<Double>]
  /// The cities' zones.
  private let zones: [String]

  package init(directory: String) {
    var points: [SIMD3<Double>] = []
    var zones: [String] = []
    for table in ["zone1970.tab", "zone.tab"] {
      guard let text = try? String(contentsOfFile: "\(directory)/\(table)", encoding: .utf8) else { continue }
      // Bytes are faster than characters, and every worker reads the tables before it answers.
      for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
        let columns = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard columns.count >= 3, let position = ISO6709.position(String(Substring(columns[1]))) else { continue }
        points.append(Self.point(position.latitude, position.longitude))
        zones.append(String(Substring(columns[2])))
      }
    }
    if !zones.isEmpty {
      for (zone, positions) in ZoneAnchors.positions {
        points += positions.map { Self.point($0.0, $0.1) }
        zones += positions.map { _ in zone }
      }
    }
    self.points = points
    self.zones = zones
  }

  /// Returns the zone at a position.
  package func timeZone(at location: Location) -> TimeZone? {
    let here = Self.point(location.latitude, location.longitude)
    let nearness = points.map { ($0 * here).sum() }
    guard let nearest = nearness.indices.max(by: { nearness[$0] < nearness[$1] }) else { return nil }
    return TimeZone(identifier: zones[nearest])
  }

  /// Returns the zone at a position whose clocks showed `time` when GPS's showed `gpsInstant`.
  func timeZone(at location: Location, showing time: CivilTime, gpsInstant: Date?) -> TimeZone? {
    if let gpsInstant, let wanted = Self.offset(showing: time, at: gpsInstant),
      let zone = zone(near: location, where: { $0.offset(showing: time) == wanted })
    {
      return zone
    }
    return timeZone(at: location)
  }

  /// Returns the nearest zone that satisfies a condition, within `candidateRadius`.
  private func zone(near location: Location, where isWanted: (TimeZone) -> Bool) -> TimeZone? {
    let here = Self.point(location.latitude, location.longitude)
    let nearness = points.map { ($0 * here).sum() }
    guard let nearest = nearness.max() else { return nil }
    let farthest = acos(min(1, nearest)) + Self.candidateRadius / Self.earthRadius
    let least = cos(min(farthest, .pi))
    // Sorting all cities would take longer than reading everything else from a photo.
    let candidates = nearness.indices.filter { nearness[$0] >= least }.sorted { nearness[$0] > nearness[$1] }
    var asked: Set<String> = []
    for index in candidates where asked.insert(zones[index]).inserted {
      if let zone = TimeZone(identifier: zones[index]), isWanted(zone) { return zone }
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

  private static func point(_ latitude: Double, _ longitude: Double) -> SIMD3<Double> {
    let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
    return SIMD3(cos(phi) * cos(lambda), cos(phi) * sin(lambda), sin(phi))
  }
}
