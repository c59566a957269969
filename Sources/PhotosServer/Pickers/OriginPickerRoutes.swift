import Foundation
import HTTPTypes
import Hummingbird
import Photos
import PhotosJSON

/// Answers the window in which a page of another origin picks. The owner has to be signed in.
struct OriginPickerRoutes: Sendable {
  let library: PHPhotoLibrary
  let random: RandomBytes
  let handedOver: HandedOverFiles
  let pickers: PickerService

  private static let bodyLimit = 4 << 20
  private static let notKept: HTTPFields = [.cacheControl: "private, no-store"]

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint("api/v1/picked", get: { request, context in try await seen(request, context) })
    routes.endpoint("picker/v1/identifiers", post: { request, context in try await identify(request, context) })
    routes.endpoint("picker/v1/preselected", post: { request, context in try await find(request, context) })
    routes.endpoint("picker/v1/addresses", post: { request, context in try await handOver(request, context) })
    routes.endpoint(
      "picker/v1/addresses/:id",
      delete: { _, context in
        _ = try context.requireSession()
        handedOver.remove(id: String(try context.parameter("id")))
        return Response(status: .noContent)
      })
    routes.endpoint(
      "picker/v1/handed-over",
      get: { _, context in
        _ = try context.requireSession()
        handedOver.removeOthers(than: try await deviceKey())
        return Response(json: try await list(), Self.notKept)
      },
      delete: { request, context in
        _ = try context.requireSession()
        switch (request.argument("origin"), request.argument("picker")) {
        case (let origin?, nil):
          handedOver.remove(origin: origin)
          pickers.removeShared(origin: origin)
        case (nil, let picker?): pickers.removeShared(id: picker)
        default: throw Failure(.badRequest, "a request has to have either origin or picker")
        }
        return Response(status: .noContent)
      })
    routes.endpoint(
      "picker/v1/origins",
      delete: { request, context in
        _ = try context.requireSession()
        guard let origin = request.argument("origin"), WebOrigin.isValid(origin) else {
          throw Failure(.badRequest, "origin: it has to be like https://example.com")
        }
        try await forget(origin)
        return Response(status: .noContent)
      })
  }

  // MARK: The list

  private struct HandedOverAnswer: Encodable {
    var origins: [Entry]
    var programs: [Program]
  }

  /// An origin that can load what was picked, or that has identifiers.
  private struct Entry: Encodable {
    var origin: String
    /// The number of items that it can load: by an address, or with the secret of its picker.
    var count: Int
    /// The date at which the last of them ends; `nil` if there is none.
    var until: String?
    var hasIdentifiers: Bool
  }

  /// A program elsewhere that can load what was picked.
  private struct Program: Encodable {
    /// The public name of its picker, by which the owner ends it.
    var picker: String
    var name: String
    var address: String?
    var count: Int
    var until: String
  }

  private func list() async throws -> HandedOverAnswer {
    let known = try await Blocking.run { [library] in try library.signIns.pickerOrigins() }
    let shares = pickers.shares()
    var loadable: [String: (count: Int, endDate: Date)] = [:]
    func add(_ count: Int, _ endDate: Date, to origin: String) {
      let present = loadable[origin] ?? (0, endDate)
      loadable[origin] = (present.count + count, max(present.endDate, endDate))
    }
    for summary in handedOver.list() { add(summary.count, summary.endDate, to: summary.origin) }
    for share in shares {
      if let origin = share.asker.origin { add(share.count, share.endDate, to: origin) }
    }
    let origins = Set(known).union(loadable.keys).sorted().map { origin in
      Entry(
        origin: origin, count: loadable[origin]?.count ?? 0,
        until: (loadable[origin]?.endDate).map { ISODate.string($0, offset: 0) },
        hasIdentifiers: known.contains(origin))
    }
    let programs = shares.filter { $0.asker.origin == nil }.map {
      Program(
        picker: $0.id, name: $0.clientName, address: $0.asker.address, count: $0.count,
        until: ISODate.string($0.endDate, offset: 0))
    }
    return HandedOverAnswer(origins: origins, programs: programs)
  }

  /// Ends what an origin has got: its addresses, and the identifiers by which it knows assets.
  private func forget(_ origin: String) async throws {
    try await Blocking.run { [library, random] in
      try library.signIns.forgetPickerOrigin(Secret.hash(of: origin[...]), salt: Data(random.make(16)))
    }
    handedOver.remove(origin: origin)
    pickers.removeShared(origin: origin)
  }

  // MARK: Identifiers

  /// Returns the identifiers of an origin. It comes to the list if it gets any.
  private func identifiers(of origin: JSONPlace, isListed: Bool) async throws -> OriginIdentifiers {
    let name = try origin.string()
    guard WebOrigin.isValid(name) else { throw origin.failure("it has to be like https://example.com") }
    return try await Blocking.run { [library, random] in
      try OriginIdentifiers(of: name, in: library, random, isListed: isListed)
    }
  }

  private func deviceKey() async throws -> Data {
    try await Blocking.run { [library, random] in try library.signIns.deviceKey(orElse: Data(random.make(32))) }
  }

  /// Answers with the identifiers by which the origin knows assets.
  private func identify(_ request: Request, _ context: ServerContext) async throws -> Response {
    _ = try context.requireSession()
    let fields = try await request.jsonPlace(limit: Self.bodyLimit).fields(["origin", "assets"])
    let identifiers = try await identifiers(of: fields.require("origin"), isListed: true)
    let assets = try fields.require("assets").array().map { try $0.string() }
    return Response(json: ["identifiers": assets.map(identifiers.identifier)], Self.notKept)
  }

  /// Answers with the assets that the origin knows by identifiers.
  private func find(_ request: Request, _ context: ServerContext) async throws -> Response {
    _ = try context.requireSession()
    let fields = try await request.jsonPlace(limit: Self.bodyLimit).fields(["origin", "identifiers"])
    let identifiers = try await identifiers(of: fields.require("origin"), isListed: false)
    let given = try fields.require("identifiers").array().map { try $0.string() }
    return Response(json: ["assets": given.map(identifiers.asset)], Self.notKept)
  }

  /// Answers a page with those of the assets that it knows by identifiers, if it is a client too:
  /// those that it may see, in its order. The picker has handed over the others all the same.
  private func seen(_ request: Request, _ context: ServerContext) async throws -> Response {
    let seen = try context.requireLibrary()
    guard case .client = context.asker, let origin = request.headers[.origin] else {
      throw Failure(.forbidden, "only a page of another origin knows photos by such identifiers")
    }
    let given = (request.argument("identifiers") ?? "").split(separator: ",").map(String.init)
    guard given.count <= ListPart.largestLimit else {
      throw Failure(.badRequest, "identifiers: at most \(ListPart.largestLimit) can be asked for at once")
    }
    let answer = try await Blocking.run { [library, random] in
      let identifiers = try OriginIdentifiers(of: origin, in: library, random, isListed: false)
      let (revision, cells) = try seen.readConsistently {
        try GridCell.all(PHAsset.shown(given.compactMap(identifiers.asset), in: seen))
      }
      return AssetsAnswer(revision: revision, offset: 0, total: cells.count, assets: cells)
    }
    return Response(json: answer, Self.notKept)
  }

  // MARK: Addresses

  private struct Address: Encodable {
    var id: String
    var path: String
    var expires: String
  }

  /// Takes a copy that the window has made, and answers with its address for the origin.
  private func handOver(_ request: Request, _ context: ServerContext) async throws -> Response {
    _ = try context.requireSession()
    guard let origin = request.argument("origin"), WebOrigin.isValid(origin) else {
      throw Failure(.unprocessableContent, "origin: it has to be like https://example.com")
    }
    guard let seconds = Int(request.argument("seconds") ?? ""), (1...86_400).contains(seconds) else {
      throw Failure(.unprocessableContent, "seconds: it has to be a number from 1 to 86400")
    }
    let seen = try context.requireLibrary()
    let asset = try await Blocking.run { try PHAsset.withID(request.argument("asset")?[...] ?? "", in: seen) }
    let deviceKey = try await deviceKey()
    let file = try handedOver.makeFile(for: origin)
    for try await piece in request.body {
      try await Blocking.run { try file.append(piece) }
    }
    let ticket = handedOver.add(
      file, of: asset.uuid, origin: origin, name: Filename.safe(request.argument("name") ?? "") ?? "photo",
      contentType: try contentType(request), deviceKey: deviceKey, seconds: TimeInterval(seconds))
    let name = ticket.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "photo"
    return Response(
      status: .created,
      json: Address(
        id: ticket.id, path: "/picked/\(ticket.secret)/\(name)",
        expires: ISODate.string(ticket.expirationDate, offset: 0)),
      Self.notKept)
  }

  /// Returns the type of the copy: a picture's or a movie's, and none that could run scripts.
  private func contentType(_ request: Request) throws -> String {
    let type = request.headers[.contentType] ?? ""
    let isPlain = type.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "/-+.".utf8.contains($0)
    }
    guard isPlain, type.hasPrefix("image/") || type.hasPrefix("video/"), type != "image/svg+xml" else {
      throw Failure(.unsupportedMediaType, "the Content-Type has to be that of a picture or a movie")
    }
    return type
  }
}
