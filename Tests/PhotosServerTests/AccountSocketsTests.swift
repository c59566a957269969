import Foundation
import Photos
import Synchronization
import TestSupport
import Testing

@testable import PhotosServer

@Suite struct AccountSocketsTests {
  let folder: URL
  private let notices = Notices()
  private let pauses = Pauses()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("AccountSocketsTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private final class Notices: Sendable {
    private let sentences = Mutex<[String]>([])
    var all: [String] { sentences.withLock(\.self) }
    func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
  }

  /// A clock that the test moves.
  private final class Pauses: Sendable {
    private let state = Mutex((begun: 0, cancelled: 0, ends: [AsyncStream<Void>.Continuation]()))
    var begun: Int { state.withLock(\.begun) }
    var cancelled: Int { state.withLock(\.cancelled) }

    /// Lets the pauses that have begun end.
    func end() {
      state.withLock { state in
        for end in state.ends { end.finish() }
        state.ends = []
      }
    }

    func wait() async throws {
      let (signals, signal) = AsyncStream.makeStream(of: Void.self)
      state.withLock { state in
        state.begun += 1
        state.ends.append(signal)
      }
      for await _ in signals {}
      if Task.isCancelled { state.withLock { $0.cancelled += 1 } }
      try Task.checkCancellation()
    }
  }

  private func sockets() -> AccountSockets {
    AccountSockets(ofLibraryAt: folder, pause: pauses.wait, notice: notices.add)
  }

  /// Waits until there was an attempt after the last pause.
  private func nextAttempt() async throws {
    let begun = pauses.begun
    pauses.end()
    try await wait(for: "another attempt") { pauses.begun > begun }
  }

  private func end(_ socket: ServerSocket) {
    socket.remove()
    close(socket.listener)
  }

  @Test(arguments: [ServerSocket.Purpose.ownerLinks, .pickers])
  func `a second server gets the socket when the first has ended`(_ purpose: ServerSocket.Purpose) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try ServerSocket(purpose, ofLibraryAt: folder)
    let sockets = sockets()
    let waiting = Task { await sockets.wait(for: purpose) }
    try await wait(for: "the first attempt") { pauses.begun == 1 }
    try await nextAttempt()
    end(first)
    pauses.end()
    let second = try #require(try await result(of: waiting, "the socket").get())
    defer { end(second) }
    let connection = try #require(ServerSocket.connect(purpose, ofLibraryAt: folder))
    close(connection)
  }

  @Test func `a second server says once that another one has its sockets`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let purposes = [ServerSocket.Purpose.ownerLinks, .pickers]
    let first = try purposes.map { try ServerSocket($0, ofLibraryAt: folder) }
    defer { first.forEach(end) }
    let sockets = sockets()
    for purpose in purposes + purposes { #expect(sockets.listen(purpose) == nil) }
    #expect(
      notices.all == [
        """
        another server of this library answers `calotype open` and programs that ask for a picker; \
        this server does so after the other has ended
        """
      ])
  }

  @Test(
    arguments: [
      (ServerSocket.Purpose.ownerLinks, "`calotype open` doesn’t find this server"),
      (.pickers, "programs can’t ask this server for a picker"),
    ], [true, false])
  func `a file or a folder in the socket's place is named, and left alone`(
    _ socket: (purpose: ServerSocket.Purpose, loss: String), isFolder: Bool
  ) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let purpose = socket.purpose
    // The account's folder is made with the first socket.
    end(try ServerSocket(purpose, ofLibraryAt: folder))
    let path = try socketPath(purpose, of: folder)
    if isFolder {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } else {
      try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    }
    let sockets = sockets()
    let waiting = Task { await sockets.wait(for: purpose) }
    try await wait(for: "the first attempt") { pauses.begun == 1 }
    #expect(notices.all == ["\(socket.loss): \(path) is in the way; move it elsewhere"])
    #expect(FileManager.default.fileExists(atPath: path))
    try FileManager.default.removeItem(atPath: path)
    pauses.end()
    end(try #require(try await result(of: waiting, "the socket").get()))
  }

  @Test func `attempts end with the server`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try TestServer()
    let first = try [ServerSocket.Purpose.ownerLinks, .pickers].map {
      try ServerSocket($0, ofLibraryAt: server.library.url)
    }
    defer { first.forEach(end) }
    try await serving(server, environment: ServerEnvironment(socketPause: pauses.wait)) { [pauses] _ in
      try await wait(for: "both attempts") { pauses.begun == 2 }
    }
    #expect(pauses.begun == 2)
    #expect(pauses.cancelled == 2)
  }

  @Test func `a server that runs on answers after the first has ended`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try TestServer()
    let library = server.library.url
    let sockets = try [ServerSocket.Purpose.ownerLinks, .pickers].map { try ServerSocket($0, ofLibraryAt: library) }
    try await serving(server, environment: ServerEnvironment(socketPause: pauses.wait)) { [pauses] url in
      try await wait(for: "both attempts") { pauses.begun == 2 }
      for socket in sockets {
        socket.remove()
        close(socket.listener)
      }
      pauses.end()
      try await wait(for: "the owner's socket") { OwnerSocket.answers(ofLibraryAt: library) }
      #expect(try OwnerSocket.requestLink(ofLibraryAt: library).port == url.port)
      try await wait(for: "the socket for pickers") {
        let connection = ServerSocket.connect(.pickers, ofLibraryAt: library)
        if let connection { close(connection) }
        return connection != nil
      }
    }
  }
}
