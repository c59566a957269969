import Hummingbird
import Photos

/// Answers `/api/v1/confirmations`: the deletions of clients that wait for the owner.
struct ConfirmationRoutes: Sendable {
  let confirmations: Confirmations
  /// The library as its owner sees it.
  let library: PHPhotoLibrary
  let signIn: SignInService

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/confirmations",
      get: { _, context in
        _ = try context.requireSession()
        let answer = try await Blocking.run { try ConfirmationsAnswer(confirmations.waiting, in: library) }
        return Response(json: answer, [.cacheControl: "private, no-store"])
      })
    routes.endpoint(
      "api/v1/confirmations/:id",
      post: { request, context in
        let session = try context.requireSession()
        let isConfirmed = try await request.jsonPlace().fields(["answer"]).require("answer").bool()
        let id = String(try context.parameter("id"))
        if isConfirmed, confirmations.waiting.contains(where: { $0.id == id && $0.isPermanent }) {
          try await signIn.requireRecentAuthentication(of: session)
        }
        try await confirmations.answer(id, isConfirmed: isConfirmed)
        return Response(status: .noContent)
      })
  }
}
