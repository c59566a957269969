import CoreLocation
import TestSupport
import Testing

@Suite struct CoreLocationTests {
  @Test func `a location says its speed and its course, or that it has none`() {
    let place = CLLocationCoordinate2D(latitude: 1, longitude: 2)
    let moving = CLLocation(
      coordinate: place, altitude: 3, horizontalAccuracy: 4, verticalAccuracy: 5, course: 90, speed: 7,
      timestamp: .distantPast)
    #expect((moving.course, moving.speed) == (90, 7))
    let resting = CLLocation(latitude: 1, longitude: 2)
    #expect((resting.course, resting.speed) == (-1, -1))
  }

  @Test func `places are so many meters apart`() {
    let (berlin, paris) = (
      CLLocation(latitude: 52.5200, longitude: 13.4050), CLLocation(latitude: 48.8566, longitude: 2.3522)
    )
    #expect(abs(berlin.distance(from: paris) - 877_500) < 2000)
    #expect(berlin.distance(from: berlin) == 0)
    let (east, west) = (CLLocation(latitude: 0, longitude: 179.5), CLLocation(latitude: 0, longitude: -179.5))
    #expect(abs(east.distance(from: west) - 111_195) < 1)
  }

  @Test func `places have no names`() async throws {
    let place = CLLocation(latitude: 52.5, longitude: 13.4)
    await #expect {
      try await CLGeocoder().reverseGeocodeLocation(place)
    } throws: { error in
      (error as? CLError)?.code == .geocodeFoundNoResult && (error as NSError).domain == "kCLErrorDomain"
        && (error as NSError).code == 8
    }
    let hasFailed = try await answer("the names of a place") { done in
      CLGeocoder().reverseGeocodeLocation(place) { names, error in done(names == nil && error != nil) }
    }
    #expect(hasFailed)
  }
}
