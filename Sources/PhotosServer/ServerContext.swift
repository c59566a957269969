import Hummingbird
import Logging
import NIOCore
import Photos

/// The context that a handler gets with its request.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection of the request. The client may close it at any time.
  let channel: (any Channel)?
  /// The address of the other end of the connection: the client's, or a proxy's.
  let peer: String
  /// The time by which intervals are measured. A middleware sets it.
  var time: @Sendable () -> ContinuousClock.Instant = { .now }
  /// The sender of the request. A middleware sets it.
  var client = SignInClient(address: "", device: "")
  /// The owner or the client that sent the request. A middleware sets it for every handler that
  /// needs one.
  var asker: Asker?
  /// Returns whether the session or token of the request is still valid. A stream asks
  /// once a second at most, and ends if it isn't.
  var isAskerValid: @Sendable () async throws -> Bool = { false }
  /// The library as the requester may see it.
  var library: PHPhotoLibrary?
  /// Returns the library as the requester may see it now, for answers that last; `nil` means
  /// `library`. The library of a session changes when its lock of the hidden assets closes.
  var presentLibrary: (@Sendable () async throws -> PHPhotoLibrary)?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
    peer = source.channel.remoteAddress?.ipAddress ?? ""
  }

  /// Makes the context of a request without a connection.
  init(logger: Logger, peer: String) {
    struct Source: RequestContextSource { let logger: Logger }
    coreContext = .init(source: Source(logger: logger))
    channel = nil
    self.peer = peer
  }

  /// Waits until the client has accepted everything that was written to it.
  func waitUntilAccepted() async throws { try await channel?.waitUntilAccepted() }

  /// Returns a part of the path that the route names.
  func parameter(_ name: String) throws -> Substring { try parameters.require(name)[...] }

  /// Throws unless the requester may still have files of an asset. Making a file can take so long
  /// that access ends meanwhile.
  ///
  /// After the session or token has ended, the answer is 401. A client whose access was withdrawn
  /// gets 403. An asset that a client does not see any more, or that the owner has locked again, is
  /// answered as one that never existed.
  func checkAccess(to asset: String) async throws { try await checkAccess(to: [asset]) }

  /// Throws unless the requester may still have files of all these assets.
  func checkAccess(to assets: Set<String>) async throws {
    guard try await isAskerValid(), let library = try await presentLibrary?() ?? library else { throw refusal }
    guard library.client != nil || library.isWithoutHidden else { return }
    try await Blocking.run {
      guard try PHAsset.count(withUUIDs: assets, in: library) < assets.count else { return }
      let status = try library.readAuthorizationStatus(for: .readWrite)
      guard status == .authorized || status == .limited else { throw Self.withdrawal(status) }
      guard assets.count == 1, let asset = assets.first else {
        throw Failure(.notFound, "some of these assets are not in the library any more")
      }
      throw PHAsset.unknown(asset[...])
    }
  }

  /// Runs `make`, and then checks the access again. If the access has ended meanwhile, throws the
  /// error of `checkAccess(to:)`. An error of `make` may only be a consequence of that.
  func keepingAccess<Value: Sendable>(to asset: String, _ make: () async throws -> Value) async throws -> Value {
    let result: Result<Value, any Error>
    do { result = .success(try await make()) } catch { result = .failure(error) }
    try await checkAccess(to: asset)
    return try result.get()
  }

  private static func withdrawal(_ status: PHAuthorizationStatus) -> Failure {
    let message = "access to this photo was withdrawn"
    return status == .restricted
      ? Failure(.forbidden, message, problem: .accessRestricted, code: .accessRestricted)
      : Failure(.forbidden, message, problem: .accessUserDenied, code: .accessUserDenied)
  }

  /// Throws if the session or the token of the request has ended.
  func requireValidAsker() async throws { guard try await isAskerValid() else { throw refusal } }

  /// The answer after the session or the token of the request has ended.
  var refusal: Failure {
    if case .client = asker { AskerMiddleware.refusal } else { SessionMiddleware.refusal }
  }

  /// Returns the session of the owner. Throws 401 if nobody has signed in, and 403 for a client.
  func requireSession() throws -> BrowserSession {
    switch asker {
    case .owner(let session): return session
    case .client: throw Failure(.forbidden, "only the library's owner may do this")
    case nil: throw SessionMiddleware.refusal
    }
  }

  /// Returns the library as the requester, the owner or a client, may see it. Throws 401 if nobody
  /// has signed in.
  func requireLibrary() throws -> PHPhotoLibrary {
    guard let library else { throw SessionMiddleware.refusal }
    return library
  }
}
