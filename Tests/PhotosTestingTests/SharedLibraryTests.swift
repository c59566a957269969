import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

/// A way to run code that does not inherit task-local values.
enum Hop: String, CaseIterable {
  case queue, thread, operation, detachedTask

  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
    try await answer("code on a \(self)") { done in
      let work: @Sendable () -> Void = { done(body()) }
      switch self {
      case .queue: DispatchQueue.global().async(execute: work)
      case .thread: Thread.detachNewThread(work)
      case .operation: OperationQueue().addOperation(work)
      case .detachedTask: Task.detached(operation: work)
      }
    }
  }
}

/// A library in place of the developer's own, for this process and for its exit tests.
private enum DeveloperLibrary {
  static func path(ofProcess process: pid_t) -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("developer-\(process).calotype").path
  }

  /// Makes this library the default one in an exit test's process.
  static func useInExitTest() { setenv("CALOTYPE_LIBRARY", path(ofProcess: getppid()), 1) }
}

@Suite struct SharedLibraryTests {
  private let developerLibrary = DeveloperLibrary.path(ofProcess: getpid())

  /// Fetches within another library's scope, on a queue or thread that does not inherit the scope.
  private static func fetchAfter(_ hop: Hop) async throws {
    DeveloperLibrary.useInExitTest()
    let temporary = try TemporaryLibrary()
    try await temporary.library.asShared { _ = try await hop.run { PHAsset.fetchAssets(with: nil).count } }
  }

  private func expectTrap(_ result: ExitTest.Result?) throws {
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("No library on the disk was touched"))
    #expect(!FileManager.default.fileExists(atPath: developerLibrary))
  }

  @Test func aFetchOnADispatchQueueTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await SharedLibraryTests.fetchAfter(.queue)
    }
    try expectTrap(result)
  }

  @Test func aFetchOnAThreadTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await SharedLibraryTests.fetchAfter(.thread)
    }
    try expectTrap(result)
  }

  @Test func aFetchOnAnOperationQueueTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await SharedLibraryTests.fetchAfter(.operation)
    }
    try expectTrap(result)
  }

  @Test func aFetchInADetachedTaskTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await SharedLibraryTests.fetchAfter(.detachedTask)
    }
    try expectTrap(result)
  }

  @Test func aTestWithoutAnyLibraryTrapsAndMakesNone() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      DeveloperLibrary.useInExitTest()
      _ = PHAsset.fetchAssets(with: nil)
    }
    try expectTrap(result)
  }

  @Test(arguments: Hop.allCases) func aLibraryIsSharedEverywhere(_ hop: Hop) async throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let count = try await temporary.library.asSharedEverywhere {
      try await hop.run { PHAsset.fetchAssets(with: nil).count }
    }
    #expect(count == 2)
  }

  @Test func aSecondScopeEverywhereWaitsForTheFirst() async throws {
    let (one, three) = (try TemporaryLibrary(photos: 1), try TemporaryLibrary(photos: 3))
    let differences = try await withThrowingTaskGroup(of: Int.self) { group in
      for temporary in [one, three, one, three] {
        group.addTask {
          try await temporary.library.asSharedEverywhere {
            for _ in 0..<3 { await Task.yield() }
            return try await Hop.queue.run { PHAsset.fetchAssets(with: nil).count }
              - PHAsset.fetchAssets(with: nil).count
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(differences == [0, 0, 0, 0])
  }

  @Test func aScopeEverywhereMayBeginAgainInsideItself() async throws {
    let temporary = try TemporaryLibrary()
    let library = temporary.library
    let isShared = try await library.asSharedEverywhere {
      try await library.asSharedEverywhere { try await Hop.queue.run { PHPhotoLibrary.shared() === library } }
    }
    #expect(isShared)
  }

  @Test func aLibraryIsNamedForTheWholeProcess() async throws {
    await #expect(processExitsWith: .success) {
      let (named, other) = (try TemporaryLibrary(), try TemporaryLibrary())
      PHPhotoLibrary.useAsShared(named.library)
      let shared = try await Hop.thread.run { PHPhotoLibrary.shared() }
      #expect(shared === named.library)
      #expect(other.library.asShared { PHPhotoLibrary.shared() } === other.library)
      try await other.library.asSharedEverywhere {
        let shared = try await Hop.thread.run { PHPhotoLibrary.shared() }
        #expect(shared === other.library)
      }
      #expect(PHPhotoLibrary.shared() === named.library)
    }
  }

  @Test func `useAsShared(nil) leaves no shared library`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      DeveloperLibrary.useInExitTest()
      let temporary = try TemporaryLibrary()
      PHPhotoLibrary.useAsShared(temporary.library)
      PHPhotoLibrary.useAsShared(nil)
      _ = PHPhotoLibrary.shared()
    }
    try expectTrap(result)
  }
}
