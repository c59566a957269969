import Dispatch
import TestSupport
import Testing

@testable import PhotosServer

@Suite struct BlockingTests {
  @Test func `reading does not wait for commits`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let (begun, ended) = (Counter(), Counter())
    let commits = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<32 {
          group.addTask {
            try await Blocking.commit {
              begun.add(1)
              gate.waits(for: "the readings")
              ended.add(1)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    try await wait(for: "two commits that wait") { begun.count >= 2 }
    for _ in 0..<8 { try await Blocking.run {} }
    #expect(ended.count == 0)
    for _ in 0..<32 { gate.signal() }
    try await commits.value
  }
}
