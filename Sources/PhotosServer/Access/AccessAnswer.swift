import Foundation
import Photos
import PhotosJSON

/// The answer to `GET /api/v1/access`: what waits for the owner, and the clients.
struct AccessAnswer: Encodable {
  var requests: [Request]
  var selections: [Selection]
  var clients: [Client]

  /// A client that asks for access.
  struct Request: Encodable {
    var id: String
    var identifier: String
    var name: String
    /// The name that a program gets if it is allowed: another client with access has its own.
    var newName: String?
    var origin: String?
    /// The path or the bundle identifier of a program on this machine.
    var path: String?
    /// The address of a program elsewhere.
    var address: String?
    var level: String
    var usageDescription: String
    var code: String?
    var since: String

    /// The beginning of the identifier of a program's request. The client's number follows.
    static let programPrefix = "program-"

    /// `client` is the client that the sender becomes if the owner allows the request.
    init(_ request: AccessRequests.Request, client: LibraryClient) {
      id = request.id
      identifier = client.identifier
      name = request.client.name
      newName = client.name == name ? nil : client.name
      origin = request.origin
      address = request.origin == nil ? request.address : nil
      level = request.level.name
      usageDescription = request.usageDescription
      code = request.code
      since = request.date.formatted(.iso8601)
    }

    /// Returns `nil` if the program doesn't wait for an answer.
    init?(_ program: RecordedClient) {
      guard let level = program.waitingLevel, let date = program.askedDate else { return nil }
      id = "\(Self.programPrefix)\(program.id)"
      identifier = program.client.identifier
      name = ForeignText.cleaned(program.client.name, limit: ClientTexts.longestName)
      path = program.client.identifier
      self.level = level.name
      usageDescription = ForeignText.cleaned(
        program.usageDescription ?? "", limit: ClientTexts.longestUsageDescription)
      since = date.formatted(.iso8601)
    }
  }

  /// A limited client that asks for another selection.
  struct Selection: Encodable {
    var id: String
    var client: String
    var name: String
    var since: String
  }

  struct Client: Encodable {
    var id: String
    var identifier: String
    var name: String
    var kind: String
    var readWrite: String
    var addOnly: String
    var selectedCount: Int
    @NullIfUnknown var askedOn: String?
    @NullIfUnknown var lastUsed: String?
    @NullIfUnknown var address: String?
    var requestCount: Int
    var tokens: [Token]
  }

  struct Token: Encodable {
    var id: String
    var start: String
    var since: String
    var expires: String
    @NullIfUnknown var lastUsed: String?
  }
}

/// The longest texts of clients that are kept.
enum ClientTexts {
  static let longestName = 100
  static let longestUsageDescription = 300
}

extension AccessService {
  /// Returns the list of clients and requests. `library` is that of the owner's session.
  func list(in library: PHPhotoLibrary) throws -> AccessAnswer {
    let all = try Dictionary(grouping: library.clientTokens.all(), by: \.client)
    let clients = try library.recordedClients().filter { $0.waitingLevel == nil || $0.hasAccess }
    let numbers = Dictionary(clients.map { ($0.client.identifier, $0.id) }, uniquingKeysWith: { first, _ in first })
    return AccessAnswer(
      requests: try waitingRequests(),
      selections: try waitingSelections().compactMap { request in
        numbers[request.client.identifier].map {
          AccessAnswer.Selection(
            id: request.id, client: String($0), name: request.client.name, since: request.date.formatted(.iso8601))
        }
      },
      clients: try clients.map { try describe($0, all[$0.id] ?? [], library) })
  }

  func describe(_ client: RecordedClient, in library: PHPhotoLibrary) throws -> AccessAnswer.Client {
    try describe(client, library.clientTokens.all().filter { $0.client == client.id }, library)
  }

  private func describe(
    _ client: RecordedClient, _ own: [ClientToken], _ library: PHPhotoLibrary
  ) throws -> AccessAnswer.Client {
    let uses = own.map { token in
      let unrecorded = tokens.unrecordedUses(of: token.id)
      return (
        token: token, date: unrecorded?.date ?? token.useDate, address: unrecorded?.address ?? token.address,
        count: token.useCount + (unrecorded?.count ?? 0)
      )
    }
    let latest = uses.max { ($0.date ?? .distantPast) < ($1.date ?? .distantPast) }
    return AccessAnswer.Client(
      id: String(client.id), identifier: client.client.identifier,
      name: ForeignText.cleaned(client.client.name, limit: ClientTexts.longestName),
      kind: ClientKind(client.client).rawValue, readWrite: "\(client.readWrite)", addOnly: "\(client.addOnly)",
      selectedCount: try library.selectedAssetCount(of: client.client),
      askedOn: client.askedDate?.formatted(.iso8601), lastUsed: latest?.date?.formatted(.iso8601),
      address: latest?.address, requestCount: uses.reduce(0) { $0 + $1.count },
      tokens: uses.map { use in
        AccessAnswer.Token(
          id: use.token.id, start: use.token.start, since: use.token.creationDate.formatted(.iso8601),
          expires: use.token.expirationDate.formatted(.iso8601), lastUsed: use.date?.formatted(.iso8601))
      })
  }
}

extension PHAccessLevel {
  /// The name in the API.
  var name: String { self == .readWrite ? "readWrite" : "addOnly" }

  init?(name: String) {
    switch name {
    case "readWrite": self = .readWrite
    case "addOnly": self = .addOnly
    default: return nil
    }
  }
}

extension PHAuthorizationStatus {
  private static let all: [PHAuthorizationStatus] = [.notDetermined, .restricted, .denied, .authorized, .limited]

  /// Returns the status with a name of the API.
  init?(name: String) {
    guard let status = Self.all.first(where: { "\($0)" == name }) else { return nil }
    self = status
  }
}
