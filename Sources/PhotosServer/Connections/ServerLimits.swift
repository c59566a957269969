import Foundation
import NIOCore

/// The limits for clients: connections, time and memory.
struct ServerLimits: Sendable {
  /// The number of open connections. Further ones wait in the system's queue.
  var connections: Int
  /// The time in which a request must arrive. It starts with the connection or the end of the
  /// previous answer, and starts again with the request's head.
  var requestTime = TimeAmount.seconds(30)
  /// The time in which a client must accept a part of its answer.
  var writeTime = TimeAmount.seconds(60)
  /// The number of bytes that clients have not accepted yet, for all answers together.
  var bytesInFlight = 32 << 20
  var streams = EventStream.Times()
  /// The number of bytes of an upload that gives its request the same time again.
  var uploadProgress = 32 << 10
  /// The size in bytes that an upload may have.
  var largestUpload = PhotosServer.Configuration.standardLargestUpload
  /// The number of bytes that the uploads of a person, and those of all clients together, may have
  /// until they are imported.
  var unfinishedUploadBytes = 64_000_000_000
  /// The number of bytes that the uploads of one client may have, if `largestUpload` is not more.
  var unfinishedUploadBytesOfClient = 16_000_000_000
  /// The number of bytes that all copies for pages of other origins may have.
  var handedOverBytes = 16_000_000_000
  /// The number of these copies. Each has an open file.
  var handedOverFiles = 1000
  /// The number of uploads that wait for their import, of one person or client.
  var unfinishedUploadsOfAsker = 1000
  /// The number of uploads of all clients that wait for their import.
  var unfinishedUploads = 10_000
  /// The number of imported uploads of one person or client whose outcomes are kept. A request may
  /// import at most as many (`UploadRoutes.largestCount`).
  var finishedUploadsOfAsker = 1000
  /// The number of requests of one address or client that wait for an answer of the owner. Those of
  /// all strangers may have a quarter of the connections, and those of all clients another.
  var pollsOfSender = 8
  /// The number of requests of one person or client that send bytes of uploads at the same time.
  var uploadsAtOnce = 8
}

extension ServerLimits {
  /// Returns the limits for a process that may have this many open files.
  ///
  /// A connection needs two descriptors: its socket and the file that it sends. A copy for a page
  /// of another origin needs one. The rest is for the library and for decoders.
  init(descriptors: Int) {
    self.init(connections: 0)
    handedOverFiles = max(4, min(handedOverFiles, descriptors / 8))
    connections = max(16, min(1024, (descriptors - 256 - handedOverFiles) / 2))
  }

  /// Raises this process's limit of open files as far as possible, up to 8,192, and returns the
  /// limits for it.
  static func forCurrentProcess() -> ServerLimits {
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
