import Dispatch
import TestSupport
import Testing

@testable import Photos
@testable import Sandbox

/// Work that waits for a worker asks for its demand again only after an announced change.
@Suite struct DemandChangeTests {
  private let queue = WorkQueue(width: 1)
  private let begun = DispatchSemaphore(value: 0)
  private let end = DispatchSemaphore(value: 0)
  private let coalescer: Coalescer<String, Int>

  init() { coalescer = Coalescer(queue: queue) }

  /// Begins work that lasts until `end`. Returns the number of the latest change.
  private func beginWork() -> (Coalescer<String, Int>.Request, changeNumber: Int) {
    let request = coalescer.request("a", .preheated) { [begun, end] in
      begun.signal()
      end.waits(for: "the end of the work")
      return 7
    } completion: { _, releaseMemory in
      releaseMemory()
    }
    begun.waits(for: "the work")
    return (request, DemandChanges.latest)
  }

  @Test func `the loss of the last subscriber of running work is announced`() {
    let (request, number) = beginWork()
    coalescer.cancel(request)
    #expect(DemandChanges.latest > number)
    end.signal()
  }

  @Test func `a visible subscriber of running work is announced`() {
    let (_, number) = beginWork()
    coalescer.request("a", .seen) {
      8
    } completion: { _, releaseMemory in
      releaseMemory()
    }
    #expect(DemandChanges.latest > number)
    end.signal()
  }

  @Test func `the cancellation of a request that decodes is announced`() {
    let cancellation = Cancellation()
    let (before, after) = cancellation.decoding {
      let number = DemandChanges.latest
      cancellation.cancel()
      return (number, DemandChanges.latest)
    }
    #expect(after > before)
  }
}
