import Foundation
import Sandbox
import Synchronization
import TestSupport
import Testing

@testable import Photos

@Suite struct WorkQueueTests {
  /// A log of the work done, in order.
  private final class Log: Sendable {
    private let state = Mutex<[String]>([])
    func add(_ text: String) { state.withLock { $0.append(text) } }
    var all: [String] { state.withLock(\.self) }
  }

  /// Blocks a queue's only thread until it is released.
  private struct Plug {
    private let gate = DispatchSemaphore(value: 0)
    private let begun = DispatchSemaphore(value: 0)
    init(_ queue: WorkQueue) {
      queue.add(.seen) { [gate, begun] in
        begun.signal()
        gate.waits(for: "the test")
      }
      begun.waits(for: "the beginning of the work")
    }
    func pull() { gate.signal() }
  }

  private func finish(_ queue: WorkQueue) {
    let done = DispatchSemaphore(value: 0)
    queue.add(.preheated) { done.signal() }
    done.waits(for: "the end of the work")
  }

  @Test func visibleWorkComesFirstInTheOrderOfRequests() {
    let queue = WorkQueue(width: 1)
    let log = Log()
    let plug = Plug(queue)
    queue.add(.preheated) { log.add("p1") }
    queue.add(.seen) { log.add("s1") }
    queue.add(.preheated) { log.add("p2") }
    queue.add(.seen) { log.add("s2") }
    plug.pull()
    finish(queue)
    #expect(log.all == ["s1", "s2", "p1", "p2"])
  }

  @Test func aRaisedJobOvertakesAndIsDoneOnce() {
    let queue = WorkQueue(width: 1)
    let log = Log()
    let plug = Plug(queue)
    queue.add(.preheated) { log.add("p1") }
    let second = queue.add(.preheated) { log.add("p2") }
    queue.raise(second)
    plug.pull()
    finish(queue)
    #expect(log.all == ["p2", "p1"])
  }

  @Test func aDroppedJobIsNeverDoneAndABegunOneIsNotDropped() {
    let queue = WorkQueue(width: 1)
    let log = Log()
    let plug = Plug(queue)
    let first = queue.add(.seen) { log.add("s1") }
    #expect(queue.drop(first))
    #expect(!queue.drop(first))
    plug.pull()
    finish(queue)
    #expect(log.all == [])
  }

  @Test func oneThreadIsLeftToWhatIsSeen() {
    let queue = WorkQueue(width: 2)
    let gate = DispatchSemaphore(value: 0)
    let seen = DispatchSemaphore(value: 0)
    for _ in 0..<4 { queue.add(.preheated) { gate.waits(for: "the test") } }
    queue.add(.seen) { seen.signal() }
    seen.waits(for: "the visible job")
    for _ in 0..<4 { gate.signal() }
  }

  @Test func jobsThatWaitHoldUpNoOtherQueue() {
    let width = ProcessInfo.processInfo.activeProcessorCount
    let (slow, quick) = (WorkQueue(width: width), WorkQueue(width: width))
    let gate = DispatchSemaphore(value: 0)
    for _ in 0..<width { slow.add(.seen) { gate.waits(for: "the test") } }
    let done = DispatchSemaphore(value: 0)
    quick.add(.seen) { done.signal() }
    done.waits(for: "the job of the other queue")
    for _ in 0..<width { gate.signal() }
  }

  @Test func equalRequestsShareOneWork() async {
    let queue = WorkQueue(width: 1)
    let coalescer = Coalescer<String, Int>(queue: queue)
    let log = Log()
    let plug = Plug(queue)
    for index in 0..<3 {
      coalescer.request("a", .preheated) {
        log.add("work")
        return 7
      } completion: { result, releaseMemory in
        log.add("\(index): \((try? result.get()) ?? 0)")
        releaseMemory()
      }
    }
    plug.pull()
    finish(queue)
    #expect(log.all == ["work", "0: 7", "1: 7", "2: 7"])
  }

  @Test func workThatNobodyWaitsForIsDropped() {
    let queue = WorkQueue(width: 1)
    let coalescer = Coalescer<String, Int>(queue: queue)
    let log = Log()
    let plug = Plug(queue)
    let requests = ["a", "a", "b"].map { key in
      coalescer.request(key, .seen) {
        log.add("work \(key)")
        return 0
      } completion: { _, releaseMemory in
        log.add("done \(key)")
        releaseMemory()
      }
    }
    coalescer.cancel(requests[0])
    coalescer.cancel(requests[2])
    plug.pull()
    finish(queue)
    #expect(log.all == ["work a", "done a"])
  }

  @Test func aResultIsSharedUntilAllSubscribersHaveReleasedIt() throws {
    let queue = WorkQueue(width: 1)
    let coalescer = Coalescer<String, Int>(queue: queue)
    let log = Log()
    let releaseMemory = Mutex<[@Sendable () -> Void]>([])
    func request() {
      coalescer.request("a", .seen) {
        log.add("work")
        return 7
      } completion: { result, done in
        log.add("\((try? result.get()) ?? 0)")
        releaseMemory.withLock { $0.append(done) }
      }
    }
    request()
    finish(queue)
    request()
    #expect(log.all == ["work", "7", "7"])
    for done in releaseMemory.withLock(\.self) { done() }
    request()
    finish(queue)
    #expect(log.all == ["work", "7", "7", "work", "7"])
  }

