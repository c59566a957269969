/// Whether anybody still waits for what a thread decodes.
///
///     DecodingDemand.$isThere.withValue({ !request.isCancelled }) { try makePicture(of: file, metadata: metadata, request) }
///
/// Where nobody does, a worker that has been at it for half a second is ended: another one is started in less time than it may take.
public enum DecodingDemand {
  /// Asked ten times a second, by the thread that waits for the worker.
  @TaskLocal public static var isThere: @Sendable () -> Bool = { true }

  static let patience = Duration.milliseconds(500)
}
