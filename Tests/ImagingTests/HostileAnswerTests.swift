import Foundation
import Testing

@testable import Imaging

/// A worker that has been taken over can send what it likes; it must not hurt whoever reads it.
@Suite struct HostileAnswerTests {
  private static let metadataRequest = WorkerRequest.metadata(machineTimeZone: .gmt)
  private static let renditionRequest = WorkerRequest.renditions(
    Sample.metadata("public.jpeg"), kinds: [.grid], .standard)
  private static let pictureRequest = WorkerRequest.picture(
    Sample.metadata("public.jpeg"), PictureRequest(.whole), .standard)

  private static let coloredRequest = WorkerRequest.coloredPicture(Sample.metadata("public.jpeg"), .standard)

  private static let convertedRequest = WorkerRequest.converted(
    ColorConversion(width: 4, height: 3, channels: 3, sourceByteCount: 560, targetByteCount: nil))

  private static func metadata(_ change: (inout MediaMetadata) -> Void) -> WorkerReply {
    var metadata = Sample.metadata("public.jpeg")
    metadata.type = .jpeg
    metadata.captureDate.date = Date(timeIntervalSince1970: 0)
    change(&metadata)
    return .metadata(metadata)
  }

  private static func grid(
    _ width: Int = 4, _ height: Int = 3, _ byteCount: Int = 100, _ type: String = "public.jpeg",
    kind: RenditionKind = .grid, placeholder: [UInt8] = [1, 1, 0, 0, 0], count: Int = 1
  ) -> WorkerReply {
    let part = WorkerReply.Part(
      kind: kind, pixelWidth: width, pixelHeight: height, uniformTypeIdentifier: type, byteCount: byteCount)
    return .renditions(Array(repeating: part, count: count), placeholder: placeholder, notes: [])
  }

  private static func properties(_ value: PictureProperties.Value, number: Int = 0x010F, count: Int = 1) -> WorkerReply
  {
    var properties = PictureProperties()
    properties.entries = Array(repeating: PictureProperties.Entry(.tiff, number, value), count: count)
    return .properties(properties)
  }

  private static let carriedRequest = WorkerRequest.carried(
    Sample.metadata("public.jpeg"), [], size: PixelSize(width: 4, height: 3), keepsGeometry: false)

  /// For a file of 4000 × 3000 pixels.
  private static func asking(_ request: PictureRequest, isRaw: Bool = false) -> WorkerRequest {
    var metadata = Sample.metadata("public.jpeg")
    metadata.type.isRaw = isRaw
    (metadata.pixelWidth, metadata.pixelHeight) = (4000, 3000)
    return .picture(metadata, request, .standard)
  }

  private static func picture(_ width: Int, _ height: Int) -> WorkerReply {
    .picture(width: width, height: height, channels: 3, address: 0)
  }

  @discardableResult
  private func answer(
    _ reply: WorkerReply, to request: WorkerRequest, bytes: Int = 0
  ) throws -> Result<WorkerAnswer, ImagingError> {
    let file = try MediaFile(data: Data(count: 1000), name: "a.jpg")
    var room = PixelRoom(for: request, on: file)
    return try reply.answer(to: request, on: file, payloadByteCount: bytes, in: &room) {
      buffer, _ in buffer.initializeMemory(as: UInt8.self, repeating: 7)
    }
  }

