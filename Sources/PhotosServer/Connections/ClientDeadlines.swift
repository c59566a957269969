import NIOCore

/// A state machine of one connection's deadlines: for its client's next request and next read.
struct ClientDeadlines {
  private let limits: ServerLimits
  /// The deadline for the whole next request; `nil` while the server answers.
  private(set) var request: NIODeadline?
  /// The deadline for the client to accept some of the pending bytes; `nil` if none are pending.
  private(set) var write: NIODeadline?
  private(set) var unanswered = 0
  /// The bytes of an upload that have arrived since its deadline was set; `nil` for other requests.
  private var uploaded: Int?
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

  mutating func requestBegan(isUpload: Bool = false, now: NIODeadline) {
    unanswered += 1
    uploaded = isUpload ? 0 : nil
    request = now + limits.requestTime
  }

  /// Gives an upload more time if enough of it has arrived. Nothing more is expected of one that is
  /// answered already.
  mutating func bodyArrived(_ byteCount: Int, now: NIODeadline) {
    guard let uploaded, unanswered > 0, request != nil else { return }
    self.uploaded = uploaded + byteCount
    guard uploaded + byteCount >= limits.uploadProgress else { return }
    self.uploaded = 0
    request = now + limits.requestTime
  }

  mutating func requestEnded() {
    // The answer may have been sent before the end of the request.
    if unanswered > 0 { request = nil }
  }

  mutating func answerEnded(now: NIODeadline) {
    unanswered = max(0, unanswered - 1)
    if unanswered == 0 { request = now + limits.requestTime }
  }

  /// Counts a request that an earlier handler answered.
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
