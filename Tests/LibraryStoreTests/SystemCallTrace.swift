import Foundation
import Synchronization

/// Traces system calls of this process by strace, so that tests can check their order, and can end
/// the process at any of them.
final class SystemCallTrace: Sendable {
  /// Whether strace is installed and may trace this process.
  static let isAvailable: Bool = (try? SystemCallTrace("fsync").stop()) != nil

  private let process: Process
  private let log: String

  /// Begins to trace these calls, which are separated by commas and include `fsync`. With
  /// `killedAt`, the process is killed when it makes the call with that number, before the kernel
  /// runs it.
  init(_ calls: String, killedAt number: Int? = nil) throws {
    log = FileManager.default.temporaryDirectory.appendingPathComponent("calotype-trace-\(UUID().uuidString)").path
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["strace", "-f", "-y", "-o", log, "-p", "\(getpid())", "-e", "trace=\(calls)"]
      + (number.map { ["-e", "inject=\(calls):signal=KILL:when=\($0)"] } ?? [])
    let messages = Pipe()
    process.standardError = messages
    try process.run()
    // The message appears once all threads are traced.
    var text = ""
    while !text.contains("attached") {
      let new = messages.fileHandleForReading.availableData
      guard !new.isEmpty else { throw TraceError(message: text) }
      text += String(decoding: new, as: UTF8.self)
    }
  }

  struct TraceError: Error { let message: String }

  /// Ends the trace and returns its lines.
  func stop() throws -> [String] {
    defer { try? FileManager.default.removeItem(atPath: log) }
    // A last call shows that strace has written all calls before it.
    fsync(Self.noDescriptor)
    var lines: [String] = []
    for _ in 0..<500 where !(lines.last ?? "").contains(Self.end) {
      usleep(10_000)
      lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }
    // The thread that started strace blocks all other signals, and strace inherits that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return lines.filter { !$0.contains(Self.end) }
  }

  private static let noDescriptor: Int32 = -77
  private static let end = "fsync(-77"
}
