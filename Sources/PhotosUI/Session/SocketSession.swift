import Synchronization

/// A picker that the library's server shows, in the person's browser.
///
/// The program talks to the server over a Unix socket that only the server's own user can open:
/// that user is whom the server trusts. Each request is one of HTTP:
///
///     POST   /picker/v1/sessions {"configuration": …, "clientName": …, "process": PID}
///            {"session": SECRET, "picker": ADDRESS}
///     GET    /picker/v1/sessions/SECRET?since=REVISION      waits up to 25 seconds for a change
///            {"revision": n, "state": "waiting" | "open" | "picked" | "cancelled" | "expired", "items": […]}
///     POST   /picker/v1/sessions/SECRET/commands {"type": "deselect", …}
///     GET    /picker/v1/sessions/SECRET/items/ITEM/KIND     the file
///     DELETE /picker/v1/sessions/SECRET                     when nothing can be loaded any more
final class SocketSession: PickerSession {
  private let socket: PickerSocket
  private let state = Mutex(State())
  /// Commands are sent on this queue, in their order.
  private let commands = DispatchQueue(label: "SocketSession.commands")

  private struct State {
    /// The path of the session; `nil` before it has one.
    var path: String?
    /// The commands that wait for the path.
    var early: [PickerCommand] = []
    var isClosed = false
  }

  init(ofLibraryAt url: URL, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    socket = PickerSocket(libraryURL: url, now: now)
  }

  deinit {
    guard let path = state.withLock(\.path) else { return }
    DispatchQueue.global().async { [socket] in _ = try? socket.request("DELETE", path) }
  }

  func open(_ request: PickerRequest, _ handler: @escaping @Sendable (PickerEvent) -> Void) {
    DispatchQueue.global().async { [self] in
      do {
        let opened = try begin(request)
        guard !state.withLock(\.isClosed) else { return }
        Browser.openPicker(at: opened.picker)
        try follow(handler)
      } catch {
        if !state.withLock(\.isClosed) { handler(.failed(PHPhotosError(picking: error))) }
      }
    }
  }

  private struct Opening: Encodable {
    var configuration: PickerRequest
    var clientName: String
    /// A server that this program has started removes the picked items once the program exits.
    var process = ProcessInfo.processInfo.processIdentifier
  }

  private struct Opened: Decodable {
    var session: String
    var picker: String
  }

  private func begin(_ request: PickerRequest) throws -> Opened {
    try PickerServerStart.startUnlessServed(socket)
    let body = try JSONEncoder().encode(Opening(configuration: request, clientName: LibraryClient.current.name))
    let opened = try socket.request("POST", "/picker/v1/sessions", body: body).decoded(Opened.self)
    let path = "/picker/v1/sessions/" + opened.session
    state.withLock { state in
      state.path = path
      if !state.isClosed { for command in state.early { enqueue(command, path) } }
      state.early = []
    }
    return opened
  }

  private struct Answer: Decodable {
    enum State: String, Decodable { case waiting, open, picked, cancelled, expired }
    var revision: Int
    var state: State
    var items: [PickedItem]?
  }

  /// Waits for the answers, until the last one.
  private func follow(_ handler: @escaping @Sendable (PickerEvent) -> Void) throws {
    var revision = 0
    while let path = state.withLock({ $0.isClosed ? nil : $0.path }) {
      let answer = try socket.request(
        "GET", "\(path)?since=\(revision)", isCancelled: { self.state.withLock(\.isClosed) },
        isAlive: isAlive(path) { self.state.withLock(\.isClosed) }
      )
      .decoded(Answer.self)
      let items = answer.items ?? []
      switch answer.state {
      case .picked: return handler(.picked(items))
      case .cancelled: return handler(.cancelled(items))
      case .expired: throw PHPhotosError(.operationInterrupted, picking: "the picker was open for too long")
      case .waiting: break
      case .open: if answer.revision != revision, answer.items != nil { handler(.changed(items)) }
      }
      revision = answer.revision
    }
  }

  /// Returns a function that asks whether the server answers a question about the session. It may
  /// need long for the answer to another one, such as a movie or a list of very many items.
  private func isAlive(
    _ path: String, isCancelled: @escaping @Sendable () -> Bool
  ) -> @Sendable () -> Bool {
    { [socket] in (try? socket.request("GET", path + "?since=-1", isCancelled: isCancelled)) != nil }
  }

  /// Sends a command. One that comes before the server has answered is sent after the answer.
  func send(_ command: PickerCommand) {
    state.withLock { state in
      guard !state.isClosed else { return }
      if let path = state.path { enqueue(command, path) } else { state.early.append(command) }
    }
  }

  private func enqueue(_ command: PickerCommand, _ path: String) {
    commands.async { [socket] in
      // A command that comes too late has nothing to change.
      _ = try? socket.request("POST", path + "/commands", body: JSONEncoder().encode(command))
    }
  }

  func write(_ kind: PickedItem.Kind, of item: PickedItem, to file: URL, _ progress: Progress) throws {
    guard let path = state.withLock(\.path),
      let name = item.item.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    else { throw PHPhotosError(.operationInterrupted, picking: "\(item.name): the picker has ended") }
    let reply = try socket.request(
      "GET", "\(path)/items/\(name)/\(kind.rawValue)", isCancelled: { progress.isCancelled },
      isAlive: isAlive(path) { progress.isCancelled })
    if let size = reply.byteCount, size > 0 { progress.totalUnitCount = Int64(size) }
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
    let output = try FileHandle(forWritingTo: file)
    defer { try? output.close() }
    while let piece = try reply.nextPiece() {
      try output.write(contentsOf: piece)
      progress.completedUnitCount += Int64(piece.count)
    }
  }

  func close() {
    let path = state.withLock { state in
      defer { state.isClosed = true }
      return state.isClosed ? nil : state.path
    }
    guard let path else { return }
    commands.async { [socket] in
      _ = try? socket.request("POST", path + "/commands", body: Data(#"{"type":"close"}"#.utf8))
    }
  }
}

extension PickerCommand: Encodable {
  private enum Key: String, CodingKey {
    case type, selectionLimit, edgesWithoutContentMargins, searchText, identifiers, identifier, after
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .update(let limit, let edges, let text):
      try container.encode("update", forKey: .type)
      try container.encodeIfPresent(limit, forKey: .selectionLimit)
      try container.encodeIfPresent(edges?.names, forKey: .edgesWithoutContentMargins)
      try container.encodeIfPresent(text, forKey: .searchText)
    case .deselect(let identifiers):
      try container.encode("deselect", forKey: .type)
      try container.encode(identifiers, forKey: .identifiers)
    case .move(let identifier, let other):
      try container.encode("move", forKey: .type)
      try container.encode(identifier, forKey: .identifier)
      try container.encodeIfPresent(other, forKey: .after)
    case .scrollToInitialPosition: try container.encode("scrollToInitialPosition", forKey: .type)
    case .zoomIn: try container.encode("zoomIn", forKey: .type)
    case .zoomOut: try container.encode("zoomOut", forKey: .type)
    }
  }
}
