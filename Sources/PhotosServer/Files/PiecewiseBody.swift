import Hummingbird
import NIOCore

extension BytesInFlight {
  /// Writes bytes in pieces. Before each piece, waits until the client has accepted the last one.
  ///
  /// As a whole, a large answer would exceed the budget, and other connections would be closed.
  /// `check` is called before each piece.
  func write(
    _ bytes: ByteBuffer, to writer: inout any ResponseBodyWriter, _ context: ServerContext,
    check: () async throws -> Void = {}
  ) async throws {
    var rest = bytes
    while rest.readableBytes > 0 {
      try await check()
      guard let piece = rest.readSlice(length: min(rest.readableBytes, pieceSize)) else { return }
      try await writer.write(piece)
      try await context.waitUntilAccepted()
    }
  }

  /// Returns a body with these bytes. A large one is sent in pieces.
  func body(_ bytes: ByteBuffer, _ context: ServerContext) -> ResponseBody {
    guard bytes.readableBytes > Self.pieceSizes.upperBound else { return ResponseBody(byteBuffer: bytes) }
    return ResponseBody(contentLength: bytes.readableBytes) { writer in
      try await self.write(bytes, to: &writer, context)
      try await writer.finish(nil)
    }
  }
}
