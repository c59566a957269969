import Essentials
import Foundation
import Photos
import Synchronization
import TestSupport
import Testing

@testable import PhotosServer

@Suite struct OwnerSocketTests {
  let folder: URL

  init() throws {
    // The path is longer than the address of a socket can be.
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("OwnerSocketTests-\(UUID().uuidString)-\(String(repeating: "long", count: 40))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private static let secret = String(repeating: "a1-_", count: 10) + "xyz"

  private func link(_ host: String = "calotype.localhost:2839") throws -> URL {
    try #require(URL(string: "http://\(host)/start#\(Self.secret)"))
  }

  @Test func `the user who runs the server gets a new link each time`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let count = Mutex(0)
    let link = try link()
    let socket = try #require(
      OwnerSocket(ofLibraryAt: folder) {
        count.withLock { $0 += 1 }
        return link
      })
    #expect(try OwnerSocket.requestLink(ofLibraryAt: folder).absoluteString == link.absoluteString)
    #expect(try OwnerSocket.requestLink(ofLibraryAt: folder).absoluteString == link.absoluteString)
    #expect(count.withLock { $0 } == 2)
    let path = try socketPath(.ownerLinks, of: folder)
    socket.close()
    #expect(!FileManager.default.fileExists(atPath: path))
    let error = #expect(throws: PhotosServerError.self) { try OwnerSocket.requestLink(ofLibraryAt: folder) }
    #expect(error?.code == .notServed)
  }

  @Test func `a server that looks for another one is given no link`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let count = Mutex(0)
    let link = try link()
    let socket = try #require(
      OwnerSocket(ofLibraryAt: folder) {
        count.withLock { $0 += 1 }
        return link
      })
    defer { socket.close() }
    for _ in 0..<3 { #expect(OwnerSocket(ofLibraryAt: folder) { link } == nil) }
    // Connections are answered in their order.
    _ = try OwnerSocket.requestLink(ofLibraryAt: folder)
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `U-02: another user can't reach the socket`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = try link()
    let socket = try #require(OwnerSocket(ofLibraryAt: folder) { link })
    defer { socket.close() }
    let attributes = try FileManager.default.attributesOfItem(atPath: socketPath(.ownerLinks, of: folder))
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
  }

  @Test func `a second server leaves the socket of the first, and takes over that of a killed one`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = try link()
    let first = try #require(OwnerSocket(ofLibraryAt: folder) { link })
    #expect(OwnerSocket(ofLibraryAt: folder) { link } == nil)
    let path = try socketPath(.ownerLinks, of: folder)
    // A link keeps the file after the server has removed its own name, like that of a killed one.
    #expect(Glibc.link(path, path + "-kept") == 0)
    first.close()
    #expect(rename(path + "-kept", path) == 0)
    // The socket has no listener any more.
    #expect(throws: PhotosServerError.self) { try OwnerSocket.requestLink(ofLibraryAt: folder) }
    let second = try #require(OwnerSocket(ofLibraryAt: folder) { link })
    #expect(try OwnerSocket.requestLink(ofLibraryAt: folder).absoluteString == link.absoluteString)
    second.close()
  }

  @Test func `the servers of two libraries give their own links`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let libraries = ["One", "Two"].map { folder.appendingPathComponent($0) }
    let links = [try link("one.example"), try link("two.example")]
    var sockets: [OwnerSocket] = []
    defer { for socket in sockets { socket.close() } }
    for (library, link) in zip(libraries, links) {
      try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
      sockets.append(try #require(OwnerSocket(ofLibraryAt: library) { link }))
    }
    #expect(try libraries.map { try OwnerSocket.requestLink(ofLibraryAt: $0) } == links)
  }

  @Test func `a socket that stands in the library's folder is not asked`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let listener = try #require(planted(in: folder))
    defer { close(listener) }
    let error = #expect(throws: PhotosServerError.self) { try OwnerSocket.requestLink(ofLibraryAt: folder) }
    #expect(error?.code == .notServed)
    var state = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    #expect(poll(&state, 1, 0) == 0, "somebody has connected")
  }

  /// Listens in a library's folder, under the name that earlier versions use.
  private func planted(in library: URL) -> Int32? {
    let parent = open(library.path, O_DIRECTORY | O_CLOEXEC)
    defer { close(parent) }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "/proc/self/fd/\(parent)/serve.socket".utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0, listen(listener, 8) == 0 else {
      close(listener)
      return nil
    }
    return listener
  }

  @Test func `files and links of the sockets' earlier names are left alone`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try TestServer()
    let library = server.library.url
    let file = library.appendingPathComponent("serve.socket")
    try Data("mine".utf8).write(to: file)
    let target = folder.appendingPathComponent("target")
    try Data("elsewhere".utf8).write(to: target)
    let link = library.appendingPathComponent("picker.socket")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    try await serving(server) { _ in
      #expect(try OwnerSocket.requestLink(ofLibraryAt: library).path == "/start")
      try await wait(for: "the socket for pickers") {
        try FileManager.default.fileExists(atPath: socketPath(.pickers, of: library))
      }
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
    #expect(try String(contentsOf: target, encoding: .utf8) == "elsewhere")
  }

  @Test(arguments: [
    "file:///start#SECRET", "javascript:/start#SECRET", "http:///start#SECRET", "http://a.example/#SECRET",
    "http://a.example/start", "http://a.example/start#short", "http://a.example/start#SECRETmore",
    "http://a.example/start?query#SECRET", "http://user@a.example/start#SECRET", "http://a.example/start#%1BSECRET",
  ])
  func `an answer that is no owner link is refused`(_ answer: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let answer = try #require(URL(string: answer.replacing("SECRET", with: Self.secret)))
    let socket = try #require(OwnerSocket(ofLibraryAt: folder) { answer })
    defer { socket.close() }
    let error = #expect(throws: PhotosServerError.self) { try OwnerSocket.requestLink(ofLibraryAt: folder) }
    #expect(error?.description == "\(folder.path): the server could not make a link; see its messages")
  }

  @Test func `the reason that there is no link is told`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let socket = try #require(
      OwnerSocket(ofLibraryAt: folder) { throw PhotosServerError(.notServed, "/some/file: it is damaged") })
    defer { socket.close() }
    let error = #expect(throws: PhotosServerError.self) { try OwnerSocket.requestLink(ofLibraryAt: folder) }
    #expect(error?.description == "/some/file: it is damaged")
  }

  @Test(arguments: ["http://calotype.localhost:2839", "http://[::1]:8080", "https://photos.example"])
  func `links of all kinds of servers are accepted`(_ address: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = try #require(URL(string: "\(address)/start#\(Self.secret)"))
    let socket = try #require(OwnerSocket(ofLibraryAt: folder) { link })
    defer { socket.close() }
    #expect(try OwnerSocket.requestLink(ofLibraryAt: folder) == link)
  }
}

extension OwnerSocket {
  fileprivate convenience init?(ofLibraryAt url: URL, makeLink: @escaping @Sendable () throws -> URL) {
    guard let socket = try? ServerSocket(.ownerLinks, ofLibraryAt: url) else { return nil }
    self.init(socket, makeLink: makeLink)
  }
}

/// Returns the path of a socket of the server of a library.
func socketPath(_ purpose: ServerSocket.Purpose, of library: URL) throws -> String {
  let name = try #require(ServerSocket.name(purpose, ofLibraryAt: library))
  return "\(AccountFolders.settings)/\(ServerSocket.folderPath)/\(name)"
}
