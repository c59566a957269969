import CProcess
import Foundation
import Glibc

/// A program that a test starts. Its output is read while it runs, so that a full pipe never stops
/// it. It is killed with the last reference.
///
///     let server = try Child("calotype", ["serve", "--port", "0"])
///     let output = try server.output("its address") { $0.contains("http://") }
///     server.send(SIGINT)
///     #expect(try server.finish().status == 0)
public final class Child: Sendable {
  /// The end of a program.
  public struct Outcome: Sendable {
    /// The exit status; −9 if signal 9 ended it.
    public var status: Int32
    public var bytes: Data
    public var errors: String
    public var output: String { String(decoding: bytes, as: UTF8.self) }
    public var lines: [Substring] { output.split(separator: "\n") }
  }

  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  public let id: pid_t
  private let name: String
  private let state: State

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: A path, or a name that is searched in PATH.
  ///   - environment: Variables in addition to those of this process.
  ///   - folder: The working directory.
  ///   - input: The standard input, a few lines that fit in the pipe.
  ///   - keepsInput: Whether the standard input stays open until `closeInput`.
  ///   - output: A file in place of the pipe that is read.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], folder: String? = nil,
    input: String = "", keepsInput: Bool = false, output file: FileHandle? = nil
  ) throws {
    name = ([program] + arguments).joined(separator: " ")
    let (given, output, errors) = (try Ends(), try Ends(), try Ends())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, given.reading, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, file?.fileDescriptor ?? output.writing, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, STDERR_FILENO)
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    // Another test's program must not keep a pipe of this one open.
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A thread of Dispatch blocks signals, and its children inherit that.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    // The program may end before it reads.
    _ = Array(input.utf8).withUnsafeBytes { write(given.writing, $0.baseAddress, $0.count) }
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
    var id: pid_t = 0
    let status = Self.withCStrings([program] + arguments) { arguments in
      Self.withCStrings(variables) { posix_spawnp(&id, program, &actions, &attributes, arguments, $0) }
    }
    close(given.reading)
    close(output.writing)
    close(errors.writing)
    guard status == 0 else {
      for end in [given.writing, output.reading, errors.reading] { close(end) }
      throw Failure(description: "\(program): \(String(cString: strerror(status)))")
    }
    self.id = id
    state = State(input: given.writing)
    if !keepsInput { state.closeInput() }
    state.read(output.reading, into: \.output)
    state.read(errors.reading, into: \.errors)
    state.awaitExit(of: id)
  }

  deinit { send(SIGKILL) }

  /// Runs a program to its end.
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], folder: String? = nil,
    input: String = ""
  ) throws -> Outcome {
    try Child(program, arguments, environment: environment, folder: folder, input: input).finish()
  }

  /// Runs a program that must end with status 0.
  @discardableResult public static func check(_ program: String, _ arguments: String...) throws -> Outcome {
    let outcome = try run(program, arguments)
    guard outcome.status == 0 else {
      throw Failure(description: "\(program) \(arguments) ended with \(outcome.status): \(outcome.errors)")
    }
    return outcome
  }

  public var isRunning: Bool { state.isRunning }

  public func send(_ signal: Int32) { state.send(signal, to: id) }

  public func closeInput() { state.closeInput() }

  /// Waits until the output so far is as wanted, and returns it. Throws an error that names `what`
  /// if the program ends before, or the limit is reached.
  @discardableResult public func output(
    _ what: String, within limit: Duration = Patience.long, _ isWanted: (String) -> Bool
  ) throws -> String {
    var text = ""
    let isSo = state.wait(within: limit) {
      text = String(decoding: $0.output, as: UTF8.self)
      return isWanted(text) || $0.isOver
    }
    guard isSo, isWanted(text) else { throw failure(isSo ? "ended without \(what)" : "gave no \(what) in \(limit)") }
    return text
  }

  /// Waits for the end. Aborts the program at the limit, and throws an error with its output.
  public func finish(within limit: Duration = Patience.long) throws -> Outcome {
    guard state.wait(within: limit, { $0.isOver }) else {
      if state.isRunning {
        // The program's own handler may print a stack.
        send(SIGABRT)
        _ = state.wait(within: .seconds(10)) { $0.isOver }
        send(SIGKILL)
      }
      throw failure("did not end in \(limit), or a child of it kept its output open")
    }
    return state.outcome
  }

  /// Kills the program, and waits for its end.
  @discardableResult public func finishByKilling() throws -> Outcome {
    send(SIGKILL)
    return try finish()
  }

  private func failure(_ reason: String) -> Failure {
    let outcome = state.outcome
    return Failure(
      description:
        "\(name) \(reason); its output: \(outcome.output.suffix(2000)); its errors: \(outcome.errors.suffix(8000))")
  }

  private struct Ends {
    let reading, writing: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Failure(description: String(cString: strerror(errno))) }
      (reading, writing) = (ends[0], ends[1])
    }
  }

  private static func withCStrings<T>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T) -> T {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

/// A program's output so far, and its end. The condition guards everything.
private final class State: @unchecked Sendable {
  struct Values {
    var output = Data()
    var errors = Data()
    var openStreams = 2
    var status: Int32?
    /// Whether the program has ended, and everything that it wrote was read.
    var isOver: Bool { status != nil && openStreams == 0 }
  }

  private let condition = NSCondition()
  private var values = Values()
  private var input: Int32?

  init(input: Int32) { self.input = input }

  deinit { closeInput() }

  private func locked<T>(_ body: () -> T) -> T {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }

  private func change(_ body: (inout Values) -> Void) {
    locked {
      body(&values)
      condition.broadcast()
    }
  }

  var isRunning: Bool { locked { values.status == nil } }

  var outcome: Child.Outcome {
    locked {
      .init(status: values.status ?? 0, bytes: values.output, errors: String(decoding: values.errors, as: UTF8.self))
    }
  }

  /// Returns false if the values are not as wanted at the limit.
  func wait(within limit: Duration, _ isWanted: (Values) -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: limit.seconds)
    return locked {
      while !isWanted(values) { if !condition.wait(until: end) { return isWanted(values) } }
      return true
    }
  }

  func closeInput() {
    locked {
      if let input { close(input) }
      input = nil
    }
  }

  func read(_ descriptor: Int32, into stream: WritableKeyPath<Values, Data> & Sendable) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        change { $0[keyPath: stream].append(contentsOf: buffer[..<count]) }
      }
      close(descriptor)
      change { $0.openStreams -= 1 }
    }
  }

  func awaitExit(of id: pid_t) {
    Thread.detachNewThread { [self] in
      var info = siginfo_t()
      while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      // The program keeps its number until this lock is held, so no signal reaches another one.
      change { values in
        var status: Int32 = 0
        guard waitpid(id, &status, 0) == id else {
          // The status is lost.
          values.status = .min
          return
        }
        let signal = status & 0x7F
        values.status = signal == 0 ? status >> 8 & 0xFF : -signal
      }
    }
  }

  func send(_ signal: Int32, to id: pid_t) { locked { if values.status == nil { kill(id, signal) } } }
}
