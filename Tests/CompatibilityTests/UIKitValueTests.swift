import TestSupport
import Testing
import UIKit

@Suite struct UIKitValueTests {
  @Test func `a size for the screen is a size of pixels`() {
    let scale = UIScreen.main.scale
    #expect(CGSize(width: 100 * scale, height: 100 * scale) == CGSize(width: 100, height: 100))
    #expect(UIScreen.main.bounds == CGRect(x: 0, y: 0, width: 1920, height: 1080))
  }

  @Test func `the device is a computer with Linux`() {
    #expect(UIDevice.current.systemName == "Linux")
    #expect(UIDevice.current.userInterfaceIdiom == .unspecified)
    #expect(UIDevice.current.systemVersion.split(separator: ".").count == 3)
  }

  @Test func `the program is active, and opens nothing`() async throws {
    #expect(UIApplication.shared.applicationState == .active)
    let settings = try #require(URL(string: UIApplication.openSettingsURLString))
    let isOpen = try await answer("the end of opening an address") { done in
      UIApplication.shared.open(settings) { done($0) }
    }
    #expect(!isOpen)
  }

  @Test(arguments: [
    (UIColor(hue: 0, saturation: 1, brightness: 1, alpha: 1), UIColor.red),
    (UIColor(hue: 1 / 3, saturation: 1, brightness: 1, alpha: 1), .green),
    (UIColor(hue: 0.5, saturation: 0, brightness: 0.5, alpha: 1), .gray),
    (UIColor(red: 2, green: -1, blue: .nan, alpha: 1), .red), (UIColor.black.withAlphaComponent(0), .clear),
  ])
  func `colors with the same components are equal`(made: UIColor, expected: UIColor) {
    var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
    #expect(made.getRed(&red, green: &green, blue: &blue, alpha: &alpha))
    #expect(UIColor(red: red, green: green, blue: blue, alpha: alpha) == made)
    var (red2, green2, blue2, alpha2): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
    expected.getRed(&red2, green: &green2, blue: &blue2, alpha: &alpha2)
    #expect(
      zip([red, green, blue, alpha], [red2, green2, blue2, alpha2]).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test func `a value has UIKit's geometry`() {
    #expect(
      NSValue(cgRect: CGRect(x: 1, y: 2, width: 3, height: 4)).cgRectValue == CGRect(x: 1, y: 2, width: 3, height: 4))
    #expect(NSValue(cgSize: CGSize(width: 3, height: 4)).cgSizeValue == CGSize(width: 3, height: 4))
    #expect(NSValue(cgPoint: CGPoint(x: 1, y: 2)).cgPointValue == CGPoint(x: 1, y: 2))
  }

  @Test func `an index path has a row and a section`() {
    var path = IndexPath(row: 3, section: 1)
    #expect((path.row, path.item, path.section) == (3, 3, 1))
    #expect(path == IndexPath(item: 3, section: 1) && path == IndexPath(indexes: [1, 3]))
    path.item = 4
    #expect(path == [1, 4])
  }

  @Test func `a pool returns what its block does`() throws {
    #expect(autoreleasepool { 3 } == 3)
    #expect(throws: CocoaError.self) { try autoreleasepool { throw CocoaError(.fileNoSuchFile) } }
  }
}

@Suite @MainActor struct UIViewTests {
  @Test func `a view is in one other view at most, and in none of its own`() {
    let (outer, inner, other) = (UIView(), UIView(), UIView())
    outer.addSubview(inner)
    #expect(outer.subviews == [inner] && inner.superview === outer)
    inner.addSubview(outer)
    inner.addSubview(inner)
    #expect(inner.subviews == [])
    other.addSubview(inner)
    #expect(outer.subviews == [] && other.subviews == [inner])
    other.addSubview(outer)
    other.addSubview(inner)
    #expect(other.subviews == [outer, inner])
    inner.removeFromSuperview()
    inner.removeFromSuperview()
    #expect(other.subviews == [outer] && inner.superview == nil)
  }

  private final class Noted: UIViewController {
    var calls: [String] = []
    override func loadView() {
      view = UIView(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
      calls.append("loadView")
    }
    override func viewDidLoad() { calls.append("viewDidLoad") }
    override func viewWillAppear(_ animated: Bool) { calls.append("willAppear") }
    override func viewDidAppear(_ animated: Bool) { calls.append("didAppear") }
    override func viewWillDisappear(_ animated: Bool) { calls.append("willDisappear") }
    override func viewDidDisappear(_ animated: Bool) { calls.append("didDisappear") }
  }

  @Test func `a controller makes its view when it is first asked for, and before it appears`() {
    let controller = Noted()
    #expect(controller.calls == [] && !controller.isViewLoaded)
    #expect(controller.view.bounds.size == CGSize(width: 320, height: 480))
    #expect(controller.calls == ["loadView", "viewDidLoad"])
    let parent = UIViewController()
    parent.addChild(controller)
    #expect(controller.calls.count == 2)
    controller.didMove(toParent: parent)
    controller.didMove(toParent: parent)
    parent.addChild(controller)
    #expect(controller.calls.dropFirst(2) == ["willAppear", "didAppear"])
    controller.removeFromParent()
    controller.removeFromParent()
    #expect(controller.calls.dropFirst(4) == ["willDisappear", "didDisappear"])
  }

  @Test func `a view that is set before the first look stays, and nothing loads another one`() {
    let controller = Noted()
    let view = UIView()
    controller.view = view
    controller.loadViewIfNeeded()
    #expect(controller.view === view && controller.isViewLoaded && controller.calls == [])
  }

  private final class Viewless: UIViewController {
    override func loadView() {}
  }

  @Test func `a controller that loads no view has an empty one`() { #expect(Viewless().view.frame == .zero) }

  @Test func `bounds keep their origin, and share their size with the frame`() {
    let view = UIView(frame: CGRect(x: 1, y: 2, width: 3, height: 4))
    view.bounds = CGRect(x: 5, y: 6, width: 7, height: 8)
    #expect(view.bounds == CGRect(x: 5, y: 6, width: 7, height: 8))
    #expect(view.frame == CGRect(x: 1, y: 2, width: 7, height: 8))
  }

  @Test func `a controller has one parent, and is no child of its own`() {
    let (first, second, child) = (UIViewController(), UIViewController(), UIViewController())
    first.addChild(child)
    second.addChild(child)
    #expect(first.children == [] && second.children == [child] && child.parent === second)
    child.addChild(child)
    child.addChild(second)
    #expect(child.children == [] && second.parent == nil)
    // Nothing appears in a controller that is not its parent.
    child.didMove(toParent: first)
    #expect(!child.isViewLoaded)
  }
}
