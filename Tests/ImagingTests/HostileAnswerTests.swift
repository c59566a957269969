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

  private static func metadata(_ change: (inout MediaMetadata) -> Void) -> WorkerReply {
    var metadata = Sample.metadata("public.jpeg")
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

  private func answer(_ reply: WorkerReply, to request: WorkerRequest, bytes: Int = 0) throws {
    let file = try MediaFile(data: Data(count: 1000), name: "a.jpg")
    _ = try reply.answer(to: request, on: file, payloadByteCount: bytes) {
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
