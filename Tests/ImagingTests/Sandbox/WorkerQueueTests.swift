import Foundation
import Synchronization
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import Sandbox

/// Tests the order in which work waits for a pool of one worker.
@Suite struct WorkerQueueTests {
  /// Occupies a worker for some seconds from another thread.
  private func busy(_ pool: WorkerPool, seconds: Double, _ demand: WorkDemand) -> DispatchGroup {
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      WorkDemand.following({ demand }) { _ = try? pool.outcome(of: .sleep(seconds: seconds)) }
    }
    let end = ContinuousClock.now + .seconds(20)
    let before = pool.busyCount
    while pool.busyCount == before, ContinuousClock.now < end { usleep(2000) }
    return group
  }

  private func isBrief(_ pool: WorkerPool) throws {
    let file = try MediaFile(data: encode(Sample.quadrants(16, 16), as: "public.jpeg", quality: 90), name: "a.jpg")
    _ = try ReadMetadata(machineTimeZone: .gmt).answer(on: file, in: pool)
  }

  @Test func `visible work does not wait for background work`() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let background = busy(pool, seconds: 3, .background)
    #expect(try pool.outcome(of: .makeSocket) == "Operation not permitted")
    #expect(background.wait(timeout: .now()) == .timedOut)
    background.wait()
  }

  @Test func `brief work does not wait for visible work`() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let background = busy(pool, seconds: 3, .background)
    let seen = busy(pool, seconds: 3, .seen)
    try isBrief(pool)
    #expect(seen.wait(timeout: .now()) == .timedOut)
    background.wait()
    seen.wait()
  }

  @Test func `a program that will read many files starts all workers at once`() throws {
    let pool = try TestWorkers.pool { $0.width = 2 }
    defer { pool.end() }
    pool.startAll()
    let end = ContinuousClock.now + .seconds(60)
    while pool.idleProcesses.count < 2, ContinuousClock.now < end { usleep(2000) }
    let started = Set(pool.idleProcesses)
    #expect(started.count == 2)
    _ = try pool.outcome(of: .makeSocket)
    #expect(Set(pool.idleProcesses) == started)
  }

  @Test func theBackgroundWaitsForItsTurn() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let background = busy(pool, seconds: 1, .background)
    _ = try WorkDemand.following({ .background }, { try pool.outcome(of: .makeSocket) })
    #expect(background.wait(timeout: .now() + 0.5) == .success)
  }

  @Test func `work that becomes visible stops waiting for background work`() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let background = busy(pool, seconds: 3, .background)
    let start = ContinuousClock.now
    _ = try WorkDemand.following(
      { start.duration(to: .now) < .seconds(0.5) ? .background : .seen }, { try pool.outcome(of: .makeSocket) })
    #expect(start.duration(to: .now) > .seconds(0.5))
    #expect(background.wait(timeout: .now()) == .timedOut)
    background.wait()
  }

  @Test func aCallWithoutDemandGivesUpItsTurn() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let background = busy(pool, seconds: 2, .background)
    let error = #expect(throws: ImagingError.self) {
      try WorkDemand.following({ .none }, { try pool.outcome(of: .makeSocket) })
    }
    #expect(error == ImagingError(.tookTooLong, "strange.jpg", reason: "its result was no longer wanted"))
    #expect(background.wait(timeout: .now()) == .timedOut)
    background.wait()
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
    let served = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 60) { index in
      WorkDemand.following({ index % 2 == 0 ? .background : .seen }) {
        let isServed = index % 3 == 0 ? (try? isBrief(pool)) != nil : (try? pool.outcome(of: .makeSocket)) != nil
        if isServed { served.add(1, ordering: .relaxed) }
      }
    }
    #expect(served.load(ordering: .relaxed) == 60)
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
    let background = busy(pool, seconds: 1, .background)
    // The pool fails to start a second worker, so the work waits for the first.
    #expect(try pool.outcome(of: .makeSocket) == "Operation not permitted")
    #expect(background.wait(timeout: .now() + 0.5) == .success)
    #expect(try pool.outcome(of: .makeSocket) == "Operation not permitted")
  }
}
