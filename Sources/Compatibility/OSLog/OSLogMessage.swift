/// A message whose values have a privacy level.
///
///     logger.info("found \(count) photos of \(name, privacy: .private)")
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  package let text: String

  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The parts of a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  fileprivate private(set) var text = ""

  public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

  public mutating func appendLiteral(_ literal: String) { text += literal }

  public mutating func appendInterpolation(_ value: @autoclosure () -> some Any, privacy: OSLogPrivacy = .auto) {
    text += privacy.hides ? "<private>" : "\(value())"
  }
}

/// A privacy level: values are written or hidden.
public struct OSLogPrivacy: Hashable, Sendable {
  fileprivate let hides: Bool

  public static let auto = OSLogPrivacy(hides: false)
  public static let `public` = OSLogPrivacy(hides: false)
  public static let `private` = OSLogPrivacy(hides: true)
  public static let sensitive = OSLogPrivacy(hides: true)
}
