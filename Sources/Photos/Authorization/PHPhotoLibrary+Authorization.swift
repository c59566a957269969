import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// What this program may do with the shared library. Never asks anybody. Each level has its own status; who may see the library may add to it.
  public class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
    shared().authorizationStatus(for: accessLevel)
  }

  /// Asks the library's owner, unless that has been done; `handler` is called on a queue of its own.
  ///
  /// Where nobody can answer, the status stays `notDetermined`, and `shared().authorizationProblem` says why.
  public class func requestAuthorization(
    for accessLevel: PHAccessLevel, handler: @escaping (PHAuthorizationStatus) -> Void
  ) { shared().requestAuthorization(for: accessLevel, handler: handler) }

  public class func requestAuthorization(for accessLevel: PHAccessLevel) async -> PHAuthorizationStatus {
    await shared().requestAuthorization(for: accessLevel)
  }

  /// Deprecated by PhotoKit: it calls `limited` access `authorized`.
  public class func authorizationStatus() -> PHAuthorizationStatus { authorizationStatus(for: .readWrite).legacy }

  /// Deprecated by PhotoKit: it calls `limited` access `authorized`.
  public class func requestAuthorization(_ handler: @escaping (PHAuthorizationStatus) -> Void) {
    shared().requestAuthorization(for: .readWrite) { handler($0.legacy) }
  }

  // MARK: Extensions of PhotoKit's API

  /// What this library's client may do; its owner may do everything.
  public func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
    guard let client else { return .authorized }
    let record = (try? engine.available().client(identifier: client.identifier)).flatMap { $0 }
    let readWrite = PHAuthorizationStatus(rawValue: record?.readWrite ?? 0) ?? .notDetermined
    switch accessLevel {
    case .readWrite: return readWrite
    case .addOnly:
      if readWrite == .authorized || readWrite == .limited { return .authorized }
      return PHAuthorizationStatus(rawValue: record?.addOnly ?? 0) ?? .notDetermined
    }
  }

  public func requestAuthorization(
    for accessLevel: PHAccessLevel, handler: @escaping (PHAuthorizationStatus) -> Void
  ) {
    let delivery = StatusDelivery(handler: handler)
    accessQueue.async { [self] in
      let status = askIfNotDetermined(accessLevel)
      asShared { delivery.handler(status) }
    }
  }

  public func requestAuthorization(for accessLevel: PHAccessLevel) async -> PHAuthorizationStatus {
    await withCheckedContinuation { continuation in
      requestAuthorization(for: accessLevel) { continuation.resume(returning: $0) }
    }
  }

  private struct StatusDelivery: @unchecked Sendable {
    // Handed to the access queue, which calls it once.
    let handler: (PHAuthorizationStatus) -> Void
  }

  /// Who answers this library's clients; one that reads `CALOTYPE_AUTHORIZATION` and asks at the terminal, unless another one is set.
  public var accessAnswerer: any PHAccessAnswerer {
    get { accessState.withLock(\.answerer) }
    set { accessState.withLock { $0.answerer = newValue } }
  }

  /// Why the latest request for access could not be answered.
  public var authorizationProblem: String? { accessState.withLock(\.problem) }

  struct AccessState {
    var answerer: any PHAccessAnswerer = PHStandardAnswerer()
    var problem: String?
  }

  /// One question at a time: who asks while another one is answered finds the answer.
  private func askIfNotDetermined(_ level: PHAccessLevel) -> PHAuthorizationStatus {
    let status = authorizationStatus(for: level)
    guard status == .notDetermined, let client else { return status }
    let answer = accessAnswerer.answer(PHAccessRequest(client: client, purpose: .access(level)))
    accessState.withLock { $0.problem = nil }
    do {
      let owner = photoLibrary(for: nil)
      switch answer {
      case .authorized: try owner.setAuthorizationStatus(.authorized, for: client, accessLevel: level)
      case .limited(let identifiers):
        if level == .addOnly {
          try owner.setAuthorizationStatus(.authorized, for: client, accessLevel: level)
        } else {
          try owner.setAuthorizationStatus(.limited, for: client, accessLevel: level)
          try owner.select(identifiers, for: client)
        }
      case .denied: try owner.setAuthorizationStatus(.denied, for: client, accessLevel: level)
      case .restricted: try owner.setAuthorizationStatus(.restricted, for: client, accessLevel: level)
      case .nobody(let reason): complain(reason)
      }
    } catch { complain(error.localizedDescription) }
    return authorizationStatus(for: level)
  }

  private func complain(_ problem: String) {
    accessState.withLock { $0.problem = problem }
    try? FileHandle.standardError.write(contentsOf: Data("Photos: \(problem)\n".utf8))
  }

  /// Asks as PhotoKit does when a program that has not asked yet changes something.
  func askForChanges(_ demands: [ChangeDemand]) throws -> LibraryAccess {
    let access = try access()
    guard access == .none(.notDetermined) else { return access }
    let addsOnly = demands.allSatisfy { if case .addAssets = $0 { true } else { false } }
    _ = accessQueue.sync { askIfNotDetermined(addsOnly ? .addOnly : .readWrite) }
    return try self.access()
  }

  /// Throws `userCancelled` unless the owner agrees to what a client's block deletes.
  func confirmDeletions(_ demands: [ChangeDemand]) throws {
    guard let client else { return }
    var (assets, collections, isForGood) = (0, 0, false)
    for demand in demands {
      switch demand {
      case .deleteAssets(let count, let forGood):
        assets += count
        isForGood = isForGood || forGood
      case .deleteCollections(let count): collections += count
      case .nothing, .addAssets, .changeAssets, .changeCollections: break
      }
    }
    guard assets + collections > 0 else { return }
    let request = PHAccessRequest(
      client: client, purpose: .deletion(assets: assets, collections: collections, isForGood: isForGood))
    switch accessQueue.sync(execute: { accessAnswerer.answer(request) }) {
    case .authorized, .limited: return
    case .denied, .restricted: throw PHPhotosError(.userCancelled, "the owner did not agree to the deletion")
    case .nobody(let reason): throw PHPhotosError(.userCancelled, reason)
    }
  }
}

extension PHAuthorizationStatus {
  fileprivate var legacy: PHAuthorizationStatus { self == .limited ? .authorized : self }
}
