import Foundation
import ImageCoding
import MediaMetadata
import Sandbox

/// Turns a JPEG without decoding and encoding its picture.
///
///     let data = try rotateJPEGLosslessly(file, by: .right)
///
/// - The picture's blocks are rotated, and the file's orientation becomes 1. All other metadata,
///   the color profile and a progressive order stay. The thumbnail is removed, since it would not
///   be rotated.
/// - If the blocks don't fit the picture's edges, or the file contains more than one picture (a
///   gain map, a motion photo's movie), only the orientation changes.
/// - Throws if the file is not a JPEG, if it is damaged, or if its EXIF has no room for an
///   orientation. The caller should then encode anew, with a quality of 0.92 or better.
/// - A worker process does the work if there is one.
public func rotateJPEGLosslessly(_ file: MediaFile, by turn: Turn) throws(ImagingError) -> Data {
  try TurnJPEG(turn: turn).answer(on: file)
}

struct TurnJPEG: Endpoint {
  var turn: Turn

  func perform(on file: MediaFile) throws(ImagingError) -> Data { try turnJPEGLosslessly(file, by: turn) }

  func send(_ answer: Data, with reply: ReplyWriter) throws {
    try reply.send(Reply.answer(answer.count), blocks: [answer])
  }

  func read(_ byteCount: Int, _ reply: inout ReplyReader, on file: MediaFile) throws -> Data {
    try check(byteCount == reply.payloadByteCount, "a file of another length")
    // The thumbnail is removed, an orientation may be added, and blocks with other tables may
    // need more bytes.
    try check((1...file.byteCount * 2 + (64 << 10)).contains(byteCount), "a file of an impossible length")
    let data = try reply.payload(byteCount: byteCount)
    try check(data.starts(with: [0xFF, 0xD8]), "a turned file that is no JPEG")
    return data
  }
}

extension TurnJPEG: MessagePart {
  static var blank: Self { Self(turn: .none) }
  mutating func code(with coder: inout MessageCoder) { coder.part(&turn) }
}
