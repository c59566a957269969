import Foundation

/// The ids of a fetch after some objects changed, computed from the previous ids and a query of
/// those objects alone.
///
/// Unchanged objects keep their order, so a binary search finds the place of each changed object.
struct FetchMerge {
  private(set) var after: [Int64] = []
  /// `nil` if objects changed places.
  private(set) var difference: ListDifference?

  /// Returns `nil` if the fetch contained no changed object and contains none now.
  init?(before: [Int64], query: FetchQuery, changed: Set<Int64>, db: any Session) throws {
    let places = Self.places(of: changed, in: before)
    let statements = FetchStatements(query)
    let present = try Self.present(changed, in: statements, db)
    if places.isEmpty && present.isEmpty { return nil }
    if present.count > Self.mostSearches {
      after = try LibraryStore.ids(query, db)
      return
    }
    let survivors = Self.removing(places, from: before)
    let order = FetchOrder(statements, db)
    // For each object that is in the fetch now: the number of remaining ids before it.
    var slots: [Int] = []
    for object in present { slots.append(try order.slot(of: object, among: survivors, from: slots.last ?? 0)) }
    after = Self.inserting(present.map(\.id), at: slots, into: survivors)
    difference = Self.difference(before: before, places: places, present: present.map(\.id), slots: slots)
  }

  /// The largest number of objects that are searched for one by one.
  private static let mostSearches = 20_000

  /// Returns the indexes of a set's objects in a long list, ascending.
  private static func places(of ids: Set<Int64>, in list: [Int64]) -> [Int] {
    guard let least = ids.min(), let greatest = ids.max() else { return [] }
    let isOne = ids.count == 1
    var places: [Int] = []
    list.withUnsafeBufferPointer { list in
      for index in list.indices where list[index] >= least && list[index] <= greatest {
        if isOne || ids.contains(list[index]) { places.append(index) }
      }
    }
    return places
  }

  /// Returns those objects that the query finds now, in its order.
  private static func present(
    _ ids: Set<Int64>, in statements: FetchStatements, _ db: any Session
  ) throws -> [FetchOrder.Object] {
    try db.rows(statements.places(of: ids)).map { try FetchOrder.Object($0) }
  }

  private static func removing(_ places: [Int], from list: [Int64]) -> [Int64] {
    guard !places.isEmpty else { return list }
    var rest: [Int64] = []
    rest.reserveCapacity(list.count - places.count)
    var start = 0
    for place in places {
      rest.append(contentsOf: list[start..<place])
      start = place + 1
    }
    rest.append(contentsOf: list[start...])
    return rest
  }

  private static func inserting(_ ids: [Int64], at slots: [Int], into list: [Int64]) -> [Int64] {
    guard !ids.isEmpty else { return list }
    var result: [Int64] = []
    result.reserveCapacity(list.count + ids.count)
    var start = 0
    for (id, slot) in zip(ids, slots) {
      result.append(contentsOf: list[start..<slot])
      result.append(id)
      start = slot
    }
    result.append(contentsOf: list[start...])
    return result
  }

  private static func difference(
    before: [Int64], places: [Int], present: [Int64], slots: [Int]
  ) -> ListDifference? {
    // For each changed object that was in the fetch: the number of remaining ids that were before
    // it.
    var formerSlots: [Int64: (slot: Int, order: Int)] = [:]
    for (order, place) in places.enumerated() { formerSlots[before[place]] = (place - order, order) }
    var inserted: [Int] = []
    var changed: [Int] = []
    var lastOrder = -1
    for (order, (id, slot)) in zip(present, slots).enumerated() {
      guard let former = formerSlots[id] else {
        inserted.append(slot + order)
        continue
      }
      guard former.slot == slot, former.order > lastOrder else { return nil }
      lastOrder = former.order
      changed.append(slot + order)
    }
    let remaining = Set(present)
    return ListDifference(
      removed: places.filter { !remaining.contains(before[$0]) }, inserted: inserted, changed: changed)
  }
}

/// The order of a fetch, for comparing single objects.
struct FetchOrder {
  /// An object's id and the values that order it.
  struct Object {
    let id: Int64
    let keys: [Value]

    init(_ row: StoreRow) throws {
      id = try row.value(at: 0)
      keys = Array(row.values.dropFirst())
    }
  }

  private let db: any Session
  /// The statement that returns an object. Its last argument, the id, is missing.
  private let place: BoundSQL
  private let terms: [OrderTerm]

  init(_ statements: FetchStatements, _ db: any Session) {
    self.db = db
    place = statements.place()
    terms = statements.order
  }

  /// Returns the number of ids in the sorted `list` that are before an object.
  func slot(of object: Object, among list: [Int64], from start: Int) throws -> Int {
    var low = start
    var high = list.count
    // New objects mostly belong at one of the ends.
    if low < high, try isBefore(list[high - 1], object) { return high }
    if low < high, try !isBefore(list[low], object) { return low }
    while low < high {
      let middle = (low + high) / 2
      if try isBefore(list[middle], object) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func isBefore(_ id: Int64, _ object: Object) throws -> Bool {
    var statement = place
    statement.arguments.append(id.value)
    guard let row = try db.rows(statement).first else {
      throw StoreError(.damaged, "", reason: "an asset is missing that nobody deleted")
    }
    for ((one, other), term) in try zip(zip(Object(row).keys, object.keys), terms) {
      let order = one.compared(to: other)
      if order != 0 { return (order < 0) == term.ascending }
    }
    return false
  }
}

extension Value {
  /// Returns -1, 0 or 1 in SQLite's order: NULL, numbers, texts by their bytes.
  fileprivate func compared(to other: Value) -> Int {
    switch (self, other) {
    case (.integer(let one), .integer(let other)): one < other ? -1 : one > other ? 1 : 0
    case (.text(let one), .text(let other)):
      self == .text(other) ? 0 : one.utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
    default:
      if rank != other.rank {
        rank < other.rank ? -1 : 1
      } else {
        number < other.number ? -1 : number > other.number ? 1 : 0
      }
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private var number: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: 0
    }
  }
}
