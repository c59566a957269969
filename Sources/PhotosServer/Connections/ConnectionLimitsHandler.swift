import NIOCore
import NIOHTTP1

/// Closes a connection whose client is too slow, or sends too many requests before it takes their
/// answers.
final class ConnectionLimitsHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The number of requests of a connection that may wait for their answers. All requests of a read
  /// are decoded at once, and take ten times their bytes.
  private static let mostUnanswered = 100

  private let connections: OpenConnections
  private var deadlines: ClientDeadlines
  private var context: ChannelHandlerContext?
  private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?
  /// Whether `connections` knows that this connection had a valid session. It never forgets that.
  /// Telling it takes a lock.
  private var isAskerNoted = false

  init(limits: ServerLimits, connections: OpenConnections, now: NIODeadline) {
    self.connections = connections
    deadlines = ClientDeadlines(limits: limits, now: now)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    connections.opened(context.channel, idleUntil: deadlines.request)
    schedule(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.task.cancel()
    timer = nil
    connections.closed(context.channel)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // The rest of a read arrives after its first requests have closed the connection.
    guard deadlines.unanswered <= Self.mostUnanswered else { return }
    switch unwrapInboundIn(data) {
    case .head(let head): deadlines.requestBegan(isUpload: Self.isUpload(head), now: context.eventLoop.now)
    case .body(let body): deadlines.bodyArrived(body.readableBytes, now: context.eventLoop.now)
    case .end: deadlines.requestEnded()
    }
    guard deadlines.unanswered <= Self.mostUnanswered else { return context.close(promise: nil) }
    applyDeadlines(context)
    context.fireChannelRead(data)
  }

  private static func isUpload(_ head: HTTPRequestHead) -> Bool {
    (head.method == .POST || head.method == .PATCH)
      && ["/api/v1/uploads", "/picker/v1/addresses"].contains(where: head.uri.hasPrefix)
  }

  /// Called after an earlier handler has answered requests, which had valid sessions.
  func requestWasAnswered() {
    guard let context else { return }
    if !isAskerNoted {
      isAskerNoted = true
      connections.noteAsker(of: context.channel)
    }
    deadlines.requestWasAnswered(now: context.eventLoop.now)
    applyDeadlines(context)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      deadlines.answerEnded(now: context.eventLoop.now)
      applyDeadlines(context)
    }
    context.write(data, promise: promise)
  }

  /// Called when a part of an answer is passed to the socket.
  func writeBegan(now: NIODeadline) {
    let isFirst = deadlines.write == nil
    deadlines.writeBegan(now: now)
    if isFirst, let context { schedule(context) }
  }

  /// Called when the client has accepted a part.
  func writeEnded(now: NIODeadline) { deadlines.writeEnded(now: now) }

  /// Schedules the current deadlines.
  private func applyDeadlines(_ context: ChannelHandlerContext) {
    guard context.channel.isActive else { return }
    connections.setIdle(context.channel, until: deadlines.request)
    schedule(context)
  }

  private func schedule(_ context: ChannelHandlerContext) {
    guard context.channel.isActive, let next = deadlines.next else { return }
    if let timer, timer.deadline <= next { return }
    timer?.task.cancel()
    let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) { [self] in
      timer = nil
      if let next = deadlines.next, next <= context.eventLoop.now {
        context.close(promise: nil)
      } else {
        applyDeadlines(context)
      }
    }
    timer = (next, task)
  }
}