  private static let lies: [(WorkerReply, WorkerRequest, Int)] = [
    (metadata { $0.pixelWidth = .max }, metadataRequest, 0),
    (metadata { $0.pixelHeight = -1 }, metadataRequest, 0),
    (metadata { $0.orientation = 9 }, metadataRequest, 0),
    (metadata { $0.duration = .nan }, metadataRequest, 0),
    (metadata { $0.duration = .infinity }, metadataRequest, 0),
    (metadata { $0.captureDate.date = Date(timeIntervalSince1970: 1e300) }, metadataRequest, 0),
    (metadata { $0.captureDate.offset = .min }, metadataRequest, 0),
    (metadata { $0.rating = 6 }, metadataRequest, 0),
    (metadata { $0.location = Location(latitude: .nan, longitude: 0) }, metadataRequest, 0),
    (metadata { $0.location = Location(latitude: 0, longitude: 181) }, metadataRequest, 0),
    (metadata { $0.location = Location(latitude: 0, longitude: 0, altitude: 100_001) }, metadataRequest, 0),
    (metadata { $0.location = Location(latitude: 0, longitude: 0, altitude: .nan) }, metadataRequest, 0),
    (metadata { $0.motionVideo = MotionVideo(offset: .max, byteCount: .max) }, metadataRequest, 0),
    (metadata { $0.motionVideo = MotionVideo(offset: 999, byteCount: 2) }, metadataRequest, 0),
    (metadata { $0.type.preferredFilenameExtension = "../../a" }, metadataRequest, 0),
    (metadata { _ in }, metadataRequest, 1),
    (metadata { _ in }, pictureRequest, 0),
    (.picture(width: 4, height: 3, channels: 3, address: 0), metadataRequest, 36),
    (.picture(width: 4, height: 3, channels: 3, address: 0), pictureRequest, 36),
    (.picture(width: 4, height: 3, channels: 5, address: 0), pictureRequest, 0),
    (.picture(width: 4, height: 3, channels: 3, address: 0, profile: [7]), pictureRequest, 0),
    (.picture(width: 4, height: 3, channels: 5, address: 0), coloredRequest, 0),
    (
      .picture(
        width: 4, height: 3, channels: 3, address: 0,
        profile: [UInt8](repeating: 7, count: ColoredPicture.longestProfile + 1)), coloredRequest, 0
    ),
    (.picture(width: 3, height: 4, channels: 3, address: 0), convertedRequest, 0),
    (.picture(width: 4, height: 3, channels: 4, address: 0), convertedRequest, 0),
    (.picture(width: 4, height: 3, channels: 3, address: 0, profile: [7]), convertedRequest, 0),
    (.picture(width: 4, height: 3, channels: 3, address: 0), convertedRequest, 36),
    (.picture(width: 0, height: 3, channels: 3, address: 0), pictureRequest, 0),
    (.picture(width: -4, height: -3, channels: 3, address: 0), pictureRequest, 0),
    (.picture(width: .max, height: .max, channels: 4, address: 0), pictureRequest, 0),
    (.picture(width: 1 << 20, height: 1 << 20, channels: 4, address: 0), pictureRequest, 0),
    (grid(), renditionRequest, 99),
    (grid(count: 2), renditionRequest, 200),
    (grid(count: 0), renditionRequest, 0),
    (grid(kind: .full), renditionRequest, 100),
    (grid(5000, 5000), renditionRequest, 100),
    (grid(4, 3, .max), renditionRequest, .max),
    (grid(4, 3, -1), renditionRequest, -1),
    (grid(4, 3, 100, "text/html"), renditionRequest, 100),
    (grid(placeholder: [6, 6, 1]), renditionRequest, 100),
    (grid(placeholder: [255, 255]), renditionRequest, 100),
    (grid(placeholder: []), renditionRequest, 100),
    (.outcome("done"), metadataRequest, 0),
    (.failure(.damaged, reason: "x"), metadataRequest, 5),
    (.failure(.missingProgram, reason: "x"), metadataRequest, 0),
    (.failure(.crashed, reason: "x"), metadataRequest, 0),
    (metadata { $0.type.uniformTypeIdentifier = "public.html" }, metadataRequest, 0),
    (metadata { $0.type.isRaw = true }, metadataRequest, 0),
    (metadata { $0.subtypes = MediaSubtypes(rawValue: 1 << 40) }, metadataRequest, 0),
    (metadata { $0.subtypes = .live }, metadataRequest, 0),
    (metadata { $0.camera.iso = -1 }, metadataRequest, 0),
    (metadata { $0.camera.exposureTime = .infinity }, metadataRequest, 0),
    (picture(4000, 4000), asking(PictureRequest(.fitting(width: 200, height: 200))), 0),
    (picture(201, 150), asking(PictureRequest(.fitting(width: 200, height: 200), isExact: true)), 0),
    (picture(300, 200), asking(PictureRequest(.filling(width: 200, height: 200), isExact: true)), 0),
    (picture(8000, 6000), asking(PictureRequest(.whole)), 0),
    (picture(400, 200), asking(PictureRequest(.fitting(width: 200, height: 200)), isRaw: true), 0),
    (.carried([1, nil, nil]), carriedRequest, 1),
    (.carried([1, nil, nil, 2]), carriedRequest, 1),
    (.carried([0xFFFF, nil, nil, nil]), carriedRequest, 0xFFFF),
    (.carried([nil, .max, nil, .max]), carriedRequest, -2),
    (.carried([nil, -1, nil, nil]), carriedRequest, -1),
    (.data(byteCount: 100), .turned(.right), 99),
    (.data(byteCount: 10 << 20), .turned(.right), 10 << 20),
    // All sevens: no JPEG.
    (.data(byteCount: 100), .turned(.right), 100),
    (.data(byteCount: 0), .turned(.right), 0),
    (properties(.integers([])), .properties, 0),
    (properties(.numbers([.nan])), .properties, 0),
    (properties(.data([UInt8](repeating: 1, count: 5000))), .properties, 0),
    (properties(.text("a"), number: -1), .properties, 0),
    (properties(.text("a"), count: 1001), .properties, 0),
    (properties(.text("a")), .properties, 1),
    (properties(.text("a")), metadataRequest, 0),
  ]

