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
