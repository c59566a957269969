import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import Sandbox

/// Tests the order in which work waits for a pool of one worker.
@Suite struct WorkerQueueTests {
  private static let refusal = "Operation not permitted"

  /// Makes a request from another thread, since it waits if the pool is at fault.
  private func request(
    in pool: WorkerPool, _ demand: @escaping @Sendable () -> WorkDemand = { .seen }
  ) -> ThreadedCall<String> {
    ThreadedCall { try WorkDemand.following(demand) { try pool.outcome(of: .makeSocket) } }
  }

  /// Expects that a request waits in line, and that no worker starts for it.
  private func expectOneWaits(in pool: WorkerPool, workerCount: Int = 1) throws {
    try eventually("a request to wait") { pool.waitingCount == 1 }
    #expect(pool.workerCount == workerCount)
  }

  private func brief(_ pool: WorkerPool) throws {
    let file = try MediaFile(data: encode(Sample.quadrants(16, 16), as: "public.jpeg", quality: 90), name: "a.jpg")
    _ = try ReadMetadata(machineTimeZone: .gmt).answer(on: file, in: pool)
  }

  @Test func `visible work does not wait for background work`() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let background = try OccupyingRequest(in: pool, .background)
    #expect(try request(in: pool).value("visible work") == Self.refusal)
    #expect(!background.hasEnded)
    try background.end()
  }

  @Test func `brief work does not wait for visible work`() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let background = try OccupyingRequest(in: pool, .background)
    let seen = try OccupyingRequest(in: pool, .seen)
    try ThreadedCall { try brief(pool) }.value("brief work")
    #expect(!background.hasEnded && !seen.hasEnded)
    try background.end()
    try seen.end()
  }

  @Test func `a program that will read many files starts all workers at once`() throws {
    let pool = try TestWorkers.pool { $0.width = 2 }
    defer { pool.end() }
    pool.startAll()
    try eventually("two idle workers") { pool.idleProcesses.count == 2 }
    let started = Set(pool.idleProcesses)
    _ = try pool.outcome(of: .makeSocket)
    #expect(Set(pool.idleProcesses) == started)
  }

  @Test func theBackgroundWaitsForItsTurn() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let first = try OccupyingRequest(in: pool, .background)
    let second = request(in: pool) { .background }
    try expectOneWaits(in: pool)
    #expect(!second.hasEnded)
    try first.end()
    #expect(try second.value("the second request") == Self.refusal)
    #expect(pool.workerCount == 1)
  }

  @Test func `work that becomes visible stops waiting for background work`() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let background = try OccupyingRequest(in: pool, .background)
    let isSeen = Mutex(false)
    let work = request(in: pool) { isSeen.withLock(\.self) ? .seen : .background }
    try expectOneWaits(in: pool)
    isSeen.withLock { $0 = true }
    WorkDemand.announceChange()
    #expect(try work.value("work that became visible") == Self.refusal)
    #expect(!background.hasEnded)
    try background.end()
  }

  /// The second worker serves visible work, which goes first.
  @Test func `work that is no longer visible lets visible work go first`() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let background = try OccupyingRequest(in: pool, .background)
    let seen = try OccupyingRequest(in: pool, .seen)
    let isSeen = Mutex(true)
    let hasLearned = Mutex(false)
    let work = request(in: pool) {
      if isSeen.withLock(\.self) { return .seen }
      hasLearned.withLock { $0 = true }
      return .background
    }
    try expectOneWaits(in: pool, workerCount: 2)
    isSeen.withLock { $0 = false }
    WorkDemand.announceChange()
    try eventually("the call to learn of the change") { hasLearned.withLock(\.self) }
    let other = request(in: pool)
    try eventually("both requests to wait") { pool.waitingCount == 2 }
    try seen.end()
    #expect(try other.value("visible work") == Self.refusal)
    #expect(!work.hasEnded && !background.hasEnded)
    try background.end()
    #expect(try work.value("background work") == Self.refusal)
  }

  private func expectUnwanted(_ work: ThreadedCall<String>) {
    let error = #expect(throws: ImagingError.self) { try work.value("unwanted work") }
    #expect(error == ImagingError(.tookTooLong, "strange.jpg", reason: "its result was no longer wanted"))
  }

  @Test func aCallWithoutDemandGivesUpItsTurn() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let background = try OccupyingRequest(in: pool, .background)
    expectUnwanted(request(in: pool) { .none })
    #expect(!background.hasEnded)
    try background.end()
  }

  @Test func `a waiting call whose result is no longer wanted gives up its turn`() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let background = try OccupyingRequest(in: pool, .background)
    let isWanted = Mutex(true)
    let work = request(in: pool) { isWanted.withLock(\.self) ? .background : .none }
    try expectOneWaits(in: pool)
    isWanted.withLock { $0 = false }
    WorkDemand.announceChange()
    expectUnwanted(work)
    #expect(!background.hasEnded)
    try background.end()
  }

  @Test func `no worker starts for a request that nobody wants`() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    expectUnwanted(request(in: pool) { .none })
    #expect(pool.workerCount == 0)
  }

  @Test func `the first worker starts even if its request is unwanted`() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    #expect(WorkDemand.following({ .none }, { pool.probe() }) == nil)
    #expect(pool.idleProcesses.count == 1)
  }

  @Test func `many background, visible and brief requests are all served`() throws {
    let pool = try TestWorkers.pool { $0.width = 2 }
    defer { pool.end() }
    let requests = (0..<60).map { index in
      ThreadedCall {
        try WorkDemand.following({ index % 2 == 0 ? .background : .seen }) {
          if index % 3 == 0 { try brief(pool) } else { _ = try pool.outcome(of: .makeSocket) }
        }
      }
    }
    for request in requests { try request.value("one of many requests") }
    #expect(pool.idleProcesses.count <= 4)
  }

  /// Starting a worker fails, for example, while no process or descriptor is free.
  @Test func ifNoMoreWorkersStartTheExistingOnesServeAllCalls() throws {
    let folder = try TemporaryFolder()
    let link = folder.url.appendingPathComponent("worker").path
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: try #require(WorkerPlace.executable))
    let pool = try TestWorkers.pool { $0.executable = link }
    defer { pool.end() }
    #expect(pool.probe() == nil)
    try FileManager.default.removeItem(atPath: link)
    let background = try OccupyingRequest(in: pool, .background)
    // The pool fails to start a second worker, so the work waits for the first.
    let work = request(in: pool)
    try eventually("the failure of a start") { pool.waitingCount == 1 && pool.workerCount == 1 }
    #expect(!work.hasEnded)
    try background.end()
    #expect(try work.value("the waiting work") == Self.refusal)
    #expect(try request(in: pool).value("later work") == Self.refusal)
  }
}
