import CProcess
import Foundation

/// A worker process, seen from the program that started it.
///
///     let worker = try Worker(configuration)
///     switch worker.serve(call) { … }
///     worker.end()
///
/// A worker serves one request at a time, and belongs to one thread while it does.
package final class Worker {
  enum Outcome<Answer> {
    /// The worker can serve again.
    case answered(Answer)
    /// The process has ended or was killed.
    case ended(WorkerEnd)
  }

  let pid: pid_t
  private let socket: WorkerSocket
  /// The reading end of the process's standard error, which is read after its end.
  private let standardErrorPipe: Int32
  /// The number of requests that it has received.
  private(set) var requests = 0
  /// The number of files that it has received.
  private(set) var files = 0
  private(set) var idleSince: ContinuousClock.Instant
  /// The worker's processor time at the end of its latest request.
  private var restingProcessorSeconds: Double?
  private let executable: String
  private let memoryLimit: Int
  private let graceTime: Duration
  private var confinement: Confinement.Summary?
  /// Whether replies are copied out of its memory; false once the kernel has refused it.
  private(set) var readsMemory: Bool
  private var isReaped = false
  /// The status from `waitpid`.
  private var endStatus: Int32 = 0
  private var standardError = ""

  /// Starts the process without waiting for it. The kernel kills it when the calling thread ends.
  init(_ configuration: WorkerPool.Configuration) throws(WorkerEnd) {
    guard let (ours, theirs) = WorkerSocket.pair() else { throw WorkerEnd(.couldNotStart(errno)) }
    defer { theirs.close() }
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else {
      let code = errno
      ours.close()
      throw WorkerEnd(.couldNotStart(code))
    }
    defer { Glibc.close(ends[1]) }
    let kind = configuration.loadsDecoders ? [] : [WorkerProcess.headersOnly]
    let launch = Launch(
      program: configuration.executable,
      arguments: ["decode", "\(configuration.memoryLimit)"] + kind + configuration.arguments,
      descriptors: [2: ends[1], WorkerProcess.socketDescriptor: theirs.descriptor], environment: Self.environment)
    var pid = pid_t()
    let status = launch.start(&pid)
    guard status == 0 else {
      ours.close()
      Glibc.close(ends[0])
      throw WorkerEnd(.couldNotStart(status))
    }
    self.pid = pid
    socket = ours
    standardErrorPipe = ends[0]
    executable = configuration.executable
    memoryLimit = configuration.memoryLimit
    graceTime = configuration.graceTime
    idleSince = configuration.now()
    readsMemory = configuration.readsMemory
    // Sending to a worker that takes no requests fails after this time.
    var sendTimeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(socket.descriptor, SOL_SOCKET, SO_SNDTIMEO, &sendTimeout, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { end() }

  /// The search paths of libraries, without this process's other variables. Backtraces are off,
  /// because a crash would start a program for them.
  private static let environment: [String] =
    Launch.environment(["LD_LIBRARY_PATH", "LIBHEIF_PLUGIN_PATH"]) + [
      // LibRaw asks for the local time, and its zone would be read from a file.
      "LC_ALL=C.UTF-8", "TZ=UTC0", "SWIFT_BACKTRACE=enable=no",
    ]

  /// Kills the process and waits for its end. A worker has no data that would be lost.
  func end() {
    stop()
    if !isReaped { _ = reap() }
  }

  /// Kills the process without waiting: releasing its memory takes milliseconds.
  func stop() {
    guard !isReaped, reap(within: .zero) == nil else { return }
    kill(pid, SIGKILL)
  }

  /// The process's resident memory, shared pages included; nil if it can't be read.
  var residentByteCount: Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8) else { return nil }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
  }

  /// A limit that decoders don't reach: each decoding library starts about one thread for each
  /// processor.
  package static let threadLimit = max(128, 8 * ProcessInfo.processInfo.activeProcessorCount)

  /// Marks the worker as idle from this instant on.
  func rest(since instant: ContinuousClock.Instant) {
    idleSince = instant
    restingProcessorSeconds = ProcessClock(pid)?.seconds
  }

  /// Whether an idle worker uses the processor or has too many threads: a sign that a file has
  /// compromised it.
  var isActiveWhileIdle: Bool {
    guard let before = restingProcessorSeconds, let now = ProcessClock(pid)?.seconds else { return false }
    return now - before > Self.restingSecondLimit || hasTooManyThreads
  }

  /// Greater than zero, since libraries free their memory after the answer.
  private static let restingSecondLimit = 1.0

  fileprivate var hasTooManyThreads: Bool { Self.threadCount(of: pid) > Self.threadLimit }

  /// Returns 0 if the number can't be read.
  private static func threadCount(of pid: pid_t) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return 0 }
    // The fields after the program's name, which may contain any character.
    let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
    return fields.dropFirst(18).first.flatMap { Int($0) } ?? 0
  }

  // MARK: Serving

  /// The ratio between the limits of elapsed time and processor time. Another program may keep the
  /// machine busy.
  package static let clockFactor = 4.0
  /// The limit for the start. Loading libraries takes a tenth of a second on an idle machine.
  private static let startSeconds = 60.0

  /// Waits for the worker to report that its sandbox is in place. Returns the reason if it ends
  /// first, else nil.
  func waitUntilReady() -> WorkerEnd? {
    guard confinement == nil else { return nil }
    let watch = Watch(
      socket, self, seconds: Self.startSeconds, processorSeconds: Self.startSeconds, graceTime: graceTime)
    do {
      confinement = try WorkerSocket.decode(Confinement.Summary.self, from: socket.receiveHead(wait: watch.wait))
      return nil
    } catch {
      var end = ended(nil)
      end.cause = .neverReady(status: endStatus)
      return end
    }
  }

  func serve<Answer>(_ call: WorkerCall<Answer>) -> Outcome<Answer> {
    if let end = waitUntilReady() { return .ended(end) }
    let limit = call.limitInSeconds
    let watch = Watch(
      socket, self, seconds: call.elapsedLimitInSeconds, processorSeconds: limit + 0.5, graceTime: graceTime)
    requests += 1
    files += call.descriptors.count
    do {
      try socket.send(descriptors: call.descriptors, call.write)
      let buffer = ReceiveBuffer(expectedByteCount: call.expectedByteCount)
      let head = try socket.receiveHead(wait: watch.wait)
      var reply = ReplyReader(head.coded, payloadByteCount: head.payloadByteCount, into: buffer) { bytes, address in
        if let address, try self.takeMemory(bytes, from: address) { return }
        try self.socket.receive(into: bytes, wait: watch.wait)
      }
      return .answered(try call.read(&reply))
    } catch let excess as Watch.Excess {
      switch excess {
      case .time: return .ended(ended(.timeLimit(limit)))
      case .processorTime: return .ended(ended(.processorLimit(limit)))
      case .threads: return .ended(ended(.tooManyThreads(Self.threadLimit)))
      case .noDemand: return .ended(ended(.noDemand))
      }
    } catch let malformed as MalformedReply {
      return .ended(ended(.malformedReply(malformed.reason)))
    } catch {
      // The socket is closed: the worker has ended or is about to end.
      return .ended(ended(nil))
    }
  }

  /// Copies bytes out of the worker's memory, and tells the worker. Returns false if the worker has
  /// to send them.
  private func takeMemory(_ buffer: UnsafeMutableRawBufferPointer, from address: UInt64) throws -> Bool {
    var taken = 0
    while readsMemory, taken < buffer.count {
      let count = calotype_read_memory(
        pid, address &+ UInt64(taken), buffer.baseAddress.map { $0 + taken }, buffer.count - taken)
      guard count > 0 else {
        readsMemory = false
        break
      }
      taken += count
    }
    let isTaken = taken == buffer.count
    try withUnsafeBytes(of: (isTaken ? MemoryDelivery.taken : .wanted).rawValue, socket.send)
    return isTaken
  }

  // MARK: End of the process

  /// Waits for the process's end, or kills it if `cause` is known.
  private func ended(_ cause: WorkerEnd.Cause?) -> WorkerEnd {
    // Without a cause, the socket is closed: the worker has ended or is about to end.
    let status = reap(within: cause == nil ? .seconds(2) : .zero)
    if status == nil { kill(pid, SIGKILL) }
    var end = WorkerEnd(cause ?? .init(status: status ?? reap()), memoryLimit: memoryLimit)
    end.executable = executable
    end.standardError = standardError
    if end.ranOutOfMemory { end.isSystemOutOfMemory = SystemMemory.now.mayRefuse(memoryLimit) }
    return end
  }

  private func reap(within time: Duration) -> Int32? {
    let end = ContinuousClock.now + time
    while true {
      var status: Int32 = 0
      let found = waitpid(pid, &status, WNOHANG)
      // If a program ignores SIGCHLD, the kernel reaps its children. The process ID may then be
      // another process's.
      if found == pid || found < 0 && errno == ECHILD { return closed(found == pid ? status : Self.unknownStatus) }
      guard ContinuousClock.now < end else { return nil }
      usleep(1000)
    }
  }

  private func reap() -> Int32 {
    var status: Int32 = 0
    var found = waitpid(pid, &status, 0)
    while found < 0, errno == EINTR { found = waitpid(pid, &status, 0) }
    return closed(found == pid ? status : Self.unknownStatus)
  }

  /// The status `exit(255)`, for a program that ignores SIGCHLD: it does not learn the real status.
  private static let unknownStatus: Int32 = 255 << 8

  private func closed(_ status: Int32) -> Int32 {
    isReaped = true
    endStatus = status
    // The pipe holds 64 KB; further writes were refused.
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(standardErrorPipe, &bytes, bytes.count)
    standardError = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    Glibc.close(standardErrorPipe)
    socket.close()
    return status
  }
}

