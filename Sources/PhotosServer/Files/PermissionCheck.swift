/// Asks once a second, while a long answer or an upload is sent, whether its client still has
/// access.
///
/// After signing out, and after access was withdrawn, the rest is not sent.
struct PermissionCheck {
  private static let interval = Duration.seconds(1)

  private let time: @Sendable () -> ContinuousClock.Instant
  private var date: ContinuousClock.Instant

  init(by time: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.time = time
    date = time()
  }

  /// Calls `check`, which throws without access. It is not called again within a second.
  mutating func callAsFunction(_ check: () async throws -> Void) async throws {
    guard date.duration(to: time()) >= Self.interval else { return }
    try await check()
    date = time()
  }
}
