import PhotosUI
import TestSupport
import Testing

@Suite struct TransferableTests {
  /// A note that is written as JSON or as text, and read of JSON only.
  private struct Note: Transferable, Codable, Equatable {
    var text: String

    static var transferRepresentation: some TransferRepresentation {
      DataRepresentation(contentType: .json) { note in
        try JSONEncoder().encode(note)
      } importing: { data in
        try JSONDecoder().decode(Note.self, from: data)
      }
      DataRepresentation(exportedContentType: .plainText) { Data($0.text.utf8) }
    }
  }

  /// A file, of which the app keeps the text.
  private struct Letter: Transferable {
    var text: String

    static var transferRepresentation: some TransferRepresentation {
      FileRepresentation(contentType: .plainText) { letter in
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
        try Data(letter.text.utf8).write(to: file)
        return SentTransferredFile(file)
      } importing: { received in
        try await handlersHaveReturned()
        return Letter(text: try String(contentsOf: received.file, encoding: .utf8))
      }
    }
  }

  private func load<Item: Transferable>(_ type: Item.Type, of provider: NSItemProvider) async throws -> Item {
    let result: Result<Item, any Error> = try await answer("a value") { done in
      provider.loadTransferable(type: type) { done($0) }
    }
    return try result.get()
  }

  @Test("A value is written in all its forms, in their order, and read back") func forms() async throws {
    let provider = NSItemProvider()
    provider.register(Note(text: "schön"))
    #expect(provider.registeredTypeIdentifiers == ["public.json", "public.plain-text"])
    #expect(try await load(Note.self, of: provider) == Note(text: "schön"))
    #expect(try await provider.data(.plainText) == Data("schön".utf8))
    #expect(try await load(Letter.self, of: provider).text == "schön")
  }

  @Test("An address is written and read as one") func address() async throws {
    let provider = NSItemProvider()
    let url = try #require(URL(string: "https://example.com/a%20b"))
    provider.register(url)
    #expect(provider.registeredTypeIdentifiers == ["public.url"])
    #expect(try await load(URL.self, of: provider) == url)
    let broken = NSItemProvider(item: NSData(data: Data("http://[".utf8)), typeIdentifier: "public.url")
    let error = await #expect(throws: CocoaError.self) { try await load(URL.self, of: broken) }
    #expect(error?.localizedDescription.contains("“http://[” is no address") == true)
  }

  /// A file that a program offers itself, or a copy of it.
  private struct Original: Transferable {
    var url: URL

    static var transferRepresentation: some TransferRepresentation {
      FileRepresentation(contentType: .plainText, shouldAttemptToOpenInPlace: true) { original in
        SentTransferredFile(original.url, allowAccessingOriginalFile: true)
      } importing: { received in
        Original(url: received.file)
      }
    }
  }

  @Test("A load gets a copy of a sent file, even if it might get the original") func sentFile() async throws {
    #expect(!SentTransferredFile(URL(fileURLWithPath: "/tmp/a.mov")).allowAccessingOriginalFile)
    let provider = NSItemProvider()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
    try Data("Dear".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    provider.register(Original(url: file))
    let loaded = try await load(Original.self, of: provider).url
    #expect(loaded != file && loaded.pathExtension == "txt")
  }

  @Test("A program may open every file that it is given") func securityScope() {
    let file = URL(fileURLWithPath: "/tmp/a.mov")
    #expect(file.startAccessingSecurityScopedResource())
    file.stopAccessingSecurityScopedResource()
  }

  @Test("A received file exists until the value is made of it") func files() async throws {
    let provider = NSItemProvider()
    provider.register(Letter(text: "Dear"))
    #expect(try await load(Letter.self, of: provider).text == "Dear")
    #expect(try await load(Data.self, of: provider) == Data("Dear".utf8))
  }

  /// A place, in three codings.
  private struct Place: Transferable, Codable, Equatable {
    var name: String
    var date: Date

    static var transferRepresentation: some TransferRepresentation {
      CodableRepresentation(for: Place.self, contentType: .json, encoder: encoder, decoder: decoder)
      CodableRepresentation(
        contentType: .propertyList, encoder: PropertyListEncoder(), decoder: PropertyListDecoder())
      ProxyRepresentation(exporting: \.name)
    }

    private static var encoder: JSONEncoder {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .secondsSince1970
      encoder.outputFormatting = .sortedKeys
      return encoder
    }

    private static var decoder: JSONDecoder {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .secondsSince1970
      return decoder
    }
  }

  @Test("A Codable value is written by its encoder and read by its decoder") func codable() async throws {
    let provider = NSItemProvider()
    let place = Place(name: "Geiranger", date: Date(timeIntervalSince1970: 1_600_000_000))
    provider.register(place)
    #expect(
      provider.registeredTypeIdentifiers == ["public.json", "com.apple.property-list", "public.utf8-plain-text"])
    #expect(try await provider.data(.json) == Data(#"{"date":1600000000,"name":"Geiranger"}"#.utf8))
    #expect(try await load(Place.self, of: provider) == place)
    let list = NSItemProvider()
    let data = try await provider.data(.propertyList)
    list.registerDataRepresentation(for: .propertyList) { completionHandler in
      completionHandler(data, nil)
      return nil
    }
    #expect(try await load(Place.self, of: list) == place)
  }

