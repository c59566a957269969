import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import Sandbox

/// Tests replies of a compromised worker, which may contain anything and must not harm the parent.
@Suite struct HostileAnswerTests {
  private static let readMetadata = ReadMetadata(machineTimeZone: .gmt)
  private static let makeRenditions = MakeRenditions(
    metadata: Sample.metadata("public.jpeg"), kinds: [.grid], limits: .standard)
  private static let makePicture = MakePicture(
    metadata: Sample.metadata("public.jpeg"), request: PictureRequest(.whole), limits: .standard)
  private static let decodeInOwnColors = DecodeInOwnColors(
    metadata: Sample.metadata("public.jpeg"), limits: .standard)
  private static let convertColors = ConvertColors(
    width: 4, height: 3, channels: 3, sourceByteCount: 560, targetByteCount: nil)
  private static let carryMetadata = CarryMetadata(
    metadata: Sample.metadata("public.jpeg"), changes: [], size: PixelSize(width: 4, height: 3), keepsGeometry: false)
  private static let turnJPEG = TurnJPEG(turn: .right)

  private static func metadata(_ change: (inout MediaMetadata) -> Void) -> MediaMetadata {
    var metadata = Sample.metadata("public.jpeg")
    metadata.type = .jpeg
    metadata.captureDate.date = Date(timeIntervalSince1970: 0)
    change(&metadata)
    return metadata
  }

  private static func grid(
    _ width: Int = 4, _ height: Int = 3, _ byteCount: Int = 100, _ type: String = "public.jpeg",
    kind: RenditionKind = .grid, placeholder: [UInt8] = [1, 1, 0, 0, 0], count: Int = 1
  ) -> MakeRenditions.Message {
    let part = MakeRenditions.Part(
      kind: kind, pixelWidth: width, pixelHeight: height, uniformTypeIdentifier: type, byteCount: byteCount)
    return MakeRenditions.Message(parts: Array(repeating: part, count: count), placeholder: placeholder)
  }

  private static func properties(
    _ value: PictureProperties.Value, number: Int = 0x010F, count: Int = 1
  ) -> PictureProperties {
    var properties = PictureProperties()
    properties.entries = Array(repeating: PictureProperties.Entry(.tiff, number, value), count: count)
    return properties
  }

  /// Returns an endpoint that requests a picture of a file of 4000 × 3000 pixels.
  private static func asking(_ request: PictureRequest, isRaw: Bool = false) -> MakePicture {
    var metadata = Sample.metadata("public.jpeg")
    metadata.type.isRaw = isRaw
    (metadata.pixelWidth, metadata.pixelHeight) = (4000, 3000)
    return MakePicture(metadata: metadata, request: request, limits: .standard)
  }

  private static func picture(_ width: Int, _ height: Int, channels: Int = 3) -> PixelMessage {
    var message = PixelMessage()
    (message.width, message.height, message.channels) = (width, height, channels)
    return message
  }

  private static func colored(
    _ pixels: PixelMessage, profile: Int? = nil
  ) -> DecodeInOwnColors.Message {
    DecodeInOwnColors.Message(pixels: pixels, profile: profile.map { [UInt8](repeating: 7, count: $0) })
  }

  private static func coded(_ message: some MessagePart) -> [UInt8] {
    var coder = MessageCoder()
    coder.put(message)
    return coder.bytes
  }

  @discardableResult
  private static func answer<Request: Endpoint>(
    _ request: Request, coded message: [UInt8], bytes: Int = 0
  ) throws -> Result<Request.Answer, ImagingError> {
    let file = try MediaFile(data: Data(count: 1000), name: "a.jpg")
    var reader = ReplyReader(message, payloadByteCount: bytes) { buffer, _ in
      buffer.initializeMemory(as: UInt8.self, repeating: 7)
    }
    return try request.read(&reader, on: file)
  }

  @discardableResult
  private static func answer<Request: Endpoint>(
    _ request: Request, _ message: some MessagePart, bytes: Int = 0
  ) throws -> Result<Request.Answer, ImagingError> {
    try answer(request, coded: coded(Reply.answer(message)), bytes: bytes)
  }

  private static func failure(_ code: ImagingError.Code, _ reason: String = "x") -> Reply<Int> {
    .failure(code, reason: reason)
  }

  @Test(arguments: [0, 1, 3, 60_000, Int.max])
  func `answers about another number of files are refused before they are read`(count: Int) throws {
    let files = try (0..<2).map { try MediaFile(data: Data(count: 1000), name: "\($0).jpg") }
    var reader = ReplyReader(Self.coded(count), payloadByteCount: 0) { _, _ in }
    let error = #expect(throws: MalformedReply.self) { try Self.readMetadata.read(&reader, on: files) }
    #expect(error?.reason == "\(count) answers about 2 files")
  }

