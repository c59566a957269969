import Foundation
import HTTPTypes
import Hummingbird
import Photos

/// Answers `/api/v1/changes/stream`.
struct EventRoutes: Sendable {
  let feed: ChangeFeed
  let times: EventStream.Times

  func add(to routes: RouterGroup<ServerContext>) {
    routes.endpoint("api/v1/changes/stream", get: { request, context in try await stream(request, context) })
  }

  private func stream(_ request: Request, _ context: ServerContext) async throws -> Response {
    let library = try context.requireLibrary()
    let fields: HTTPFields = [
      .contentType: "text/event-stream", .cacheControl: "private, no-store",
      // Otherwise nginx would hold events back.
      .accelBuffering: "no",
    ]
    if request.method == .head { return Response(status: .ok, headers: fields) }
    let start = try await start(request, library)
    let name = try sender(context)
    let place = try await Blocking.run { [feed] in try StreamPlace(in: feed, for: name) }
    let times = times
    return Response(
      status: .ok, headers: fields,
      body: ResponseBody { writer in
        let stream = EventStream(subscription: place.subscription, library: library, context: context, times: times)
        try await context.whileClientStays { try await stream.write(since: start, to: &writer) }
      })
  }

  /// Returns the position that the client has reached, by default the present one. `nil` if the
  /// library doesn't know it.
  private func start(_ request: Request, _ library: PHPhotoLibrary) async throws -> PHPersistentChangeToken? {
    let present = try await Blocking.run { library.currentChangeToken }
    let token: PHPersistentChangeToken?
    if let id = request.headers[.lastEventID] {
      token = PHPersistentChangeToken(stringValue: id)
    } else if let since = request.uri.queryParameters["since"] {
      token = try .since(since)
    } else {
      token = present
    }
    return token.flatMap { $0.isOfHistory(of: present) ? $0 : nil }
  }

  /// Returns the name of the one who asks, whose streams are counted together.
  private func sender(_ context: ServerContext) throws -> String {
    if let client = try context.requireLibrary().client { return "client \(client.identifier)" }
    return "session \(try context.requireSession().id)"
  }
}

/// The place of an answer among the open streams. It is given up when the answer is dropped,
/// whether or not it was sent.
private final class StreamPlace: Sendable {
  let subscription: ChangeFeed.Subscription
  private let feed: ChangeFeed

  init(in feed: ChangeFeed, for sender: String) throws {
    self.feed = feed
    subscription = try feed.open(for: sender)
  }

  deinit { feed.close(subscription) }
}

extension HTTPField.Name {
  fileprivate static let lastEventID = known("Last-Event-ID")
  fileprivate static let accelBuffering = known("X-Accel-Buffering")
}
