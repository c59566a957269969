import Foundation

/// Extension: what the owner of a library is asked on behalf of a client: for access, or before something is deleted.
///
///     print(request.text)   // “Slideshow” would like to see the photos of Family.calotype and to change them.
public struct PHAuthorizationRequest: Hashable, Sendable {
  /// Who wants it.
  public var client: PHClient
  /// The library's folder.
  public var libraryURL: URL
  public var question: Question

  public enum Question: Hashable, Sendable {
    /// A level of access, and why the client wants it.
    case access(PHAccessLevel, usageDescription: String?)
    /// Everything that one change block deletes.
    case deletion([Deletion])
  }

  /// Things of one kind that are to be deleted.
  public struct Deletion: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      /// To Recently Deleted, from which they can be brought back.
      case assets
      /// For good, with their files.
      case recentlyDeletedAssets
      /// The assets stay.
      case albums
      /// With the albums and folders in them; the assets stay.
      case folders
    }

    public var kind: Kind
    /// Each once.
    public var localIdentifiers: [String]

    public init(_ kind: Kind, localIdentifiers: [String]) {
      self.kind = kind
      self.localIdentifiers = localIdentifiers
    }
  }

  public init(client: PHClient, libraryURL: URL, question: Question) {
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

extension PHAuthorizationRequest.Deletion {
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

/// Extension: what the owner says to a request.
public enum PHAuthorizationAnswer: Hashable, Sendable {
  /// The level that is asked for.
  case authorized
  /// The client sees these assets, and what it creates; where it only asks to add, that is granted.
  case limited(localIdentifiers: [String] = [])
  case denied
  /// It may not even ask.
  case restricted
  /// What is to be deleted may be.
  case confirmed
  case refused
  /// Nobody is there to say: a sentence why. Nothing is decided.
  case unanswered(reason: String)
}

/// Extension: answers requests for access, and before something is deleted: a person, a script, another program.
///
///     library.authorizationAnswerer = PHAuthorizationScript { request in .limited(localIdentifiers: [first]) }
///
/// Any thread may ask, several requests at once; of the same client for the same level there is one at a time.
public protocol PHAuthorizationAnswerer: Sendable {
  /// Whether a person is asked, who has to be told why and who takes time. Where not, no usage description is needed, and a fetch of a
  /// client that has not asked yet asks by itself.
  var asksPerson: Bool { get }

  /// Calls the handler once, now or later, on any thread. One that is let go without having been called is an unanswered request.
  func answer(_ request: PHAuthorizationRequest, completionHandler: @escaping @Sendable (PHAuthorizationAnswer) -> Void)
}

extension PHAuthorizationAnswerer {
  public var asksPerson: Bool { true }
}

/// Extension: answers requests by a function: for tests, and for programs that decide by rules.
///
///     library.authorizationAnswerer = PHAuthorizationScript { _ in .denied }
public struct PHAuthorizationScript: PHAuthorizationAnswerer {
  private let decide: @Sendable (PHAuthorizationRequest) -> PHAuthorizationAnswer

  public init(_ decide: @escaping @Sendable (PHAuthorizationRequest) -> PHAuthorizationAnswer) { self.decide = decide }

  public var asksPerson: Bool { false }

  public func answer(
    _ request: PHAuthorizationRequest, completionHandler: @escaping @Sendable (PHAuthorizationAnswer) -> Void
  ) { completionHandler(decide(request)) }
}
