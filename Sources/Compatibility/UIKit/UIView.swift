import Foundation

/// A rectangle that nothing draws, since a program has no window here.
@MainActor open class UIView: NSObject {
  open var frame: CGRect
  open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
  open var isHidden = false

  public init(frame: CGRect = .zero) {
    self.frame = frame
    super.init()
  }

  /// Makes a view without an area. Nothing is read from the archive.
  public required init?(coder: NSCoder) {
    frame = .zero
    super.init()
  }
}

/// A recognizer that recognizes nothing.
@MainActor open class UIGestureRecognizer: NSObject {
  open var isEnabled = true
}

/// Edges of a rectangle, in the direction of the language.
public struct NSDirectionalRectEdge: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let top = NSDirectionalRectEdge(rawValue: 1 << 0)
  public static let leading = NSDirectionalRectEdge(rawValue: 1 << 1)
  public static let bottom = NSDirectionalRectEdge(rawValue: 1 << 2)
  public static let trailing = NSDirectionalRectEdge(rawValue: 1 << 3)
  public static let all: NSDirectionalRectEdge = [.top, .leading, .bottom, .trailing]
}
