import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import PhotosUI

@Suite @MainActor struct SocketTests {
  private let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  nonisolated private static let item = """
    {"item":"i1","identifier":"A/L0/001","isLivePhoto":false,"name":"IMG.JPG","types":[{"kind":"main","uniformType":"public.jpeg","bytes":5}]}
    """

  @Test("A picker is shown over the library's socket, and the picked bytes come over it") func picked() async throws {
    let server = try PickerServer(inLibraryAt: temporary.url) { request in
      switch (request.method, request.path) {
      case ("POST", "/picker/v1/sessions"): .json(#"{"session":"S","picker":"http://127.0.0.1:1/picker#s=1"}"#)
      case ("GET", "/picker/v1/sessions/S?since=0"): .json(#"{"revision":1,"state":"waiting"}"#)
      case ("GET", "/picker/v1/sessions/S?since=1"):
        .json(#"{"revision":2,"state":"open","items":[\#(Self.item)]}"#)
      case ("GET", "/picker/v1/sessions/S?since=2"):
        .json(#"{"revision":3,"state":"picked","items":[\#(Self.item)]}"#)
      case ("GET", "/picker/v1/sessions/S/items/i1/main"): .chunked(["he", "llo"])
      default: .json("{}")
      }
    }
    let host = Host()
    var configuration = temporary.configuration()
    configuration.selection = .continuous
    let picker = host.show(configuration)
    let results = await host.results(2)
    #expect(results.map(\.assetIdentifier) == ["A/L0/001"])
    #expect(host.calls[0] == results)
    #expect(try await results[0].itemProvider.data(.image) == Data("hello".utf8))
    picker.zoomIn()
    picker.dismiss(animated: true)
    #expect(await holds { server.requests.count >= 7 })
    #expect(
      server.requests.map { "\($0.method) \($0.path)" } == [
        "POST /picker/v1/sessions", "GET /picker/v1/sessions/S?since=0", "GET /picker/v1/sessions/S?since=1",
        "GET /picker/v1/sessions/S?since=2", "GET /picker/v1/sessions/S/items/i1/main",
        "POST /picker/v1/sessions/S/commands", "POST /picker/v1/sessions/S/commands",
      ])
    #expect(server.requests[0].body.contains(#""selection":"continuous""#))
    #expect(server.requests[5].body == #"{"type":"zoomIn"}"#)
    #expect(server.requests[6].body == #"{"type":"close"}"#)
  }

  @Test("The session ends when nothing can be loaded any more") func deleted() async throws {
    let server = try PickerServer(inLibraryAt: temporary.url) { request in
      request.method == "POST"
        ? .json(#"{"session":"S","picker":"http://127.0.0.1:1/"}"#)
        : .json(#"{"revision":1,"state":"cancelled"}"#)
    }
    do {
      let host = Host()
      let picker = host.show(temporary.configuration())
      #expect(await host.results().isEmpty)
      #expect(picker.pickerProblem == nil)
      picker.dismiss(animated: true)
    }
    #expect(await holds { server.requests.contains { $0.method == "DELETE" } })
  }

  @Test("R-30: without a server the results are empty, and the reason says so") func notServed() async {
    let host = Host()
    let picker = host.show(temporary.configuration())
    #expect(await host.results().isEmpty)
    #expect(
      picker.pickerProblem?.localizedDescription
        == "\(temporary.library.url.path): no server of this library shows pickers here, and there is no program calotype in PATH that could; CALOTYPE_PICKER=newest:1 picks without a person"
    )
  }

  @Test(
    "R-30: a server that ends, refuses or answers nonsense leaves the results empty",
    arguments: [
      (PickerServer.Answer.nothing, "the library's server has ended, or does not answer"),
      (
        .status(429, #"{"detail":"too many pickers"}"#),
        "the library's server refused the picker: too many pickers"
      ),
      (.status(500, "oops"), "the library's server refused the picker: status 500"),
    ])
  func failing(answer: PickerServer.Answer, expected: String) async throws {
    let server = try PickerServer(inLibraryAt: temporary.url) { _ in answer }
    let host = Host()
    let picker = host.show(temporary.configuration())
    #expect(await host.results().isEmpty)
    #expect(picker.pickerProblem?.localizedDescription == expected)
    #expect(!server.requests.isEmpty)
  }

  @Test("A picker that could not be shown leaves selected what was, without files") func keptAfterFailure() async throws
  {
    let server = try PickerServer(inLibraryAt: temporary.url) { _ in .status(429, #"{"detail":"too many"}"#) }
    var configuration = temporary.configuration()
    configuration.preselectedAssetIdentifiers = ["A/L0/001", "B"]
    let host = Host()
    let picker = host.show(configuration)
    let results = await host.results()
    #expect(results.map(\.assetIdentifier) == ["A/L0/001", "B/L0/001"])
    #expect(results.map(\.itemProvider.registeredTypeIdentifiers) == [[], []])
    #expect(picker.pickerProblem != nil)
    _ = server
  }

  @Test(
    "The reason why no server shows a picker names the variable or the program",
    arguments: [
      (["PATH": "/usr/bin:/bin"], "there is no program calotype in PATH that could"),
      ([:], "there is no program calotype in PATH that could"),
      (["CALOTYPE_PROGRAM": "/opt/none"], "CALOTYPE_PROGRAM names no program that can be run: /opt/none"),
    ])
  func noProgram(environment: [String: String], reason: String) {
    let url = URL(fileURLWithPath: "/photos/A.calotype")
    let error = #expect(throws: PHPhotosError.self) {
      try PickerServerStart.path(environment: environment, ofLibraryAt: url, isExecutable: { _ in false })
    }
    #expect(
      error?.localizedDescription
        == "/photos/A.calotype: no server of this library shows pickers here, and \(reason); CALOTYPE_PICKER=newest:1 picks without a person"
    )
  }

  @Test("The program is that of CALOTYPE_PROGRAM, else the first one in PATH") func programs() throws {
    let url = URL(fileURLWithPath: "/photos/A.calotype")
    func path(_ environment: [String: String]) throws -> String {
      try PickerServerStart.path(environment: environment, ofLibraryAt: url, isExecutable: { $0.hasPrefix("/b") })
    }
    #expect(try path(["CALOTYPE_PROGRAM": "/b/other", "PATH": "/b"]) == "/b/other")
    #expect(try path(["CALOTYPE_PROGRAM": "", "PATH": "/a:/b:/bin"]) == "/b/calotype")
  }

  @Test("NI-08: a missing original is the same error as in the process") func missingOriginal() async throws {
    let code = PHPhotosError.Code.missingResource.rawValue
    let server = try PickerServer(inLibraryAt: temporary.url) { request in
      switch (request.method, request.path.contains("/items/")) {
      case ("POST", _): .json(#"{"session":"S","picker":"http://127.0.0.1:1/"}"#)
      case (_, true): .status(500, #"{"detail":"the original of IMG.JPG is missing","phPhotosErrorCode":\#(code)}"#)
      default: .json(#"{"revision":1,"state":"picked","items":[\#(Self.item)]}"#)
      }
    }
    let (session, item) = try await pickedItem()
    let error = await #expect(throws: PHPhotosError.self) {
      try await PickedDelivery(session).provider(for: item).data(.image)
    }
    #expect(error?.code == .missingResource)
    #expect(error?.localizedDescription == "the original of IMG.JPG is missing")
    _ = server
  }

  @Test("A file that is cut off is an error") func cutOff() async throws {
    let server = try PickerServer(inLibraryAt: temporary.url) { request in
      switch (request.method, request.path.contains("/items/")) {
      case ("POST", _): .json(#"{"session":"S","picker":"http://127.0.0.1:1/"}"#)
      case (_, true): .cutOff
      default: .json(#"{"revision":1,"state":"picked","items":[\#(Self.item)]}"#)
      }
    }
    let host = Host()
    _ = host.show(temporary.configuration())
    let provider = try #require(await host.results().first).itemProvider
    let error = await #expect(throws: PHPhotosError.self) { try await provider.data(.image) }
    #expect(error?.code == .operationInterrupted)
    _ = server
  }

  // MARK: Slow servers

  /// Returns a session with the server, and its picked item.
  private func pickedItem(
    _ now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) async throws -> (SocketSession, PickedItem) {
    let session = SocketSession(ofLibraryAt: temporary.url, now: now)
    let answers = Inbox<PickedItem?>()
    session.open(PickerRequest()) { event in
      if case .picked(let items) = event { answers.add(items.first) } else { answers.add(nil) }
    }
    return (session, try #require(await answers.next("the picked item")))
  }

  /// Loads the item from a server. `isAlive` states whether the server answers questions about the
  /// session.
  private func load(
    _ file: PickerServer.Answer, news: PickerServer.Answer? = nil, isAlive: Bool, _ silence: Silence
  ) async throws -> Data {
    let picked = PickerServer.Answer.json(#"{"revision":1,"state":"picked","items":[\#(Self.item)]}"#)
    let server = try PickerServer(inLibraryAt: temporary.url) { request in
      switch (request.method, request.path) {
      case ("POST", _): .json(#"{"session":"S","picker":"http://127.0.0.1:1/"}"#)
      case (_, "/picker/v1/sessions/S/items/i1/main"): file
      case (_, "/picker/v1/sessions/S?since=0"): news ?? picked
      case (_, "/picker/v1/sessions/S?since=-1"):
        silence.hasBeenAskedAbout(isAlive ? .json(#"{"revision":1,"state":"picked"}"#) : .nothing)
      default: .nothing
      }
    }
    let (session, item) = try await pickedItem { silence.now }
    let data = try await PickedDelivery(session).provider(for: item).data(.image)
    _ = server
    return data
  }

  @Test("A server that sends a byte now and then is not given up") func slow() async throws {
    let silence = Silence()
    let file = PickerServer.Answer.gated(["h", "e", "l", "l", "o"]) { silence.lasts(25, andIsSeen: true) }
    #expect(try await load(file, isAlive: false, silence) == Data("hello".utf8))
    #expect(silence.questionCount == 0)
  }

  @Test("A server that makes a movie for long is not given up while it answers other questions") func encoding()
    async throws
  {
    let silence = Silence()
    let file = PickerServer.Answer.gated(["movie"]) { silence.lastsUntilAQuestion() }
    #expect(try await load(file, isAlive: true, silence) == Data("movie".utf8))
  }

  @Test("A server that describes very many items for long is not given up either") func describing() async throws {
    let silence = Silence()
    let news = PickerServer.Answer.gated([#"{"revision":1,"state":"picked","items":[\#(Self.item)]}"#]) {
      silence.lastsUntilAQuestion()
    }
    #expect(try await load(.chunked(["hello"]), news: news, isAlive: true, silence) == Data("hello".utf8))
  }

  @Test("A server that is silent, and answers nothing else either, is given up") func silent() async throws {
    let silence = Silence()
    let end = DispatchSemaphore(value: 0)
    let file = PickerServer.Answer.gated(["late"]) {
      silence.lasts(61, andIsSeen: false)
      end.waits(for: "the end of the test")
      end.signal()
    }
    let error = await #expect(throws: PHPhotosError.self) { try await load(file, isAlive: false, silence) }
    end.signal()
    #expect(error?.localizedDescription == "the library's server has ended, or does not answer")
    #expect(silence.questionCount == 1)
  }

  @Test("NI-07: a canceled load takes no more bytes, although they keep coming") func cancelled() async throws {
    let progress = Progress(totalUnitCount: 0)
    let server = try PickerServer(inLibraryAt: temporary.url) { request in
      switch (request.method, request.path.contains("/items/")) {
      case ("POST", _): .json(#"{"session":"S","picker":"http://127.0.0.1:1/"}"#)
      case (_, true): .long(afterFirstPiece: { progress.cancel() })
      default: .json(#"{"revision":1,"state":"picked","items":[\#(Self.item)]}"#)
      }
    }
    let (session, item) = try await pickedItem()
    let file = temporary.url.appendingPathComponent("movie")
    #expect(throws: CancellationError.self) { try session.write(.main, of: item, to: file, progress) }
    _ = server
  }

  @Test("Commands that come before the server has answered are sent afterward, in their order") func early()
    async throws
  {
    let (opening, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    defer { end.signal() }
    let server = try PickerServer(inLibraryAt: temporary.url) { request in
      switch (request.method, request.path) {
      case ("POST", "/picker/v1/sessions"):
        .gated([#"{"session":"S","picker":"http://127.0.0.1:1/"}"#]) {
          opening.waits(for: "the commands")
          opening.signal()
        }
      case ("GET", _): .waiting(until: end)
      default: .json("{}")
      }
    }
    let host = Host()
    let picker = host.show(temporary.configuration())
    picker.zoomIn()
    picker.deselectAssets(withIdentifiers: ["A/L0/001"])
    picker.zoomOut()
    opening.signal()
    func commands() -> [String] { server.requests.filter { $0.path.hasSuffix("/commands") }.map(\.body) }
    #expect(await holds { commands().count == 3 })
    #expect(commands().map { $0.contains("zoomIn") } == [true, false, false])
    #expect(commands().map { $0.contains("A\\/L0\\/001") || $0.contains("A/L0/001") } == [false, true, false])
    #expect(commands().map { $0.contains("zoomOut") } == [false, false, true])
    picker.dismiss(animated: true)
  }

  @Test("A picker whose app is gone ends on the server, without being dismissed") func released() async throws {
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }
    let server = try PickerServer(inLibraryAt: temporary.url) { request in
      switch (request.method, request.path) {
      case ("POST", "/picker/v1/sessions"): .json(#"{"session":"S","picker":"http://127.0.0.1:1/"}"#)
      case ("GET", _): .waiting(until: end)
      default: .json("{}")
      }
    }
    do {
      let host = Host()
      _ = host.show(temporary.configuration())
      #expect(await holds { server.requests.contains { $0.method == "GET" } })
    }
    #expect(await holds { server.requests.contains { $0.body == #"{"type":"close"}"# } })
    #expect(await holds { server.requests.contains { $0.method == "DELETE" } })
    // The session sends the last request when nothing refers to it any more.
    #expect(server.requests.map(\.method).sorted() == ["DELETE", "GET", "POST", "POST"])
  }
}

/// The time in which a server sends nothing, by a clock that only the server moves. A client gives
/// it up after more than 60 seconds.
private final class Silence: Sendable {
  private let state = Mutex(State())

  private struct State {
    var now = ContinuousClock.now
    var lookCount = 0
    var questionCount = 0
  }

  /// The time that the client sees.
  var now: ContinuousClock.Instant {
    state.withLock { state in
      state.lookCount += 1
      return state.now
    }
  }

  /// The number of questions whether the server is alive.
  var questionCount: Int { state.withLock(\.questionCount) }

  /// Lets time pass. Then waits until the client has looked at the clock, if that is asked for.
  func lasts(_ seconds: Int, andIsSeen: Bool) {
    let lookCount = state.withLock { state in
      state.now += .seconds(seconds)
      return state.lookCount
    }
    guard andIsSeen else { return }
    wait("a look at the clock") { $0.lookCount > lookCount }
  }

  /// Lasts for so long, the first time, that the client asks whether the server is alive.
  func lastsUntilAQuestion() {
    guard questionCount == 0 else { return }
    lasts(61, andIsSeen: false)
    wait("a question whether the server is alive") { $0.questionCount > 0 }
  }

  func hasBeenAskedAbout(_ answer: PickerServer.Answer) -> PickerServer.Answer {
    state.withLock { $0.questionCount += 1 }
    return answer
  }

  private func wait(_ what: String, _ condition: (State) -> Bool) {
    do { try eventually(what) { state.withLock { condition($0) } } } catch { Issue.record(error) }
  }
}

/// A server of pickers at a library's socket, which answers each request by a function.
final class PickerServer: Sendable {
  struct Request: Sendable {
    var method: String
    var path: String
    var body: String
  }

  enum Answer: Sendable {
    case json(String)
    case status(Int, String)
    case chunked([String])
    /// Fewer bytes than the head promises.
    case cutOff
    /// A body in pieces of known length. The function is called before the head and before each
    /// piece, and may block.
    case gated([String], before: @Sendable () -> Void)
    /// A body of 64 MB, and a function that is called after its first MB.
    case long(afterFirstPiece: @Sendable () -> Void)
    case nothing

    /// An answer that a picker is still open, which comes after a signal.
    static func waiting(until end: DispatchSemaphore) -> Answer {
      .gated([#"{"revision":1,"state":"waiting"}"#]) {
        end.waits(for: "the end of the test")
        end.signal()
      }
    }

    func waitForGate() { if case .gated(_, let before) = self { before() } }

    var texts: [String] {
      guard case .gated(let parts, _) = self else { return [text] }
      return ["HTTP/1.1 200 OK\r\nContent-Length: \(parts.joined().utf8.count)\r\n\r\n"] + parts
    }

    private var text: String {
      switch self {
      case .json(let body): "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      case .status(let status, let body): "HTTP/1.1 \(status) No\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      case .chunked(let parts):
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
          + parts.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
      case .cutOff: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"
      case .long: "HTTP/1.1 200 OK\r\n\r\n"
      case .gated, .nothing: ""
      }
    }
  }

  private let socket: ServerSocket
  private let received = Mutex<[Request]>([])
  var requests: [Request] { received.withLock(\.self) }

  init(inLibraryAt url: URL, answer: @escaping @Sendable (Request) -> Answer) throws {
    socket = try ServerSocket(.pickers, ofLibraryAt: url)
    // The server's threads wait for connections.
    try #require(fcntl(socket.listener, F_SETFL, 0) == 0)
    Thread.detachNewThread { [weak self, listener = socket.listener] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread { [weak self] in
          defer { close(connection) }
          guard let request = Self.read(connection) else { return }
          self?.received.withLock { $0.append(request) }
          let answer = answer(request)
          for text in answer.texts {
            answer.waitForGate()
            let bytes = Array(text.utf8)
            _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
          }
          guard case .long(let afterFirstPiece) = answer else { return }
          let piece = [UInt8](repeating: 0, count: 1 << 20)
          for number in 0..<64 {
            guard send(connection, piece, piece.count, Int32(MSG_NOSIGNAL)) == piece.count else { return }
            if number == 0 { afterFirstPiece() }
          }
        }
      }
    }
  }

  deinit {
    socket.remove()
    shutdown(socket.listener, Int32(SHUT_RDWR))
    close(socket.listener)
  }

  private static func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let length = lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        let words = lines[0].split(separator: " ").map(String.init)
        let body = String(text[end.upperBound...])
        if body.utf8.count >= length { return Request(method: words[0], path: words[1], body: body) }
      }
      let count = Glibc.read(connection, &buffer, buffer.count)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}
