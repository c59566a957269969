/// Values at hand up to a total cost; those that were used longest ago make room.
struct LeastRecentlyUsed<Key: Hashable, Value> {
  let largestCost: Int
  private(set) var cost = 0
  private var places: [Key: Int] = [:]
  /// A ring of entries in the order of their use; the one at 0 has no value and stands between the latest and the oldest.
  private var entries: [Entry] = [Entry(older: 0, newer: 0)]
  private var free: [Int] = []

  private struct Entry {
    var key: Key?
    var value: Value?
    var cost = 0
    var older: Int
    var newer: Int
  }

  init(largestCost: Int) { self.largestCost = largestCost }

  var count: Int { places.count }

  mutating func value(for key: Key) -> Value? {
    guard let place = places[key] else { return nil }
    if entries[0].older != place {
      unlink(place)
      linkAsLatest(place)
    }
    return entries[place].value
  }

  /// A value that alone costs more than is allowed is not kept.
  mutating func insert(_ value: Value, for key: Key, cost: Int) {
    if let place = places[key] { remove(place) }
    guard cost <= largestCost else { return }
    while self.cost + cost > largestCost { remove(entries[0].newer) }
    let place = free.popLast() ?? entries.count
    if place == entries.count { entries.append(Entry(older: 0, newer: 0)) }
    entries[place] = Entry(key: key, value: value, cost: cost, older: 0, newer: 0)
    places[key] = place
    self.cost += cost
    linkAsLatest(place)
  }

  mutating func removeAll() { self = LeastRecentlyUsed(largestCost: largestCost) }

  private mutating func remove(_ place: Int) {
    unlink(place)
    if let key = entries[place].key { places[key] = nil }
    cost -= entries[place].cost
    entries[place] = Entry(older: 0, newer: 0)
    free.append(place)
  }

  private mutating func unlink(_ place: Int) {
    let (older, newer) = (entries[place].older, entries[place].newer)
    entries[older].newer = newer
    entries[newer].older = older
  }

  private mutating func linkAsLatest(_ place: Int) {
    let latest = entries[0].older
    entries[place].older = latest
    entries[place].newer = 0
    entries[latest].newer = place
    entries[0].older = place
  }
}