  @Test func `answers about fewer files than they declare are refused`() throws {
    let files = try (0..<2).map { try MediaFile(data: Data(count: 1000), name: "\($0).jpg") }
    let one = Self.coded(2) + Self.coded(Reply.answer(Self.metadata { _ in }))
    var reader = ReplyReader(one, payloadByteCount: 0) { _, _ in }
    #expect(throws: MalformedReply.self) { try Self.readMetadata.read(&reader, on: files) }
  }

  private typealias Forgery = @Sendable () throws -> Void

  private static func forged(
    _ request: some Endpoint, _ message: some MessagePart & Sendable, bytes: Int = 0
  ) -> Forgery {
    { try answer(request, message, bytes: bytes) }
  }

  private static func forged(_ request: some Endpoint, failing reply: Reply<Int>, bytes: Int = 0) -> Forgery {
    let message = coded(reply)
    return { try answer(request, coded: message, bytes: bytes) }
  }

  private static let forgedMetadata: [Forgery] = [
    metadata { $0.pixelWidth = .max }, metadata { $0.pixelHeight = -1 }, metadata { $0.orientation = 9 },
    metadata { $0.duration = .nan }, metadata { $0.duration = .infinity },
    metadata { $0.captureDate.date = Date(timeIntervalSince1970: 1e300) },
    metadata { $0.captureDate.offset = .min }, metadata { $0.rating = 6 },
    metadata { $0.location = Location(latitude: .nan, longitude: 0) },
    metadata { $0.location = Location(latitude: 0, longitude: 181) },
    metadata { $0.location = Location(latitude: 0, longitude: 0, altitude: 100_001) },
    metadata { $0.location = Location(latitude: 0, longitude: 0, altitude: .nan) },
    metadata { $0.motionVideo = MotionVideo(offset: .max, byteCount: .max) },
    metadata { $0.motionVideo = MotionVideo(offset: 999, byteCount: 2) },
    metadata { $0.type.preferredFilenameExtension = "../../a" },
    metadata { $0.type.uniformTypeIdentifier = "public.html" }, metadata { $0.type.isRaw = true },
    metadata { $0.subtypes = MediaSubtypes(rawValue: 1 << 40) }, metadata { $0.subtypes = .live },
    metadata { $0.camera.iso = -1 }, metadata { $0.camera.exposureTime = .infinity },
  ].map { forged(readMetadata, $0) }

  private static let forgedPictures: [Forgery] = [
    forged(makePicture, picture(4, 3), bytes: 36), forged(makePicture, picture(4, 3, channels: 5)),
    forged(makePicture, picture(0, 3)), forged(makePicture, picture(-4, -3)),
    forged(makePicture, picture(.max, .max, channels: 4)), forged(makePicture, picture(1 << 20, 1 << 20, channels: 4)),
    forged(decodeInOwnColors, colored(picture(4, 3, channels: 5))),
    forged(decodeInOwnColors, colored(picture(4, 3), profile: ColoredPicture.profileByteLimit + 1)),
    forged(decodeInOwnColors, colored(picture(4, 3)), bytes: 36),
    forged(convertColors, picture(3, 4)), forged(convertColors, picture(4, 3, channels: 4)),
    forged(convertColors, picture(4, 3), bytes: 36),
    forged(asking(PictureRequest(.fitting(width: 200, height: 200))), picture(4000, 4000)),
    forged(asking(PictureRequest(.fitting(width: 200, height: 200), isExact: true)), picture(201, 150)),
    forged(asking(PictureRequest(.filling(width: 200, height: 200), isExact: true)), picture(300, 200)),
    forged(asking(PictureRequest(.whole)), picture(8000, 6000)),
    forged(asking(PictureRequest(.fitting(width: 200, height: 200)), isRaw: true), picture(400, 200)),
    forged(ReadThumbnail(limits: .standard), PixelMessage?.some(picture(2000, 2000))),
    forged(ReadThumbnail(limits: .standard), PixelMessage?.none, bytes: 1),
  ]

  private static let forgedRenditions: [Forgery] = [
    forged(makeRenditions, grid(), bytes: 99), forged(makeRenditions, grid(count: 2), bytes: 200),
    forged(makeRenditions, grid(count: 0)), forged(makeRenditions, grid(kind: .full), bytes: 100),
    forged(makeRenditions, grid(5000, 5000), bytes: 100), forged(makeRenditions, grid(4, 3, .max), bytes: .max),
    forged(makeRenditions, grid(4, 3, -1), bytes: -1),
    forged(makeRenditions, grid(4, 3, 100, "text/html"), bytes: 100),
    forged(makeRenditions, grid(placeholder: [6, 6, 1]), bytes: 100),
    forged(makeRenditions, grid(placeholder: [255, 255]), bytes: 100),
    forged(makeRenditions, grid(placeholder: []), bytes: 100),
  ]

