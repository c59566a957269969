import Foundation
import HummingbirdCore
import NIOCore

/// Notices that the client of a connection has left, or sends nothing more.
///
/// Hummingbird's `consumeWithCancellationOnInboundClose` does so too, but it ends the process if
/// the client leaves after its request was read as a whole.
final class DepartureHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  private var hasLeft = false
  private var waiting: [UUID: AsyncStream<Void>.Continuation] = [:]

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed { clientLeft() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    clientLeft()
    context.fireChannelInactive()
  }

  private func clientLeft() {
    hasLeft = true
    let ended = waiting.values
    waiting = [:]
    for continuation in ended { continuation.finish() }
  }

  fileprivate func add(_ continuation: AsyncStream<Void>.Continuation, _ id: UUID) {
    if hasLeft { continuation.finish() } else { waiting[id] = continuation }
  }

  fileprivate func remove(_ id: UUID) { waiting[id] = nil }
}

extension Channel {
  /// Returns a stream without elements, which ends when the client leaves.
  private func departure() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let id = UUID()
    @Sendable func handler() -> DepartureHandler? {
      try? pipeline.syncOperations.handler(type: DepartureHandler.self)
    }
    continuation.onTermination = { [self] _ in eventLoop.execute { handler()?.remove(id) } }
    eventLoop.execute {
      // A closed connection has no handlers any more.
      if let handler = handler() { handler.add(continuation, id) } else { continuation.finish() }
    }
    return stream
  }

  /// Runs work, and cancels it when the client leaves.
  fileprivate func whileClientStays<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
    let departure = departure()
    return try await withoutActuallyEscaping(work) { work in
      // The closure is called once, and the group waits for its end.
      nonisolated(unsafe) let work = work
      return try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await work() }
        group.addTask {
          for await _ in departure {}
          throw CancellationError()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
      }
    }
  }
}

extension ServerContext {
  /// Runs work, and cancels it when the client leaves. A request without a connection has no client
  /// that could leave.
  func whileClientStays<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
    guard let channel else { return try await work() }
    return try await channel.whileClientStays(work)
  }
}

extension HTTP1Channel {
  /// Makes connections whose handlers know when their client has left.
  static func watched(_ responder: @escaping HTTPChannelHandler.Responder) -> HTTP1Channel {
    HTTP1Channel(responder: responder, configuration: .init(additionalChannelHandlers: [DepartureHandler()]))
  }
}
