import Foundation

/// How much memory the kernel can still promise.
///
///     SystemMemory.now.mayRefuse(3 << 30)
///
/// Most systems promise more than they have (`vm.overcommit_memory` 0 or 1): there a process that may have its memory is not refused
/// it, but killed later. One that counts what it promises (2) refuses.
struct SystemMemory {
  /// Bytes; `nil` where they aren't counted.
  private var promisable: Int?

  init(mode: String, facts: String) {
    guard mode.trimmingCharacters(in: .whitespacesAndNewlines) == "2" else { return }
    func bytes(_ name: String) -> Int? {
      let line = facts.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }
    guard let limit = bytes("CommitLimit"), let promised = bytes("Committed_AS") else { return }
    promisable = max(0, limit - promised)
  }

  static var now: SystemMemory {
    func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    return SystemMemory(mode: text("/proc/sys/vm/overcommit_memory"), facts: text("/proc/meminfo"))
  }

  /// Whether a process that may have so many bytes can have been refused them.
  func mayRefuse(_ byteCount: Int) -> Bool { promisable.map { $0 < byteCount } ?? false }
}
