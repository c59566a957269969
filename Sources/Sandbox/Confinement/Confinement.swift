import CProcess
import Foundation

/// The restrictions of a worker process before it reads an untrusted file.
///
///     let summary = try Confinement.ofDecoder(memoryLimit: 3 << 30)
///
/// Every file that a library needs has to be open by then (`WarmUp`).
package enum Confinement {
  /// The restrictions that depend on the kernel. The filter and the limits always apply.
  package struct Summary: Sendable {
    /// The version of Landlock; 0 if the kernel has none or refuses it.
    var landlock: Int
  }

  /// Removes this process's access to files, the network and other processes, and limits its
  /// address space to `memoryLimit` bytes. Throws if the kernel can't do this; the process must
  /// then not decode.
  static func ofDecoder(memoryLimit: Int) throws(ConfinementError) -> Summary {
    guard calotype_give_up_privileges() == 0 else { throw ConfinementError("privileges can't be given up") }
    // Prevents core dumps.
    try setLimit(calotype_core_limit, 0)
    try setLimit(calotype_address_limit, memoryLimit)
    // The process needs its socket, the standard descriptors, and the files of one request.
    try setLimit(calotype_descriptor_limit, 32 + mostFilesOfRequest)
    // The process writes no file, not even one that it received.
    try setLimit(calotype_file_size_limit, 0)
    // The parent kills it long before; this limit is for a worker without a parent.
    try setLimit(calotype_processor_limit, processorSecondLimit)
    let landlock = Self.restrictedByLandlock()
    try SystemCallFilter(allowing: SystemCalls.decoding).install()
    return Summary(landlock: landlock)
  }

  /// Applies Landlock and returns its version; 0 if it is missing or refused. The filter is
  /// sufficient for a decoder.
  private static func restrictedByLandlock() -> Int {
    guard let landlock = try? Landlock(), (try? landlock.restrict()) != nil else { return 0 }
    return landlock.version
  }

  private static let processorSecondLimit = 3600

  /// Lowers a limit and its ceiling, so that it can't be raised again. A lower ceiling stays.
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
