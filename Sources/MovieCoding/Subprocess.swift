import CProcess
import Foundation
import ImageCoding
import MediaMetadata
import Sandbox

/// A program that works in a process of its own, so that a movie that crashes a decoder does no
/// other harm.
///
/// The child gets a movie as descriptor 3, its standard streams, and no other descriptor of this
/// process. Its memory is limited, and it is killed at the deadline. This process always waits for
/// its end. If `calotype-worker` is available, that program starts the child without network and
/// without access to other files (`Launcher`).
struct Subprocess {
  static let inputPath = "/dev/fd/3"
  /// The number of bytes of standard error that are kept: its end contains the reason of a failure.
  private static let errorByteLimit = 64 << 10
  private static let framePipeSize: Int32 = 1 << 20

  var program: String
  var arguments: [String]
  var input: MediaFile
  /// The seconds without output after which the child is killed. `seconds` is the limit for the
  /// whole run.
  var idleSeconds: Double
  var seconds: Double
  /// The seconds of processor time after which the system kills the child. Other programs do not
  /// affect this measure.
  var processorSeconds: Double?
  var memoryLimit = 1 << 30
  /// The limit in bytes; more output is an error.
  var outputByteLimit: Int
  /// The descriptor of the child's standard input; nil for no input.
  var standardInput: Int32?
  /// Whether the result contains the output. A caller that handles the chunks may not need it.
  var keepsOutput = true
  /// Whether the output is frames. They get a larger pipe: with the usual 64 kB, a frame takes a
  /// hundred switches between the processes. Other output is read in small pieces, so that its
  /// receiver learns of each soon.
  var hasFrames = false
  /// Returns true while the child waits for its input. Its silence is then allowed.
  var isWaitingForInput: (@Sendable () -> Bool)?
  /// Called a few times a second. The child is killed if it returns true.
  var isCancelled: @Sendable () -> Bool = { Task.isCancelled }
  /// The time that a program gets to exit after it has closed its streams.
  var exitTime = Duration.seconds(5)
  /// The only file that the child may write. It is enforced if there is a launcher.
  var writtenFile: String?

  struct Result {
    var output: [UInt8]
    var errors: String
    var succeeded: Bool
  }

  /// Reads output without a copy: calls `read` with the buffer to fill, and returns the number of
  /// bytes. Returns nil if the output has to be passed on as a chunk.
  typealias DirectReader = (_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int?

  /// Runs the program to its end. `received` is called with each chunk of the output that
  /// `readDirectly` does not read.
  func run(
    _ received: ((ArraySlice<UInt8>) -> Void)? = nil, readingWith readDirectly: DirectReader? = nil
  ) throws(ImagingError) -> Result {
    var child = try start()
    defer { child.finish() }
    return try collect(&child, readDirectly, received)
  }

  private func start() throws(ImagingError) -> Child {
    guard let path = Launch.path(of: program) else {
      throw ImagingError(.missingProgram, input.name, reason: "\(program) is not installed")
    }
    let launcher: String?
    do { launcher = try WorkerPlace.launcher() } catch {
      throw ImagingError(.missingProgram, input.name, reason: error.reason)
    }
    var output: [Int32] = [-1, -1]
    var errors: [Int32] = [-1, -1]
    guard pipe2(&output, O_CLOEXEC) == 0 else { throw failure(errno) }
    guard pipe2(&errors, O_CLOEXEC) == 0 else {
      let reason = errno
      for end in output { close(end) }
      throw failure(reason)
    }
    defer {
      close(output[1])
      close(errors[1])
    }
    // If the system refuses, the pipe stays small.
    if hasFrames { _ = fcntl(output[1], calotype_pipe_size, Self.framePipeSize) }
    var pid = pid_t()
    let status = launch(path, launcher, output: output[1], errors: errors[1]).start(&pid)
    guard status == 0 else {
      close(output[0])
      close(errors[0])
      throw failure(status)
    }
    if launcher == nil { setLimits(of: pid) }
    return Child(pid: pid, output: output[0], errors: errors[0], exitTime: exitTime)
  }

  private var processorCeiling: Int? { processorSeconds.map { Int(max(1, $0.rounded(.up))) } }

  /// Sets the limits right after the start, if no launcher sets them. The little that the child
  /// does before needs no limit.
  private func setLimits(of pid: pid_t) {
    for (resource, value) in [(calotype_data_limit, memoryLimit), (calotype_processor_limit, processorCeiling)] {
      guard let value else { continue }
      var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
      _ = prlimit(pid, resource, &limit, nil)
    }
  }

  private func launch(_ path: String, _ launcher: String?, output: Int32, errors: Int32) -> Launch {
    // The variables that programs and libraries are found by, and no others of this process.
    var launch = Launch(
      program: path, arguments: arguments,
      descriptors: [1: output, 2: errors, Launcher.inputDescriptor: input.descriptor],
      environment: Launch.environment(["PATH", "LD_LIBRARY_PATH"]))
    launch.descriptors[0] = standardInput
    guard let launcher else { return launch }
    var options = Launcher.Options(parent: getpid(), memoryLimit: memoryLimit, processorSeconds: processorCeiling)
    if let writtenFile {
      // Only existing files can be allowed for writing. The mode is the usual one: accounts that
      // share a library share its movies.
      close(open(writtenFile, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666))
      options.written = [writtenFile]
    }
    launch.program = launcher
    launch.arguments = ["exec"] + options.words + ["--", path] + arguments
    return launch
  }

  private func collect(
    _ child: inout Child, _ readDirectly: DirectReader?, _ received: ((ArraySlice<UInt8>) -> Void)?
  ) throws(ImagingError) -> Result {
    let end = ContinuousClock.now + .seconds(seconds)
    var idleEnd = ContinuousClock.now + .seconds(idleSeconds)
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: hasFrames ? 1 << 18 : 1 << 16)
    while child.hasOpenStreams {
      let now = ContinuousClock.now
      if isWaitingForInput?() == true { idleEnd = now + .seconds(idleSeconds) }
      guard now < min(end, idleEnd) else {
        throw ImagingError(
          .tookTooLong, input.name, reason: "\(program) took more than \(now < end ? idleSeconds : seconds) s")
      }
      guard !isCancelled() else { throw ImagingError(.tookTooLong, input.name, reason: "\(program) was canceled") }
      for stream in child.waitForOutput(milliseconds: 200) {
        if stream == .output, let count = readDirectly?({ child.read(.output, into: $0) }) {
          if count > 0 { idleEnd = .now + .seconds(idleSeconds) }
          continue
        }
        let count = chunk.withUnsafeMutableBytes { child.read(stream, into: $0) }
        guard count > 0 else { continue }
        if stream == .errors {
          errors = Array((errors + chunk[..<count]).suffix(Self.errorByteLimit))
          continue
        }
        received?(chunk[..<count])
        // The deadline begins after the receiver has returned, because it may take long.
        idleEnd = .now + .seconds(idleSeconds)
        guard keepsOutput else { continue }
        output += chunk[..<count]
        guard output.count <= outputByteLimit else {
          throw ImagingError(.tooLarge, input.name, reason: "\(program) wrote more than \(outputByteLimit) bytes")
        }
      }
    }
    return Result(
      output: output, errors: String(decoding: errors, as: UTF8.self), succeeded: child.finish())
  }

