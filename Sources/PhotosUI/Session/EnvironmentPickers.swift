import Synchronization

/// The answers that `CALOTYPE_PICKER` gives to pickers: `newest:3`, `picked:IDENTIFIER,IDENTIFIER`
/// or `cancelled`. Several, separated by semicolons, answer one picker after the other, and the
/// last one all further ones.
final class EnvironmentPickers: Sendable {
  static let variable = "CALOTYPE_PICKER"

  private let answers: [String]
  private let count = Mutex(0)

  /// Returns `nil` if the variable is not set.
  init?(_ value: String?) {
    guard let value, !value.isEmpty else { return nil }
    answers = value.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Returns the answer to the next picker.
  func next() throws(PHPhotosError) -> Answer {
    let index = count.withLock { count in
      defer { count += 1 }
      return min(count, answers.count - 1)
    }
    let text = answers.indices.contains(index) ? answers[index] : ""
    guard let answer = Answer(text) else {
      throw PHPhotosError(
        .internalError,
        picking: "\(Self.variable) is “\(text)”, and has to be newest:COUNT, picked:IDENTIFIER,IDENTIFIER or cancelled")
    }
    return answer
  }

  enum Answer: Hashable, Sendable {
    case newest(Int)
    case picked([String])
    case cancelled

    init?(_ text: String) {
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      switch (parts.first, parts.count) {
      case ("cancelled", 1): self = .cancelled
      case ("picked", _): self = .picked(parts.dropFirst().flatMap { $0.split(separator: ",").map(String.init) })
      case ("newest", 2):
        guard let count = Int(parts[1]), count >= 0 else { return nil }
        self = .newest(count)
      default: return nil
      }
    }

    /// Does to a picker what the answer says. If Add is disabled at the end, cancels the picker.
    @Sendable func operate(_ picker: OpenPicker) {
      switch self {
      case .newest(let count): picker.pick(picker.assets.prefix(count))
      case .picked(let identifiers): picker.pick(identifiers)
      case .cancelled: break
      }
      picker.cancel()
    }
  }
}
