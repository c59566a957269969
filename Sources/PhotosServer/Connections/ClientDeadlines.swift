import NIOCore

/// The state machine of one connection: what its client has to do next, and until when.
struct ClientDeadlines {
  private let limits: ServerLimits
  /// When the request that the server waits for has to be there whole; `nil` while the server answers.
  private(set) var request: NIODeadline?
  /// When the client has to have taken a part of what was written; `nil` while nothing is unwritten.
  private(set) var write: NIODeadline?
  private var unanswered = 0
  private var isArriving = false
  private var unwritten = 0

  init(limits: ServerLimits, now: NIODeadline) {
    self.limits = limits
    request = now + limits.requestTime
  }

  var next: NIODeadline? {
    switch (request, write) {
    case (let request?, let write?): min(request, write)
    case (let one, let other): one ?? other
    }
  }

  mutating func requestBegan(now: NIODeadline) {
    unanswered += 1
    isArriving = true
    request = now + limits.requestTime
  }

  mutating func requestEnded() {
    isArriving = false
    // The answer may have come before the request's end.
    if unanswered > 0 { request = nil }
  }

  mutating func answerEnded(now: NIODeadline) {
    unanswered = max(0, unanswered - 1)
    if unanswered == 0 { request = now + limits.requestTime }
  }

  /// Counts a request that was answered before it came here.
  mutating func requestWasAnswered(now: NIODeadline) {
    if request != nil { request = now + limits.requestTime }
  }

  mutating func writeBegan(now: NIODeadline) {
    unwritten += 1
    if unwritten == 1 { write = now + limits.writeTime }
  }

  mutating func writeEnded(now: NIODeadline) {
    unwritten -= 1
    write = unwritten > 0 ? now + limits.writeTime : nil
  }
}
