import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOPosix

/// The folder of the web app's files. It has no hidden files, and links don't lead out of it.
struct WebFolder: FileProvider {
  private let folder: String
  private let files: LocalFileSystem

  init(_ url: URL) {
    folder = url.resolvingSymlinksInPath().path
    var logger = Logger(label: "web")
    logger.logLevel = .critical
    files = LocalFileSystem(rootFolder: folder, threadPool: .singleton, logger: logger)
  }

  /// Returns the file of a path whose escapes are resolved.
  func getFileIdentifier(_ path: String) -> String? {
    if path == "/" { return folder }
    let names = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = names.allSatisfy { name in
      !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\\") }
    }
    guard path.hasPrefix("/"), isPlain else { return nil }
    let file = URL(fileURLWithPath: "\(folder)/\(names.joined(separator: "/"))").resolvingSymlinksInPath().path
    return file.hasPrefix(folder + "/") ? file : nil
  }

  func getAttributes(id: String) async throws -> LocalFileSystem.FileAttributes? {
    let attributes = try await files.getAttributes(id: id)
    // Only the root has an index.
    return attributes?.isFolder == true && id != folder ? nil : attributes
  }

  func loadFile(id: String, context: some RequestContext) async throws -> ResponseBody {
    try await files.loadFile(id: id, context: context)
  }

  func loadFile(id: String, range: ClosedRange<Int>, context: some RequestContext) async throws -> ResponseBody {
    try await files.loadFile(id: id, range: range, context: context)
  }

  /// Answers a path without an endpoint with the file of that path.
  var middleware: WebFiles {
    WebFiles(
      files: FileMiddleware(
        fileProvider: self,
        // A page must not be shown again after signing out.
        cacheControl: .init([(.textHtml, [.noStore]), (MediaType(type: .any), [.noCache])]), searchForIndexHtml: true
      ).withAdditionalMediaTypes(forFileExtensions: [
        // Texts need a charset, since browsers would guess it.
        "html": MediaType(type: .text, subType: "html", parameter: ("charset", "utf-8")),
        "js": MediaType(type: .text, subType: "javascript", parameter: ("charset", "utf-8")),
        "css": MediaType(type: .text, subType: "css", parameter: ("charset", "utf-8")),
        "webmanifest": MediaType(type: .application, subType: "manifest+json"),
      ]))
  }
}

/// Answers with the files of the web app, always whole.
struct WebFiles: RouterMiddleware {
  typealias Context = ServerContext

  let files: FileMiddleware<ServerContext, WebFolder>

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    // Hummingbird computes a wrong length for a range that begins at or after the end of a file.
    // The web app's files are small, and HTTP lets a server send the whole file.
    var head = request.head
    head.headerFields[.range] = nil
    head.headerFields[.ifRange] = nil
    var response = try await files.handle(Request(head: head, body: request.body), context: context, next: next)
    response.headers[.acceptRanges] = nil
    return response
  }

  /// Answers the address of a view with the page, which reads the address itself.
  func index(for request: Request, _ context: ServerContext) async throws -> Response {
    try await page("/", for: request, context)
  }

  /// Answers an address with the file at another path.
  func page(_ path: String, for request: Request, _ context: ServerContext) async throws -> Response {
    var head = request.head
    head.path = path
    return try await handle(Request(head: head, body: request.body), context: context) { _, _ in
      throw HTTPError(.notFound)
    }
  }
}
