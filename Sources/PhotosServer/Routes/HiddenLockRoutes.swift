import Foundation
import HTTPTypes
import Hummingbird
import Photos
import PhotosJSON

/// Answers `/api/v1/hidden-lock`: the lock of the Hidden album.
struct HiddenLockRoutes: Sendable {
  let lock: HiddenLock
  let signIn: SignInService

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/hidden-lock",
      get: { _, context in try await answer(for: context.requireSession()) },
      put: { request, context in
        let session = try context.requireSession()
        try await set(request.json(Setting.self).isSet, by: session)
        return try await answer(for: session)
      })
    routes.endpoint(
      "api/v1/hidden-lock/opening",
      post: { request, context in
        let session = try context.requireSession()
        try await signIn.verify(request.json(Opening.self).password, in: context.client)
        lock.open(for: session)
        return try await answer(for: session)
      },
      delete: { _, context in
        lock.close(for: try context.requireSession())
        return Response(status: .noContent)
      })
  }

  private struct Setting: Decodable { var isSet: Bool }

  private struct Opening: Decodable { var password: String }

  private func set(_ isSet: Bool, by session: BrowserSession) async throws {
    if isSet {
      guard try await Blocking.run({ try signIn.hasPassword() }) else {
        throw Failure(.unprocessableContent, "set a password first: it opens the lock")
      }
    } else if try await lock.isClosed(for: session) {
      throw Failure(HiddenIsLocked())
    }
    try await lock.set(isSet)
  }

  private struct Answer: Encodable {
    var isSet: Bool
    var hasPassword: Bool
    /// The seconds for which this session still sees the hidden assets; null if they are locked, or
    /// if there is no lock.
    @NullIfUnknown var openSeconds: Int?
  }

  private func answer(for session: BrowserSession) async throws -> Response {
    let isSet = try await lock.isSet()
    let answer = Answer(
      isSet: isSet, hasPassword: try await Blocking.run { try signIn.hasPassword() },
      openSeconds: isSet ? lock.openSeconds(of: session).map { Int($0.rounded(.up)) } : nil)
    return Response(json: answer, [.cacheControl: "private, no-store"])
  }
}
