import HTTPTypes
import Hummingbird
import Photos

/// The answers to a page of another origin that has no token: it never asked, or it was refused.
///
/// It finds empty lists, and changes nothing. The answers are made without the library, so that no
/// page learns from them which library it is, or that something has changed in it.
struct StrangerAnswers: Sendable {
  /// The recorded client of the page's origin, which the page has not proved to be.
  let client: RecordedClient?
  let origin: String

  func answer(to request: Request) throws -> Response {
    guard request.method == .get || request.method == .head else { throw refusal }
    var path = request.uri.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).map(String.init)
    if path.count == 3, path[0] == "collections" { path = ["collections", "*", path[2]] }
    switch path {
    case ["library"]: return response(json: library)
    case ["collections"]: return response(json: Empty(collections: []))
    case ["collections", "*", "days"]: return response(json: Empty(total: 0, days: []))
    case ["assets"], ["picked"], ["collections", "*", "assets"]:
      return response(json: Empty(total: 0, offset: 0, assets: []))
    case ["search"]:
      return response(json: Empty(total: 0, days: [], assets: [], understood: [], suggestions: []))
    case ["collections", "*", "locations"]: return response(json: Empty(locations: []))
    case ["collections", "*", "aspects"], ["collections", "*", "colors"]:
      return Response(
        status: .ok, headers: [.contentType: "application/octet-stream", .cacheControl: "private, no-store"])
    default:
      guard ["assets", "renditions", "resources"].contains(path.first) else { throw refusal }
      throw Failure(.notFound, "\(request.uri.path) does not exist")
    }
  }

  private var refusal: Failure {
    let name = LibraryClient(identifier: origin).name
    guard client?.readWrite == .restricted else {
      return Failure(
        .forbidden, "“\(name)” has no access to the library", problem: .accessUserDenied, code: .accessUserDenied)
    }
    return Failure(
      .forbidden, "“\(name)” is not allowed to use the library", problem: .accessRestricted, code: .accessRestricted)
  }

  private var library: LibraryAnswer {
    let refused = client.flatMap { $0.hasAccess ? nil : $0 }
    return LibraryAnswer(
      name: "", assetCount: 0, revision: Empty.noRevision,
      status: .init(
        readWrite: (refused?.readWrite ?? .notDetermined).name, addOnly: (refused?.addOnly ?? .notDetermined).name),
      features: [], isOwner: false)
  }

  private func response(json: some Encodable) -> Response {
    Response(json: json, [.cacheControl: "private, no-store"])
  }

  /// The keys of all empty lists. Those that a list does not have are left out.
  private struct Empty: Encodable {
    static let noRevision = "0"

    var revision = noRevision
    var total: Int?
    var offset: Int?
    var collections: [String]?
    var days: [String]?
    var assets: [String]?
    var locations: [String]?
    var understood: [String]?
    var suggestions: [String]?
  }
}
