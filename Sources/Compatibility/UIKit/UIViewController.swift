import Foundation

/// An object that shows a picker and is shown by other controllers. It has no view, since a program
/// has no window here.
///
///     present(picker, animated: true)
///     picker.dismiss(animated: true)
///
/// The methods are called in UIKit's order: `viewDidLoad` once, `viewWillAppear` and
/// `viewDidAppear` at each presentation, `viewWillDisappear` and `viewDidDisappear` when it ends.
/// Nothing is animated.
@MainActor open class UIViewController: NSObject {
  open var title: String?
  /// The controller that this one shows.
  public private(set) var presentedViewController: UIViewController?
  /// The controller that shows this one.
  public private(set) weak var presentingViewController: UIViewController?
  public private(set) var isViewLoaded = false

  /// Makes a controller. There are no nib files, so the arguments are ignored.
  public init(nibName: String? = nil, bundle: Bundle? = nil) { super.init() }

  /// Makes a controller. Nothing is read from the archive.
  public required init?(coder: NSCoder) { super.init() }

  /// Calls `viewDidLoad`, the first time.
  open func loadViewIfNeeded() {
    guard !isViewLoaded else { return }
    isViewLoaded = true
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
    completion?()
  }

  /// Ends the presentation of the controller that this one shows, else its own presentation. Calls
  /// the handler before it returns.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    guard let presented = presentedViewController else {
      guard let presentingViewController else {
        completion?()
        return
      }
      return presentingViewController.dismiss(animated: flag, completion: completion)
    }
    // The controllers that the presented one shows disappear with it.
    if presented.presentedViewController != nil { presented.dismiss(animated: flag) }
    presented.viewWillDisappear(flag)
    presentedViewController = nil
    presented.presentingViewController = nil
    presented.viewDidDisappear(flag)
    completion?()
  }
}

/// A controller that has other controllers, which has nothing of its own here.
open class UINavigationController: UIViewController {}

/// A delegate of a navigation controller. Nothing calls it.
@MainActor public protocol UINavigationControllerDelegate: AnyObject {}
