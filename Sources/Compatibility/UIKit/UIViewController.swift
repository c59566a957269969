import Foundation

/// An object that shows a picker and is shown by other controllers. Its view is drawn nowhere,
/// since a program has no window here.
///
///     present(picker, animated: true)
///     picker.dismiss(animated: true)
///
/// The methods are called in UIKit's order: `viewDidLoad` once, `viewWillAppear` and
/// `viewDidAppear` at each presentation, `viewWillDisappear` and `viewDidDisappear` when it ends.
/// Nothing is animated. A child appears with `didMove(toParent:)`, and disappears with
/// `removeFromParent()`.
@preconcurrency @MainActor open class UIViewController: NSObject {
  open var title: String?
  /// The size of the controller while it is shown. It has no effect here.
  open var modalPresentationStyle = UIModalPresentationStyle.automatic
  /// The controller that this one shows.
  public private(set) var presentedViewController: UIViewController?
  /// The controller that shows this one.
  public private(set) weak var presentingViewController: UIViewController?
  public var isViewLoaded: Bool { loadedView != nil }
  /// The controllers that were added to this one, in their order.
  public private(set) var children: [UIViewController] = []
  /// The controller to which this one was added.
  public private(set) weak var parent: UIViewController?
  /// Whether `didMove(toParent:)` was called with the parent.
  private var isInParent = false
  private var isShownAsChild = false
  private var loadedView: UIView?

  /// Makes a controller. There are no nib files, so the arguments are ignored.
  public init(nibName: String? = nil, bundle: Bundle? = nil) { super.init() }

  /// Makes a controller. Nothing is read from the archive.
  public required init?(coder: NSCoder) { super.init() }

  /// The controller's view, which is made when it is first asked for.
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loadedView
    }
    set { loadedView = newValue }
  }

  /// Makes the view. A controller that replaces it sets `view`.
  open func loadView() { loadedView = UIView() }

  /// Calls `loadView` and `viewDidLoad`, unless there is a view.
  open func loadViewIfNeeded() {
    guard loadedView == nil else { return }
    loadView()
    if loadedView == nil { loadedView = UIView() }
    viewDidLoad()
  }

  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewWillDisappear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}

  /// Shows a controller, and calls the handler before it returns. Does nothing if this controller
  /// shows another one already.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
  ) {
    guard presentedViewController == nil, viewControllerToPresent.presentingViewController == nil else { return }
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.presentingViewController = self
    viewControllerToPresent.loadViewIfNeeded()
    viewControllerToPresent.viewWillAppear(flag)
    viewControllerToPresent.viewDidAppear(flag)
    viewControllerToPresent.showChildren()
    completion?()
  }

  /// Ends the presentation of the controller that this one shows, else its own presentation or that
  /// of its parent. Calls the handler before it returns.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    guard let presented = presentedViewController else {
      guard let shower = presentingViewController ?? parent else {
        completion?()
        return
      }
      return shower.dismiss(animated: flag, completion: completion)
    }
    // The controllers that the presented one shows disappear with it.
    if presented.presentedViewController != nil { presented.dismiss(animated: flag) }
    presented.hideChildren()
    presented.viewWillDisappear(flag)
    presentedViewController = nil
    presented.presentingViewController = nil
    presented.viewDidDisappear(flag)
    completion?()
  }

  // MARK: Children

  /// Adds a controller to this one, and calls its `willMove(toParent:)`. It appears once the
  /// program calls its `didMove(toParent:)`.
  open func addChild(_ childController: UIViewController) {
    let ancestors = sequence(first: self, next: \.parent)
    guard childController.parent !== self, !ancestors.contains(where: { $0 === childController }) else { return }
    childController.removeFromParent()
    childController.willMove(toParent: self)
    childController.parent = self
    children.append(childController)
  }

  /// Ends the appearance of this controller in its parent, and calls `didMove(toParent:)` with
  /// `nil`.
  open func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    didMove(toParent: nil)
  }

  open func willMove(toParent parent: UIViewController?) {}

  /// Makes a child appear. Overrides must call `super`.
  open func didMove(toParent parent: UIViewController?) {
    isInParent = parent != nil && parent === self.parent
    if isInParent { showAsChild() } else { hide() }
  }

  private func showAsChild() {
    guard isInParent, !isShownAsChild else { return }
    isShownAsChild = true
    loadViewIfNeeded()
    viewWillAppear(false)
    viewDidAppear(false)
    showChildren()
  }

  private func showChildren() { for child in children { child.showAsChild() } }

  /// Makes this child disappear, and its own children before.
  private func hide() {
    guard isShownAsChild else { return }
    isShownAsChild = false
    hideChildren()
    viewWillDisappear(false)
    viewDidDisappear(false)
  }

  private func hideChildren() { for child in children { child.hide() } }
}

public enum UIModalPresentationStyle: Int, Sendable {
  case automatic = -2
  case none
  case fullScreen
  case pageSheet
  case formSheet
  case currentContext
  case custom
  case overFullScreen
  case overCurrentContext
  case popover
}

/// A controller that has other controllers, which has nothing of its own here.
@preconcurrency @MainActor open class UINavigationController: UIViewController {}

/// A delegate of a navigation controller. Nothing calls it.
@preconcurrency @MainActor public protocol UINavigationControllerDelegate: AnyObject {}
