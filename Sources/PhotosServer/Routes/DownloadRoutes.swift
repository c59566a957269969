import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// Answers `/api/v1/downloads`: files of many assets as one ZIP file.
struct DownloadRoutes: Sendable {
  let downloads: Downloads
  let inFlight: BytesInFlight

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint("api/v1/downloads", post: { request, context in try await makeTicket(request, context) })
    routes.endpoint(
      "api/v1/downloads/:ticket",
      get: { request, context in
        let ticket = try context.parameter("ticket")
        let archive = try downloads.archive(ticket: ticket, holder: context.requireHolder())
        try await context.checkAccess(to: archive.assets)
        let tag = EntityTag(Secret.hash(of: ticket).prefix(12).base64EncodedString())
        return ArchiveAnswer(archive: archive, tag: tag, inFlight: inFlight).response(to: request, context)
      })
  }

  private struct Answer: Encodable {
    var ticket: String
    var bytes: Int
    var files: Int
    var expires: String
    /// The names of files that are missing from the library.
    var missing: [String]
  }

  private func makeTicket(_ request: Request, _ context: ServerContext) async throws -> Response {
    let library = try context.requireLibrary()
    let holder = try context.requireHolder()
    let body = try await request.jsonPlace(limit: 1 << 20).fields(["assets", "kind"])
    let place = try body.require("assets")
    let selection = try AssetSelection(place)
    let kind = try Archive.Kind(body.require("kind"))
    let wrongCount = place.failure("a download needs 1 to \(Downloads.largestCount) assets")
    // The assets of a longer range would take memory in vain.
    guard selection.count <= Downloads.largestCount else { throw wrongCount }
    let archive = try await PatternQueue.shared.run([selection.predicate], for: library.client) {
      let assets = try selection.assets(in: library)
      guard (1...Downloads.largestCount).contains(assets.count) else { throw wrongCount }
      return try Archive(kind, of: assets)
    }
    guard !archive.layout.entries.isEmpty else {
      throw Failure(.notFound, "the files of these assets are missing from the library")
    }
    let ticket = downloads.makeTicket(for: archive, holder: holder)
    return Response(
      status: .created,
      json: Answer(
        ticket: ticket.text, bytes: archive.layout.byteCount, files: archive.layout.entries.count,
        expires: ticket.expirationDate.formatted(.iso8601), missing: archive.missing),
      [.cacheControl: "private, no-store", .location: "/api/v1/downloads/\(ticket.text)"])
  }
}

extension Archive.Kind {
  fileprivate init(_ place: JSONPlace) throws {
    let text = try place.string()
    guard let kind = Self(rawValue: text) else {
      throw place.failure("it has to be originals or current, not \(text.prefix(40))")
    }
    self = kind
  }
}
