import Foundation
import Photos
import PhotosTesting
import Synchronization
import Testing

@testable import PhotosServer

@Suite struct PickerWatchTests {
  /// A server for pickers alone, by a clock that moves a second with each look.
  private final class Time: Sendable {
    let seconds = Mutex(0)
    let running = Mutex(7)
    let start = Date(timeIntervalSince1970: 1_800_000_000)
    let awakeStart = SuspendingClock.now

    /// Calls the function after each second, and ends the watch after so many.
    func watch(_ pickers: PickerService, upTo limit: Int, _ body: @escaping @Sendable (Int) throws -> Void)
      -> PickerWatch
    {
      PickerWatch(
        pickers: pickers, starter: 7, isRunning: { $0 == self.running.withLock(\.self) },
        pause: {
          let second = self.seconds.withLock { seconds in
            seconds += 1
            return seconds
          }
          guard second <= limit else { throw CancellationError() }
          try body(second)
        })
    }

    func service(_ library: PHPhotoLibrary) -> PickerService {
      PickerService(
        library: library,
        site: SiteAddress(reach: .thisMachine, port: ServerPort(1), printedHost: SiteAddress.localName),
        clock: { self.start + TimeInterval(self.seconds.withLock(\.self)) },
        awakeTime: { self.awakeStart + .seconds(self.seconds.withLock(\.self)) }, random: .system)
    }
  }

  private let temporary: TemporaryLibrary
  private let time = Time()

  init() throws { temporary = try TemporaryLibrary(photos: 1) }

  /// Picks for a program, and returns its session's secret.
  private func pick(_ pickers: PickerService, process: Int) throws -> String {
    let opened = try pickers.begin(.object([:]), clientName: "Album", process: process)
    let id = opened.picker.components(separatedBy: "#s=")[1]
    _ = try pickers.openWindow(of: id)
    try pickers.answer(
      id,
      PickerAnswer(
        JSONPlace(
          value: .object([
            "type": .string("picked"), "assets": .array([]), "representation": .string("current"),
          ]), path: "")))
    return opened.session
  }

  @Test func `a server for pickers ends a minute after it was started for none`() async throws {
    let pickers = time.service(temporary.library)
    try await time.watch(pickers, upTo: 100) { _ in }.run()
    #expect(time.seconds.withLock(\.self) == 60)
  }

  @Test func `picked items keep the server while its program runs, and a minute longer`() async throws {
    let pickers = time.service(temporary.library)
    _ = try pick(pickers, process: 7)
    try await time.watch(pickers, upTo: 1_000) { [time] in if $0 == 200 { time.running.withLock { $0 = 1 } } }.run()
    #expect(time.seconds.withLock(\.self) == 260)
  }

  @Test func `another program that gets the number of the ended one keeps what it picks`() async throws {
    let pickers = time.service(temporary.library)
    let secret = Mutex("")
    time.running.withLock { $0 = 1 }
    try await time.watch(pickers, upTo: 40) { [time] second in
      guard second == 5 else { return }
      time.running.withLock { $0 = 7 }
      secret.withLock { $0 = (try? pick(pickers, process: 7)) ?? "" }
      time.running.withLock { $0 = 1 }
    }.run()
    #expect(try pickers.session(secret.withLock(\.self)).state == .picked)
  }

  @Test func `picked items of another program keep the server for its hour`() async throws {
    let pickers = time.service(temporary.library)
    _ = try pick(pickers, process: 8)
    time.running.withLock { $0 = 1 }
    try await time.watch(pickers, upTo: 10_000) { _ in }.run()
    #expect(time.seconds.withLock(\.self) == 3_660)
  }
}