  @Test(arguments: lies.indices) func aLieIsFoundOut(_ index: Int) throws {
    let (reply, request, bytes) = Self.lies[index]
    #expect(throws: WorkerSocket.Failure.self) { try answer(reply, to: request, bytes: bytes) }
  }

  @Test func theTruthPasses() throws {
    try answer(Self.metadata { $0.pixelWidth = 4032 }, to: Self.metadataRequest)
    try answer(Self.grid(), to: Self.renditionRequest, bytes: 100)
    try answer(.picture(width: 4, height: 3, channels: 3, address: 0), to: Self.pictureRequest)
    try answer(.picture(width: 4, height: 3, channels: 3, address: 0, profile: [7]), to: Self.coloredRequest)
    try answer(.failure(.damaged, reason: "it is"), to: Self.pictureRequest)
    try answer(Self.properties(.data([1])), to: .properties)
  }

  @Test func theTruthPassesForOtherSizes() throws {
    try answer(Self.picture(300, 225), to: Self.asking(PictureRequest(.fitting(width: 200, height: 200))))
    try answer(
      Self.picture(200, 150), to: Self.asking(PictureRequest(.fitting(width: 200, height: 200), isExact: true)))
    try answer(Self.picture(4032, 3024), to: Self.asking(PictureRequest(.whole)))
    try answer(Self.picture(300, 225), to: Self.asking(PictureRequest(.fitting(width: 200, height: 200)), isRaw: true))
    try answer(.carried([2, nil, 0, 3]), to: Self.carriedRequest, bytes: 5)
  }

  /// Escape sequences, line breaks, and marks that turn the direction of what follows.
  private static let nasty = "a\u{1B}]52;c;eA==\u{07}b\nc\u{202E}d" + String(repeating: "\u{301}", count: 100_000)

