import Foundation
import Synchronization

/// Counts the unfinished uploads, and the bytes that they need when they are complete.
final class UploadSpace: Sendable {
  private let limits: ServerLimits
  private let state = Mutex(State())

  /// The bytes that one unfinished upload has reserved, and the sender that they count for.
  struct Part: Sendable {
    var byteCount: Int
    var asker: String
  }

  fileprivate struct Sum {
    var count = 0
    var byteCount = 0
  }

  fileprivate struct State {
    var reserved: [String: Part] = [:]
    var sums: [String: Sum] = [:]
    var countDate: Date?
  }

  init(limits: ServerLimits) { self.limits = limits }

  /// Returns whether the uploads have to be counted again.
  func isDue(_ now: Date) -> Bool {
    state.withLock { state in
      guard let date = state.countDate, abs(now.timeIntervalSince(date)) < 3600 else {
        state.countDate = now
        return true
      }
      return false
    }
  }

  /// Adds the uploads of an earlier server. Those of this one are counted already.
  func count(_ reserved: [String: Part]) {
    state.withLock { state in
      for (id, part) in reserved where state.reserved[id] == nil { state.set(part, for: id) }
    }
  }

  /// Reserves space for an upload. With `isGrowth`, a reservation that is larger already stays.
  ///
  /// Persons and clients have separate limits. Each client also has a limit of its own, so that a
  /// client that announces large uploads leaves space for others.
  func reserve(_ byteCount: Int, for id: String, by asker: String, isGrowth: Bool = false) throws {
    try state.withLock { state in
      let present = state.reserved[id]?.byteCount
      let own = state.sums[asker] ?? Sum()
      let isPerson = Asker.isPerson(asker)
      let all = isPerson ? own : state.sumOfClients
      if present == nil {
        guard all.count < limits.unfinishedUploads, own.count < limits.unfinishedUploadsOfAsker else {
          throw Failure(
            .tooManyRequests, "too many uploads are unfinished; import or delete some of them first",
            [.retryAfter: "60"])
        }
      }
      let wanted = isGrowth ? max(present ?? 0, byteCount) : byteCount
      let growth = wanted - (present ?? 0)
      let ofClient = max(limits.unfinishedUploadBytesOfClient, limits.largestUpload)
      let ownLimit = isPerson ? limits.unfinishedUploadBytes : min(limits.unfinishedUploadBytes, ofClient)
      for (sum, limit) in [(own, ownLimit), (all, limits.unfinishedUploadBytes)] where sum.byteCount + growth > limit {
        throw Failure(
          .init(code: 507),
          "unfinished uploads have more than \(limit) bytes together; finish or delete some of them first")
      }
      state.set(Part(byteCount: wanted, asker: asker), for: id)
    }
  }

  func release(_ id: String) { state.withLock { $0.set(nil, for: id) } }
}

extension UploadSpace.State {
  fileprivate var sumOfClients: UploadSpace.Sum {
    sums.reduce(into: UploadSpace.Sum()) { all, sum in
      guard !Asker.isPerson(sum.key) else { return }
      all.count += sum.value.count
      all.byteCount += sum.value.byteCount
    }
  }

  fileprivate mutating func set(_ part: UploadSpace.Part?, for id: String) {
    if let old = reserved[id], let sum = sums[old.asker] {
      let rest = UploadSpace.Sum(count: sum.count - 1, byteCount: sum.byteCount - old.byteCount)
      sums[old.asker] = rest.count > 0 ? rest : nil
    }
    reserved[id] = part
    if let part {
      sums[part.asker, default: .init()].count += 1
      sums[part.asker, default: .init()].byteCount += part.byteCount
    }
  }
}
