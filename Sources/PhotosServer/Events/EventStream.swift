import Foundation
import Hummingbird
import NIOCore
import Photos

/// The answer to `/api/v1/changes/stream`: what is committed, as server-sent events, until the
/// session or the client's token ends.
///
/// The next event is made when the client has taken the one before, so a slow client gets fewer and
/// larger events.
struct EventStream: Sendable {
  let subscription: ChangeFeed.Subscription
  let library: PHPhotoLibrary
  let context: ServerContext
  let times: Times

  struct Times: Sendable {
    /// The time after which a silent stream sends a comment.
    var heartbeat = Duration.seconds(15)
    /// The least time between two events.
    var pause = Duration.milliseconds(200)
    /// The time between two checks whether the session has expired or was ended by another process.
    var check = Duration.milliseconds(500)
    /// Waits between two events.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  }

  /// Writes events until the session or the token ends. `nil` is a position that the library
  /// doesn't know.
  func write(since start: PHPersistentChangeToken?, to writer: inout any ResponseBodyWriter) async throws {
    let clock = ContinuousClock()
    var sight = try await sight()
    var position = try await Blocking.run { [library] in start ?? library.currentChangeToken }
    var sent = clock.now
    if start == nil { try await send(ChangeEvent.reset(to: position).event.bytes, to: &writer) }
    try await send(ServerSentEvent.beginning(at: position.stringValue), to: &writer)
    if library.client == nil { try await send(sight.hidden.event.bytes, to: &writer) }
    for await _ in subscription.signals {
      var news = subscription.take()
      if !news.isDisjoint(with: [.tick, .ending]) { guard try await context.isAskerValid() else { break } }
      if news.contains(.tick), clock.now - sent >= times.heartbeat {
        try await send(ServerSentEvent.heartbeat, to: &writer)
        sent = clock.now
      }
      var events: [ServerSentEvent] = []
      let before = sight
      // A session's lock of the hidden assets closes by itself after some time.
      let mayBeLocked = news.contains(.tick) && library.client == nil
      if mayBeLocked || !news.isDisjoint(with: [.changes, .hiddenLock]) {
        sight = try await self.sight()
        if sight.status != before.status { events.append(ServerSentEvent("access", sight.status)) }
        if sight.hidden != before.hidden {
          if library.client == nil {
            events.append(sight.hidden.event)
            // The session sees other questions and edits than before.
            news.formUnion([.confirmations, .edits])
          } else if sight.status.readWrite == before.status.readWrite {
            events.append(ChangeEvent.reset(to: position).event)
          }
        }
      }
      if sight.status.readWrite != before.status.readWrite, sight.status.isReading {
        // The client sees other assets than before, which the history does not list.
        position = try await Blocking.run { [library = sight.library] in library.currentChangeToken }
        events.append(ChangeEvent.reset(to: position).event)
      } else if news.contains(.changes), let latest = try await changes(since: &position, in: sight.library) {
        events.append(latest.event)
        // A program on this machine asks by a transaction of its own.
        if latest.changesClients { news.insert(.requests) }
      }
      if library.client == nil {
        if news.contains(.requests) { events.append(ServerSentEvent("access", Empty())) }
        if news.contains(.confirmations) { events.append(ServerSentEvent("confirm", Empty())) }
        if news.contains(.edits) { events.append(ServerSentEvent("edit", Empty())) }
      }
      guard !events.isEmpty else { continue }
      for event in events { try await send(event.bytes, to: &writer) }
      sent = clock.now
      // Commits in quick succession become one event.
      try await times.sleep(times.pause)
    }
    try await writer.finish(nil)
  }

  private struct Empty: Encodable {}

  /// The access of the client that reads the stream.
  private struct Status: Encodable, Equatable {
    var readWrite: String
    var addOnly: String

    init(_ library: PHPhotoLibrary) throws {
      readWrite = "\(try library.readAuthorizationStatus(for: .readWrite))"
      addOnly = "\(try library.readAuthorizationStatus(for: .addOnly))"
    }

    var isReading: Bool { [PHAuthorizationStatus.authorized, .limited].map(\.name).contains(readWrite) }
  }

  /// Whether the hidden assets are kept from the reader of the stream. A client is not told so: it
  /// reads everything anew.
  private struct Hidden: Encodable, Equatable {
    var isLocked: Bool

    var event: ServerSentEvent { ServerSentEvent("hidden", self) }
  }

  /// The library as the reader of the stream may see it now.
  private struct Sight {
    var library: PHPhotoLibrary
    var status: Status
    var hidden: Hidden
  }

  private func sight() async throws -> Sight {
    let library = try await context.presentLibrary?() ?? library
    return try await Blocking.run {
      Sight(
        library: library, status: try Status(library), hidden: Hidden(isLocked: try library.lacksHidden()))
    }
  }

  private func send(_ bytes: ByteBuffer, to writer: inout any ResponseBodyWriter) async throws {
    try await writer.write(bytes)
    try await context.waitUntilAccepted()
  }

  private func changes(
    since position: inout PHPersistentChangeToken, in library: PHPhotoLibrary
  ) async throws -> ChangeEvent.Latest? {
    let found = try await Blocking.run { [position] in try ChangeEvent.latest(since: position, in: library) }
    guard let found else { return nil }
    position = found.token
    return found
  }
}
