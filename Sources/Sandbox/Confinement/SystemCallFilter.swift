import CProcess
import Foundation

/// Which of the kernel's services a process may still ask for: a seccomp filter.
///
///     try SystemCallFilter(allowing: SystemCalls.decoding).install()
///
/// - A refused call answers EPERM. It does not kill: which harmless calls a decoder tries (the number of processors, a place to
///   look for plug-ins) changes with each version of each library, and all of them bear a refusal. Whoever has taken the process
///   over gains nothing by asking again.
/// - A call by another architecture's numbers kills.
/// - It holds for all threads, and cannot be taken back.
struct SystemCallFilter {
  /// What a call's argument must be.
  struct Argument {
    enum Test {
      /// All 64 bits.
      case equals(UInt64)
      case differs(UInt64)
      /// The lower half, which is all that the kernel looks at where the argument is an `int`.
      case equalsInt(UInt32)
      /// All of them, or not all.
      case hasBits(UInt32)
      case lacksBits(UInt32)
    }

    var index: Int
    var test: Test
  }

  enum Rule {
    case always(Int32)
    case when(Int32, [Argument])
    /// Answers that the kernel has no such call, so that the caller takes an older one.
    case missing(Int32)
  }

  private var rules: [Rule]
  /// What becomes of calls that no rule names.
  private var isOpen: Bool

  /// Refuses all other calls.
  init(allowing rules: [Rule]) {
    self.rules = rules
    isOpen = false
  }

  /// Allows all other calls; `rules` are those that are refused where they apply.
  init(refusing rules: [Rule]) {
    self.rules = rules
    isOpen = true
  }

  func install() throws(ConfinementError) {
    guard calotype_architecture() != 0 else {
      throw ConfinementError("no system call filter is known for this processor")
    }
    var code = program
    let status = code.withUnsafeMutableBufferPointer { code in
      var program = sock_fprog(len: UInt16(code.count), filter: code.baseAddress)
      return calotype_install_filter(&program)
    }
    guard status == 0 else {
      throw ConfinementError("the kernel takes no system call filter: \(String(cString: strerror(errno)))")
    }
  }

  // MARK: The program

  // Where `seccomp_data` has its parts.
  private static let numberOffset: UInt32 = 0
  private static let architectureOffset: UInt32 = 4
  private static func argumentOffset(_ index: Int) -> UInt32 { 16 + 8 * UInt32(index) }
  /// From here on are the numbers of x86-64's 32-bit variant.
  private static let x32Numbers: UInt32 = 0x4000_0000

  private static let allow = UInt32(SECCOMP_RET_ALLOW)
  private static let refuse = UInt32(SECCOMP_RET_ERRNO) | UInt32(EPERM)
  private static let missing = UInt32(SECCOMP_RET_ERRNO) | UInt32(ENOSYS)
  private static let kill: UInt32 = 0x8000_0000  // SECCOMP_RET_KILL_PROCESS

  var program: [sock_filter] {
    var code = [
      load(Self.architectureOffset), skip(ifEqual: calotype_architecture(), 1), answer(Self.kill),
      load(Self.numberOffset), skip(ifBelow: Self.x32Numbers, 1), answer(Self.kill),
    ]
    let named = isOpen ? Self.refuse : Self.allow
    for rule in rules {
      switch rule {
      case .always(let call): code += [skip(unlessEqual: UInt32(call), 1), answer(named)]
      case .missing(let call): code += [skip(unlessEqual: UInt32(call), 1), answer(Self.missing)]
      case .when(let call, let arguments):
        var tests = [answer(named)]
        for argument in arguments.reversed() { tests = test(argument, orSkip: tests.count) + tests }
        // The accumulator holds the number again for the next rule.
        code += [skip(unlessEqual: UInt32(call), UInt8(tests.count + 1))] + tests + [load(Self.numberOffset)]
      }
    }
    return code + [answer(isOpen ? Self.allow : Self.refuse)]
  }

  private func test(_ argument: Argument, orSkip count: Int) -> [sock_filter] {
    let low = Self.argumentOffset(argument.index)
    switch argument.test {
    case .equals(let value):
      return [
        load(low), skip(unlessEqual: UInt32(truncatingIfNeeded: value), UInt8(count + 2)),
        load(low + 4), skip(unlessEqual: UInt32(value >> 32), UInt8(count)),
      ]
    case .differs(let value):
      return [
        load(low), skip(unlessEqual: UInt32(truncatingIfNeeded: value), 2),
        load(low + 4), skip(ifEqual: UInt32(value >> 32), UInt8(count)),
      ]
    case .equalsInt(let value): return [load(low), skip(unlessEqual: value, UInt8(count))]
    case .lacksBits(let bits):
      return [
        load(low), instruction(BPF_ALU | BPF_AND | BPF_K, bits), skip(ifEqual: bits, UInt8(count)),
      ]
    case .hasBits(let bits):
      return [
        load(low), instruction(BPF_ALU | BPF_AND | BPF_K, bits), skip(unlessEqual: bits, UInt8(count)),
      ]
    }
  }

  private func load(_ offset: UInt32) -> sock_filter { instruction(BPF_LD | BPF_W | BPF_ABS, offset) }
  private func answer(_ value: UInt32) -> sock_filter { instruction(BPF_RET | BPF_K, value) }

  private func skip(ifEqual value: UInt32, _ count: UInt8) -> sock_filter {
    instruction(BPF_JMP | BPF_JEQ | BPF_K, value, ifTrue: count)
  }

  private func skip(unlessEqual value: UInt32, _ count: UInt8) -> sock_filter {
    instruction(BPF_JMP | BPF_JEQ | BPF_K, value, ifFalse: count)
  }

  private func skip(ifBelow value: UInt32, _ count: UInt8) -> sock_filter {
    instruction(BPF_JMP | BPF_JGE | BPF_K, value, ifFalse: count)
  }

  private func instruction(_ code: Int32, _ value: UInt32, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0) -> sock_filter {
    sock_filter(code: UInt16(code), jt: ifTrue, jf: ifFalse, k: value)
  }
}

/// Why a process could not give up what it must give up; it then reads no file.
struct ConfinementError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
