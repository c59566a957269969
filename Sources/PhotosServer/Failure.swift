import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Photos

/// An answer that reports an error, as a problem document (RFC 9457).
struct Failure: Error {
  /// The kind of a problem, by which clients distinguish errors. `docs/HTTP.md` lists them.
  enum Problem: String, CaseIterable {
    case badRequest = "bad-request"
    case authenticationRequired = "authentication-required"
    case recentAuthenticationRequired = "recent-authentication-required"
    case forbidden
    case otherOrigin = "other-origin"
    case accessUserDenied = "access-user-denied"
    case accessRestricted = "access-restricted"
    case hiddenLocked = "hidden-locked"
    case userCancelled = "user-cancelled"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case conflict
    case canceled
    case changeDetailsUnavailable = "persistent-change-details-unavailable"
    case changeTokenExpired = "persistent-change-token-expired"
    case contentTooLarge = "content-too-large"
    case unsupportedType = "unsupported-type"
    case rangeNotSatisfiable = "range-not-satisfiable"
    case misdirectedRequest = "misdirected-request"
    case invalid
    case predicateTooCostly = "predicate-too-costly"
    case tooManyRequests = "too-many-requests"
    case fieldsTooLarge = "fields-too-large"
    case `internal`
    case notImplemented = "not-implemented"
    case unavailable
    case insufficientStorage = "insufficient-storage"

    /// The kind that a status has, unless the error says more.
    init(_ status: HTTPResponse.Status) {
      self =
        switch status.code {
        case 401: .authenticationRequired
        case 403: .forbidden
        case 404: .notFound
        case 405: .methodNotAllowed
        case 409: .conflict
        case 410: .changeTokenExpired
        case 413: .contentTooLarge
        case 415: .unsupportedType
        case 416: .rangeNotSatisfiable
        case 421: .misdirectedRequest
        case 422: .invalid
        case 429: .tooManyRequests
        case 431: .fieldsTooLarge
        case 501: .notImplemented
        case 503: .unavailable
        case 507: .insufficientStorage
        case 500...: .internal
        default: .badRequest
        }
    }

    var type: String { "urn:calotype:problem:\(rawValue)" }

    /// The same words for each problem of the kind.
    var title: String {
      switch self {
      case .badRequest: "The request can't be understood"
      case .authenticationRequired: "Sign in first"
      case .recentAuthenticationRequired: "Enter the password again"
      case .forbidden: "Not allowed"
      case .otherOrigin: "The request is from another origin"
      case .accessUserDenied: "The owner has not allowed this"
      case .accessRestricted: "The library's policy does not allow this"
      case .hiddenLocked: "Hidden is locked"
      case .userCancelled: "The owner has refused this"
      case .notFound: "Not found"
      case .methodNotAllowed: "The path does not have this method"
      case .conflict: "Something has changed meanwhile"
      case .canceled: "This was canceled"
      case .changeDetailsUnavailable: "The details of the changes are unavailable"
      case .changeTokenExpired: "The change token has expired"
      case .contentTooLarge: "The request is too large"
      case .unsupportedType: "The Content-Type is not supported"
      case .rangeNotSatisfiable: "The range is outside the file"
      case .misdirectedRequest: "The request is for another server"
      case .invalid: "The request can't be carried out"
      case .predicateTooCostly: "The predicate takes too long"
      case .tooManyRequests: "Too many requests"
      case .fieldsTooLarge: "The header is too large"
      case .internal: "The server has failed"
      case .notImplemented: "The server does not know the method"
      case .unavailable: "The library is unavailable"
      case .insufficientStorage: "There is not enough space"
      }
    }
  }

  var status: HTTPResponse.Status
  /// The sentence about this one problem. It names the key or the argument.
  var message: String
  var fields: HTTPFields
  var problem: Problem
  /// PhotoKit's code of the error, if it has one.
  var code: PHPhotosError.Code?
  /// The objects that have been changed since a transaction that can't be undone.
  var conflicts: [Conflict]?
  /// Whether `message` is a sentence about the library itself, which may name its path.
  private var isOfLibrary = false

  struct Conflict: Encodable {
    /// `asset`, `album` or `folder`.
    var kind: String
    var id: String
    var name: String

    init(_ conflict: UndoError.Conflict) {
      kind =
        switch conflict.objectType {
        case .asset: "asset"
        case .assetCollection: "album"
        case .collectionList: "folder"
        }
      id = String(conflict.localIdentifier.prefix { $0 != "/" })
      name = conflict.name
    }
  }

  init(
    _ status: HTTPResponse.Status, _ message: String, _ fields: HTTPFields = [:], problem: Problem? = nil,
    code: PHPhotosError.Code? = nil
  ) {
    self.status = status
    self.message = message
    self.fields = fields
    self.problem = problem ?? Problem(status)
    self.code = code
  }