  private static let otherForgeries: [Forgery] = [
    forged(readMetadata, metadata { _ in }, bytes: 1), forged(makePicture, metadata { _ in }),
    forged(readMetadata, picture(4, 3)), forged(readMetadata, "done"),
    forged(readMetadata, failing: failure(.damaged), bytes: 5), forged(readMetadata, failing: failure(.missingProgram)),
    forged(readMetadata, failing: failure(.crashed)),
    forged(carryMetadata, [1, nil, nil] as [Int?], bytes: 1),
    forged(carryMetadata, [1, nil, nil, 2] as [Int?], bytes: 1),
    forged(carryMetadata, [0xFFFF, nil, nil, nil] as [Int?], bytes: 0xFFFF),
    forged(carryMetadata, [nil, .max, nil, .max] as [Int?], bytes: -2),
    forged(carryMetadata, [nil, -1, nil, nil] as [Int?], bytes: -1),
    forged(turnJPEG, 100, bytes: 99), forged(turnJPEG, 10 << 20, bytes: 10 << 20),
    // Bytes without a JPEG's markers.
    forged(turnJPEG, 100, bytes: 100), forged(turnJPEG, 0),
    forged(ReadProperties(), properties(.integers([]))), forged(ReadProperties(), properties(.numbers([.nan]))),
    forged(ReadProperties(), properties(.data([UInt8](repeating: 1, count: 5000)))),
    forged(ReadProperties(), properties(.text("a"), number: -1)),
    forged(ReadProperties(), properties(.text("a"), count: 1001)),
    forged(ReadProperties(), properties(.text("a")), bytes: 1), forged(readMetadata, properties(.text("a"))),
  ]

  private static let forgeries = forgedMetadata + forgedPictures + forgedRenditions + otherForgeries

  @Test(arguments: forgeries.indices) func `a forged reply is found out`(_ index: Int) throws {
    #expect(throws: MalformedReply.self) { try Self.forgeries[index]() }
  }

  @Test(arguments: [0, 1, 3]) func `a reply about many files answers for each of them`(count: Int) throws {
    let files = try (0..<2).map { try MediaFile(data: Data(count: 1000), name: "\($0).jpg") }
    let answers = Array(repeating: Reply.answer(Self.metadata { _ in }), count: count)
    var reader = ReplyReader(Self.coded(answers), payloadByteCount: 0) { _, _ in }
    #expect(throws: MalformedReply.self) { try Self.readMetadata.read(&reader, on: files) }
  }

  @Test func `plausible replies pass`() throws {
    try Self.answer(Self.readMetadata, Self.metadata { $0.pixelWidth = 4032 })
    try Self.answer(Self.makeRenditions, Self.grid(), bytes: 100)
    try Self.answer(Self.makePicture, Self.picture(4, 3))
    try Self.answer(Self.decodeInOwnColors, Self.colored(Self.picture(4, 3), profile: 1))
    try Self.answer(Self.makePicture, coded: Self.coded(Self.failure(.damaged, "it is")))
    try Self.answer(ReadProperties(), Self.properties(.data([1])))
    try Self.answer(Self.carryMetadata, [2, nil, 0, 3] as [Int?], bytes: 5)
  }

  @Test func `plausible replies pass for other sizes`() throws {
    try Self.answer(Self.asking(PictureRequest(.fitting(width: 200, height: 200))), Self.picture(300, 225))
    try Self.answer(
      Self.asking(PictureRequest(.fitting(width: 200, height: 200), isExact: true)), Self.picture(200, 150))
    try Self.answer(Self.asking(PictureRequest(.whole)), Self.picture(4032, 3024))
    try Self.answer(
      Self.asking(PictureRequest(.fitting(width: 200, height: 200)), isRaw: true), Self.picture(300, 225))
  }

  /// A text with escape sequences, line breaks, and marks that reverse the direction of the
  /// following text.
  private static let nasty = "a\u{1B}]52;c;eA==\u{07}b\nc\u{202E}d" + String(repeating: "\u{301}", count: 100_000)