  @Test func `a waiting caller does work that has not begun`() throws {
    let queue = WorkQueue(width: 1)
    let coalescer = Coalescer<String, Int>(queue: queue)
    let plug = Plug(queue)
    let log = Log()
    coalescer.request("a", .preheated) {
      log.add("work")
      return 7
    } completion: { _, releaseMemory in
      log.add("done")
      releaseMemory()
    }
    #expect(try coalescer.wait(for: "a") { 8 } == 7)
    #expect(log.all == ["work", "done"])
    plug.pull()
  }

  @Test func workThatHasBegunIsToldThatNobodyWaitsForIt() {
    let queue = WorkQueue(width: 1)
    let coalescer = Coalescer<String, Int>(queue: queue)
    let (begun, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let log = Log()
    let request = coalescer.request("a", .seen) {
      log.add("\(WorkDemand.current)")
      begun.signal()
      cancelled.waits(for: "the cancellation")
      log.add("\(WorkDemand.current)")
      return 7
    } completion: { _, _ in
      log.add("done")
    }
    begun.waits(for: "the beginning of the work")
    coalescer.cancel(request)
    cancelled.signal()
    finish(queue)
    #expect(log.all == ["seen", "none"])
  }

  @Test func runningWorkBecomesVisibleWithItsFirstVisibleSubscriber() {
    let coalescer = Coalescer<String, Int>(queue: WorkQueue(width: 2))
    let (begun, asked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let log = Log()
    coalescer.request("a", .preheated) {
      log.add("\(WorkDemand.current)")
      begun.signal()
      asked.waits(for: "the second request")
      log.add("\(WorkDemand.current)")
      return 7
    } completion: { _, releaseMemory in
      releaseMemory()
    }
    begun.waits(for: "the beginning of the work")
    let done = DispatchSemaphore(value: 0)
    coalescer.request("a", .seen) {
      8
    } completion: { _, releaseMemory in
      releaseMemory()
      done.signal()
    }
    asked.signal()
    done.waits(for: "the end of the work")
    #expect(log.all == ["background", "seen"])
  }

  @Test(arguments: [true, false]) func workWithoutSubscribersIsCounted(_ isCancelled: Bool) {
    let queue = WorkQueue(width: 1)
    let now = Mutex(ContinuousClock.now)
    let coalescer = Coalescer<String, Int>(queue: queue, now: { now.withLock(\.self) })
    let (begun, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let request = coalescer.request("a", .seen) {
      begun.signal()
      cancelled.waits(for: "the cancellation")
      return 7
    } completion: { _, _ in
    }
    begun.waits(for: "the beginning of the work")
    if isCancelled { coalescer.cancel(request) }
    now.withLock { $0 += .milliseconds(200) }
    cancelled.signal()
    finish(queue)
    #expect(coalescer.unwanted == (isCancelled ? 1 : 0))
  }

  /// A grid cell that leaves the screen and returns makes these requests.
  @Test(arguments: [true, false]) func aSecondSubscriberWaitsForTheRunningWork(_ givesUp: Bool) {
    let coalescer = Coalescer<String, Int>(queue: WorkQueue(width: 2))
    let (begun, asked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let log = Log()
    let request = coalescer.request("a", .seen) {
      log.add("work")
      begun.signal()
      asked.waits(for: "the second request")
      if givesUp, WorkDemand.current == .none {
        begun.signal()
        asked.waits(for: "the second request")
        throw CancellationError()
      }
      return 7
    } completion: { _, _ in
      log.add("cancelled")
    }
    begun.waits(for: "the beginning of the work")
    coalescer.cancel(request)
    if givesUp {
      asked.signal()
      begun.waits(for: "the beginning of the work")
    }
    let done = DispatchSemaphore(value: 0)
    coalescer.request("a", .seen) {
      8
    } completion: { result, releaseMemory in
      log.add("\((try? result.get()) ?? 0)")
      releaseMemory()
      done.signal()
    }
    asked.signal()
    if givesUp { asked.signal() }
    done.waits(for: "the end of the work")
    #expect(log.all == (givesUp ? ["work", "work", "7"] : ["work", "7"]))
  }

  @Test func memoryIsGivenOutInTurnsAndNeverBeyondTheLimit() {
    let budget = MemoryBudget(limit: 10)
    let log = Log()
    let reservations = [6, 4, 5, 20, 1].enumerated().map { index, bytes in
      budget.reserve(bytes) { _ in log.add("\(index)") }
    }
    #expect(log.all == ["0", "1"])
    budget.release(reservations[0])
    #expect(log.all == ["0", "1", "2"])
    // Releasing the waiting reservation of 20 bytes admits the next one. The 20 bytes would have
    // waited until all others were released.
    budget.release(reservations[3])
    #expect(log.all == ["0", "1", "2", "4"])
  }

  @Test func aReservationAboveTheLimitIsGrantedAlone() {
    let budget = MemoryBudget(limit: 10)
    let log = Log()
    let first = budget.reserve(4) { _ in log.add("small") }
    budget.reserve(50) { _ in log.add("large") }
    #expect(log.all == ["small"])
    budget.release(first)
    #expect(log.all == ["small", "large"])
  }

  @Test(arguments: [true, false])
  func aCancellationTellsOnceAndAClosedOneNever(_ isClosed: Bool) {
    let cancellation = Cancellation()
    let log = Log()
    cancellation.whenCancelled { log.add("before") }
    if isClosed { cancellation.close() }
    cancellation.cancel()
    cancellation.cancel()
    cancellation.whenCancelled { log.add("after") }
    #expect(log.all == (isClosed ? [] : ["before", "after"]))
    #expect(cancellation.isCancelled == !isClosed)
  }
}
