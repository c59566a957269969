import Foundation

/// Traces system calls of this process by strace, so that tests can check their order, and can end
/// the process at any of them.
public final class SystemCallTrace: Sendable {
  /// Whether strace is installed and may trace this process.
  public static let isAvailable: Bool = (try? SystemCallTrace("fsync").stop()) != nil

  private let strace: Child
  private let log: String

  /// Begins to trace these calls, which are separated by commas and include `fsync`.
  ///
  /// With `killedAt`, the process is killed when a thread makes its call with that number, before
  /// the kernel runs it. Each kind of call is numbered by itself, and with `of` only one kind ends
  /// the process. `slowsDisk` lets each `fsync` take a while, so that whoever does not wait for
  /// it is seen to go on.
  public init(_ calls: String, killedAt number: Int? = nil, of kind: String? = nil, slowsDisk: Bool = false) throws {
    log = FileManager.default.temporaryDirectory.appendingPathComponent("calotype-trace-\(UUID().uuidString)").path
    let arguments =
      ["-f", "-y", "-o", log, "-p", "\(getpid())", "-e", "trace=\(calls)"]
      + (number.map { ["-e", "inject=\(kind ?? calls):signal=KILL:when=\($0)"] } ?? [])
      + (slowsDisk ? ["-e", "inject=fsync:delay_enter=200000"] : [])
    strace = try Child("/bin/sh", ["-c", #"exec strace "$@" 2>&1"#, "sh"] + arguments)
    // The message appears once all threads are traced.
    try strace.output("message that it traces") { $0.contains("attached") }
  }

  /// Ends the trace and returns its lines.
  public func stop() throws -> [String] {
    defer { try? FileManager.default.removeItem(atPath: log) }
    // A last call shows that strace has written all calls before it.
    fsync(Self.noDescriptor)
    var lines: [String] = []
    try eventually("the last call in the trace") {
      lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
      return (lines.last ?? "").contains(Self.end)
    }
    try strace.finishByKilling()
    return lines.filter { !$0.contains(Self.end) }
  }

  private static let noDescriptor: Int32 = -77
  private static let end = "fsync(-77"
}
