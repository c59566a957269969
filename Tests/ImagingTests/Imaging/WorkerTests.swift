import CProcess
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import Sandbox

/// Tests workers. Each test starts its own.
@Suite struct WorkerTests {
  @Test func aWorkerCanReachNothingButItsFile() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let attempts: [Misbehave] = [
      .openFile("/etc/passwd"), .openFile("/proc/self/exe"), .listFolder("/"), .makeSocket, .fork,
      .execute("/bin/true"),
      .trace, .signalParent, .raiseLimits, .makeMemoryFile, .writeIntoTheFile,
    ]
    for attempt in attempts {
      #expect(try pool.outcome(of: attempt) == "Operation not permitted", "\(attempt)")
    }
    #expect(pool.latestEnds.isEmpty)
  }

  @Test func aWorkerOfAnotherVersionIsNamed() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let file = try MediaFile(data: Data("a file".utf8), name: "a.jpg")
    let call = WorkerCall<Void>(
      descriptors: [file.descriptor], limitInSeconds: 10, isBrief: true, expectedByteCount: 0,
      write: { coder in
        var head = RequestHead(ReadMetadata.self, [file])
        head.layout ^= 1
        coder.put(head)
        coder.put(ReadMetadata(machineTimeZone: .gmt))
      }, read: { _ in })
    let end = try #require(#expect(throws: WorkerEnd.self) { try pool.answer(to: call) })
    let worker = pool.configuration.executable
    #expect(end.reason == "the worker \(worker) is of another version than this program; install both together")
    #expect(ImagingError(end, "a.jpg").code == .missingProgram)
  }

  /// Tests an original, and a file in memory.
  @Test func aWorkerCannotWriteToItsFileEvenWhereItMayWrite() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let folder = try TemporaryFolder()
    let original = try folder.file(Data("an original".utf8))
    #expect(try pool.outcome(of: .writeToTheFile, on: original) == "Bad file descriptor")
    let inMemory = try MediaFile(data: Data("a stranger's file".utf8), name: "strange.jpg")
    #expect(pwrite(inMemory.descriptor, "x", 1, 0) < 0 && errno == EPERM)
    // No caller opens a file for writing. Even then, the limit of file sizes ends a worker that
    // writes.
    let path = folder.url.appendingPathComponent("open").path
    try Data("an original".utf8).write(to: URL(fileURLWithPath: path))
    let writable = MediaFile(descriptor: open(path, O_RDWR), name: "open", byteCount: 11, modificationDate: Date())
    let error = #expect(throws: ImagingError.self) { try pool.outcome(of: .writeToTheFile, on: writable) }
    #expect(error?.reason == "the decoder crashed (SIGXFSZ)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "an original")
  }

  @Test func pixelsComeOverTheSocketWhereMemoryCannotBeRead() throws {
    let pool = try TestWorkers.pool { $0.readsMemory = false }
    defer { pool.end() }
    let file = try MediaFile(data: encode(Sample.quadrants(400, 300), as: "public.jpeg", quality: 90), name: "a.jpg")
    func decoded(_ place: WorkerPlace) throws -> PixelBuffer {
      try WorkerPool.$place.withValue(place) { try decodePicture(of: file, metadata: MediaMetadata(of: file)) }
    }
    let (there, here) = (try decoded(.workers(pool)), try decoded(.inProcess))
    #expect(there == here && there.width == 400)
    #expect(pool.latestEnds.isEmpty)
  }

  /// The content of the stack must not matter, because the kernel reads an argument on it as eight
  /// bytes.
  @Test func pixelsComeOutOfTheMemoryOfAWorker() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let file = try MediaFile(data: encode(Sample.quadrants(400, 300), as: "public.jpeg", quality: 90), name: "a.jpg")
    let metadata = try MediaMetadata(of: file)
    for depth in 0..<20 {
      #expect(Self.filledStack(depth: depth) > 0)
      let picture = try WorkerPool.$place.withValue(.workers(pool)) { try decodePicture(of: file, metadata: metadata) }
      #expect(picture.width == 400)
    }
    #expect(pool.idleReadMemory == [true])
  }

  /// Fills the stack with ones. More than 1024 bytes at a time would be allocated on the heap.
  @inline(never) private static func filledStack(depth: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { bytes in
      bytes.initializeMemory(as: UInt8.self, repeating: 0xFF)
      return Int(bytes[depth]) + (depth > 0 ? filledStack(depth: depth - 1) : 0)
    }
  }

  /// A picture of eight million pixels or more is encoded by several threads.
  @Test(arguments: [
    ("public.heic", 4000, 2000, 1), ("public.tiff", 4000, 2000, 1), ("public.tiff", 4000, 1999, 1),
    ("public.png", 4000, 2000, 6), ("org.webmproject.webp", 4000, 2000, 1),
  ])
  func `a worker makes the full picture that this process makes`(
    type: String, width: Int, height: Int, orientation: Int
  ) throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let file = try TemporaryFolder().file(encode(Sample.quadrants(width, height), as: type, quality: 90))
    let metadata = Sample.metadata(type, orientation: orientation)
    let limits = DecodingLimits(pixels: DecodingLimits.standard.pixels, seconds: 60)
    func full(_ place: WorkerPlace) throws -> Rendition {
      try WorkerPool.$place.withValue(place) {
        try makeRenditions(of: file, metadata: metadata, kinds: [.full], limits: limits).rendition(.full)
      }
    }
    let (there, here) = (try full(.workers(pool)), try full(.inProcess))
    let isTurned = orientation == 6
    #expect(there.size == PixelSize(width: isTurned ? height : width, height: isTurned ? width : height))
    #expect(there.data == here.data)
    #expect(pool.latestEnds.isEmpty)
  }

  @Test func librariesForDocumentsAreNotLoaded() throws {
    #expect(VipsLibrary.failure == nil)
    let maps = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
    let loaded = String(decoding: try maps.readToEnd() ?? Data(), as: UTF8.self)
    #expect(loaded.contains("libvips.so") && loaded.contains("libjxl.so"))
    for library in ["libpoppler", "libopenslide", "libMagickCore"] { #expect(!loaded.contains(library), "\(library)") }
  }

  @Test(arguments: [true, false])
  func `a worker for headers loads no decoder`(loadsDecoders: Bool) throws {
    let pool = try TestWorkers.pool { $0.loadsDecoders = loadsDecoders }
    defer { pool.end() }
    let jpeg = try encode(Sample.quadrants(40, 30), as: "public.jpeg", quality: 90)
    let file = try MediaFile(data: jpeg, name: "a.jpg")
    let metadata = try WorkerPool.$place.withValue(.workers(pool)) { try MediaMetadata(of: file) }
    #expect(metadata.pixelWidth == 40)
    let worker = try #require(pool.idleProcesses.first)
    let maps = try #require(FileHandle(forReadingAtPath: "/proc/\(worker)/maps"))
    let loaded = String(decoding: try maps.readToEnd() ?? Data(), as: UTF8.self)
    #expect(loaded.contains("libvips.so") == loadsDecoders)
  }

  @Test func `headers and pictures are read by different workers`() throws {
    let file = try MediaFile(data: Data("a file".utf8), name: "a.jpg")
    let pools = try [ReadMetadata.blank.usesDecoder, ReadThumbnail.blank.usesDecoder].map {
      try #require(try Workers.pool(reading: file, usesDecoder: $0))
    }
    #expect(pools.map(\.configuration.loadsDecoders) == [false, true])
  }

  @Test func `memory for a picture is what its headers promise`() throws {
    var metadata = Sample.metadata("public.jpeg")
    (metadata.pixelWidth, metadata.pixelHeight) = (1200, 1000)
    let file = try MediaFile(data: Data(count: 100_000), name: "a.jpg")
    let tiny = try MediaFile(data: Data(count: 9), name: "a.jpg")
    let part = PictureRequest(.fitting(width: 600, height: 500), isExact: true)
    let few = DecodingLimits(pixels: 1_100_000, seconds: 9)
    let requests: [(any Endpoint, MediaFile, Int)] = [
      (DecodeInOwnColors(metadata: metadata, limits: .standard), file, 3_600_000),
      (MakePicture(metadata: metadata, request: PictureRequest(.whole), limits: .standard), file, 3_600_000),
      (MakePicture(metadata: metadata, request: part, limits: .standard), file, 900_000),
      (ReadMetadata(machineTimeZone: .gmt), file, 0),
      (DecodeInOwnColors(metadata: metadata, limits: few), file, 0),
      (DecodeInOwnColors(metadata: metadata, limits: .standard), tiny, 0),
    ]
    for (request, file, byteCount) in requests {
      #expect(request.expectedByteCount(on: file) == byteCount, "\(request)")
    }
  }

  /// Small buffers are not worth allocating in advance.
  @Test(arguments: [(3_600_000, 3_600_000), (900_000, 0), (0, 0)])
  func `a receive buffer gives as many bytes as it is asked for`(expected: Int, provided: Int) {
    #expect(ReceiveBuffer(expectedByteCount: expected).byteCount == provided)
    for asked in [3_600_000, 4_800_000, 12] {
      var buffer = ReceiveBuffer(expectedByteCount: expected)
      #expect(buffer.take(byteCount: asked).count == asked)
    }
  }

  /// The signals come more often than a waiting thread looks at the limits.
  @Test func signalsDoNotMakeAnybodyWaitForLonger() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    #expect(pool.probe() == nil)
    var action = sigaction()
    var former = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    // An interrupted read is restarted, as most programs configure it.
    action.sa_flags = SA_RESTART
    sigaction(SIGUSR2, &action, &former)
    defer { sigaction(SIGUSR2, &former, nil) }
    let gate = try WorkerGate()
    let waiting = pthread_self()
    let hasEnded = Mutex(false)
    let interruptions = ThreadedCall {
      try eventually("the end of a request during signals") {
        pthread_kill(waiting, SIGUSR2)
        return hasEnded.withLock(\.self)
      }
    }
    let error = #expect(throws: ImagingError.self) {
      try pool.outcome(of: .awaitPeer, on: gate.file, elapsedLimitInSeconds: 0.5)
    }
    hasEnded.withLock { $0 = true }
    try interruptions.value("the end of the signals", within: Patience.long * 2)
    #expect(error?.code == .tookTooLong)
  }

  @Test func aCrashIsTheFilesErrorAndItsSignalIsNamed() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let error = #expect(throws: ImagingError.self) { try pool.outcome(of: .crash) }
    #expect(error == ImagingError(.crashed, "strange.jpg", reason: "the decoder crashed (SIGSEGV)"))
    #expect(try pool.outcome(of: .makeSocket) == "Operation not permitted")
  }

  @Test func aTrapOfSwiftSaysItsMessage() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let error = #expect(throws: ImagingError.self) { try pool.outcome(of: .trap) }
    #expect(error?.code == .crashed)
    #expect(error?.reason.contains("a precondition failed") == true, "\(error?.reason ?? "")")
  }

  @Test func moreMemoryThanAWorkerMayHaveIsTooLarge() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let error = #expect(throws: ImagingError.self) { try pool.outcome(of: .allocate(bytes: 8 << 30)) }
    #expect(
      error == ImagingError(.tooLarge, "strange.jpg", reason: "the decoder needed more memory than 3072 MB"))
  }

  @Test func aLoopIsEndedByItsProcessorTime() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let error = #expect(throws: ImagingError.self) { try pool.outcome(of: .loopForEver) }
    #expect(error == ImagingError(.tooLarge, "strange.jpg", reason: "took more than 1 s of processor time"))
  }

  @Test func aWorkerWhoseAnswerNobodyWaitsForIsEnded() throws {
    let pool = try TestWorkers.pool { $0.graceTime = .zero }
    defer { pool.end() }
    #expect(pool.probe() == nil)
    let gate = try WorkerGate()
    let error = #expect(throws: ImagingError.self) {
      try WorkDemand.following({ .none }, { try pool.outcome(of: .awaitPeer, on: gate.file) })
    }
    #expect(error == ImagingError(.tookTooLong, "strange.jpg", reason: "its result was no longer wanted"))
  }

  @Test func `work that is quicker than a new worker's start is done though nobody wants it`() throws {
    let pool = try TestWorkers.pool { $0.graceTime = .seconds(600) }
    defer { pool.end() }
    #expect(pool.probe() == nil)
    _ = try WorkDemand.following({ .none }, { try pool.outcome(of: .makeSocket) })
    #expect(pool.latestEnds.isEmpty)
  }

  @Test func aWorkerThatSleepsIsEndedByTheClock() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let gate = try WorkerGate()
    let error = #expect(throws: ImagingError.self) {
      try pool.outcome(of: .awaitPeer, on: gate.file, elapsedLimitInSeconds: 0.3)
    }
    #expect(error == ImagingError(.tookTooLong, "strange.jpg", reason: "took more than 1 s"))
  }

  @Test func `the limit of elapsed time is longer than that of processor time`() {
    let call = Misbehave.crash.call(on: MediaFile(descriptor: -1, name: "", byteCount: 0, modificationDate: .now))
    #expect(call.limitInSeconds == 1 && call.elapsedLimitInSeconds == 5)
  }

  @Test func aWorkerKilledBySomebodyElseIsReplacedAndAskedAgain() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    #expect(pool.probe() == nil)
    let pid = try #require(pool.idleProcesses.first)
    let gate = try WorkerGate()
    let outcome = ThreadedCall { [file = gate.file] in try pool.outcome(of: .awaitPeer, on: file) }
    try gate.waitUntilReached()
    kill(pid, SIGKILL)
    try gate.waitUntilReached()
    gate.open()
    #expect(try outcome.value("the answer of the second worker") == "done")
    #expect(pool.latestEnds.count == 1)
    #expect(!TestWorkers.isAlive(pid))
  }

  @Test(arguments: [(SIGKILL, "SIGKILL"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP"), (SIGINT, "SIGINT")])
  func aWorkerThatTheSystemEndsSaysNothingOfItsFile(_ signal: Int32, _ name: String) {
    let death = WorkerEnd(.signal(signal))
    #expect(death.wasKilledByAnotherProcess)
    #expect(
      ImagingError(death, "a.jpg")
        == ImagingError(.tookTooLong, "a.jpg", reason: "the decoder was killed (\(name))"))
  }

  @Test func aCrashOfAWorkerThatServedOthersIsTriedOnceMore() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    _ = try pool.outcome(of: .makeSocket)
    #expect(throws: ImagingError.self) { try pool.outcome(of: .crash) }
    #expect(pool.latestEnds.count == 2)
    #expect(throws: ImagingError.self) { try pool.outcome(of: .crash) }
    #expect(pool.latestEnds.count == 3)
  }

  @Test(arguments: [0, 33])
  func `a message with no descriptor or too many is not sent`(count: Int32) throws {
    let byte: UInt8 = 0
    let descriptors = Array(repeating: Int32(-1), count: 33)
    let status = withUnsafeBytes(of: byte) {
      calotype_send_descriptors(-1, $0.baseAddress, 1, descriptors, count)
    }
    let code = errno
    #expect(status == -1)
    #expect(code == EINVAL)
  }

  @Test func aWorkerThatNobodyStartedForATestDoesNotMisbehave() throws {
    let pool = try TestWorkers.pool { $0.arguments = [] }
    defer { pool.end() }
    #expect(throws: ImagingError.self) { try pool.outcome(of: .makeSocket) }
  }

  @Test func aWorkerEndsAfterItsRequestsAndWhenItIsIdle() throws {
    // The pool's clock is a day behind, so that an instant of any other clock is never old.
    let clock = SteppedClock(behind: .seconds(86_400))
    let questions = Mutex(0)
    let pool = try TestWorkers.pool {
      $0.fileLimitPerWorker = 3
      // The pool looks at its idle workers four times as often.
      $0.idleSeconds = 0.1
      $0.now = {
        questions.withLock { $0 += 1 }
        return clock.now
      }
    }
    defer { pool.end() }
    var pids: Set<pid_t> = []
    for _ in 0..<5 {
      _ = try pool.outcome(of: .makeSocket)
      pids.formUnion(pool.idleProcesses)
    }
    #expect(pids.count == 2 && pids.filter(TestWorkers.isAlive) == Set(pool.idleProcesses))
    let before = questions.withLock(\.self)
    // The clock has not moved. When the second look begins, the first one has ended no worker.
    try eventually("two looks at the idle worker") { questions.withLock { $0 >= before + 2 } }
    #expect(pool.idleProcesses.count == 1)
    clock.advance(by: .seconds(1))
    try eventually("the end of the idle worker") { !pids.contains(where: TestWorkers.isAlive) }
    #expect(try pool.outcome(of: .makeSocket) == "Operation not permitted")
  }

  @Test func `a worker with more threads than decoders start is ended`() throws {
    let pool = try TestWorkers.pool { $0.graceTime = .zero }
    defer { pool.end() }
    let gate = try WorkerGate()
    let error = #expect(throws: ImagingError.self) {
      try pool.outcome(of: .startThreadsAndAwaitPeer(Worker.threadLimit + 10), on: gate.file)
    }
    #expect(error?.reason == "the decoder started more than \(Worker.threadLimit) threads")
    // The threads are counted before the demand is asked for. The first question may follow a count
    // from before the worker came to the gate.
    let other = try WorkerGate()
    var questionCount = 0
    let demand = { () -> WorkDemand in
      if other.isReached { questionCount += 1 }
      if questionCount == 2 { other.open() }
      return .seen
    }
    let outcome = try WorkDemand.following(demand) {
      try pool.outcome(of: .startThreadsAndAwaitPeer(8), on: other.file)
    }
    #expect(outcome == "done")
  }

  @Test(arguments: [Misbehave.workAfterTheAnswer, .startThreads(Worker.threadLimit + 10)])
  func `a worker that goes on after its answer is ended`(misbehavior: Misbehave) throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    #expect(pool.probe() == nil)
    let pid = try #require(pool.idleProcesses.first)
    #expect(try pool.outcome(of: misbehavior) == "done")
    try eventually("the end of the worker") { !TestWorkers.isAlive(pid) }
    #expect(pool.idleProcesses.isEmpty)
    #expect(try pool.outcome(of: .makeSocket) == "Operation not permitted")
  }

  @Test func aProgramThatIsNoWorkerDecodesNothing() throws {
    let pool = WorkerPool(WorkerPool.Configuration(executable: "/bin/false"))
    defer { pool.end() }
    #expect(pool.probe() != nil)
    let error = #expect(throws: ImagingError.self) {
      try ReadMetadata(machineTimeZone: .gmt).answer(on: MediaFile(data: Data([1]), name: "a.jpg"), in: pool)
    }
    #expect(error?.code == .cannotRead)
    let missing = WorkerPool(WorkerPool.Configuration(executable: "/no/such/worker"))
    defer { missing.end() }
    #expect(missing.probe() != nil)
  }

  @Test func `an allocation that the system refused is not the file's fault`() {
    let facts = "MemTotal: 4096 kB\nCommitLimit:    3000 kB\nCommitted_AS:    2000 kB\n"
    #expect(SystemMemory(mode: "2\n", facts: facts).mayRefuse(1001 << 10))
    #expect(!SystemMemory(mode: "2\n", facts: facts).mayRefuse(1000 << 10))
    #expect(!SystemMemory(mode: "0\n", facts: facts).mayRefuse(.max))
    #expect(!SystemMemory(mode: "2\n", facts: "").mayRefuse(.max))
    var death = WorkerEnd(.signal(SIGABRT), memoryLimit: 3 << 30)
    death.standardError = "terminate called after throwing an instance of 'std::bad_alloc'"
    #expect(ImagingError(death, "a.jpg").code == .tooLarge)
    death.isSystemOutOfMemory = true
    #expect(ImagingError(death, "a.jpg").code == .tookTooLong)
  }

  @Test func `permanent start failures are distinguished from temporary ones`() throws {
    func death(_ executable: String) throws -> WorkerEnd {
      let pool = WorkerPool(WorkerPool.Configuration(executable: executable))
      defer { pool.end() }
      return try #require(pool.probe())
    }
    #expect(try death("/no/such/worker").isPermanent)
    #expect(try death("/etc/passwd").isPermanent)
    #expect(try !death("/bin/false").isPermanent)
    #expect(WorkerEnd(.neverReady(status: WorkerProcess.cannotConfine << 8)).isPermanent)
    #expect(!WorkerEnd(.couldNotStart(EAGAIN)).isPermanent)
    #expect(!WorkerEnd(.neverReady(status: SIGKILL)).isPermanent)
  }

  /// Counts the descriptors of a process of its own, in which no other test opens any.
  @Test func noDescriptorIsLeftBehind() async {
    await #expect(processExitsWith: .success) {
      func usePool() throws {
        let pool = try TestWorkers.pool()
        for _ in 0..<50 { _ = try pool.outcome(of: .makeSocket) }
        for _ in 0..<3 { #expect(throws: ImagingError.self) { try pool.outcome(of: .crash) } }
        pool.end()
      }
      func expectNoMoreDescriptors(than count: Int) throws {
        // A thread of the pool may still read a file.
        try eventually("no more open descriptors than \(count)") { try TestWorkers.openDescriptors <= count }
      }
      // Descriptors that are opened once per process are open after the first time.
      try usePool()
      let before = try TestWorkers.openDescriptors
      try usePool()
      try expectNoMoreDescriptors(than: before)
    }
  }
}
