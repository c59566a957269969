import CProcess
import Foundation

/// What a process gives up before it reads a stranger's file.
///
///     let summary = try Confinement.ofDecoder(memoryLimit: 3 << 30)
///
/// Everything that a library opens on its way has to be open by then (`WarmUp`).
package enum Confinement {
  /// What holds of a confined process beside the filter and the limits, which always do.
  package struct Summary: Sendable {
    /// The kernel's version of Landlock; 0 where it has none, or refuses it.
    var landlock: Int
  }

  /// Takes from this process the file system, the network, other processes, and more memory than `memoryLimit` bytes of
  /// addresses. Throws where the kernel can't take it: such a process must not decode.
  static func ofDecoder(memoryLimit: Int) throws(ConfinementError) -> Summary {
    guard calotype_give_up_privileges() == 0 else { throw ConfinementError("privileges can't be given up") }
    // It leaves no memory behind.
    try setLimit(calotype_core_limit, 0)
    try setLimit(calotype_address_limit, memoryLimit)
    // It holds its socket, the standard ones, and one file at a time.
    try setLimit(calotype_descriptor_limit, 32)
    // It writes no file, not even one that it was handed.
    try setLimit(calotype_file_size_limit, 0)
    // Its parent ends it long before; this is for one whose parent is gone.
    try setLimit(calotype_processor_limit, secondsOfALife)
    let landlock = Self.restrictedByLandlock()
    try SystemCallFilter(allowing: SystemCalls.decoding).install()
    return Summary(landlock: landlock)
  }

  /// The version that holds from here on; 0 where there is none or it is refused: the filter of a decoder does without.
  private static func restrictedByLandlock() -> Int {
    guard let landlock = try? Landlock(), (try? landlock.restrict()) != nil else { return 0 }
    return landlock.version
  }

  private static let secondsOfALife = 3600

  /// Limits hold from here on: the ceiling comes down with the limit. A ceiling that is lower already stays.
  static func setLimit(_ resource: Int32, _ value: Int) throws(ConfinementError) {
    var limit = rlimit()
    guard prlimit(0, resource, nil, &limit) == 0 else { throw ConfinementError("a limit can't be read") }
    let ceiling = min(limit.rlim_max, rlim_t(value))
    limit = rlimit(rlim_cur: ceiling, rlim_max: ceiling)
    guard prlimit(0, resource, &limit, nil) == 0 else { throw ConfinementError("a limit can't be set") }
  }
}

extension Confinement.Summary: MessagePart {
  package static var blank: Self { Self(landlock: 0) }
  package mutating func code(with coder: inout MessageCoder) { coder.part(&landlock) }
}