/// Checks a worker's limits while its reply is awaited.
private final class Watch {
  enum Excess: Error { case time, processorTime, threads, noDemand }

  private let socket: WorkerSocket
  private let worker: Worker
  private let start = ContinuousClock.now
  private let end: ContinuousClock.Instant
  private let processorEnd: Double?
  private let clock: ProcessClock?
  /// The time after which a worker without demand is ended.
  private let graceTime: Duration

  init(_ socket: WorkerSocket, _ worker: Worker, seconds: Double, processorSeconds: Double, graceTime: Duration) {
    self.socket = socket
    self.worker = worker
    self.graceTime = graceTime
    end = .now + .seconds(seconds)
    clock = ProcessClock(worker.pid)
    processorEnd = clock?.seconds.map { $0 + processorSeconds }
  }

  /// Waits until the socket is readable.
  func wait() throws {
    let tick: Int32 = 100
    while !socket.isReadable(within: tick) {
      if let processorEnd, let used = clock?.seconds, used > processorEnd { throw Excess.processorTime }
      guard !worker.hasTooManyThreads else { throw Excess.threads }
      guard ContinuousClock.now < end else { throw Excess.time }
      if start.duration(to: .now) > graceTime, WorkDemand.current == .none { throw Excess.noDemand }
    }
    guard ContinuousClock.now < end else { throw Excess.time }
  }
}

/// The processor time of all threads of another process.
private struct ProcessClock {
  private var clock = clockid_t()

  init?(_ pid: pid_t) { guard clock_getcpuclockid(pid, &clock) == 0 else { return nil } }

  var seconds: Double? {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return nil }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