  private func failure(_ code: Int32) -> ImagingError {
    ImagingError(.cannotRead, input.name, reason: "\(program): \(String(cString: strerror(code)))")
  }
}

/// A running program and the reading ends of its two pipes.
private struct Child {
  enum Stream { case output, errors }

  let pid: pid_t
  private var output: Int32
  private var errors: Int32
  private var status: Int32?
  private let exitTime: Duration

  init(pid: pid_t, output: Int32, errors: Int32, exitTime: Duration) {
    self.pid = pid
    self.exitTime = exitTime
    self.output = output
    self.errors = errors
  }

  var hasOpenStreams: Bool { output >= 0 || errors >= 0 }

  /// Returns the streams that have bytes to read or have ended.
  func waitForOutput(milliseconds: Int32) -> [Stream] {
    // A negative descriptor is ignored.
    var polled = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&polled, 2, milliseconds) > 0 else { return [] }
    return [(polled[0], Stream.output), (polled[1], Stream.errors)].filter { $0.0.revents != 0 }.map(\.1)
  }

  /// Returns the number of bytes read. Closes the stream at its end.
  mutating func read(_ stream: Stream, into bytes: UnsafeMutableRawBufferPointer) -> Int {
    let descriptor = stream == .output ? output : errors
    let count = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
    if count > 0 || count < 0 && (errno == EINTR || errno == EAGAIN) { return max(0, count) }
    close(descriptor)
    if stream == .output { output = -1 } else { errors = -1 }
    return 0
  }

  /// Waits for the program's end, and kills it if it still runs. Returns true if it succeeded.
  @discardableResult mutating func finish() -> Bool {
    if let status { return status == 0 }
    // If both streams have ended, the program is about to exit and gets some time. Otherwise its
    // result is not wanted.
    let end = ContinuousClock.now + (hasOpenStreams ? .zero : exitTime)
    for descriptor in [output, errors] where descriptor >= 0 { close(descriptor) }
    (output, errors) = (-1, -1)
    var result: Int32 = 0
    var hasExited = false
    while true {
      let found = waitpid(pid, &result, WNOHANG)
      // If this program ignores SIGCHLD, the kernel reaps its children. The process ID may then be
      // another process's.
      hasExited = found == pid || found < 0 && errno == ECHILD
      guard !hasExited, ContinuousClock.now < end else { break }
      usleep(1000)
    }
    if !hasExited {
      kill(-pid, SIGKILL)
      while waitpid(pid, &result, 0) < 0, errno == EINTR {}
    }
    status = result
    return result == 0
  }
}
