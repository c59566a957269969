#if DEBUG
  import CProcess
  import Foundation
  import ImageCoding
  import MediaMetadata
  import Sandbox

  /// Imitates attacks of a compromised worker. Only workers that a test has started accept this
  /// request, and a release has none.
  enum Misbehave: Codable, Endpoint, Hashable {
    case openFile(String)
    case listFolder(String)
    case makeSocket
    case fork
    case execute(String)
    case trace
    case signalParent
    case raiseLimits
    case makeMemoryFile
    /// Writes with a call that decoders may make; `writeIntoTheFile` uses a forbidden one.
    case writeToTheFile
    case writeIntoTheFile
    case allocate(bytes: Int)
    case crash
    case trap
    case loopForEver
    /// Writes a byte to the file, which is a test's socket, and waits for one.
    case awaitPeer
    /// Starts threads that sleep.
    case startThreads(Int)
    /// Starts threads that sleep, and waits like `awaitPeer`.
    case startThreadsAndAwaitPeer(Int)
    case workAfterTheAnswer

    /// The limit is short, since some cases never end.
    var limits: DecodingLimits { DecodingLimits(pixels: 1, seconds: 1) }

    /// Returns `done`, or the system's error message.
    func perform(on file: MediaFile) -> String {
      switch self {
      case .openFile(let path): return outcome(open(path, O_RDONLY))
      case .listFolder(let path): return outcome(opendir(path) == nil ? -1 : 0)
      case .makeSocket: return outcome(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
      case .fork:
        var pid = pid_t()
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
        let status = posix_spawn(&pid, "/bin/true", nil, nil, words, nil)
        errno = status
        return outcome(status == 0 ? 0 : -1)
      case .execute(let path):
        let words: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
        return outcome(execv(path, words))
      case .trace: return outcome(Int32(calotype_trace_parent()))
      case .signalParent: return outcome(kill(getppid(), 0))
      case .raiseLimits:
        var limit = rlimit(rlim_cur: 1 << 40, rlim_max: 1 << 40)
        return outcome(prlimit(0, calotype_descriptor_limit, &limit, nil))
      case .makeMemoryFile: return outcome(memfd_create("x", 0))
      case .writeToTheFile: return outcome(write(file.descriptor, "x", 1) == 1 ? 0 : -1)
      case .writeIntoTheFile: return outcome(pwrite(file.descriptor, "x", 1, 0) == 1 ? 0 : -1)
      case .allocate(let bytes):
        let array = [UInt8](repeating: 1, count: bytes)
        return "done \(array.count)"
      case .crash:
        // Writes, because a read whose result is unused is optimized away.
        UnsafeMutablePointer<UInt8>(bitPattern: 16)?.pointee = 1
        return "alive"
      case .trap:
        fatalError("a precondition failed")
      case .loopForEver:
        // A loop without an effect is optimized away.
        let start = ContinuousClock.now
        while ContinuousClock.now >= start {}
        return "alive"
      case .awaitPeer:
        var byte: UInt8 = 0
        guard write(file.descriptor, &byte, 1) == 1 else { return outcome(-1) }
        // The peer may also close its end.
        return outcome(Int32(Glibc.read(file.descriptor, &byte, 1)))
      case .startThreads(let count):
        for _ in 0..<count { Self.startThread { while true { usleep(1_000_000) } } }
        return "done"
      case .startThreadsAndAwaitPeer(let count):
        _ = Misbehave.startThreads(count).perform(on: file)
        return Misbehave.awaitPeer.perform(on: file)
      case .workAfterTheAnswer:
        Self.startThread { _ = Misbehave.loopForEver.perform(on: file) }
        return "done"
      }
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) {
      let thread = Thread(block: body)
      thread.stackSize = 128 << 10
      thread.start()
    }

    private func outcome(_ status: Int32) -> String { status >= 0 ? "done" : String(cString: strerror(errno)) }

    func send(_ answer: String, with reply: ReplyWriter) throws { try reply.send(Reply.answer(answer)) }

    func read(_ outcome: String, _ reply: inout ReplyReader, on file: MediaFile) -> String { outcome }
  }

  extension Endpoint {
    /// Returns true for a test's file that ends with these letters. They crash its decoder, or also
    /// the reader of its headers.
    func isToCrash(on file: MediaFile) -> Bool {
      let ending = (try? file.read(5, at: file.byteCount - 5)).map { String(decoding: $0, as: UTF8.self) }
      switch self {
      case is MakeRenditions: return ending == "CRASH" || ending == "SMASH"
      case let read as ReadMetadata: return ending == "SMASH" && !read.readsOnlyTypeAndDate
      default: return false
      }
    }
  }

  extension Misbehave: MessagePart {
    static var blank: Misbehave { .crash }

    /// Codes the value as JSON, since there are many cases and only tests send them.
    mutating func code(with coder: inout MessageCoder) {
      var text = (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      coder.part(&text)
      guard coder.isReading else { return }
      if let read = try? JSONDecoder().decode(Misbehave.self, from: Data(text.utf8)) {
        self = read
      } else {
        coder.fail()
      }
    }
  }
#endif
