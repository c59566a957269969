/// The decision whether a client may commit its change block.
enum AccessDecision: Hashable {
  case allowed
  /// The client has not asked for this level yet.
  case ask(PHAccessLevel)
  case refused(PHPhotosError.Code, reason: String)

  /// Decides from what the change block demands and what the client has been granted.
  ///
  /// A client that was granted `addOnly` is not asked for more during a change. Its block fails, as
  /// PhotoKit's does.
  init(_ demands: [ChangeDemand], _ grant: ClientGrant) {
    self.init(needs: Set(demands.compactMap(\.need)), grant)
  }

  init(needs: Set<ChangeDemand.Need>, _ grant: ClientGrant) {
    let (readWrite, addOnly) = (grant.status(for: .readWrite), grant.status(for: .addOnly))
    if let refusal = needs.lazy.compactMap({ Self.refusal($0, readWrite: readWrite, addOnly: addOnly) }).min(by: {
      $0.rank < $1.rank
    }) {
      self = refusal
    } else if needs.contains(.reading) || needs.contains(.albums), readWrite == .notDetermined {
      self = .ask(.readWrite)
    } else if needs.contains(.adding), addOnly == .notDetermined {
      self = .ask(.addOnly)
    } else {
      self = .allowed
    }
  }

  private static func refusal(
    _ need: ChangeDemand.Need, readWrite: PHAuthorizationStatus, addOnly: PHAuthorizationStatus
  ) -> AccessDecision? {
    let status = need == .adding ? addOnly : readWrite
    switch (status, need) {
    case (.authorized, _), (.limited, .reading), (.limited, .adding): return nil
    case (.limited, .albums):
      return .refused(.accessUserDenied, reason: "has limited access to the library, which shows it no albums")
    case (.notDetermined, _):
      guard addOnly == .authorized, need != .adding else { return nil }
      return .refused(.accessUserDenied, reason: "may only add to the library")
    case (.restricted, _): return .refused(.accessRestricted, reason: "is not allowed to use the library")
    case (.denied, _):
      let reason = addOnly == .authorized ? "may only add to the library" : "has no access to the library"
      return .refused(.accessUserDenied, reason: reason)
    }
  }

  /// The order in which refusals are reported. Without it the reported one would depend on the
  /// order of a set.
  private var rank: Int {
    if case .refused(.accessRestricted, _) = self { 0 } else { 1 }
  }
}

extension PHPhotoLibrary {
  /// Throws if this library's client has no access for changes of this kind. The owner is not
  /// asked.
  ///
  /// A server calls this before it looks up the assets and albums of a request. A client without
  /// access finds none, and would get the wrong error: that they don't exist. The commit checks
  /// the access again.
  package func require(_ need: ChangeDemand.Need) throws {
    try withPhotosErrors {
      switch AccessDecision(needs: [need], try grant()) {
      case .allowed: break
      case .ask: throw PHPhotosError(.accessUserDenied, "\(clientName) has no access to the library")
      case .refused(let code, let reason): throw PHPhotosError(code, "\(clientName) \(reason)")
      }
    }
  }
}

extension ChangeDemand {
  package enum Need: Hashable { case adding, reading, albums }

  /// The access that the client needs for this demand.
  var need: Need? {
    switch self {
    case .nothing: nil
    case .addAssets: .adding
    case .changeAssets: .reading
    case .changeCollections: .albums
    case .delete(let deletion):
      switch deletion.kind {
      case .assets, .recentlyDeletedAssets: .reading
      case .albums, .folders: .albums
      }
    }
  }
}
