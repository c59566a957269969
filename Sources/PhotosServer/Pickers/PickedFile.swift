import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos
import PhotosUI

/// Answers with a file of a picked item, in the form in which it is handed over.
struct PickedFile: Sendable {
  let asset: PickedAsset
  let kind: PickedItem.Kind
  let work: PictureWork
  /// Reserves a place for a picture that has to be drawn. Returns `nil` if the program needs none.
  /// Throws 429 if none is free.
  let takePlace: @Sendable () throws -> PictureWork.Place?
  let inFlight: BytesInFlight
  /// Throws if the rest of the file may not be sent any more. It is called once a second at most.
  let checkAccess: @Sendable () async throws -> Void

  func response(to request: Request, _ context: ServerContext) async throws -> Response {
    let source = try await Blocking.run { [asset, kind] in try asset.source(of: kind) }
    switch source {
    case .resource(let resource):
      let reader = try await Blocking.run { try PHAssetResourceManager.default().reader(for: resource) }
      return try await answer(reader, request, context)
    case .playableMovie:
      // Encoding is canceled if the program disconnects.
      return try await answer(context.whileClientStays(movie), request, context)
    case .jpeg:
      // Only the drawing tells the length, and it costs too much for a HEAD.
      guard request.method != .head else { return Response(status: .noContent) }
      let place = try takePlace()
      let data = try await context.whileClientStays { try await drawn() }
      return Response(
        status: .ok, headers: [.contentType: "image/jpeg"],
        body: body(byteCount: data.count, context) { piece in
          // The picture is in memory, and keeps its place, until the program has received it.
          defer { withExtendedLifetime(place) {} }
          return data.dropFirst(piece.lowerBound).prefix(piece.count)
        })
    }
  }

  private func drawn() async throws -> Data {
    try await work.run {
      try await Blocking.draw { [asset] in
        try PrivateFile.data(asset.asset.renderedImageData(as: .jpeg), removing: asset.removedMetadata)
      }
    }
  }

  private func movie() async throws -> FileReader {
    try await PHImageManager.default().playableMovie(for: asset.asset, endsAtOnce: true)
  }

  private func answer(_ reader: FileReader, _ request: Request, _ context: ServerContext) async throws -> Response {
    let fields: HTTPFields = [.contentType: ContentType.of(uniformTypeIdentifier: reader.uniformTypeIdentifier)]
    guard !asset.removedMetadata.isEmpty else {
      return try await FileAnswer(
        reader: reader, tag: nil, fields: fields, inFlight: inFlight, checkAccess: checkAccess
      ).response(to: request, context)
    }
    let file = try await Blocking.run { [asset] in try PrivateFile(reader, removing: asset.removedMetadata) }
    let body = body(byteCount: file.byteCount, context) { piece in
      try await Blocking.run { try file.data(in: piece) }
    }
    return Response(status: .ok, headers: fields, body: body)
  }

  /// Reads each piece when the program has accepted the piece before.
  private func body(
    byteCount: Int, _ context: ServerContext, read: @escaping @Sendable (Range<Int>) async throws -> Data
  ) -> ResponseBody {
    ResponseBody(contentLength: byteCount) { [inFlight, checkAccess] writer in
      var check = PermissionCheck(by: context.time)
      var position = 0
      while position < byteCount {
        try await check(checkAccess)
        let data = try await read((position..<byteCount).prefix(inFlight.pieceSize))
        guard !data.isEmpty else { throw Failure(.internalServerError, "the file was truncated while it was sent") }
        try await writer.write(ByteBuffer(bytes: data))
        try await context.waitUntilAccepted()
        position += data.count
      }
      try await writer.finish(nil)
    }
  }
}
