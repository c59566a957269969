import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import Sandbox

enum TestWorkers {
  /// Returns a pool whose workers obey `Misbehave` requests.
  static func pool(_ change: (inout WorkerPool.Configuration) -> Void = { _ in }) throws -> WorkerPool {
    var configuration = WorkerPool.Configuration(executable: try #require(WorkerPlace.executable))
    configuration.arguments = ["--misbehave"]
    configuration.width = 1
    change(&configuration)
    return WorkerPool(configuration)
  }

  static func isAlive(_ pid: pid_t) -> Bool { kill(pid, 0) == 0 }

  static var openDescriptors: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
  }
}

extension WorkerPool {
  /// Elapsed time ends no request, except that of a test about it.
  func outcome(
    of misbehavior: Misbehave, on file: MediaFile? = nil, elapsedLimitInSeconds: Double = 600
  ) throws -> String {
    let file = try file ?? MediaFile(data: Data("a stranger's file".utf8), name: "strange.jpg")
    var call = misbehavior.call(on: file)
    call.elapsedLimitInSeconds = elapsedLimitInSeconds
    let answer: Result<String, ImagingError>
    do { answer = try self.answer(to: call) } catch { throw ImagingError(error, file.name) }
    return try answer.get()
  }
}

/// A file at which a worker waits (`Misbehave.awaitPeer`) until the test lets it go on.
final class WorkerGate: Sendable {
  let file: MediaFile
  private let descriptor: Int32

  init() throws {
    let (ours, theirs) = try #require(WorkerSocket.pair())
    descriptor = ours.descriptor
    file = MediaFile(
      descriptor: theirs.descriptor, name: "strange.jpg", byteCount: 0, modificationDate: .distantPast)
  }

  /// A worker that still waits goes on, too.
  deinit { close(descriptor) }

  /// Whether a worker has come, and the test has not waited for it.
  var isReached: Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  func waitUntilReached() throws {
    try eventually("a worker at the gate") { isReached }
    var byte: UInt8 = 0
    try #require(read(descriptor, &byte, 1) == 1)
  }

  func open() {
    var byte: UInt8 = 0
    _ = send(descriptor, &byte, 1, Int32(MSG_NOSIGNAL))
  }
}

/// A call on a thread of its own, since it may block.
final class ThreadedCall<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  init(_ body: @escaping @Sendable () throws -> Value) {
    Thread.detachNewThread { [self] in
      let value = Result { try body() }
      result.withLock { $0 = value }
    }
  }

  var hasEnded: Bool { result.withLock { $0 != nil } }

  /// Waits for the end.
  func value(_ what: String, within limit: Duration = Patience.long) throws -> Value {
    try eventually(what, within: limit) { hasEnded }
    let value = result.withLock(\.self)
    return try #require(value).get()
  }
}

/// A request that occupies a worker until the test ends it.
struct OccupyingRequest {
  private let gate: WorkerGate
  private let call: ThreadedCall<String>

  /// Waits until the worker is occupied.
  init(in pool: WorkerPool, _ demand: WorkDemand) throws {
    gate = try WorkerGate()
    call = ThreadedCall { [file = gate.file] in
      try WorkDemand.following({ demand }) { try pool.outcome(of: .awaitPeer, on: file) }
    }
    try gate.waitUntilReached()
  }

  var hasEnded: Bool { call.hasEnded }

  func end() throws {
    gate.open()
    #expect(try call.value("the end of the request that occupied a worker") == "done")
  }
}

/// A clock that stands still until a test moves it.
final class SteppedClock: Sendable {
  private let instant: Mutex<ContinuousClock.Instant>

  init(behind duration: Duration = .zero) { instant = Mutex(.now - duration) }

  var now: ContinuousClock.Instant { instant.withLock(\.self) }

  func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}
