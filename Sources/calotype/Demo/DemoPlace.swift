import Foundation
import PhotosTesting

/// A place that the demo's owner has visited, with the scenes to see there.
struct DemoPlace: Sendable {
  var place: SampleMetadata.Place
  var timeZone: String
  var scenes: [SampleScene]

  init(_ latitude: Double, _ longitude: Double, altitude: Double, timeZone: String, scenes: [SampleScene]) {
    place = SampleMetadata.Place(latitude: latitude, longitude: longitude, altitude: altitude)
    self.timeZone = timeZone
    self.scenes = scenes
  }

  static let lisbon = DemoPlace(
    38.7139, -9.1334, altitude: 45, timeZone: "Europe/Lisbon",
    scenes: [.houses, .seaSunset, .coffee, .bridge, .portrait, .plate, .cat, .beach, .flower, .skyline])
  static let reykjavik = DemoPlace(
    64.1466, -21.9426, altitude: 15, timeZone: "Atlantic/Reykjavik",
    scenes: [.aurora, .mountains, .lighthouse, .winter, .starryNight, .seaSunset, .coffee])
  static let sanFrancisco = DemoPlace(
    37.8078, -122.4750, altitude: 60, timeZone: "America/Los_Angeles",
    scenes: [.bridge, .forest, .skyline, .coffee, .seaSunset, .portrait, .hills])
  static let tokyo = DemoPlace(
    35.6595, 139.7005, altitude: 34, timeZone: "Asia/Tokyo",
    scenes: [.bokeh, .autumnTree, .skyline, .plate, .portrait, .flower, .mountains, .cat])
  static let marrakesh = DemoPlace(
    31.6258, -7.9892, altitude: 466, timeZone: "Africa/Casablanca",
    scenes: [.desert, .houses, .starryNight, .plate, .portrait, .flower])
  static let cappadocia = DemoPlace(
    38.6431, 34.8289, altitude: 1050, timeZone: "Europe/Istanbul",
    scenes: [.balloons, .hills, .desert, .starryNight, .coffee, .cat])
  static let amsterdam = DemoPlace(
    52.3676, 4.9041, altitude: -2, timeZone: "Europe/Amsterdam",
    scenes: [.houses, .flowerField, .coffee, .autumnTree, .bokeh, .flower, .portrait])
  static let queenstown = DemoPlace(
    -45.0312, 168.6626, altitude: 330, timeZone: "Pacific/Auckland",
    scenes: [.mountains, .starryNight, .forest, .hills, .seaSunset])
  static let rio = DemoPlace(
    -22.9711, -43.1823, altitude: 5, timeZone: "America/Sao_Paulo",
    scenes: [.beach, .fireworks, .seaSunset, .portrait, .plate, .hills])
  static let banff = DemoPlace(
    51.1784, -115.5708, altitude: 1383, timeZone: "America/Edmonton",
    scenes: [.mountains, .forest, .winter, .aurora, .autumnTree])
  static let sydney = DemoPlace(
    -33.8523, 151.2108, altitude: 12, timeZone: "Australia/Sydney",
    scenes: [.bridge, .beach, .fireworks, .skyline, .coffee, .lighthouse, .portrait])
  static let provence = DemoPlace(
    43.9493, 5.3010, altitude: 240, timeZone: "Europe/Paris",
    scenes: [.flowerField, .hills, .houses, .plate, .autumnTree, .balloons, .flower])
}

/// A trip, or ordinary days at home.
struct DemoEvent: Sendable {
  var place: DemoPlace
  /// The first day of the event, in days before now.
  var daysAgo: Int
  var days: Int
  var photoCount: Int

  init(_ place: DemoPlace, daysAgo: Int, days: Int, photos: Int) {
    self.place = place
    self.daysAgo = daysAgo
    self.days = days
    photoCount = photos
  }

  /// All events, from the oldest to last weekend.
  static let all: [DemoEvent] = [
    DemoEvent(.lisbon, daysAgo: 4390, days: 6, photos: 5), DemoEvent(.amsterdam, daysAgo: 4218, days: 4, photos: 6),
    DemoEvent(.rio, daysAgo: 3940, days: 9, photos: 6), DemoEvent(.lisbon, daysAgo: 3702, days: 20, photos: 5),
    DemoEvent(.provence, daysAgo: 3560, days: 7, photos: 7), DemoEvent(.marrakesh, daysAgo: 3244, days: 6, photos: 6),
    DemoEvent(.banff, daysAgo: 2975, days: 8, photos: 7), DemoEvent(.lisbon, daysAgo: 2790, days: 30, photos: 5),
    DemoEvent(.tokyo, daysAgo: 2598, days: 11, photos: 9), DemoEvent(.sydney, daysAgo: 2261, days: 10, photos: 8),
    DemoEvent(.lisbon, daysAgo: 1930, days: 60, photos: 9), DemoEvent(.lisbon, daysAgo: 1610, days: 40, photos: 6),
    DemoEvent(.reykjavik, daysAgo: 1385, days: 7, photos: 9), DemoEvent(.provence, daysAgo: 1128, days: 8, photos: 7),
    DemoEvent(.sanFrancisco, daysAgo: 934, days: 9, photos: 9), DemoEvent(.lisbon, daysAgo: 760, days: 25, photos: 6),
    DemoEvent(.queenstown, daysAgo: 597, days: 12, photos: 10), DemoEvent(.amsterdam, daysAgo: 402, days: 4, photos: 8),
    DemoEvent(.cappadocia, daysAgo: 214, days: 6, photos: 12), DemoEvent(.tokyo, daysAgo: 121, days: 10, photos: 12),
    DemoEvent(.lisbon, daysAgo: 46, days: 14, photos: 9), DemoEvent(.reykjavik, daysAgo: 19, days: 6, photos: 12),
    DemoEvent(.lisbon, daysAgo: 8, days: 7, photos: 11),
  ]
}
