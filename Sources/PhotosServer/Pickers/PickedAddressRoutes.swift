import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// Answers the addresses that pages of other origins have got. They need no session: the address is
/// the secret, and it is for one origin.
struct PickedAddressRoutes: Sendable {
  let handedOver: HandedOverFiles
  let library: PHPhotoLibrary
  let inFlight: BytesInFlight

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint(
      "picked/:ticket/:name", get: { request, context in try await answer(request, context) },
      options: { request, context in try await preflight(request, context) })
  }

  private static let answerFields = "Content-Length, Content-Range, Content-Disposition, ETag"

  /// Returns the ticket of a request. An address that has ended and one that never was are alike.
  private func ticket(_ secret: Substring) async throws -> HandedOverFiles.Ticket {
    let gone = Failure(.notFound, "there is nothing at this address")
    guard handedOver.ticket(secret) != nil else { throw gone }
    try await Blocking.run { [handedOver, library] in
      handedOver.removeOthers(than: try library.signIns.deviceKey())
    }
    guard let ticket = handedOver.ticket(secret) else { throw gone }
    let isShown = try await Blocking.run { [library] in
      let asset = try PHAsset.fetchAsset(withUUID: ticket.asset, in: library)
      return asset.map { !$0.isHidden && $0.trashedDate == nil } ?? false
    }
    guard isShown else {
      handedOver.remove(id: ticket.id)
      throw gone
    }
    return ticket
  }

  private func preflight(_ request: Request, _ context: ServerContext) async throws -> Response {
    let ticket = try await ticket(context.parameter("ticket"))
    guard request.headers[.origin] == ticket.origin else { throw Self.refusal }
    return Response(
      status: .noContent,
      headers: [
        .accessControlAllowOrigin: ticket.origin, .accessControlAllowMethods: "GET, HEAD",
        .accessControlAllowHeaders: "Range, If-Range", .accessControlMaxAge: "600", .vary: "Origin",
      ])
  }

  private static let refusal = Failure(
    .forbidden, "this address is for pictures and movies of one page", problem: .otherOrigin)

  /// Returns whether the page loads the file by script. Throws unless it may load it at all.
  private func isScript(_ request: Request, _ ticket: HandedOverFiles.Ticket) throws -> Bool {
    let (mode, destination) = (request.headers[.secFetchMode], request.headers[.secFetchDest] ?? "")
    if let origin = request.headers[.origin] {
      guard origin == ticket.origin, mode == "cors" else { throw Self.refusal }
      return true
    }
    guard mode == "no-cors", ["image", "video", "audio"].contains(destination) else { throw Self.refusal }
    return false
  }

  private func answer(_ request: Request, _ context: ServerContext) async throws -> Response {
    let secret = try context.parameter("ticket")
    let ticket = try await ticket(secret)
    var fields: HTTPFields = [
      .contentType: ticket.contentType, .cacheControl: "private, no-store", .acceptRanges: "bytes",
      .contentDisposition: ContentDisposition.attachment(filename: ticket.name),
      .contentSecurityPolicy: "sandbox; default-src 'none'", .crossOriginResourcePolicy: "cross-origin",
    ]
    if try isScript(request, ticket) {
      fields[.accessControlAllowOrigin] = ticket.origin
      fields[.accessControlExposeHeaders] = Self.answerFields
      fields[.vary] = "Origin"
    }
    let byteCount = ticket.file.byteCount
    let sent = { body(ticket.file, range: $0, secret: secret, context) }
    switch ByteRange(of: request, tag: nil, byteCount: byteCount) {
    case .whole: return Response(status: .ok, headers: fields, body: sent(0..<byteCount))
    case .part(let range):
      fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)"
      return Response(status: .partialContent, headers: fields, body: sent(range))
    case .unsatisfiable:
      var refusal = ByteRange.refusal(byteCount: byteCount)
      // Without them, the page sees no answer.
      for name in [HTTPField.Name.accessControlAllowOrigin, .accessControlExposeHeaders, .vary] {
        refusal.fields[name] = fields[name]
      }
      return refusal.response
    }
  }

  private func body(
    _ file: HandedOverFile, range: Range<Int>, secret: Substring, _ context: ServerContext
  ) -> ResponseBody {
    ResponseBody(contentLength: range.count) { [inFlight] writer in
      var check = PermissionCheck(by: context.time)
      var position = range.lowerBound
      while position < range.upperBound {
        // The owner may end the address, or delete the asset.
        try await check { _ = try await ticket(secret) }
        let piece = (position..<range.upperBound).prefix(inFlight.pieceSize)
        let data = try await Blocking.run { try file.data(in: piece) }
        try await writer.write(ByteBuffer(bytes: data))
        try await context.waitUntilAccepted()
        position += data.count
      }
      try await writer.finish(nil)
    }
  }
}
