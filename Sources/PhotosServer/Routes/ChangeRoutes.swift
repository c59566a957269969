import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Photos
import PhotosJSON

/// Answers `/api/v1/changes`: changes of the library, and its history.
struct ChangeRoutes: Sendable {
  let confirmations: Confirmations
  let edits: RunningEdits
  let signIn: SignInService

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "api/v1/changes",
      get: { request, context in try await changes(request, context) },
      post: { request, context in try await change(request, context) })
  }

  /// The largest body of a batch. Ranges name more assets than a list of this size.
  private static let bodyLimit = 1 << 20

  private func change(_ request: Request, _ context: ServerContext) async throws -> Response {
    let library = try context.requireLibrary()
    let (body, buffer) = try await request.jsonPlaceAndBytes(limit: Self.bodyLimit)
    let repeatable = try Changes.Repeatable(request, body: buffer)
    let changes = Changes(
      library: library, repeatable: repeatable, confirmations: confirmations, edits: edits,
      checkAsker: context.requireValidAsker)
    let plan = try await changes.plan(body) {
      // A client's deletion is confirmed by the owner, who is asked for it there.
      if case .owner(let session) = context.asker { try await signIn.requireRecentAuthentication(of: session) }
    }
    let answer: Changes.Answer
    if let plan, plan.isDeleting || !plan.edits.isEmpty, library.client != nil {
      // A client that leaves does not want its deletion or its edit any more. The owner's edits go
      // on: each page lists them, and can cancel them.
      answer = try await context.whileClientStays { try await changes.commit(plan) }
    } else {
      answer = try await changes.commit(plan)
    }
    return Response(json: answer, [.cacheControl: "private, no-store"])
  }

  private func changes(_ request: Request, _ context: ServerContext) async throws -> Response {
    let library = try context.requireLibrary()
    let query = request.uri.queryParameters
    guard let since = query["since"] else { return try await history(query, library) }
    let token = try PHPersistentChangeToken.since(since)
    let summary = try await Blocking.run { try ChangeSummary(since: token, in: library) }
    return Response(json: summary, [.cacheControl: "private, no-store"])
  }

  /// The history for people: what was done, how much of it and by whom.
  private struct History: Encodable {
    var revision: String
    var transactions: [LibraryTransactionDescription]
  }

  private func history(_ query: FlatDictionary<Substring, Substring>, _ library: PHPhotoLibrary) async throws
    -> Response
  {
    let limit = try Self.number(query["limit"] ?? "50", of: "limit", in: 1...200)
    let before = try query["before"].map { Int64(try Self.number($0, of: "before", in: 0...Int(Int32.max))) }
    let history = try await Blocking.run {
      History(
        revision: library.currentChangeToken.stringValue,
        transactions: try library.transactions(limit: limit, before: before).map { LibraryTransactionDescription($0) })
    }
    return Response(json: history, [.cacheControl: "private, no-store"])
  }

  private static func number(_ text: Substring, of name: String, in range: ClosedRange<Int>) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Failure(.badRequest, "\(name) has to be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
