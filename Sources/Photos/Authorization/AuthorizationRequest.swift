import Foundation

/// A question to the owner of a library on behalf of a client, which asks for access or wants to
/// delete something.
///
///     // “Slideshow” would like to see the photos of Family.calotype and to change them.
///     print(request.text)
public struct AuthorizationRequest: Hashable, Sendable {
  /// The client that asks.
  public var client: LibraryClient
  /// The library's folder.
  public var libraryURL: URL
  public var question: Question

  public enum Question: Hashable, Sendable {
    /// A level of access, and the client's reason for wanting it.
    case access(PHAccessLevel, usageDescription: String?)
    /// Everything that one change block deletes.
    case deletion([Deletion])
  }

  /// Objects of one kind that are to be deleted.
  public struct Deletion: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      /// Assets that move to Recently Deleted, from which they can be recovered.
      case assets
      /// Assets that are permanently deleted, with their files.
      case recentlyDeletedAssets
      /// Albums. Their assets stay in the library.
      case albums
      /// Folders with all albums and folders in them. The assets stay in the library.
      case folders
    }

    public var kind: Kind
    /// The objects, each of them once.
    public var localIdentifiers: [String]

    public init(_ kind: Kind, localIdentifiers: [String]) {
      self.kind = kind
      self.localIdentifiers = localIdentifiers
    }
  }

  public init(client: LibraryClient, libraryURL: URL, question: Question) {
    self.client = client
    self.libraryURL = libraryURL
    self.question = question
  }

  /// The question as one sentence.
  public var text: String {
    let library = libraryURL.lastPathComponent
    switch question {
    case .access(.readWrite, _):
      return "“\(client.name)” would like to see the photos of \(library) and to change them."
    case .access(.addOnly, _): return "“\(client.name)” would like to add photos to \(library), without seeing any."
    case .deletion(let deletions):
      return "“\(client.name)” would like to delete \(deletions.map(\.text).joined(separator: ", ")) of \(library)."
    }
  }
}

extension AuthorizationRequest.Deletion {
  var text: String {
    let count = localIdentifiers.count
    return switch kind {
    case .assets: "\(count) \(count == 1 ? "photo or video" : "photos and videos")"
    case .recentlyDeletedAssets: "for good \(count) \(count == 1 ? "photo or video" : "photos and videos")"
    case .albums: "\(count) \(count == 1 ? "album" : "albums")"
    case .folders: "\(count) \(count == 1 ? "folder" : "folders") with what is in \(count == 1 ? "it" : "them")"
    }
  }
}

/// The owner's answer to a request.
public enum AuthorizationAnswer: Hashable, Sendable {
  /// Grants the level that was asked for.
  case authorized
  /// Grants access to these assets and to those that the client creates. A request for `addOnly` is
  /// granted in full.
  case limited(localIdentifiers: [String] = [])
  case denied
  /// Denies access, and the client may not ask again.
  case restricted
  /// Allows the deletion.
  case confirmed
  case refused
  /// There was no answer, and nothing is decided. The reason is a sentence.
  case unanswered(reason: String)
}

/// Answers requests for access and for deletions, by asking a person or by a rule.
///
///     library.authorizationAnswerer = AuthorizationScript { request in
///       .limited(localIdentifiers: [first])
///     }
///
/// Requests come from any thread, and several may come at once. There is one at a time for the same
/// client and level.
public protocol AuthorizationAnswerer: Sendable {
  /// Whether a person answers, which takes time.
  ///
  /// If a person answers, a client needs a usage description. Otherwise it needs none, and the
  /// first fetch of a client that has not asked asks for access.
  var asksPerson: Bool { get }

  /// Calls the handler once, now or later, on any thread. A handler that is released without a call
  /// leaves the request unanswered.
  func answer(_ request: AuthorizationRequest, completionHandler: @escaping @Sendable (AuthorizationAnswer) -> Void)
}

extension AuthorizationAnswerer {
  public var asksPerson: Bool { true }
}

/// Answers requests by a function, for tests and for programs that decide by rules.
///
///     library.authorizationAnswerer = AuthorizationScript { _ in .denied }
public struct AuthorizationScript: AuthorizationAnswerer {
  private let decide: @Sendable (AuthorizationRequest) -> AuthorizationAnswer

  public init(_ decide: @escaping @Sendable (AuthorizationRequest) -> AuthorizationAnswer) { self.decide = decide }

  public var asksPerson: Bool { false }

  public func answer(
    _ request: AuthorizationRequest, completionHandler: @escaping @Sendable (AuthorizationAnswer) -> Void
  ) { completionHandler(decide(request)) }
}
