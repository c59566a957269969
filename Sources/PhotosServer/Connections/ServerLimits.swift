import Foundation
import NIOCore

/// The limits for clients: connections, time and memory.
struct ServerLimits: Sendable {
  /// Connections that are open at the same time; others wait in the system's queue.
  var connections: Int
  /// The time in which a request has to arrive whole, counted from the answer before it or from its own head.
  var requestTime = TimeAmount.seconds(30)
  /// The time in which a client has to take a part of what is sent to it.
  var writeTime = TimeAmount.seconds(60)
  /// The number of bytes in memory that clients have not taken yet, for all answers together.
  var bytesInFlight = 32 << 20
}

extension ServerLimits {
  /// Returns the limits for a process that may have so many files open.
  ///
  /// A connection needs two: one for itself and one for the file that it sends. The rest is for the
  /// library and for decoders.
  init(descriptors: Int) {
    self.init(connections: max(16, min(1024, (descriptors - 256) / 2)))
  }

  /// Raises this process's limit of open files as far as possible, and returns the limits that
  /// follow from it.
  static func ofThisProcess() -> ServerLimits {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return ServerLimits(descriptors: 0) }
    let wanted = min(limit.rlim_max, 8192)
    if limit.rlim_cur < wanted {
      var raised = rlimit(rlim_cur: wanted, rlim_max: limit.rlim_max)
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return ServerLimits(descriptors: Int(clamping: limit.rlim_cur))
  }
}
