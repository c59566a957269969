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
        return Response(json: try await seen(context), [.cacheControl: "private, no-store"])
      })
    routes.endpoint(
      "api/v1/confirmations/:id",
      post: { request, context in
        let session = try context.requireSession()
        let isConfirmed = try await request.jsonPlace().fields(["answer"]).require("answer").bool()
        let id = String(try context.parameter("id"))
        if try context.requireLibrary().isWithoutHidden, confirmations.waiting.contains(where: { $0.id == id }),
          try await !seen(context).confirmations.contains(where: { $0.id == id })
        {
          throw Confirmations.unknown(id)
        }
        if isConfirmed, confirmations.waiting.contains(where: { $0.id == id && $0.isPermanent }) {
          try await signIn.requireRecentAuthentication(of: session)
        }
        try await confirmations.answer(id, isConfirmed: isConfirmed)
        return Response(status: .noContent)
      })
  }

  /// Returns the questions that a session may see. If the hidden assets are locked for it, those
  /// about hidden assets are left out, so that nobody confirms a deletion without seeing all of it.
  private func seen(_ context: ServerContext) async throws -> ConfirmationsAnswer {
    let seen = try context.requireLibrary()
    return try await Blocking.run { [confirmations, library] in
      let waiting = confirmations.waiting
      var answer = try ConfirmationsAnswer(waiting, in: library)
      guard seen.isWithoutHidden else { return answer }
      let counts = try ConfirmationsAnswer(waiting, in: seen).confirmations.map(\.count)
      answer.confirmations = zip(answer.confirmations, counts).filter { $0.0.count == $0.1 }.map { $0.0 }
      return answer
    }
  }
}
