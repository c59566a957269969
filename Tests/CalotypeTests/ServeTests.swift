import Foundation
import PhotosTesting
import TestSupport
import Testing

@Suite(.serialized) struct ServeTests {
  @Test(.enabled(if: Soak.isOn, Soak.reason)) func `two thousand connections that do nothing keep nobody out`() throws {
    try raiseDescriptorLimit(to: 2_200)
    let server = try Server(descriptors: 1_024)
    defer { server.stop() }
    let cookie = try #require(server.signIn(with: server.link))
    let idle = (0..<2_000).map { _ in Connection(port: server.port, waits: false) }
    let connection = Connection(port: server.port, waits: true)
    #expect(connection.ask("/api/v1/library", cookie: cookie).hasPrefix("HTTP/1.1 200 "))
    // Counts the descriptors of idle connections, of the library and of the decoders.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.process.id)/fd").count
    #expect(open < 600)
    #expect(server.process.isRunning)
    withExtendedLifetime(idle) {}
  }

  @Test func `the link is no argument of the program, which others could read`() throws {
    let server = try Server()
    defer { server.stop() }
    #expect(server.link.count == 43)
    let arguments = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(server.process.id)/cmdline"))
    #expect(!String(decoding: arguments, as: UTF8.self).contains(server.link))
  }

  @Test func `open prints another link of the running server`() throws {
    let server = try Server()
    defer { server.stop() }
    let opened = try Program(library: server.library).run("open")
    let link = try #require(opened.output.firstMatch(of: /^http:\/\/calotype\.localhost:(\d+)\/start#([\w-]{43})\n$/))
    #expect(UInt16(link.1) == server.port && link.2 != server.link)
    let first = try #require(server.signIn(with: String(link.2)))
    #expect(Connection(port: server.port, waits: true).ask("/api/v1/library", cookie: first).hasPrefix("HTTP/1.1 200 "))
    #expect(server.signIn(with: String(link.2)) == nil)
    #expect(server.signIn(with: server.link) != nil)
  }

  @Test(.enabled(if: Server.canBeReadOnly, "a read-only mount can't be made here"))
  func `open prints a link of a server that can't write its library`() throws {
    let server = try Server(isReadOnly: true)
    defer { server.stop() }
    let opened = try Program(library: server.library).run("open")
    let link = try #require(opened.output.firstMatch(of: /\/start#([\w-]{43})\n$/), "\(opened.errors)")
    #expect(server.signIn(with: String(link.1)) != nil)
  }

