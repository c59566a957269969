import CoreGraphics
import CryptoKit
import MobileCoreServices
import OSLog
import Testing

@Suite struct ThinModuleTests {
  @Test(arguments: [(kUTTypeJPEG, kUTTypeImage), (kUTTypeQuickTimeMovie, kUTTypeMovie), (kUTTypeGIF, kUTTypeGIF)])
  func `an identifier conforms to its kind`(type: String, kind: String) { #expect(UTTypeConformsTo(type, kind)) }

  @Test func `an identifier conforms to nothing else`() {
    #expect(!UTTypeConformsTo(kUTTypeJPEG, kUTTypeMovie))
    #expect(!UTTypeConformsTo("org.example.unknown", kUTTypeImage))
  }

  /// A common way to find a file's type.
  @Test func `a file's name and a MIME type tell an identifier, and back`() {
    let name = UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, "HEIC", nil)
    #expect(name?.takeRetainedValue() == "public.heic")
    let mime = UTTypeCreatePreferredIdentifierForTag(kUTTagClassMIMEType, "video/quicktime", kUTTypeMovie)
    #expect(mime?.takeRetainedValue() == kUTTypeQuickTimeMovie)
    #expect(UTTypeCreatePreferredIdentifierForTag(kUTTagClassMIMEType, "image/jpeg", kUTTypeMovie) == nil)
    #expect(UTTypeCreatePreferredIdentifierForTag("another class", "heic", nil) == nil)
    #expect(UTTypeCopyPreferredTagWithClass(kUTTypeJPEG, kUTTagClassMIMEType)?.takeRetainedValue() == "image/jpeg")
    #expect(
      UTTypeCopyPreferredTagWithClass("public.heic", kUTTagClassFilenameExtension)?.takeRetainedValue() == "heic")
  }

  /// A program reads its name and its version with these keys.
  @Test(arguments: [
    (kCFBundleNameKey as String, "CFBundleName"), (kCFBundleIdentifierKey as String, "CFBundleIdentifier"),
    (kCFBundleVersionKey as String, "CFBundleVersion"), (kCFBundleExecutableKey as String, "CFBundleExecutable"),
  ])
  func `a bundle's key is a text`(key: String, text: String) { #expect(key == text) }

  @Test func `a status without an error is zero`() {
    let status: OSStatus = noErr
    #expect(status == 0)
  }

  @Test func `a message hides what is private`() {
    let name = "Ada"
    let message: OSLogMessage = "\(3) photos of \(name, privacy: .private) in \(name, privacy: .public)\(name)"
    #expect(message.text == "3 photos of <private> in AdaAda")
  }

  @Test func `a logger takes messages of every level`() {
    let logger = Logger(subsystem: "org.example", category: "tests")
    logger.debug("nothing \(1)")
    logger.log(level: .debug, "nothing")
    os_log(.debug, log: OSLog(subsystem: "org.example", category: "tests"), "nothing")
  }

  @Test func `a lock guards its state`() async {
    let count = OSAllocatedUnfairLock(initialState: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { count.withLock { $0 += 1 } } }
    }
    #expect(count.withLock { $0 } == 100)
    let bare = OSAllocatedUnfairLock()
    bare.lock()
    #expect(!bare.lockIfAvailable())
    bare.unlock()
  }

  @Test func `a digest is CryptoKit's`() {
    let digest = SHA256.hash(data: Data("abc".utf8)).map { String(format: "%02x", $0) }.joined()
    #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
