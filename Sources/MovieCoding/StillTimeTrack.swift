import Foundation
import ImageCoding
import MediaMetadata

/// Marks the instant of a Live Photo's still in a QuickTime movie, as phones do. A track of timed
/// metadata waits until then and shows one sample.
///
///     try StillTimeTrack.add(1.48, toMovieAt: path)   // `MediaMetadata.stillTime` is 1.48 from now on
///
/// `ffmpeg` leaves out tracks of this kind, and therefore each movie that it writes gets a new one.
/// The movie's index (`moov`) must be at the end of the file. The instant is rounded to a tick of
/// the movie's clock, which is usually a millisecond.
package enum StillTimeTrack {
  package static func add(_ seconds: Double, toMovieAt path: String) throws(ImagingError) {
    do {
      let movie = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      defer { try? movie.close() }
      guard let index = try Self.index(of: movie) else {
        throw ImagingError(.cannotEncode, path, reason: "its index is not at its end")
      }
      try movie.seek(toOffset: UInt64(index.offset))
      // The sample is written over the old index, and the new index after the sample.
      let header = UInt64(index.offset) + 8
      guard let changed = adding(seconds, to: index.content, sampleAt: header) else {
        throw ImagingError(.cannotEncode, path, reason: "its index can't be read")
      }
      try movie.write(contentsOf: Data(box("mdat", sample) + changed))
    } catch let error as ImagingError { throw error } catch {
      throw ImagingError(.cannotEncode, path, reason: error.localizedDescription)
    }
  }

  /// A value of one key: its length, the key's number in the track's description, and a byte
  /// without a meaning.
  private static let sample: [UInt8] = UInt32(9).bigEndianBytes + UInt32(1).bigEndianBytes + [0xFF]
  /// A limit in bytes that is above the index of a day's frames.
  private static let longestIndex = 256 << 20

  /// Returns the last box if it is the index.
  private static func index(of movie: FileHandle) throws -> (offset: Int, content: [UInt8])? {
    let end = Int(try movie.seekToEnd())
    var position = 0
    while position <= end - 8 {
      try movie.seek(toOffset: UInt64(position))
      guard let bytes = try movie.read(upToCount: 16) else { return nil }
      let head = MediaBytes([UInt8](bytes)).all
      guard let size = head.u32(0), let length = size == 1 ? head.u64(8) : size, length >= 8 else { return nil }
      let rest = end - position
      guard length <= rest else { return nil }
      if length < rest {
        position += length
        continue
      }
      guard head.fourCC(4) == "moov", size > 1, length <= longestIndex else { return nil }
      try movie.seek(toOffset: UInt64(position + 8))
      return try movie.readToEnd().map { (position, [UInt8]($0)) }
    }
    return nil
  }

  /// Returns the index with one more track; nil if its header does not contain a clock.
  static func adding(_ seconds: Double, to index: [UInt8], sampleAt offset: UInt64) -> [UInt8]? {
    var index = index
    guard let header = MediaBytes(index).all.box("mvhd"), let isLong = header.u8(0).map({ $0 == 1 }),
      let timescale = header.u32(isLong ? 20 : 12), timescale > 0, let number = header.u32(header.count - 4),
      number < Int(UInt32.max), seconds >= 0, seconds * Double(timescale) < Double(Int32.max)
    else { return nil }
    let next = header.base + header.count - 4
    index.replaceSubrange(next..<next + 4, with: UInt32(number + 1).bigEndianBytes)
    let wait = UInt32((seconds * Double(timescale)).rounded())
    return box(
      "moov", index + track(number: UInt32(number), wait: wait, timescale: UInt32(timescale), sampleAt: offset))
  }

  private static func track(number: UInt32, wait: UInt32, timescale: UInt32, sampleAt offset: UInt64) -> [UInt8] {
    // The flags: enabled, in the movie, and in its preview.
    let header = fullBox(
      "tkhd", flags: 7, [0, 0, number, 0, wait + 1, 0, 0, 0, 0].bytes,
      // A track without a picture has no position, no size and the unity matrix.
      [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000, 0, 0].bytes)
    let once: [UInt32] = [1, 0, 0x10000]
    // The media time -1 marks an empty edit.
    let waiting: [UInt32] = wait == 0 ? [] : [wait, UInt32.max, 0x10000]
    let edits = box("edts", fullBox("elst", [UInt32(wait == 0 ? 1 : 2)].bytes, (waiting + once).bytes))
    let media = box(
      "mdia", fullBox("mdhd", [0, 0, timescale, 1, 0x55C4_0000].bytes),
      fullBox("hdlr", Array("mhlrmeta".utf8), [0, 0, 0].bytes, [0]),
      box(
        "minf", box("gmhd", fullBox("gmin", [0x0040_8000, 0x8000_8000, 0].bytes)),
        fullBox("hdlr", Array("dhlrurl ".utf8), [0, 0, 0].bytes, [0]),
        // The sample is in this file.
        box("dinf", fullBox("dref", [1].bytes, fullBox("url ", flags: 1))),
        box(
          "stbl", fullBox("stsd", [1].bytes, description), fullBox("stts", [1, 1, 1].bytes),
          fullBox("stsc", [1, 1, 1, 1].bytes), fullBox("stsz", [UInt32(sample.count), 1].bytes),
          fullBox("co64", [1].bytes, offset.bigEndianBytes))))
    return box("trak", header, edits, media)
  }

  /// The description of a track with one key, whose values are integers of one byte.
  private static let description = box(
    "mebx", [0, 1].bytes,
    box(
      "keys",
      box(
        [0, 0, 0, 1], box("keyd", Array("mdtacom.apple.quicktime.still-image-time".utf8)),
        box("dtyp", [0, 65].bytes))))

  // MARK: Boxes

  private static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    box(Array(type.utf8), content.flatMap(\.self))
  }

  private static func box(_ type: [UInt8], _ content: [UInt8]...) -> [UInt8] {
    let content = content.flatMap(\.self)
    return UInt32(content.count + 8).bigEndianBytes + type + content
  }

  private static func fullBox(_ type: String, flags: UInt32 = 0, _ content: [UInt8]...) -> [UInt8] {
    box(type, flags.bigEndianBytes + content.flatMap(\.self))
  }
}

extension [UInt32] {
  fileprivate var bytes: [UInt8] { flatMap(\.bigEndianBytes) }
}
