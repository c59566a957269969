import CProcess
import Foundation

/// A process that decodes, from the side of the program that started it.
///
///     let worker = try Worker(configuration)
///     switch worker.serve(request, file) { … }
///     worker.end()
///
/// Serves one request at a time, and belongs to one thread while it does. Whatever it answers is checked (`AnswerChecks`).
final class Worker {
  enum Outcome {
    /// The answer or what it says is wrong with the file; it can serve again.
    case answered(Result<WorkerAnswer, ImagingError>)
    /// It has ended or was ended, and must be thrown away.
    case died(WorkerDeath)
  }

  let pid: pid_t
  private let socket: WorkerSocket
  /// What it writes to standard error, of which nobody reads until it has died.
  private let complaints: Int32
  /// How many requests it has been given.
  private(set) var served = 0
  private(set) var idleSince = ContinuousClock.now
  /// The worker's processor time at the end of its latest request.
  private var restingProcessorSeconds: Double?
  private let memoryLimit: Int
  private var confinement: Confinement.Summary?
  /// Whether pixels are copied out of its memory; no longer where the kernel has refused it once.
  private(set) var readsMemory: Bool
  private var isReaped = false
  /// As `waitpid` told it.
  private var endStatus: Int32 = 0
  private var lastWords = ""

  /// Starts it, and does not wait for it. It ends with the thread that calls.
  init(_ configuration: WorkerPool.Configuration) throws(WorkerDeath) {
    guard let (ours, theirs) = WorkerSocket.pair() else { throw WorkerDeath(.couldNotStart(errno)) }
    defer { theirs.close() }
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else {
      let code = errno
      ours.close()
      throw WorkerDeath(.couldNotStart(code))
    }
    defer { Glibc.close(ends[1]) }
    let launch = Launch(
      program: configuration.executable,
      arguments: ["decode", "\(configuration.memoryLimit)"] + configuration.arguments,
      descriptors: [2: ends[1], Self.socketDescriptor: theirs.descriptor], environment: Self.environment)
    var pid = pid_t()
    let status = launch.start(&pid)
    guard status == 0 else {
      ours.close()
      Glibc.close(ends[0])
      throw WorkerDeath(.couldNotStart(status))
    }
    self.pid = pid
    socket = ours
    complaints = ends[0]
    memoryLimit = configuration.memoryLimit
    readsMemory = configuration.readsMemory
    // A worker that takes no requests is not waited for.
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(socket.descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { end() }

  /// Where a worker finds its socket.
  static let socketDescriptor: Int32 = 3

  /// Nothing that this process knows, but where libraries are; and no program that would look into a crash, which it may not start.
  private static let environment: [String] =
    Launch.environment(["LD_LIBRARY_PATH", "LIBHEIF_PLUGIN_PATH"]) + [
      // LibRaw asks for the local time, whose zone would be looked up in a file.
      "LC_ALL=C.UTF-8", "TZ=UTC0", "SWIFT_BACKTRACE=enable=no",
    ]

  /// Ends it and waits for its end; it holds nothing that would be lost.
  func end() {
    stop()
    if !isReaped { _ = reap() }
  }

  /// Its end begins; what it has mapped takes milliseconds to go.
  func stop() {
    guard !isReaped, reap(within: .zero) == nil else { return }
    kill(pid, SIGKILL)
  }

  /// Bytes of memory that are its own or shared with others; `nil` where that can't be told.
  var residentByteCount: Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8) else { return nil }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
  }

  /// Above any number that decoders start: each decoding library starts about one thread for each
  /// processor.
  static let threadLimit = max(128, 8 * ProcessInfo.processInfo.activeProcessorCount)

  /// Marks the worker as idle from now on.
  func rest() {
    idleSince = .now
    restingProcessorSeconds = ProcessClock(pid)?.seconds
  }