  @Test("A value is written as its proxy, in the proxy's form") func exportedProxy() async throws {
    let provider = NSItemProvider()
    provider.register(Place(name: "Geiranger", date: .now))
    #expect(try await provider.data(.utf8PlainText) == Data("Geiranger".utf8))
    #expect(try await load(String.self, of: provider) == "Geiranger")
  }

  /// A value that is made of another one's forms, and becomes another one.
  private struct Title: Transferable {
    var text: String

    static var transferRepresentation: some TransferRepresentation {
      ProxyRepresentation(importing: { (note: Note) in Title(text: "of a note: \(note.text)") })
      ProxyRepresentation { title in
        Letter(text: title.text)
      } importing: { (letter: Letter) in
        Title(text: "of a letter: \(letter.text)")
      }
    }
  }

  @Test("A value is made of the first proxy that the item has, from data and from a file") func importedProxy()
    async throws
  {
    let (note, letter, own) = (NSItemProvider(), NSItemProvider(), NSItemProvider())
    note.register(Note(text: "A"))
    letter.register(Letter(text: "B"))
    own.register(Title(text: "C"))
    #expect(try await load(Title.self, of: note).text == "of a note: A")
    #expect(try await load(Title.self, of: letter).text == "of a letter: B")
    #expect(own.registeredTypeIdentifiers == ["public.plain-text"])
    #expect(try await load(Letter.self, of: own).text == "C")
  }

  @Test("A proxy's error and the value's own arrive") func failingProxy() async throws {
    struct Refused: Transferable {
      struct Reason: Error {}
      static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation(importing: { (_: String) in throw Reason() } as @Sendable (String) async throws -> Refused)
      }
    }
    let (text, bytes) = (NSItemProvider(), NSItemProvider())
    text.register("A text")
    bytes.registerDataRepresentation(for: .utf8PlainText) { completionHandler in
      completionHandler(Data([0xFF]), nil)
      return nil
    }
    await #expect(throws: Refused.Reason.self) { try await load(Refused.self, of: text) }
    await #expect(throws: CocoaError.self) { try await load(Refused.self, of: bytes) }
  }

  @Test("A type that the item has not is an error that names what it has") func unknown() async throws {
    let provider = NSItemProvider()
    provider.register(Letter(text: "Dear"))
    let error = await #expect(throws: (any Error).self) { try await load(Note.self, of: provider) }
    #expect(error?.localizedDescription == "the item can't be loaded as Note; it has public.plain-text")
  }

  @Test("An error of the app's own function arrives") func failing() async throws {
    let provider = NSItemProvider()
    provider.registerDataRepresentation(forTypeIdentifier: "public.json", visibility: .all) { completionHandler in
      completionHandler(Data("no JSON".utf8), nil)
      return nil
    }
    await #expect(throws: DecodingError.self) { try await load(Note.self, of: provider) }
  }

  @Test("A canceled load ends with an error") func cancelled() async throws {
    let provider = NSItemProvider()
    provider.registerDataRepresentation(forTypeIdentifier: "public.json", visibility: .all) { _ in nil }
    let result: Result<Note, any Error> = try await answer("the end of a canceled load") { done in
      provider.loadTransferable(type: Note.self) { done($0) }.cancel()
    }
    #expect(throws: CocoaError(.userCancelled)) { try result.get() }
  }
}
