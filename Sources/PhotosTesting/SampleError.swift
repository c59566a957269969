/// The reason why a sample could not be made.
public struct SampleError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// `ffmpeg` is not installed; movies need it.
    case missingProgram
    /// `ffmpeg` failed.
    case programFailed
    case cannotEncode, cannotWrite
  }

  public var code: Code
  /// The sample that was to be made.
  public var sample: String
  public var reason: String

  package init(_ code: Code, _ sample: String, reason: String) {
    self.code = code
    self.sample = sample
    self.reason = reason
  }

  public var description: String { "\(sample): \(reason)" }
}
