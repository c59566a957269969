import Foundation
import Testing

@testable import Photos

@Suite struct ClientTests {
  private func plist(_ entries: [String: Any]) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
  }

  @Test func aProgramIsWhatItsInfoPlistSays() throws {
    let client = LibraryClient(
      executable: "/opt/slideshow/slideshow",
      infoPlist: try plist([
        "CFBundleIdentifier": "com.example.Slideshow", "CFBundleName": "Slideshow",
        "NSPhotoLibraryUsageDescription": "Shows your photos.",
        "NSPhotoLibraryAddUsageDescription": "Keeps your collages.",
      ]))
    #expect(
      client
        == LibraryClient(
          identifier: "com.example.Slideshow", name: "Slideshow", usageDescription: "Shows your photos.",
          addUsageDescription: "Keeps your collages."))
  }

  @Test func aProgramWithoutAnInfoPlistIsItsPath() {
    #expect(
      LibraryClient(executable: "/opt/slideshow/show", infoPlist: nil)
        == LibraryClient(identifier: "/opt/slideshow/show", name: "show"))
  }

  @Test func anInfoPlistWithoutAnIdentifierStillSaysWhy() throws {
    let client = LibraryClient(
      executable: "/opt/show", infoPlist: try plist(["NSPhotoLibraryUsageDescription": "Shows your photos."]))
    #expect(client == LibraryClient(identifier: "/opt/show", name: "show", usageDescription: "Shows your photos."))
  }

  @Test(
    "Without a valid property list, the path is the identifier",
    arguments: [
      "", "nonsense", "<plist><array/></plist>",
      "<plist><dict><key>CFBundleIdentifier</key><integer>1</integer></dict></plist>",
    ])
  func broken(text: String) {
    #expect(LibraryClient(executable: "/opt/show", infoPlist: Data(text.utf8)).identifier == "/opt/show")
  }

  @Test func anEmptyTextIsNone() throws {
    let client = LibraryClient(executable: "/opt/show", infoPlist: try plist(["NSPhotoLibraryUsageDescription": ""]))
    #expect(client.usageDescription == nil)
  }

  @Test func thisProgramIsItsExecutable() throws {
    let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #expect(LibraryClient.current.identifier == executable)
    #expect(LibraryClient.infoPlistURL.path == (executable as NSString).deletingLastPathComponent + "/Info.plist")
  }
}
