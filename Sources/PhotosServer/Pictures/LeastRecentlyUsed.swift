/// An LRU cache of values up to a total cost.
struct LeastRecentlyUsed<Key: Hashable, Value> {
  let costLimit: Int
  private(set) var cost = 0
  private var places: [Key: Int] = [:]
  /// A ring of entries in the order of their last use. The entry at index 0 has no value; it
  /// connects the newest and the oldest one.
  private var entries: [Entry] = [Entry(older: 0, newer: 0)]
  private var free: [Int] = []

  private struct Entry {
    var key: Key?
    var value: Value?
    var cost = 0
    var older: Int
    var newer: Int
  }

  init(costLimit: Int) { self.costLimit = costLimit }

  var count: Int { places.count }

  mutating func value(for key: Key) -> Value? {
    guard let place = places[key] else { return nil }
    if entries[0].older != place {
      unlink(place)
      linkAsLatest(place)
    }
    return entries[place].value
  }

  /// Adds a value and evicts the oldest ones. A value that alone exceeds the limit is not kept.
  mutating func insert(_ value: Value, for key: Key, cost: Int) {
    if let place = places[key] { remove(place) }
    guard cost <= costLimit else { return }
    while self.cost + cost > costLimit { remove(entries[0].newer) }
    let place = free.popLast() ?? entries.count
    if place == entries.count { entries.append(Entry(older: 0, newer: 0)) }
    entries[place] = Entry(key: key, value: value, cost: cost, older: 0, newer: 0)
    places[key] = place
    self.cost += cost
    linkAsLatest(place)
  }

  mutating func removeAll() { self = LeastRecentlyUsed(costLimit: costLimit) }

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
