import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

/// The clock of a computer, right or wrong, in days since the beginning of 2026.
private final class ComputerClock: Sendable {
  private let days: Mutex<Double>

  init(_ day: Double = 0) { days = Mutex(day) }

  func set(_ day: Double) { days.withLock { $0 = day } }
  var now: Date { Date(timeIntervalSince1970: 1_767_225_600 + days.withLock(\.self) * 86_400) }
}

@Suite struct TrashClockTests {
  private let folder: TemporaryFolder
  private let clock = ComputerClock()

  init() throws { folder = try TemporaryFolder() }

  /// Opens the library as a program does, on a day by the computer's clock.
  @discardableResult
  private func open(_ day: Double, trustsClock: Bool = false) throws -> LibraryStore {
    clock.set(day)
    let store = try LibraryStore(
      path: folder.library, create: true, clock: { [clock] in clock.now }, trustsClock: trustsClock)
    try store.emptyExpiredTrash()
    return store
  }

  private func delete(onDay day: Double) throws {
    let store = try open(day)
    let asset = try store.add("photo")
    try store.commit { try $0.trash(asset) }
  }

  private var isInTrash: Bool { !folder.files(in: "originals").isEmpty }

  private static let year1971 = -20_000.0
  private static let year2040 = 5_000.0

  @Test(
    "A deleted photo is kept or gone after these openings",
    arguments: [
      // The clock is right.
      (deleted: 0, openings: [9, 18, 27], isKept: true),
      (deleted: 0, openings: [9, 18, 27, 31], isKept: true),
      (deleted: 0, openings: [9, 18, 27, 31, 31.5], isKept: true),
      (deleted: 0, openings: [9, 18, 27, 31, 32.5], isKept: false),
      // Openings within a day of each other are one reading.
      (deleted: 0, openings: [9, 18, 27, 29.7, 30.2, 30.6], isKept: true),
      (deleted: 0, openings: [9, 18, 27, 29.7, 30.2, 30.8, 31.9], isKept: false),
      // The library is not used: ten days of the pause count.
      (deleted: 0, openings: [45], isKept: true),
      (deleted: 0, openings: [45, 60], isKept: true),
      (deleted: 0, openings: [45, 60, 75], isKept: true),
      (deleted: 0, openings: [45, 60, 75, 76.5], isKept: true),
      (deleted: 0, openings: [45, 60, 75, 76.5, 78], isKept: false),
      (deleted: 0, openings: [9, 18, 27, 300], isKept: true),
      (deleted: 0, openings: [9, 18, 27, 300, 301.5], isKept: false),
      // The clock was wrong at the time of the deletion.
      (deleted: year1971, openings: [0], isKept: true),
      (deleted: year1971, openings: [0, 9, 18, 27], isKept: true),
      (deleted: year1971, openings: [0, 9, 18, 27, 31, 32.5], isKept: false),
      // The clock jumps ahead, and back.
      (deleted: 0, openings: [9, 18, 27, 36.9], isKept: true),
      (deleted: 0, openings: [9, 18, 27, 36.9, 28, 37, 46, 55], isKept: true),
      (deleted: 0, openings: [year2040], isKept: true),
      (deleted: 0, openings: [year2040, 1], isKept: true),
      (deleted: 0, openings: [year2040, 1, year2040, 2, year2040, 3, year2040, 4], isKept: true),
      (deleted: 0, openings: [year1971, 1, year1971, 2, year1971, 3, year1971, 4], isKept: true),
      (deleted: 0, openings: [200, 1, 200, 2, 200, 3, 200, 4], isKept: true),
    ])
  func openings(deleted: Double, openings: [Double], isKept: Bool) throws {
    try delete(onDay: deleted)
    for day in openings { try open(day) }
    #expect(isInTrash == isKept)
  }

  @Test func aClockThatIsTrustedExpiresTheTrashAtOnce() throws {
    try delete(onDay: 0)
    try open(31, trustsClock: true)
    #expect(isInTrash == false)
  }

  @Test func aTrashOfBeforeTheClockWasReadBeginsAnew() throws {
    try delete(onDay: 0)
    let pool = try DatabasePool(path: "\(folder.library)/library.sqlite")
    try pool.write { try $0.execute(sql: "UPDATE library SET trash_read_date = NULL") }
    try pool.close()
    for day in [100.0, 109, 118, 127] { try open(day) }
    #expect(isInTrash)
    for day in [131.0, 132.5] { try open(day) }
    #expect(isInTrash == false)
  }

  @Test func aLaterDeletionDoesNotShortenTheTimeOfEarlierOnes() throws {
    try delete(onDay: 0)
    let store = try open(9)
    clock.set(Self.year2040)
    let asset = try store.add("another", as: "B.jpg")
    try store.commit { try $0.trash(asset) }
    try store.emptyExpiredTrash()
    #expect(folder.files(in: "originals").count == 2)
  }

  @Test(
    "A photo that was deleted on a wrong day is kept or gone after these openings",
    arguments: [
      (deleted: 200, openings: [10.5, 20, 30, 40], isKept: true),
      (deleted: 200, openings: [10.5, 20, 30, 40, 42, 44], isKept: false),
      (deleted: year1971, openings: [10.5, 20, 30, 40], isKept: true),
    ])
  func deletedOnAWrongDay(deleted: Double, openings: [Double], isKept: Bool) throws {
    try delete(onDay: 0)
    let store = try open(9)
    let asset = try store.add("another", as: "B.jpg")
    clock.set(deleted)
    try store.commit { try $0.trash(asset) }
    for day in openings { try open(day) }
    #expect(FileManager.default.fileExists(atPath: "\(folder.library)/originals/1970/01/B.jpg") == isKept)
  }

  @Test func anEmptyTrashIsNotWrittenTo() throws {
    let store = try open(0)
    for day in [1.0, Self.year2040, Self.year1971] { try open(day) }
    #expect(try store.database.pool.read { try Double.fetchOne($0, sql: "SELECT trash_read_date FROM library") } == nil)
  }
}
