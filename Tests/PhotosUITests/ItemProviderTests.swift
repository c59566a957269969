import PhotosTesting
import Synchronization
import TestSupport
import Testing
import UIKit

@testable import ItemProviding

@Suite struct ItemProviderTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func provider(_ types: [(String, String)]) -> NSItemProvider {
    let provider = NSItemProvider()
    for (type, text) in types {
      provider.registerDataRepresentation(forTypeIdentifier: type, visibility: .all) { completionHandler in
        completionHandler(Data(text.utf8), nil)
        return nil
      }
    }
    return provider
  }

  @Test("NI-05: a load uses exactly its type, else the first one that conforms") func choice() async throws {
    let provider = provider([("public.heic", "heic"), ("public.jpeg", "jpeg"), ("public.mpeg-4", "movie")])
    #expect(try await provider.data(.image) == Data("heic".utf8))
    #expect(try await provider.data(.jpeg) == Data("jpeg".utf8))
    #expect(try await provider.data(.movie) == Data("movie".utf8))
    #expect(provider.registeredContentTypes(conformingTo: .image) == [.heic, .jpeg])
  }

  /// Returns the description of the item that is loaded.
  private func item(_ provider: NSItemProvider, _ type: UTType) async throws -> String {
    try await answer("an item") { done in
      provider.loadItem(forTypeIdentifier: type.identifier) { item, error in
        switch item {
        case let url as URL: done("file \((try? String(contentsOf: url, encoding: .utf8)) ?? "")")
        case let data as Data: done("data \(String(decoding: data, as: UTF8.self))")
        case let text as String: done("text \(text)")
        default: done("error \(error?.localizedDescription ?? "none")")
        }
      }
    }
  }

  @Test("An item is loaded as it was registered: data, a file that stays, a text, an address") func items() async throws
  {
    #expect(try await item(provider([("public.jpeg", "jpeg")]), .image) == "data jpeg")
    let file = folder.appendingPathComponent("A.jpeg")
    try Data("photo".utf8).write(to: file)
    #expect(try await item(try #require(NSItemProvider(contentsOf: file)), .image) == "file photo")
    let text = NSItemProvider(item: NSString(string: "note"), typeIdentifier: "public.plain-text")
    #expect(try await item(text, .plainText) == "text note")
    let url = NSItemProvider(item: NSURL(fileURLWithPath: file.path), typeIdentifier: "public.jpeg")
    #expect(try await item(url, .image) == "file photo")
    #expect(try await item(url, .movie) == "error the item can't be loaded as public.movie; it has public.jpeg")
    #expect(NSItemProvider(item: nil, typeIdentifier: "public.jpeg").registeredTypeIdentifiers.isEmpty)
  }

  @Test("The file of a loaded item stays after the handler, as others of its kind") func itemFileStays() async throws {
    let file = folder.appendingPathComponent("A.jpeg")
    try Data("photo".utf8).write(to: file)
    let provider = try #require(NSItemProvider(contentsOf: file))
    let url = try #require(try await provider.loadItem(forTypeIdentifier: "public.jpeg") as? URL)
    try await handlersHaveReturned()
    #expect(url != file)
    #expect(try Data(contentsOf: url) == Data("photo".utf8))
  }

  @Test("A handler may declare its item as NSSecureCoding") func secureCoding() async throws {
    let provider = provider([("public.jpeg", "jpeg")])
    let isData = try await answer("an item") { done in
      provider.loadItem(forTypeIdentifier: "public.jpeg", options: nil) { (item: NSSecureCoding?, error: Error?) in
        done(item is NSData)
      }
    }
    #expect(isData)
  }

  @Test("The bytes and the file of a registered item can be loaded too") func itemBytes() async throws {
    let file = folder.appendingPathComponent("Fjord.jpeg")
    try Data("photo".utf8).write(to: file)
    let url = NSItemProvider(item: NSURL(fileURLWithPath: file.path), typeIdentifier: "public.jpeg")
    #expect(try await url.data(.jpeg) == Data("photo".utf8))
    #expect(try await url.file(.jpeg) { $0.lastPathComponent } == "Fjord.jpeg")
    let data = NSItemProvider(item: NSData(data: Data("bytes".utf8)), typeIdentifier: "public.jpeg")
    data.suggestedName = "Named"
    #expect(try await data.data(.jpeg) == Data("bytes".utf8))
    #expect(
      try await data.file(.jpeg) { "\($0.lastPathComponent) \(try String(contentsOf: $0, encoding: .utf8))" }
        == "Named.jpeg bytes")
    for address in ["https://example.com", "https://example.com/etc/hostname"] {
      let web = NSItemProvider(item: NSURL(string: address), typeIdentifier: "public.url")
      #expect(try await web.data(.url) == Data(address.utf8))
      #expect(try await web.file(.url) { try Data(contentsOf: $0) } == Data(address.utf8))
    }
    let number = NSItemProvider(item: NSNumber(value: 7), typeIdentifier: "public.jpeg")
    let error = await #expect(throws: (any Error).self) { try await number.data(.jpeg) }
    #expect((error as NSError?)?.code == NSItemProvider.ErrorCode.unavailableCoercionError.rawValue)
  }

  @Test("A preview is what its handler provides, and an error without one") func preview() async throws {
    let provider = provider([("public.jpeg", "jpeg")])
    func preview() async throws -> String {
      try await answer("a preview") { done in
        provider.loadPreviewImage(options: [:]) { item, error in
          done((item as? NSString).map { "\($0)" } ?? error?.localizedDescription ?? "")
        }
      }
    }
    #expect(try await preview() == "the item can't be loaded as a preview; it has public.jpeg")
    provider.previewImageHandler = { completionHandler, _, _ in completionHandler?(NSString(string: "small"), nil) }
    #expect(try await preview() == "small")
  }

  @Test("A file of a given type may be opened in place if that is said") func contentType() async throws {
    let file = folder.appendingPathComponent("A.dat")
    try Data("photo".utf8).write(to: file)
    let provider = NSItemProvider(contentsOf: file, contentType: .jpeg, openInPlace: true)
    #expect(provider.registeredContentTypesForOpenInPlace == [.jpeg])
    let isOwn = try await answer("the file") { done in
      provider.loadFileRepresentation(for: .jpeg, openInPlace: true) { url, isInPlace, _ in
        done(isInPlace && url == file)
      }
    }
    #expect(isOwn)
    #expect(NSItemProvider(contentsOf: file, contentType: nil).registeredContentTypesForOpenInPlace == [])
  }

  @Test("NI-08: an unknown type is an error that names the types") func unknown() async {
    let provider = provider([("public.jpeg", "jpeg")])
    let error = await #expect(throws: (any Error).self) { try await provider.data(.movie) }
    let cocoa = error as NSError?
    #expect(cocoa?.domain == NSItemProvider.errorDomain)
    #expect(cocoa?.code == NSItemProvider.ErrorCode.itemUnavailableError.rawValue)
    #expect(cocoa?.localizedDescription == "the item can't be loaded as public.movie; it has public.jpeg")
  }

  @Test("NI-08: a provider without types has nothing to load") func empty() async {
    let provider = NSItemProvider()
    #expect(!provider.hasItemConformingToTypeIdentifier("public.data"))
    #expect(!provider.canLoadObject(ofClass: UIImage.self))
    let error = await #expect(throws: (any Error).self) { try await provider.object(UIImage.self) }
    #expect(
      (error as NSError?)?.localizedDescription == "the item can't be loaded as an object of UIImage; it has no types")
  }

  @Test("NI-04: the handler is called once, off the main queue, after the progress is complete") func progress()
    async throws
  {
    let provider = provider([("public.jpeg", "jpeg")])
    let calls = Mutex(0)
    var progress = Progress(totalUnitCount: 0)
    let isMain = try await answer("the handler's call") { done in
      progress = provider.loadDataRepresentation(for: .jpeg) { _, _ in
        calls.withLock { $0 += 1 }
        done(Thread.isMainThread)
      }
    }
    #expect(!isMain)
    #expect(progress.totalUnitCount == 100)
    #expect(progress.isFinished)
    #expect(progress.fractionCompleted == 1)
    progress.cancel()
    try await handlersHaveReturned()
    #expect(calls.withLock(\.self) == 1)
  }

  @Test("NI-04: the progress of the item's own function counts, and grows") func childProgress() async throws {
    let provider = NSItemProvider()
    let child = Progress.discreteProgress(totalUnitCount: 10)
    let finish = Mutex<(@Sendable (Data?, (any Error)?) -> Void)?>(nil)
    provider.registerDataRepresentation(for: .jpeg) { completionHandler in
      finish.withLock { $0 = completionHandler }
      return child
    }
    var progress = Progress(totalUnitCount: 0)
    var shares: [Double] = []
    try await answer("the end of a load") { done in
      progress = provider.loadDataRepresentation(for: .jpeg) { _, _ in done(()) }
      for step in 0...10 {
        child.completedUnitCount = Int64(step)
        shares.append(progress.fractionCompleted)
      }
      finish.withLock(\.self)?(Data(), nil)
    }
    #expect(shares == shares.sorted())
    #expect(shares[5] == 0.5)
    #expect(progress.isFinished)
    #expect(progress.fractionCompleted == 1)
  }

  @Test("NI-07: canceling the progress cancels the item's own function") func cancelledChild() async throws {
    let provider = NSItemProvider()
    let child = Progress.discreteProgress(totalUnitCount: 10)
    provider.registerDataRepresentation(for: .jpeg) { _ in child }
    let error = try await answer("the end of a canceled load") { done in
      provider.loadDataRepresentation(for: .jpeg) { _, error in done(error) }.cancel()
    }
    #expect((error as? CocoaError)?.code == .userCancelled)
    #expect(child.isCancelled)
  }

  @Test("NI-06: a file exists while the handler runs, and two loads have two files") func files() async throws {
    let provider = provider([("public.jpeg", "jpeg")])
    provider.suggestedName = "IMG_0001"
    let first = try await provider.file(.jpeg) { url in
      let text = try String(contentsOf: url, encoding: .utf8)
      #expect(text == "jpeg")
      return url
    }
    let second = try await provider.file(.image) { $0 }
    #expect(first.lastPathComponent == "IMG_0001.jpeg")
    #expect(first != second)
    try await handlersHaveReturned()
    #expect(!FileManager.default.fileExists(atPath: first.deletingLastPathComponent().path))
    #expect(!FileManager.default.fileExists(atPath: second.deletingLastPathComponent().path))
  }

  @Test(
    "A suggested name is one component of a path",
    arguments: [
      ("../../etc/passwd", "etcpasswd"), ("/", "Item"), ("", "Item"), (".hidden", "hidden"), ("a\nb", "ab"),
      ("Ferien am Meer", "Ferien am Meer"), (String(repeating: "ü", count: 300), String(repeating: "ü", count: 100)),
    ])
  func safeName(name: String, expected: String) { #expect(ItemFolder.safeName(name) == expected) }

  @Test("A file representation is copied, unless it may be opened in place and that is asked for") func inPlace()
    async throws
  {
    let file = folder.appendingPathComponent("a.png")
    try Data("png".utf8).write(to: file)
    for mayOpen in [false, true] {
      let provider = NSItemProvider()
      provider.registerFileRepresentation(for: .png, openInPlace: mayOpen) { completionHandler in
        completionHandler(file, false, nil)
        return nil
      }
      let copied = try await provider.file(.png) { $0 }
      #expect(copied != file)
      #expect(copied.lastPathComponent == "a.png")
      let (url, isInPlace) = try await answer("a file in place") { done in
        provider.loadInPlaceFileRepresentation(forTypeIdentifier: "public.png") { url, isInPlace, _ in
          done((url, isInPlace))
        }
      }
      #expect(isInPlace == mayOpen)
      #expect((url == file) == mayOpen)
      #expect(try await provider.data(.png) == Data("png".utf8))
      #expect(provider.registeredTypeIdentifiers(fileOptions: .openInPlace) == (mayOpen ? ["public.png"] : []))
    }
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test("A provider of a file knows its name and its type") func contents() async throws {
    let file = folder.appendingPathComponent("photo.heic")
    try Data("bytes".utf8).write(to: file)
    let provider = try #require(NSItemProvider(contentsOf: file))
    #expect(provider.registeredTypeIdentifiers == ["public.heic"])
    #expect(provider.suggestedName == "photo")
    #expect(try await provider.data(.image) == Data("bytes".utf8))
    #expect(NSItemProvider(contentsOf: folder.appendingPathComponent("none.jpg")) == nil)
  }

  @Test("The provider's own error arrives") func failing() async {
    let provider = NSItemProvider()
    provider.registerDataRepresentation(for: .jpeg) { completionHandler in
      completionHandler(nil, CocoaError(.fileReadNoSuchFile))
      return nil
    }
    let error = await #expect(throws: CocoaError.self) { try await provider.data(.jpeg) }
    #expect(error?.code == .fileReadNoSuchFile)
  }

  @Test("Images, texts and addresses are written and read") func objects() async throws {
    let image = try #require(UIImage(data: SampleMedia.jpeg(size: PictureSize(width: 8, height: 6))))
    let provider = NSItemProvider(object: image)
    #expect(provider.registeredTypeIdentifiers == ["public.png", "public.jpeg"])
    #expect(try await provider.object(UIImage.self)?.size == CGSize(width: 8, height: 6))

    let text = NSItemProvider(object: NSString(string: "schön"))
    #expect(text.canLoadObject(ofClass: String.self))
    #expect(!text.canLoadObject(ofClass: UIImage.self))
    let read = try await answer("a text") { done in
      text.loadObject(ofClass: String.self) { text, _ in done(text) }
    }
    #expect(read == "schön")

    let address = try #require(NSURL(string: "https://example.com/a"))
    let url = try await answer("an address") { done in
      NSItemProvider(object: address).loadObject(ofClass: URL.self) { url, _ in done(url) }
    }
    #expect(url == URL(string: "https://example.com/a"))
  }

  @Test("An object that is made on demand has its class's types, and is made by each load") func madeObject()
    async throws
  {
    let provider = NSItemProvider()
    let count = Mutex(0)
    provider.registerObject(ofClass: NSString.self, visibility: .all) { completionHandler in
      count.withLock { $0 += 1 }
      completionHandler(NSString(string: "made"), nil)
      return nil
    }
    #expect(provider.registeredTypeIdentifiers == ["public.utf8-plain-text"])
    #expect(count.withLock(\.self) == 0)
    for _ in 0..<2 { #expect(try await provider.data(.plainText) == Data("made".utf8)) }
    #expect(count.withLock(\.self) == 2)
    provider.registerObject(ofClass: NSString.self, visibility: .all) { completionHandler in
      completionHandler(nil, CocoaError(.fileReadNoSuchFile))
      return nil
    }
    let error = await #expect(throws: CocoaError.self) { try await provider.data(.plainText) }
    #expect(error?.code == .fileReadNoSuchFile)
  }

  @Test("Data that is no picture is an error") func noPicture() async {
    let provider = provider([("public.jpeg", "no picture")])
    let error = await #expect(throws: (any Error).self) { try await provider.object(UIImage.self) }
    #expect((error as NSError?)?.code == NSItemProvider.ErrorCode.unavailableCoercionError.rawValue)
  }

  @Test("A copy has the same representations, and a life of its own") func copy() throws {
    let provider = provider([("public.jpeg", "jpeg")])
    provider.suggestedName = "A"
    let copy = try #require(provider.copy() as? NSItemProvider)
    provider.suggestedName = "B"
    #expect(copy.suggestedName == "A")
    #expect(copy.registeredTypeIdentifiers == ["public.jpeg"])
  }
}
