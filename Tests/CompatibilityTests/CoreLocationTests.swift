import CoreLocation
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

  @Test func `places have no names`() async {
    let place = CLLocation(latitude: 52.5, longitude: 13.4)
    await #expect {
      try await CLGeocoder().reverseGeocodeLocation(place)
    } throws: { error in
      (error as? CLError)?.code == .geocodeFoundNoResult && (error as NSError).domain == "kCLErrorDomain"
        && (error as NSError).code == 8
    }
    let answer = await withCheckedContinuation { done in
      CLGeocoder().reverseGeocodeLocation(place) { names, error in done.resume(returning: (names, error != nil)) }
    }
    #expect(answer.0 == nil && answer.1)
  }
}