  /// Converts an error to a status. No other code does.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as PHPhotosError: self.init(error)
    case let error as SignInError: self.init(error)
    case let error as UndoError:
      self.init(error.code == .unknownTransaction ? .notFound : .conflict, error.description)
      if !error.conflicts.isEmpty { conflicts = error.conflicts.map(Conflict.init) }
    case is HiddenIsLocked:
      self.init(.forbidden, "hidden photos and videos are locked; unlock them first", problem: .hiddenLocked)
    case is HTTPParserError: self.init(.badRequest, "the request is not one of HTTP/1.1")
    case is NIOTooManyBytesError: self.init(.contentTooLarge, "the request's body is too long")
    case let error as HTTPError: self.init(error.status, error.body ?? error.status.reasonPhrase, error.headers)
    case let error:
      self.init(.internalServerError, error.localizedDescription)
      isOfLibrary = true
    }
  }

  /// Converts an error of a request that the owner has not sent. Sentences about the library itself
  /// name its path, which only the owner may know.
  init(ofStranger error: any Error) {
    self.init(error)
    if isOfLibrary, status.code >= 500 { message = problem.title }
  }

  /// Runs the rest of a request of the owner. Its errors keep their sentences.
  static func keepingSentences(_ body: () async throws -> Response) async throws -> Response {
    do { return try await body() } catch let error as HTTPError { throw error } catch {
      var failure = Failure(error)
      failure.isOfLibrary = false
      throw failure
    }
  }

  /// Runs the rest of a client's request. Messages about the library itself are replaced if they
  /// name its path, which only the owner may know. All other messages stay.
  static func concealing(
    _ path: String, _ body: () async throws -> Response
  ) async throws -> Response {
    do { return try await body() } catch let error as HTTPError { throw error } catch {
      throw Failure(error).concealing(path)
    }
  }

  /// Returns the failure as a client may read it.
  func concealing(_ path: String) -> Failure {
    var failure = Failure(ofStranger: self)
    // Only messages of the library are replaced. Other messages may repeat what the client sent. If
    // one of these changed, the client would learn that it guessed the library's path.
    if isOfLibrary, message.contains(path) { failure.message = problem.title }
    return failure
  }

  private init(_ error: PHPhotosError) {
    let (status, problem): (HTTPResponse.Status, Problem?) =
      switch error.code {
      case .missingResource, .identifierNotFound: (.notFound, nil)
      // A retry won't help, since the file itself is the cause.
      case .invalidResource, .changeNotSupported, .requestNotSupportedForAsset, .limitExceeded:
        (.unprocessableContent, nil)
      case .accessUserDenied: (.forbidden, .accessUserDenied)
      case .accessRestricted: (.forbidden, .accessRestricted)
      case .userCancelled: (.forbidden, .userCancelled)
      case .persistentChangeTokenExpired: (.gone, nil)
      case .persistentChangeDetailsUnavailable: (.conflict, .changeDetailsUnavailable)
      case .notEnoughSpace: (.init(code: 507, reasonPhrase: "Insufficient Storage"), nil)
      case .libraryVolumeOffline, .relinquishingLibraryBundleToWriter, .networkAccessRequired, .networkError,
        .operationInterrupted:
        (.serviceUnavailable, nil)
      default: (.internalServerError, nil)
      }
    self.init(status, error.localizedDescription, problem: problem, code: error.code)
    isOfLibrary = true
  }

  private init(_ error: SignInError) {
    let (status, problem): (HTTPResponse.Status, Problem?) =
      switch error {
      case .wrongLink, .wrongPassword: (.unauthorized, nil)
      case .wrongSetUpCode: (.forbidden, nil)
      case .notRecentlyAuthenticated: (.forbidden, .recentAuthenticationRequired)
      case .unknownSession: (.notFound, nil)
      case .refusedPassword: (.unprocessableContent, nil)
      case .tooManyAttempts, .tooManyFailures, .tooManyChecks: (.tooManyRequests, nil)
      }
    self.init(status, error.description, problem: problem)
    if let seconds = error.retrySeconds { fields[.retryAfter] = String(seconds) }
  }

  static let contentType = "application/problem+json"

  private struct Document: Encodable {
    var type: String
    var title: String
    var status: Int
    var detail: String
    var phPhotosErrorCode: Int?
    var conflicts: [Conflict]?
  }

  var response: Response {
    var fields = fields
    fields[.cacheControl] = "no-store"
    let document = Document(
      type: problem.type, title: problem.title, status: status.code, detail: message, phPhotosErrorCode: code?.rawValue,
      conflicts: conflicts)
    return Response(status: status, json: document, fields, type: Self.contentType)
  }
}

extension Response {
  /// Encodes a value with sorted keys, so that equal values have equal bytes.
  init(
    status: HTTPResponse.Status = .ok, json value: some Encodable, _ fields: HTTPFields,
    type: String = "application/json; charset=utf-8"
  ) {
    var fields = fields
    fields[.contentType] = type
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding can't fail: the values contain only strings, integers and finite numbers.
    let body = (try? encoder.encode(value)) ?? Data()
    self.init(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
