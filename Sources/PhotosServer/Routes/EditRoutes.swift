import Hummingbird
import Photos

/// Answers `/api/v1/edits`: the edits that are being rendered.
struct EditRoutes: Sendable {
  let edits: RunningEdits

  private struct Answer: Encodable {
    struct Edit: Encodable {
      var id: String
      var assets: [String]
      var progress: Double
    }

    var edits: [Edit]
  }

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/edits",
      get: { _, context in
        let running = try await edits.seen(in: context.requireLibrary())
        let answer = Answer(edits: running.map { .init(id: $0.id, assets: $0.assets, progress: $0.progress) })
        return Response(json: answer, [.cacheControl: "private, no-store"])
      })
    routes.endpoint(
      "api/v1/edits/:id",
      delete: { _, context in
        try await edits.cancel(String(context.parameter("id")), in: context.requireLibrary())
        return Response(status: .noContent)
      })
  }
}