  @Test func textsCannotSteerATerminal() throws {
    let forged = Self.metadata {
      $0.title = Self.nasty
      $0.camera.make = Self.nasty
      $0.keywords = [Self.nasty]
      $0.notes = [Self.nasty]
    }
    let metadata = try Self.answer(Self.readMetadata, forged).get()
    let texts = [metadata.title, metadata.camera.make] + metadata.keywords + metadata.notes
    #expect(texts.count == 4)
    for text in texts { #expect(text?.unicodeScalars.starts(with: "a]52;c;eA==b cd".unicodeScalars) == true) }
    let failure = Self.coded(Self.failure(.damaged, Self.nasty))
    guard case .failure(let error) = try Self.answer(Self.readMetadata, coded: failure) else {
      Issue.record("no failure")
      return
    }
    #expect(error.reason.hasPrefix("a]52;c;eA==b") && error.reason.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    #expect(error.reason.utf8.count < 10_000)
    var death = WorkerEnd(.signal(SIGSEGV))
    death.standardError = "Fatal error: \u{1B}[2J\u{9B}31m"
    #expect(ImagingError(death, "a.jpg").reason == "the decoder crashed (SIGSEGV): Fatal error: [2J31m")
  }

  @Test func messagesComeBackAsTheyWere() throws {
    let metadata = Self.metadata {
      $0.location = Location(latitude: 1, longitude: 2, altitude: -3)
      $0.motionVideo = MotionVideo(offset: 1, byteCount: 2)
      $0.subtypes = [.live, .cinematic]
      $0.stillTime = .infinity
      $0.camera.lens = "é"
      $0.keywords = ["", "a"]
    }
    func expectSame<Message: MessagePart>(_ message: Message) {
      let bytes = Self.coded(message)
      var reader = MessageCoder(reading: bytes)
      let back: Message = reader.get()
      #expect(reader.isComplete && "\(back)" == "\(message)")
      var short = MessageCoder(reading: Array(bytes.dropLast()))
      _ = short.get() as Message
      #expect(!short.isComplete)
    }
    expectSame(Reply.answer(metadata))
    expectSame(Reply.answer(Self.properties(.numbers([1.5, -2]))))
    expectSame(Reply.answer(Self.grid()))
    expectSame(Reply.answer(Self.picture(1, 2)))
    expectSame(Reply.answer([1, nil] as [Int?]))
    expectSame(Self.failure(.tooLarge))
  }

  @Test func damagedMessagesDoNoHarm() throws {
    var random = SeededNumbers(state: 7)
    func damaged(_ message: some MessagePart, _ round: Int) -> [UInt8] {
      var bytes = Self.coded(Reply.answer(message))
      for _ in 0...round % 3 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      return bytes
    }
    for round in 0..<1000 {
      let texts = Self.metadata { $0.keywords = ["a", "b"] }
      _ = try? Self.answer(Self.readMetadata, coded: damaged(texts, round))
      _ = try? Self.answer(Self.makeRenditions, coded: damaged(Self.grid(), round), bytes: 100)
      _ = try? Self.answer(Self.makePicture, coded: damaged(Self.picture(4, 3), round))
      _ = try? Self.answer(Self.carryMetadata, coded: damaged([2, nil, 0, 3] as [Int?], round), bytes: 5)
    }
  }

  /// Decodes a list whose stated count is the byte limit of a message, and expects that little
  /// memory is reserved.
  private func expectBound<Element: MessagePart>(of type: Element.Type) {
    let count = WorkerSocket.codedByteLimit - 8
    var writer = MessageCoder()
    writer.put(count)
    for filling: UInt8 in [0, 0xFF] {
      var reader = MessageCoder(reading: writer.bytes + [UInt8](repeating: filling, count: count))
      let list: [Element] = reader.get()
      #expect(!reader.isComplete && list.capacity <= 2 * MessageCoder.listCountLimit, "\(type): \(list.capacity)")
    }
    // The count is allowed, but the elements are damaged.
    writer = MessageCoder()
    writer.put(MessageCoder.listCountLimit)
    var reader = MessageCoder(reading: writer.bytes + [UInt8](repeating: 0xFF, count: MessageCoder.listCountLimit))
    let list: [Element] = reader.get()
    #expect(list.capacity <= MessageCoder.listCountLimit / 4 || type == UInt8.self, "\(type): \(list.capacity)")
  }

  @Test func aLongListTakesNoMemory() {
    expectBound(of: MakeRenditions.Part.self)
    expectBound(of: String.self)
    expectBound(of: UInt8.self)
    expectBound(of: Int?.self)
  }

  private struct SeededNumbers {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 24
    }
  }

  /// Messages that begin with two lengths.
  private static let messages: [[UInt8]] = [
    [UInt8](repeating: 0xFF, count: 16),
    [0, 0, 0, 0, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 8),
    [2, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + Array("{}".utf8),
    [2, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + Array("{}".utf8),
    [4, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + [0xFF, 0xFE, 0, 1],
    [1, 2, 3],
    [],
  ]

  @Test(arguments: messages) func malformedMessagesAreRefused(_ bytes: [UInt8]) throws {
    let (ours, theirs) = try #require(WorkerSocket.pair())
    defer { ours.close() }
    try bytes.withUnsafeBytes(theirs.send)
    theirs.close()
    #expect(throws: (any Error).self) {
      _ = try WorkerSocket.decode(Reply<MediaMetadata>.self, from: ours.receiveHead(wait: {}))
    }
  }
}
