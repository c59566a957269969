import Foundation
import Testing

@testable import LibraryStore

@Suite struct AccountSocketTests {
  let folder: TemporaryFolder
  private let library: URL
  private let settings: String

  init() throws {
    folder = try TemporaryFolder()
    // The path is longer than the address of a socket can be.
    library = URL(fileURLWithPath: "\(folder.path)/\(String(repeating: "long", count: 40))")
    settings = "\(folder.path)/\(String(repeating: "far", count: 40))"
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
  }

  private var sockets: String { "\(settings)/\(AccountSocket.folderPath)" }

  /// Returns the path of the library's socket.
  private func path() throws -> String {
    "\(sockets)/\(try #require(AccountSocket.name(.pickers, ofLibraryAt: library)))"
  }

  private func listen() -> AccountSocket? { try? AccountSocket(.pickers, ofLibraryAt: library, in: settings) }

  /// Returns the reason that there is no socket.
  private func obstacle() -> AccountSocket.Obstacle? {
    #expect(throws: AccountSocket.Obstacle.self) { try AccountSocket(.pickers, ofLibraryAt: library, in: settings) }
  }

  private func canConnect(_ purpose: AccountSocket.Purpose = .pickers, to library: URL? = nil) -> Bool {
    let connection = AccountSocket.connect(purpose, ofLibraryAt: library ?? self.library, in: settings)
    if let connection { close(connection) }
    return connection != nil
  }

  private func end(_ socket: AccountSocket) {
    socket.remove()
    close(socket.listener)
  }

  /// Ends a server as its death does: its socket keeps its name, and has no listener.
  private func kill(_ socket: AccountSocket) { close(socket.listener) }

  @Test func `a socket is found until it is removed`() throws {
    #expect(!canConnect())
    let socket = try #require(listen())
    #expect(canConnect())
    end(socket)
    #expect(!canConnect())
    #expect(try FileManager.default.contentsOfDirectory(atPath: sockets) == [])
  }

  @Test func `no other user reaches a socket`() throws {
    let socket = try #require(listen())
    defer { end(socket) }
    for (path, mode) in [(sockets, 0o700), (try path(), 0o600)] {
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
    }
  }

  @Test func `a folder that others may enter is closed to them`() throws {
    try FileManager.default.createDirectory(atPath: sockets, withIntermediateDirectories: true)
    chmod(sockets, 0o777)
    let socket = try #require(listen())
    defer { end(socket) }
    #expect(try FileManager.default.attributesOfItem(atPath: sockets)[.posixPermissions] as? Int == 0o700)
  }

  @Test func `the library's folder gets no socket`() throws {
    let socket = try #require(listen())
    defer { end(socket) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.path) == [])
  }

  @Test func `a library has a socket for each purpose`() throws {
    let socket = try #require(listen())
    defer { end(socket) }
    #expect(!canConnect(.ownerLinks))
  }

  @Test func `libraries at different paths share no socket`() throws {
    let other = URL(fileURLWithPath: "\(folder.path)/Other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let socket = try #require(listen())
    defer { end(socket) }
    #expect(!canConnect(to: other))
  }

  @Test func `a link to a library leads to the same socket`() throws {
    let link = URL(fileURLWithPath: "\(folder.path)/link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: library)
    let socket = try #require(listen())
    defer { end(socket) }
    #expect(canConnect(to: link))
  }

  @Test func `a server that lives keeps its socket`() throws {
    let socket = try #require(listen())
    defer { end(socket) }
    #expect(obstacle() == .otherServer)
    #expect(canConnect())
  }

  @Test func `a server that has no time for more connections keeps its socket`() throws {
    let socket = try #require(listen())
    defer { end(socket) }
    // They are not accepted, so they fill the queue of the listener.
    let connections = (0..<9).compactMap { _ in AccountSocket.connect(.pickers, ofLibraryAt: library, in: settings) }
    defer { for connection in connections { close(connection) } }
    #expect(connections.count == 9)
    #expect(obstacle() == .otherServer)
    #expect(FileManager.default.fileExists(atPath: try path()))
  }

  @Test func `the socket of a killed server is replaced`() throws {
    kill(try #require(listen()))
    #expect(FileManager.default.fileExists(atPath: try path()))
    #expect(!canConnect())
    let socket = try #require(listen())
    defer { end(socket) }
    #expect(canConnect())
  }

  @Test func `a socket that is removed again leaves the next server's`() throws {
    let first = try #require(listen())
    end(first)
    let next = try #require(listen())
    defer { end(next) }
    first.remove()
    #expect(canConnect())
  }

  @Test func `nothing but a socket is removed`() throws {
    try FileManager.default.createDirectory(atPath: sockets, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path()))
    #expect(obstacle() == .occupied(try path()))
    #expect(try String(contentsOfFile: path(), encoding: .utf8) == "mine")
  }

  @Test func `a link is not followed, whatever folder it leads to`() throws {
    let elsewhere = "\(folder.path)/elsewhere"
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: "\(settings)/calotype", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: sockets, withDestinationPath: elsewhere)
    #expect(listen() == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == [])
  }

  @Test func `the program's settings may be behind a link`() throws {
    let elsewhere = "\(folder.path)/elsewhere"
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: "\(settings)/calotype", withDestinationPath: elsewhere)
    let socket = try #require(listen())
    defer { end(socket) }
    #expect(canConnect())
  }

  @Test func `without a folder of settings there is no socket`() {
    let obstacle = #expect(throws: AccountSocket.Obstacle.self) {
      try AccountSocket(.pickers, ofLibraryAt: library, in: "/dev/null")
    }
    guard case .refused(let sentence) = obstacle else { return #expect(Bool(false), "\(String(describing: obstacle))") }
    #expect(sentence.hasPrefix("/dev/null/calotype"))
    #expect(AccountSocket.connect(.pickers, ofLibraryAt: library, in: "/dev/null") == nil)
  }
}
