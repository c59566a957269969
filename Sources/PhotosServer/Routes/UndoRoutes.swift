import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// Answers `/api/v1/undo` and `/api/v1/redo`.
struct UndoRoutes: Sendable {
  let confirmations: Confirmations
  let edits: RunningEdits

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/undo",
      post: { request, context in
        try await reverse(request, context) { try await $0.undo($1, for: $2) }
      })
    routes.endpoint(
      "api/v1/redo",
      post: { request, context in
        try await reverse(request, context) { try await $0.redo($1, for: $2) }
      })
  }

  private func reverse(
    _ request: Request, _ context: ServerContext,
    _ work: @escaping @Sendable (PHPhotoLibrary, Int64?, KnownRequest?) async throws -> LibraryTransaction
  ) async throws -> Response {
    let library = try context.requireLibrary()
    let (body, buffer) = try await request.jsonPlaceAndBytes(limit: Request.bodyLimit)
    let number = try transaction(body)
    let repeatable = try Changes.Repeatable(request, body: buffer)
    let changes = Changes(
      library: library, repeatable: repeatable, confirmations: confirmations, edits: edits,
      checkAsker: context.requireValidAsker)
    @Sendable func answer() async throws -> Changes.Answer {
      try await changes.reverse { try await work($0, number, $1) }
    }
    // A client that leaves does not want its undo any more.
    let reversal = library.client != nil ? try await context.whileClientStays(answer) : try await answer()
    return Response(json: reversal, [.cacheControl: "private, no-store"])
  }

  /// Returns the transaction that the request names, if it names one.
  private func transaction(_ body: JSONPlace) throws -> Int64? {
    try (body.fields(["transaction"])["transaction"]?.integer(in: 1...Int(Int32.max))).map { Int64($0) }
  }
}
