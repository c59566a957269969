import Foundation
import Photos
import Synchronization
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

  private let link = URL(fileURLWithPath: "/").appendingPathComponent("a-link")

  @Test func `the user who runs the server gets a new link each time`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let count = Mutex(0)
    let socket = try #require(
      OwnerSocket(inLibraryAt: folder) {
        count.withLock { $0 += 1 }
        return link
      })
    #expect(try OwnerSocket.requestLink(ofLibraryAt: folder).absoluteString == link.absoluteString)
    #expect(try OwnerSocket.requestLink(ofLibraryAt: folder).absoluteString == link.absoluteString)
    #expect(count.withLock { $0 } == 2)
    socket.close()
    #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("serve.socket").path))
    let error = #expect(throws: PhotosServerError.self) { try OwnerSocket.requestLink(ofLibraryAt: folder) }
    #expect(error?.code == .notServed)
  }

  @Test func `U-02: another user can't reach the socket`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let socket = try #require(OwnerSocket(inLibraryAt: folder) { link })
    defer { socket.close() }
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.appendingPathComponent("serve.socket").path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
  }

  @Test func `a second server leaves the socket of the first, and takes over that of a killed one`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try #require(OwnerSocket(inLibraryAt: folder) { link })
    #expect(OwnerSocket(inLibraryAt: folder) { link } == nil)
    let path = folder.appendingPathComponent("serve.socket").path
    // A link keeps the file after the server has removed its own name, like that of a killed one.
    #expect(Glibc.link(path, path + "-kept") == 0)
    first.close()
    #expect(rename(path + "-kept", path) == 0)
    // The socket has no listener any more.
    #expect(throws: PhotosServerError.self) { try OwnerSocket.requestLink(ofLibraryAt: folder) }
    let second = try #require(OwnerSocket(inLibraryAt: folder) { link })
    #expect(try OwnerSocket.requestLink(ofLibraryAt: folder).absoluteString == link.absoluteString)
    second.close()
  }
}