  @Test func `open finds the server by another path of the library`() throws {
    let temporary = try TemporaryLibrary()
    let server = try Server(temporary)
    defer { server.stop() }
    let link = temporary.folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: temporary.url)
    let opened = try Program(library: link.path).run("open")
    #expect(opened.output.contains("http://calotype.localhost:\(server.port)/start#"), "\(opened.errors)")
  }

  @Test func `open without a server says what to do`() throws {
    let temporary = try TemporaryLibrary()
    let opened = try Program(library: temporary.url.path).run("open")
    #expect(opened.status == 1)
    #expect(opened.errors.contains("no server of this library runs here as this user; start it with `calotype serve`"))
  }

  @Test func `password reset signs every browser out`() throws {
    let server = try Server()
    defer { server.stop() }
    let cookie = try #require(server.signIn(with: server.link))
    let reset = try Program(library: server.library).run("password", "reset")
    #expect(reset.output == "There was no password. All browsers were signed out.\n")
    // The server looks for sessions that another process has ended once a second.
    try eventually("the refusal of the cookie") {
      Connection(port: server.port, waits: true).ask("/api/v1/library", cookie: cookie).hasPrefix("HTTP/1.1 401 ")
    }
  }

  /// Overwrites the file in which a server's account keeps who may sign in. Returns its path.
  private func damageSignIns(of server: Server) throws -> String {
    let descriptors = "/proc/\(server.process.id)/fd"
    let paths = try FileManager.default.contentsOfDirectory(atPath: descriptors).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
    }
    let path = try #require(paths.first { $0.contains("/sign-in/") && $0.hasSuffix(".sqlite") })
    try Data(repeating: 0x5A, count: 40_000).write(to: URL(fileURLWithPath: path), options: [])
    return path
  }

  @Test(arguments: [["access", "token", "Frame", "--level", "readWrite"], ["open"], ["serve", "--port", "0"]])
  func `commands name a damaged file about signing in, and the one that heals it`(command: [String]) throws {
    let server = try Server()
    defer { server.stop() }
    let path = try damageSignIns(of: server)
    let program = try Child(Program.path, ["--library", server.library] + command)
    if command[0] == "serve" {
      try program.output("line with the problem") { $0.contains("sign in") }
      program.send(SIGTERM)
    }
    let outcome = try program.finish()
    #expect((outcome.output + outcome.errors).contains("\(path): the file is damaged"))
    #expect((outcome.output + outcome.errors).contains("`calotype password reset`"))
  }

  @Test func `a running server goes on with the file that a reset has made`() throws {
    let server = try Server()
    defer { server.stop() }
    let cookie = try #require(server.signIn(with: server.link))
    let path = try damageSignIns(of: server)
    let kept = path.replacing(".sqlite", with: ".damaged-1.sqlite")
    let program = Program(library: server.library)
    let reset = try program.run("password", "reset")
    #expect(reset.status == 0)
    #expect(reset.output.hasPrefix("The file about signing in was damaged. It is now \(kept), and there is a new"))
    try eventually("the refusal of the cookie") {
      Connection(port: server.port, waits: true).ask("/api/v1/library", cookie: cookie).hasPrefix("HTTP/1.1 401 ")
    }
    let link = try #require(try program.run("open").output.firstMatch(of: /\/start#([\w-]{43})\n$/))
    let again = try #require(server.signIn(with: String(link.1)))
    let answer = Connection(port: server.port, waits: true).ask("/api/v1/library", cookie: again)
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
  }

  @Test func `the second server of a library says that the first one has the sockets`() throws {
    let temporary = try TemporaryLibrary()
    let first = try Server(temporary)
    defer { first.stop() }
    let second = try Server(temporary)
    second.process.send(SIGTERM)
    #expect(
      try second.process.finish().errors == """
        calotype: another server of this library answers `calotype open` and programs that ask for a picker; \
        this server does so after the other has ended

        """)
  }

  @Test func `a server goes on with the library that a repair has made`() throws {
    let temporary = try TemporaryLibrary()
    let program = Program(library: temporary.url.path)
    let photos = temporary.folder.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    try SampleMedia.jpeg(size: PictureSize(width: 8, height: 8)).write(to: photos.appendingPathComponent("IMG_1.JPG"))
    #expect(try program.run("import", photos.path).status == 0)
    let server = try Server(temporary)
    defer { server.stop() }
    try Data(repeating: 0x5A, count: 65_536).write(to: temporary.url.appendingPathComponent("library.sqlite"))
    for suffix in ["-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: "\(temporary.url.path)/library.sqlite\(suffix)")
    }
    #expect(try program.run("repair", "--yes").status == 0)
    let printed = try server.process.output("the second address") {
      $0.components(separatedBy: " is on ").count == 3 && $0.hasSuffix("\n")
    }
    let link = try #require(printed.matches(of: /localhost:(\d+)\/start#([\w-]+)/).last)
    let again = Connection(port: try #require(UInt16(link.1)), waits: true)
      .post("/api/v1/session/link", Data(#"{"link":"\#(link.2)"}"#.utf8), ["Content-Type": "application/json"])
    let cookie = try #require(again.firstMatch(of: /Set-Cookie: ([^;]+);/)?.1)
    let answer = Connection(port: try #require(UInt16(link.1)), waits: true)
      .ask("/api/v1/library", cookie: String(cookie))
    #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
  }

  @Test func `a server for other machines prints a set-up code until there is a password`() throws {
    let temporary = try TemporaryLibrary()
    let server = try Server(temporary, ["--public-url", "https://photos.example"])
    server.stop()
    #expect(server.printed.contains("is on https://photos.example/\n"))
    #expect(server.printed.contains(/A browser can set one with this code: (\w{4}-){3}\w{4}\n/))
  }

  @Test(arguments: [["--host", "0.0.0.0"], ["--public-url", "http://photos.example"]])
  func `U-11: an unencrypted server for other machines doesn't start`(options: [String]) throws {
    let temporary = try TemporaryLibrary()
    let served = try Program(library: temporary.url.path).run(arguments: ["serve", "--port", "0"] + options)
    #expect(served.status == 1)
    #expect(served.errors.contains("--insecure-http"))
  }

  /// Raises the limit of this process, which needs two thousand sockets too.
  private func raiseDescriptorLimit(to count: rlim_t) throws {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    getrlimit(resource, &limit)
    try #require(
      limit.rlim_max >= count, "this system lets a process open \(limit.rlim_max) files; the test needs \(count)")
    limit.rlim_cur = max(limit.rlim_cur, count)
    setrlimit(resource, &limit)
  }
}
