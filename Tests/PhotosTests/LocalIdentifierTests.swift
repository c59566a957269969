import Photos
import Testing

struct LocalIdentifierTests {
  private static let identifiers = [
    ("ab-c", "AB-C"), ("ab-c/L0/001", "AB-C"), ("/ab-c", "AB-C"), ("é/x", "É"), ("/", ""), ("", ""),
  ]

  @Test(arguments: identifiers)
  func `the part before the first slash names the object`(identifier: String, name: String) {
    #expect(PHObject.uuid(localIdentifier: identifier) == name)
  }
}
