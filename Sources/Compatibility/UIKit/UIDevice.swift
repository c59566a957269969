import Foundation

// The values of UIKit's singletons. They are fixed, since there is no screen, no device and no
// running app.

/// A screen of 1,920 × 1,080 points with one pixel per point. Sizes that programs compute with it
/// are therefore in pixels.
///
///     let scale = UIScreen.main.scale
///     let target = CGSize(width: 100 * scale, height: 100 * scale)
public final class UIScreen: NSObject, Sendable {
  public static let main = UIScreen()

  private override init() {}

  public var scale: CGFloat { 1 }
  public var nativeScale: CGFloat { scale }
  public var bounds: CGRect { CGRect(x: 0, y: 0, width: 1920, height: 1080) }
  public var nativeBounds: CGRect { bounds }
  public var maximumFramesPerSecond: Int { 60 }
}

/// The kind of device that a program runs on.
public enum UIUserInterfaceIdiom: Int, Sendable {
  case unspecified = -1
  case phone
  case pad
  case tv
  case carPlay
  case mac = 5
  case vision
}

/// The machine's name and system.
public final class UIDevice: NSObject, Sendable {
  public static let current = UIDevice()

  private override init() {}

  /// The machine's name on its network.
  public var name: String { ProcessInfo.processInfo.hostName }
  public var model: String { "Computer" }
  public var localizedModel: String { model }
  public var systemName: String { "Linux" }
  /// The version of the kernel, such as `6.1.0`.
  public var systemVersion: String {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
  }
  public var userInterfaceIdiom: UIUserInterfaceIdiom { .unspecified }
}

/// The running program, which is always active and never suspended.
///
///     let task = UIApplication.shared.beginBackgroundTask()
///     defer { UIApplication.shared.endBackgroundTask(task) }
public final class UIApplication: NSObject, Sendable {
  public static let shared = UIApplication()

  private override init() {}

  public enum State: Int, Sendable {
    case active
    case inactive
    case background
  }

  /// Always `.active`.
  public var applicationState: State { .active }
  public var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }

  /// The URL of an app's settings. Nothing opens it here.
  public static let openSettingsURLString = "app-settings:"

  /// Returns `false`, since URLs can't be opened.
  public func canOpenURL(_ url: URL) -> Bool { false }

  /// Opens nothing. Calls the handler with `false` on the main queue.
  public func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:], completionHandler: (@Sendable (Bool) -> Void)? = nil
  ) {
    guard let completionHandler else { return }
    DispatchQueue.main.async { completionHandler(false) }
  }

  /// An option for opening a URL.
  public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let universalLinksOnly = OpenExternalURLOptionsKey(rawValue: "universalLinksOnly")
  }

  /// Returns an identifier for work that must not be interrupted. Programs are never suspended, so
  /// the handler is never called.
  public func beginBackgroundTask(
    withName name: String? = nil, expirationHandler: (@Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { UIBackgroundTaskIdentifier(rawValue: 1) }

  /// Does nothing, since there is no task to end.
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

  // These notifications are never posted.

  public static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActiveNotification")
  public static let willResignActiveNotification = Notification.Name("UIApplicationWillResignActiveNotification")
  public static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackgroundNotification")
  public static let willEnterForegroundNotification = Notification.Name("UIApplicationWillEnterForegroundNotification")
  public static let willTerminateNotification = Notification.Name("UIApplicationWillTerminateNotification")
  public static let didReceiveMemoryWarningNotification = Notification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")
}

/// Identifies work that must not be interrupted.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
