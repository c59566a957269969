import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos

/// Answers with a ZIP file, or with a range of it, in pieces.
struct ArchiveAnswer: Sendable {
  let archive: Archive
  let tag: EntityTag
  let inFlight: BytesInFlight

  private static let fields: HTTPFields = [
    .contentType: "application/zip", .acceptRanges: "bytes", .cacheControl: "private, no-store",
    .contentDisposition: ContentDisposition.attachment(filename: "Photos.zip"),
    .contentSecurityPolicy: SecurityHeaders.originalPolicy,
  ]

  func response(to request: Request, _ context: ServerContext) -> Response {
    var fields = Self.fields
    fields[.eTag] = tag.value
    let byteCount = archive.layout.byteCount
    switch ByteRange(of: request, tag: tag, byteCount: byteCount) {
    case .whole: return Response(status: .ok, headers: fields, body: body(0..<byteCount, context))
    case .part(let range):
      fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)"
      return Response(status: .partialContent, headers: fields, body: body(range, context))
    case .unsatisfiable: return ByteRange.refusal(byteCount: byteCount).response
    }
  }

  private func body(_ range: Range<Int>, _ context: ServerContext) -> ResponseBody {
    ResponseBody(contentLength: range.count) { [archive, inFlight] writer in
      var pending = ByteBuffer()
      var check = PermissionCheck(by: context.time)
      func write(_ bytes: some Sequence<UInt8>, isLast: Bool = false) async throws {
        pending.writeBytes(bytes)
        guard isLast || pending.readableBytes >= inFlight.pieceSize else { return }
        try await writer.write(pending)
        pending = ByteBuffer()
        try await context.waitUntilAccepted()
      }
      for (part, place) in archive.layout.parts(in: range) {
        let wanted = range.clamped(to: place)
        let slice = wanted.lowerBound - place.lowerBound..<wanted.upperBound - place.lowerBound
        try await check { try await context.requireValidAsker() }
        switch part {
        case .header(let index):
          // The header contains the file's name, so it needs the permission too.
          try await context.checkAccess(to: archive.asset(of: index))
          try await write(archive.layout.header(of: index, crc: archive.checksum(of: index))[slice])
        case .contents(let index):
          let asset = archive.asset(of: index)
          try await context.checkAccess(to: asset)
          try await self.write(contents: index, slice, of: place.count) { data in
            try await check { try await context.checkAccess(to: asset) }
            try await write(data)
          }
        case .directoryEntry(let index):
          try await context.checkAccess(to: archive.asset(of: index))
          try await write(archive.layout.directoryEntry(of: index, crc: archive.checksum(of: index))[slice])
        case .end: try await write(archive.layout.end[slice])
        }
      }
      try await write([], isLast: true)
      try await writer.finish(nil)
    }
  }

  /// Writes a part of a file. If it is the whole file, its CRC-32 has to be the one that was sent.
  private func write(
    contents index: Int, _ slice: Range<Int>, of byteCount: Int, _ write: (Data) async throws -> Void
  ) async throws {
    let reader = try await archive.reader(of: index)
    let name = archive.layout.entries[index].name
    var crc = CRC32()
    var position = slice.lowerBound
    while position < slice.upperBound {
      let rest = position..<slice.upperBound
      let data = try await Blocking.run { [inFlight] in try reader.data(in: rest.prefix(inFlight.pieceSize)) }
      guard !data.isEmpty else { throw Archive.changed(name) }
      data.withUnsafeBytes { crc.update($0) }
      position += data.count
      if position == slice.upperBound, slice.count == byteCount {
        // The end is withheld, so that a wrong file is not taken for a whole one.
        guard try await archive.checksum(of: index) == crc.value else { throw Archive.changed(name) }
      }
      try await write(data)
    }
  }
}