  /// Whether an idle worker uses the processor or has too many threads: a sign that a file has
  /// compromised it.
  var isRestless: Bool {
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

  /// How much longer than its processor time a request may take: a machine busy with other work is no fault of the file's.
  static let patience = 4.0
  /// Loading libraries takes a tenth of a second of an idle machine.
  private static let startSeconds = 60.0
  /// Waits until it has given up what it must give up; what it died of if it did not.
  func getReady() -> WorkerDeath? {
    guard confinement == nil else { return nil }
    let watch = Watch(socket, self, seconds: Self.startSeconds, processorSeconds: Self.startSeconds)
    do {
      confinement = try WorkerSocket.decode(Confinement.Summary.self, from: socket.receiveHead(wait: watch.wait))
      return nil
    } catch {
      var death = buried(nil)
      death.cause = .neverReady(status: endStatus)
      return death
    }
  }

  func serve(_ request: WorkerRequest, _ file: MediaFile) -> Outcome {
    if let death = getReady() { return .died(death) }
    let watch = Watch(
      socket, self, seconds: request.limits.seconds * Self.patience + 1, processorSeconds: request.limits.seconds + 0.5)
    served += 1
    do {
      try socket.send(WorkerJob(request, file), descriptor: file.descriptor)
      var room = PixelRoom(for: request, on: file)
      let head = try socket.receiveHead(wait: watch.wait)
      let reply = try WorkerSocket.decode(WorkerReply.self, from: head)
      return .answered(
        try reply.answer(to: request, on: file, payloadByteCount: head.payloadByteCount, in: &room) { buffer, address in
          if let address, try take(buffer, from: address) { return }
          try socket.receive(into: buffer, wait: watch.wait)
        })
    } catch let excess as Watch.Excess {
      switch excess {
      case .time: return .died(buried(.late(request.limits.seconds)))
      case .processorTime: return .died(buried(.usedUp(request.limits.seconds)))
      case .threads: return .died(buried(.crowded(Self.threadLimit)))
      case .noDemand: return .died(buried(.unwanted))
      }
    } catch WorkerSocket.Failure.malformed(let complaint) {
      return .died(buried(.lied(complaint)))
    } catch {
      // The socket is closed: it has ended or is about to.
      return .died(buried(nil))
    }
  }

  /// Copies pixels out of its memory, and says so; `false` where they have to be sent, and were asked for.
  private func take(_ buffer: UnsafeMutableRawBufferPointer, from address: UInt64) throws -> Bool {
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
    try withUnsafeBytes(of: (isTaken ? PixelDelivery.taken : .wanted).rawValue, socket.send)
    return isTaken
  }

  // MARK: Its end

  /// Ends it, if it has not ended by itself; `cause` is why, if it is known.
  private func buried(_ cause: WorkerDeath.Cause?) -> WorkerDeath {
    // Without a cause its socket is closed: it has ended, or is about to.
    let status = reap(within: cause == nil ? .seconds(2) : .zero)
    if status == nil { kill(pid, SIGKILL) }
    let end = status ?? reap()
    var death = WorkerDeath(cause ?? .init(status: end), memoryLimit: memoryLimit)
    death.complaint = lastWords
    if death.hasLackedMemory { death.isSystemShort = SystemMemory.now.mayRefuse(memoryLimit) }
    return death
  }

  private func reap(within time: Duration) -> Int32? {
    let end = ContinuousClock.now + time
    while true {
      var status: Int32 = 0
      let found = waitpid(pid, &status, WNOHANG)
      // Where a program ignores how its children end, one that has ended is gone, and its number may be another's.
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

  /// A program that doesn't want to know of its children isn't told how they end: as `exit(255)`.
  private static let unknownStatus: Int32 = 255 << 8

  private func closed(_ status: Int32) -> Int32 {
    isReaped = true
    endStatus = status
    // What the pipe holds: the rest was refused.
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(complaints, &bytes, bytes.count)
    lastWords = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    Glibc.close(complaints)
    socket.close()
    return status
  }
}

/// Looks at the clocks while a worker is waited for.
private final class Watch {
  enum Excess: Error { case time, processorTime, threads, noDemand }

  private let socket: WorkerSocket
  private let worker: Worker
  private let start = ContinuousClock.now
  private let end: ContinuousClock.Instant
  private let processorEnd: Double?
  private let clock: ProcessClock?

  init(_ socket: WorkerSocket, _ worker: Worker, seconds: Double, processorSeconds: Double) {
    self.socket = socket
    self.worker = worker
    end = .now + .seconds(seconds)
    clock = ProcessClock(worker.pid)
    processorEnd = clock?.seconds.map { $0 + processorSeconds }
  }

  /// Returns when there is something to be read.
  func wait() throws {
    let tick: Int32 = 100
    while !socket.isReadable(within: tick) {
      if let processorEnd, let used = clock?.seconds, used > processorEnd { throw Excess.processorTime }
      guard !worker.hasTooManyThreads else { throw Excess.threads }
      guard ContinuousClock.now < end else { throw Excess.time }
      if start.duration(to: .now) > DecodingDemand.patience, DecodingDemand.current == .none { throw Excess.noDemand }
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
