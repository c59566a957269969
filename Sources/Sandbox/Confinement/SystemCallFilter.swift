import CProcess
import Foundation

/// An allow-list or a deny-list of system calls for this process: a seccomp filter.
///
///     try SystemCallFilter(allowing: SystemCalls.decoding).install()
///
/// - A refused call fails with EPERM, and the process is not killed. The harmless calls that
///   decoders try (the number of processors, a search for plug-ins) change with each version of a
///   library, and all libraries tolerate a refusal. An attacker gains nothing by repeating a call.
/// - A call by another architecture's numbers kills the process.
/// - The filter applies to all threads and can't be removed.
struct SystemCallFilter {
  /// A condition on one argument of a call.
  struct Argument {
    enum Test {
      /// Compares all 64 bits.
      case equals(UInt64)
      case differs(UInt64)
      /// Compares the lower 32 bits, which are all that the kernel uses of an `int` argument.
      case equalsInt(UInt32)
      /// True if all of these bits are set; `lacksBits` is the opposite.
      case hasBits(UInt32)
      case lacksBits(UInt32)
    }

    var index: Int
    var test: Test
  }

  enum Rule {
    case always(Int32)
    case when(Int32, [Argument])
    /// Refuses the call with ENOSYS, so that the caller falls back to an older one.
    case missing(Int32)
  }

  private var rules: [Rule]
  /// Whether calls without a rule are allowed.
  private var allowsOtherCalls: Bool

  /// Creates a filter that refuses all other calls.
  init(allowing rules: [Rule]) {
    self.rules = rules
    allowsOtherCalls = false
  }

  /// Creates a filter that allows all other calls.
  init(refusing rules: [Rule]) {
    self.rules = rules
    allowsOtherCalls = true
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

  // MARK: Program

  // The offsets in the kernel's `seccomp_data`.
  private static let numberOffset: UInt32 = 0
  private static let architectureOffset: UInt32 = 4
  private static func argumentOffset(_ index: Int) -> UInt32 { 16 + 8 * UInt32(index) }
  /// The first number of x86-64's 32-bit variant (x32).
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
    let named = allowsOtherCalls ? Self.refuse : Self.allow
    for rule in rules {
      switch rule {
      case .always(let call): code += [skip(unlessEqual: UInt32(call), 1), answer(named)]
      case .missing(let call): code += [skip(unlessEqual: UInt32(call), 1), answer(Self.missing)]
      case .when(let call, let arguments):
        var tests = [answer(named)]
        for argument in arguments.reversed() { tests = test(argument, orSkip: tests.count) + tests }
        // Loads the call's number again for the next rule.
        code += [skip(unlessEqual: UInt32(call), UInt8(tests.count + 1))] + tests + [load(Self.numberOffset)]
      }
    }
    return code + [answer(allowsOtherCalls ? Self.allow : Self.refuse)]
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

/// The reason why a process could not be confined. It then reads no file.
struct ConfinementError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
