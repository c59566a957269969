import Foundation
import PhotosTesting

/// The list of the demo's items. It depends only on a seed and a date.
struct DemoPlan: Sendable {
  private(set) var items: [DemoItem] = []
  private var random: SeededGenerator
  private let now: Date

  init(seed: UInt64, now: Date) {
    random = SeededGenerator(seed: seed)
    self.now = now
    for event in DemoEvent.all { add(event) }
    for index in 0..<Self.screenshotCount { addScreenshot(index) }
    items.sort { $0.date < $1.date }
    addRareKinds()
    name()
  }

  private static let screenshotCount = 12

  // MARK: - Trips

  private mutating func add(_ event: DemoEvent) {
    let zone = TimeZone(identifier: event.place.timeZone) ?? .gmt
    var scenes: [SampleScene] = []
    for index in 0..<event.photoCount {
      // Every scene is used once before any is used again.
      if scenes.isEmpty { scenes = event.place.scenes.shuffled(using: &random) }
      let scene = scenes.removeLast()
      let day = event.days * index / event.photoCount
      items.append(photo(of: scene, in: event.place.place, daysAgo: event.daysAgo - day, zone))
    }
  }

  private mutating func photo(
    of scene: SampleScene, in place: SampleMetadata.Place, daysAgo: Int, _ zone: TimeZone
  ) -> DemoItem {
    let midnight = (now.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400
    var seconds = midnight - Double(daysAgo) * 86_400 + Double(random.float(scene.hours)) * 3600
    seconds -= Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
    // No photo is from the future, in any time zone.
    let date = Date(timeIntervalSince1970: min(seconds, now.timeIntervalSince1970 - 3600).rounded())
    var metadata = SampleMetadata(captureDate: date, offset: zone.secondsFromGMT(for: date))
    metadata.subseconds = random.int(0...999)
    metadata.camera = camera(daysAgo: daysAgo, isDark: scene.isDark)
    metadata.software = metadata.camera.map { $0.model == "iPhone 15 Pro" ? "18.1" : "12.4" }
    metadata.place = SampleMetadata.Place(
      latitude: place.latitude + Double(random.float(-0.02...0.02)),
      longitude: place.longitude + Double(random.float(-0.02...0.02)),
      altitude: place.altitude.map { $0 + Double(random.int(-4...30)) })
    let isPortrait = random.chance(scene.prefersPortrait ? 0.6 : 0.2)
    metadata.orientation = isPortrait ? 6 : random.chance(0.05) ? 3 : 1
    return DemoItem(
      kind: daysAgo < 2500 && random.chance(0.12) ? .heic : .jpeg, scene: scene, seed: random.next() >> 16,
      isPortrait: isPortrait, date: date, metadata: metadata)
  }

  /// Returns the phone that the owner had at that time.
  private mutating func camera(daysAgo: Int, isDark: Bool) -> SampleMetadata.Camera {
    let (model, focalLength, fNumber): (String, Double, Double) =
      switch daysAgo {
      case ..<800: ("iPhone 15 Pro", 6.86, 1.78)
      case ..<1700: ("iPhone 12", 4.2, 1.6)
      case ..<2900: ("iPhone 8", 3.99, 1.8)
      case ..<3800: ("iPhone 6s", 4.15, 2.2)
      default: ("iPhone 5s", 4.12, 2.2)
      }
    return SampleMetadata.Camera(
      make: "Apple", model: model, lens: "\(model) back camera \(focalLength)mm f/\(fNumber)",
      exposureTime: 1 / Double(isDark ? random.pick(4, 8, 15, 30) : random.pick(60, 125, 250, 500, 1000)),
      fNumber: fNumber, iso: isDark ? random.pick(640, 1250, 2000) : random.pick(25, 32, 50, 80, 125),
      focalLength: focalLength)
  }

  private mutating func addScreenshot(_ index: Int) {
    let daysAgo = index < 3 ? 2 + index * 9 : 60 + index * index * 21
    let date = Date(
      timeIntervalSince1970: (now.timeIntervalSince1970 - Double(daysAgo) * 86_400 - Double(random.int(0...30_000)))
        .rounded())
    let zone = TimeZone(identifier: DemoPlace.lisbon.timeZone) ?? .gmt
    items.append(
      DemoItem(
        kind: .screenshot, scene: .hills, seed: UInt64(index) + (random.next() >> 40) * 7, isPortrait: true, date: date,
        metadata: SampleMetadata(captureDate: date, offset: zone.secondsFromGMT(for: date))))
  }

  // MARK: - Rare kinds

  /// Turns some of the photos into rarer kinds, spread evenly over the years in which each kind
  /// existed.
  private mutating func addRareKinds() {
    make(12, among: 0.35...1) { item, _ in item.kind = .live }
    make(10, among: 0...1) { item, _ in item.kind = .movie }
    make(3, among: 0.3...1, of: [.portrait, .cat]) { item, _ in item.metadata.customRendered = 8 }
    make(4, among: 0.3...1) { item, _ in item.metadata.isHDR = true }
    make(2, among: 0.2...1, of: [.mountains, .hills, .skyline, .beach, .seaSunset, .balloons]) { item, _ in
      item.kind = .panorama
      item.isPortrait = false
      item.metadata.orientation = 1
    }
    make(1, among: 0.8...0.95, of: [.balloons, .cat, .portrait]) { item, _ in item.kind = .burst(count: 6) }
    make(3, among: 0.6...1) { item, _ in
      item.kind = .rawAndJPEG
      item.metadata.camera = SampleMetadata.Camera(
        make: "LEICA CAMERA AG", model: "LEICA Q3", lens: "SUMMILUX 1:1.7/28 ASPH.", exposureTime: 1.0 / 500,
        fNumber: 4,
        iso: 100, focalLength: 28)
    }
    make(1, among: 0.7...0.9) { item, _ in
      item.kind = .motionPhoto
      item.metadata.camera = SampleMetadata.Camera(make: "Google", model: "Pixel 8")
    }
    make(1, among: 0.2...0.5) { item, _ in item.kind = .truncated }
    make(2, among: 0.5...0.98, of: [.cat, .fireworks, .balloons, .beach]) { item, _ in item.kind = .gif }
    make(1, among: 0.4...0.9) { item, _ in item.kind = .png }
    make(1, among: 0.4...0.9) { item, _ in item.kind = .webP }
  }

  /// Changes `count` photos. `range` is a part of the photos, from 0 for the oldest to 1.
  private mutating func make(
    _ count: Int, among range: ClosedRange<Float>, of scenes: Set<SampleScene>? = nil,
    _ change: (inout DemoItem, Int) -> Void
  ) {
    let last = Float(items.count - 1)
    let candidates = items.indices.filter { index in
      guard case .jpeg = items[index].kind, items[index].metadata.customRendered == nil, !items[index].metadata.isHDR
      else { return false }
      return range.contains(Float(index) / last) && scenes?.contains(items[index].scene) != false
    }
    for number in 0..<min(count, candidates.count) {
      let start = candidates.count * number / count
      let end = max(start, candidates.count * (number + 1) / count - 1)
      change(&items[candidates[random.int(start...end)]], number)
    }
  }

  // MARK: - Names

  /// Names the files as a phone does: `DCIM/100APPLE/IMG_0001`, with a folder per thousand.
  private mutating func name() {
    var number = 1
    for index in items.indices {
      let item = items[index]
      let day = ClockTime(item.date, offset: item.metadata.offset ?? 0)
      switch item.kind {
      case .gif, .png, .webP: items[index].path = "Downloads/\(item.scene.rawValue)-\(index)"
      case .rawAndJPEG: items[index].path = "DCIM/101LEICA/L100\(padded(index, 4))"
      case .motionPhoto:
        let time =
          "\(padded(day.year, 4))\(padded(day.month))\(padded(day.day))_\(padded(day.hour))\(padded(day.minute))"
        items[index].path = "DCIM/Camera/PXL_\(time)\(padded(day.second))\(padded(item.metadata.subseconds ?? 0, 3)).MP"
      default:
        items[index].path = "DCIM/\(100 + number / 1000)APPLE/IMG_\(padded(number % 10_000, 4))"
        // The gap stands for photos that were deleted since.
        number += item.kind.assetCount + random.int(0...17)
      }
    }
  }
}

extension SampleScene {
  var isDark: Bool { [.starryNight, .aurora, .fireworks, .bokeh].contains(self) }

  fileprivate var prefersPortrait: Bool { [.portrait, .flower, .lighthouse, .autumnTree, .forest].contains(self) }

  /// The hours of the day at which a scene has its light.
  fileprivate var hours: ClosedRange<Float> {
    switch self {
    case .starryNight, .aurora, .fireworks, .bokeh: 21...23.6
    case .seaSunset, .skyline: 18.5...20.5
    case .balloons: 6...8
    case .plate: 12...14
    default: 9...18
    }
  }
}
