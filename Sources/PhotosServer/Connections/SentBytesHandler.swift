import NIOCore

/// Counts the bytes that the client has not accepted yet. The handler is next to the socket, so
/// every byte of every answer passes it.
final class SentBytesHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let inFlight: BytesInFlight
  private let connection: ConnectionLimitsHandler
  private var unwritten = 0
  private var isClosed = false
  private var waiters: [EventLoopPromise<Void>] = []

  init(inFlight: BytesInFlight, connection: ConnectionLimitsHandler) {
    self.inFlight = inFlight
    self.connection = connection
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let byteCount = unwrapOutboundIn(data).readableBytes
    guard byteCount > 0, !isClosed else { return context.write(data, promise: promise) }
    let written = promise ?? context.eventLoop.makePromise(of: Void.self)
    let (channel, eventLoop) = (context.channel, context.eventLoop)
    let now = eventLoop.now
    unwritten += 1
    inFlight.add(byteCount, to: channel, now: now)
    connection.writeBegan(now: now)
    written.futureResult.hop(to: context.eventLoop).assumeIsolated().whenComplete { [self] _ in
      guard !isClosed else { return }
      let now = eventLoop.now
      unwritten -= 1
      inFlight.remove(byteCount, from: channel, now: now)
      connection.writeEnded(now: now)
      if unwritten == 0 { completeWaiters() }
    }
    context.write(data, promise: written)
  }

  func channelInactive(context: ChannelHandlerContext) {
    isClosed = true
    inFlight.closed(context.channel)
    completeWaiters()
    context.fireChannelInactive()
  }

  /// Returns a future that succeeds when the client has accepted all bytes, or has disconnected.
  func whenAccepted(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
    guard unwritten > 0, !isClosed else { return eventLoop.makeSucceededVoidFuture() }
    let promise = eventLoop.makePromise(of: Void.self)
    waiters.append(promise)
    return promise.futureResult
  }

  private func completeWaiters() {
    let ended = waiters
    waiters = []
    for promise in ended { promise.succeed() }
  }
}

extension Channel {
  /// Waits until the client has accepted everything that was written to this connection. Canceling
  /// the task closes the connection.
  ///
  /// Nothing more is read or rendered for the client before that, so a stalled client uses no more
  /// memory.
  func waitUntilAccepted() async throws {
    try await withTaskCancellationHandler {
      try await eventLoop.flatSubmit { [self] () -> EventLoopFuture<Void> in
        // The socket for pickers has no such handler: it is for programs of the server's own user.
        let handler = try? pipeline.syncOperations.handler(type: SentBytesHandler.self)
        return handler?.whenAccepted(on: eventLoop) ?? eventLoop.makeSucceededVoidFuture()
      }.get()
      try Task.checkCancellation()
    } onCancel: {
      close(promise: nil)
    }
  }
}
