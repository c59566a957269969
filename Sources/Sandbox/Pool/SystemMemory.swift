import Foundation

/// The amount of memory that the kernel can still promise to processes.
///
///     SystemMemory.now.mayRefuse(3 << 30)
///
/// Most systems promise more memory than they have (`vm.overcommit_memory` 0 or 1). They don't
/// refuse memory within a process's limit, but may kill the process later. A system with strict
/// accounting (2) refuses it.
struct SystemMemory {
  /// Bytes; nil if the system doesn't count them.
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

  /// Returns true if the system may have refused memory to a process with this limit in bytes.
  func mayRefuse(_ byteCount: Int) -> Bool { promisable.map { $0 < byteCount } ?? false }
}
