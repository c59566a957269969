import NIOCore
import NIOHTTP1

/// Closes a connection whose client is too slow, and counts the bytes that wait for it.
final class ConnectionLimitsHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// Notifies later handlers of a request that was answered before it reached them.
  enum Event { case requestWasAnswered }

  private let connections: OpenConnections
  private let inFlight: BytesInFlight
  private var deadlines: ClientDeadlines
  private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?

  init(limits: ServerLimits, connections: OpenConnections, inFlight: BytesInFlight) {
    self.connections = connections
    self.inFlight = inFlight
    deadlines = ClientDeadlines(limits: limits, now: .now())
  }

  func channelActive(context: ChannelHandlerContext) {
    connections.opened()
    follow(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.task.cancel()
    timer = nil
    connections.closed(context.channel)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: deadlines.requestBegan(now: .now())
    case .body: break
    case .end: deadlines.requestEnded()
    }
    follow(context)
    context.fireChannelRead(data)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is Event {
      deadlines.requestWasAnswered(now: .now())
      follow(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    let byteCount = if case .body(let body) = part { body.readableBytes } else { 0 }
    let written = promise ?? context.eventLoop.makePromise(of: Void.self)
    deadlines.writeBegan(now: .now())
    inFlight.add(byteCount)
    written.futureResult.hop(to: context.eventLoop).assumeIsolated().whenComplete { [self] _ in
      inFlight.remove(byteCount)
      deadlines.writeEnded(now: .now())
    }
    if case .end = part { deadlines.answerEnded(now: .now()) }
    follow(context)
    context.write(data, promise: written)
  }

  /// Applies the current deadlines.
  private func follow(_ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    connections.waits(context.channel, until: deadlines.request)
    guard let next = deadlines.next else { return }
    if let timer, timer.deadline <= next { return }
    timer?.task.cancel()
    let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) { [self] in
      timer = nil
      if let next = deadlines.next, next <= .now() { context.close(promise: nil) } else { follow(context) }
    }
    timer = (next, task)
  }
}