  @Test func textsCannotSteerATerminal() throws {
    let lied = Self.metadata {
      $0.title = Self.nasty
      $0.camera.make = Self.nasty
      $0.keywords = [Self.nasty]
      $0.notes = [Self.nasty]
    }
    guard case .success(.metadata(let metadata)) = try answer(lied, to: Self.metadataRequest) else {
      Issue.record("no metadata")
      return
    }
    let texts = [metadata.title, metadata.camera.make] + metadata.keywords + metadata.notes
    #expect(texts.count == 4)
    for text in texts { #expect(text?.unicodeScalars.starts(with: "a]52;c;eA==b cd".unicodeScalars) == true) }
    guard case .failure(let error) = try answer(.failure(.damaged, reason: Self.nasty), to: Self.metadataRequest) else {
      Issue.record("no failure")
      return
    }
    #expect(error.reason.hasPrefix("a]52;c;eA==b") && error.reason.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    #expect(error.reason.utf8.count < 10_000)
    var death = WorkerDeath(.signal(SIGSEGV))
    death.complaint = "Fatal error: \u{1B}[2J\u{9B}31m"
    #expect(death.error(named: "a.jpg").reason == "the decoder crashed (SIGSEGV): Fatal error: [2J31m")
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
    let properties = Self.properties(.numbers([1.5, -2]))
    for reply in [
      metadata, properties, Self.grid(), Self.picture(1, 2), .carried([1, nil]), .failure(.tooLarge, reason: "x"),
    ] {
      var writer = MessageCoder()
      writer.put(reply)
      var reader = MessageCoder(reading: writer.bytes)
      let back: WorkerReply = reader.get()
      #expect(reader.isComplete && "\(back)" == "\(reply)")
      var short = MessageCoder(reading: Array(writer.bytes.dropLast()))
      _ = short.get() as WorkerReply
      #expect(!short.isComplete)
    }
  }

  @Test func damagedMessagesDoNoHarm() throws {
    var random = SeededNumbers(state: 7)
    let replies: [(WorkerReply, WorkerRequest)] = [
      (Self.metadata { $0.keywords = ["a", "b"] }, Self.metadataRequest), (Self.grid(), Self.renditionRequest),
      (Self.picture(4, 3), Self.pictureRequest), (.carried([2, nil, 0, 3]), Self.carriedRequest),
    ]
    for round in 0..<4000 {
      let (reply, request) = replies[round % replies.count]
      var writer = MessageCoder()
      writer.put(reply)
      var bytes = writer.bytes
      for _ in 0...round % 3 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      let head = WorkerSocket.Head(coded: bytes, payloadByteCount: 100)
      guard let damaged = try? WorkerSocket.decode(WorkerReply.self, from: head) else { continue }
      _ = try? answer(damaged, to: request, bytes: 100)
    }
  }

  /// A list that is told to have as many parts as the longest message has bytes.
  private func expectBound<Element: MessagePart>(of type: Element.Type) {
    let count = WorkerSocket.codedByteLimit - 8
    var writer = MessageCoder()
    writer.put(count)
    for filling: UInt8 in [0, 0xFF] {
      var reader = MessageCoder(reading: writer.bytes + [UInt8](repeating: filling, count: count))
      let list: [Element] = reader.get()
      #expect(!reader.isComplete && list.capacity <= 2 * MessageCoder.longestList, "\(type): \(list.capacity)")
    }
    // A count that is allowed, of parts that are damaged.
    writer = MessageCoder()
    writer.put(MessageCoder.longestList)
    var reader = MessageCoder(reading: writer.bytes + [UInt8](repeating: 0xFF, count: MessageCoder.longestList))
    let list: [Element] = reader.get()
    #expect(list.capacity <= MessageCoder.longestList / 4 || type == UInt8.self, "\(type): \(list.capacity)")
  }

  @Test func aLongListTakesNoMemory() {
    expectBound(of: WorkerReply.Part.self)
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

  /// Two lengths and what follows.
  private static let messages: [[UInt8]] = [
    [UInt8](repeating: 0xFF, count: 16),
    [0, 0, 0, 0, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 8),
    [2, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + Array("{}".utf8),
    [2, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + Array("{}".utf8),
    [4, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + [0xFF, 0xFE, 0, 1],
    [1, 2, 3],
    [],
  ]

  @Test(arguments: messages) func whatIsNoMessageIsRefused(_ bytes: [UInt8]) throws {
    let (ours, theirs) = try #require(WorkerSocket.pair())
    defer { ours.close() }
    try bytes.withUnsafeBytes(theirs.send)
    theirs.close()
    #expect(throws: WorkerSocket.Failure.self) {
      _ = try WorkerSocket.decode(WorkerReply.self, from: ours.receiveHead(wait: {}))
    }
  }
}
