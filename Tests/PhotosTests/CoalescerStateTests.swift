import Testing

@testable import Imaging
@testable import Photos
@testable import Sandbox

/// The state machine of `Coalescer`, without threads.
@Suite struct CoalescerStateTests {
  private typealias State = CoalescerState<String, Int>

  private struct Failure: Error {}

  private func subscribe(
    _ state: inout State, _ key: String = "a", _ urgency: WorkQueue.Urgency = .seen, bytes: Int = 0,
    waits: Bool = true
  ) -> (State.Request, [String]) {
    let (request, actions) = state.subscribe(
      key, urgency, byteCount: bytes, waitsForMemory: waits, work: { 7 }, completion: { _, _ in })
    return (request, actions.map(text))
  }

  private func text(_ action: State.Action) -> String {
    switch action {
    case .reserve(let bytes, let task): "reserve \(bytes) for \(task)"
    case .reserveBeyondLimit(let bytes, let task): "reserve \(bytes) at once for \(task)"
    case .release(let reservation): "release \(reservation.number)"
    case .adjust(let reservation, let result): "adjust \(reservation.number) to \((try? result.get()) ?? 0)"
    case .enqueue(let task, let urgency): "enqueue \(task) \(urgency)"
    case .raise: "raise"
    case .drop: "drop"
    case .complete(let completions, let result, let task):
      "complete \(completions.count) with \((try? result.get()) ?? 0) of \(task)"
    }
  }

  private let job = WorkQueue.Job {}
  private let now = ContinuousClock.now

  private func reservation(_ number: Int) -> MemoryBudget.Reservation { MemoryBudget.Reservation(number: number) }

  @Test func `the first subscriber starts a task and others join it`() {
    var state = State()
    #expect(subscribe(&state).1 == ["enqueue 1 seen"])
    #expect(subscribe(&state).1 == [])
    #expect(subscribe(&state, "b").1 == ["enqueue 3 seen"])
    #expect(state.begin(1) != nil && state.begun == 1)
    #expect(state.finish(1, .success(7), at: now)?.map(text) == ["complete 2 with 7 of 1"])
  }

  @Test func `a result is shared until every subscriber has released it`() {
    var state = State()
    _ = subscribe(&state)
    _ = state.begin(1)
    _ = state.finish(1, .success(7), at: now)
    #expect(subscribe(&state).1 == ["complete 1 with 7 of 1"])
    #expect(state.didRelease(1).isEmpty && state.didRelease(1).isEmpty)
    #expect(subscribe(&state).1 == ["enqueue 3 seen"])
  }

  @Test func `work begins once there is memory, and the result's size corrects the guess`() {
    var state = State()
    #expect(subscribe(&state, bytes: 10).1 == ["reserve 10 for 1"])
    #expect(state.didReserve(reservation(1), waits: true, for: 1).isEmpty)
    #expect(state.memoryGranted(reservation(1), to: 1).map(text) == ["enqueue 1 seen"])
    _ = state.begin(1)
    #expect(state.finish(1, .success(7), at: now)?.map(text) == ["adjust 1 to 7", "complete 1 with 7 of 1"])
    #expect(state.didRelease(1).map(text) == ["release 1"])
  }

  @Test func `memory may be granted before its handle is reported`() {
    var state = State()
    _ = subscribe(&state, bytes: 10)
    #expect(state.memoryGranted(reservation(1), to: 1).map(text) == ["enqueue 1 seen"])
    #expect(state.didReserve(reservation(1), waits: true, for: 1).isEmpty)
    _ = state.begin(1)
    #expect(state.finish(1, .success(7), at: now)?.first.map(text) == "adjust 1 to 7")
  }

  @Test func `a caller that can't wait takes the place of a reservation that waits`() {
    var state = State()
    _ = subscribe(&state, bytes: 10)
    _ = state.didReserve(reservation(1), waits: true, for: 1)
    #expect(
      subscribe(&state, bytes: 10, waits: false).1
        == ["release 1", "reserve 10 at once for 1", "enqueue 1 seen"])
    #expect(state.memoryGranted(reservation(1), to: 1).map(text) == ["release 1"])
    #expect(state.didReserve(reservation(2), waits: false, for: 1).isEmpty)
    _ = state.begin(1)
    #expect(state.finish(1, .success(7), at: now)?.first.map(text) == "adjust 2 to 7")
  }

  @Test func `a handle that is reported after the result is corrected then`() {
    var state = State()
    _ = subscribe(&state, bytes: 10, waits: false)
    _ = state.begin(1)
    #expect(state.finish(1, .success(7), at: now)?.map(text) == ["complete 1 with 7 of 1"])
    #expect(state.didReserve(reservation(1), waits: false, for: 1).map(text) == ["adjust 1 to 7"])
  }

  @Test func `preheated work that becomes visible is raised, and its memory is counted from then on`() {
    var state = State()
    #expect(subscribe(&state, "a", .preheated).1 == ["enqueue 1 preheated"])
    #expect(state.didEnqueue(job, .preheated, for: 1).isEmpty)
    #expect(subscribe(&state, bytes: 10).1 == ["reserve 10 at once for 1", "raise"])
    #expect(state.demand(for: 1) == .seen)
  }

  @Test func `a task that became visible while it was being enqueued is raised`() {
    var state = State()
    _ = subscribe(&state, "a", .preheated)
    #expect(subscribe(&state).1 == [])
    #expect(state.didEnqueue(job, .preheated, for: 1).map(text) == ["raise"])
  }

  @Test func `the last subscriber's cancellation drops work that has not begun`() {
    var state = State()
    let (first, _) = subscribe(&state)
    let (second, _) = subscribe(&state)
    _ = state.didEnqueue(job, .seen, for: 1)
    #expect(state.cancel(first, at: now).1.isEmpty)
    #expect(state.cancel(second, at: now).1.map(text) == ["drop"])
    #expect(state.begin(1) == nil && state.begun == 0)
    #expect(!state.cancel(second, at: now).0)
  }

  @Test func `a task that is canceled while it waits gives its memory back`() {
    var state = State()
    let (request, _) = subscribe(&state, bytes: 10)
    _ = state.didReserve(reservation(1), waits: true, for: 1)
    #expect(state.cancel(request, at: now).1.map(text) == ["release 1"])
    #expect(state.memoryGranted(reservation(1), to: 1).map(text) == ["release 1"])
    #expect(state.didEnqueue(job, .seen, for: 1).map(text) == ["drop"])
  }

  @Test func `work without subscribers may give up, and is repeated for a new one`() {
    var state = State()
    let (request, _) = subscribe(&state)
    _ = state.begin(1)
    #expect(state.cancel(request, at: now).0)
    #expect(state.demand(for: 1) == .none)
    #expect(subscribe(&state).1 == [])
    #expect(state.finish(1, .failure(Failure()), at: now) == nil)
    #expect(state.begin(1) != nil)
    #expect(state.finish(1, .failure(Failure()), at: now)?.map(text) == ["complete 1 with 0 of 1"])
  }

  @Test(arguments: [(Duration.milliseconds(99), 0), (.milliseconds(101), 1)])
  func `a result counts as unwanted after 100 ms without a subscriber`(time: Duration, count: Int) {
    var state = State()
    let (request, _) = subscribe(&state)
    _ = state.begin(1)
    _ = state.cancel(request, at: now)
    #expect(state.finish(1, .success(7), at: now + time)?.isEmpty == true)
    #expect(state.unwanted == count)
  }
}
