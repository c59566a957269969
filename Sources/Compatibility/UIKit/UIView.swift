import Foundation

/// A rectangle that nothing draws, since a program has no window here.
@preconcurrency @MainActor open class UIView: NSObject {
  open var frame: CGRect
  open var bounds: CGRect {
    get { CGRect(origin: boundsOrigin, size: frame.size) }
    set { (boundsOrigin, frame.size) = (newValue.origin, newValue.size) }
  }
  private var boundsOrigin = CGPoint.zero
  open var isHidden = false
  open var backgroundColor: UIColor?
  open var contentMode = ContentMode.scaleToFill
  /// The views that were added to this one, in their order.
  public private(set) var subviews: [UIView] = []
  public private(set) weak var superview: UIView?

  /// The place of a view's content.
  public enum ContentMode: Int, Sendable {
    case scaleToFill
    case scaleAspectFit
    case scaleAspectFill
    case redraw
    case center
    case top
    case bottom
    case left
    case right
    case topLeft
    case topRight
    case bottomLeft
    case bottomRight
  }

  public init(frame: CGRect = .zero) {
    self.frame = frame
    super.init()
  }

  /// Makes a view without an area. Nothing is read from the archive.
  public required init?(coder: NSCoder) {
    frame = .zero
    super.init()
  }

  /// Adds a view in front of the others. It leaves the view that it was in.
  open func addSubview(_ view: UIView) {
    guard !view.contains(self) else { return }
    view.removeFromSuperview()
    view.superview = self
    subviews.append(view)
  }

  /// Whether another view is this one, or within it.
  private func contains(_ other: UIView) -> Bool {
    sequence(first: other, next: \.superview).contains { $0 === self }
  }

  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }
}

/// A recognizer that recognizes nothing.
@preconcurrency @MainActor open class UIGestureRecognizer: NSObject {
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
