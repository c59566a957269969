import Foundation
import ImageCoding
import MediaMetadata

/// The picture of a movie that is being encoded, as an MPEG transport stream beside its
/// destination. It remains when its encoder ends, and the next encoder continues it.
///
///     let picture = try UnfinishedPicture(of: destination, recipe: arguments)
///     … encode from picture.resumeSeconds on, and append the output …
///     picture.remove()       // when the movie is complete
///
/// - The name is `.movie.mp4.picture.part`. The user of the file holds the lock of
///   `.movie.mp4.part`.
/// - If an encoder has ended early, its output is cut off at the last key frame. A picture made
///   with another recipe is discarded.
/// - Its clock begins at `startSeconds`, so that the decoding times before the first frame are not
///   negative.
final class UnfinishedPicture {
  static let startSeconds = 60.0
  static let timescale = 90_000

  /// The time to continue from, in seconds from the movie's beginning: between the last frame that
  /// exists and the first one that is missing.
  let resumeSeconds: Double?
  private let path: String
  private let descriptor: Int32
  private var scan: TransportStreamScan

  init(of destination: URL, recipe: String) throws(ImagingError) {
    path =
      destination.deletingLastPathComponent()
      .appendingPathComponent(".\(destination.lastPathComponent).picture.part").path
    descriptor = try PartialFile.open(path)
    let label = Self.label(recipe)
    scan = TransportStreamScan()
    var start: [UInt8] = []
    do throws(ImagingError) {
      start = try Self.read(descriptor, path: path, count: label.count)
      while start == label, !scan.isMalformed {
        let bytes = try Self.read(descriptor, path: path, count: 188 * 4096)
        if bytes.isEmpty { break }
        scan.received(bytes[...])
      }
    } catch {
      close(descriptor)
      throw error
    }
    let key = start == label ? scan.lastKeyFrame : nil
    resumeSeconds = key.map { Self.seconds(($0.ticks + $0.latestBefore) / 2) }
    scan.begin(at: key)
    let length = key.map { label.count + $0.offset } ?? 0
    // From this point, `deinit` closes the descriptor.
    guard ftruncate(descriptor, off_t(length)) == 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
      throw Self.failure(path)
    }
    if key == nil { try write(label[...]) }
  }

  deinit { close(descriptor) }

  /// Returns a null packet, which all readers ignore. It identifies the recipe of the other
  /// packets.
  private static func label(_ recipe: String) -> [UInt8] {
    let digest = recipe.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let packet: [UInt8] = [0x47, 0x1F, 0xFF, 0x10] + "calotype 1 \(digest)".utf8
    return packet + [UInt8](repeating: 0xFF, count: TransportStreamScan.packetLength - packet.count)
  }

  private static func seconds(_ ticks: Int) -> Double { Double(ticks) / Double(timescale) - startSeconds }

  /// The time of the latest frame, in seconds; nil before the first frame.
  var seconds: Double? { scan.latest.map(Self.seconds) }

  /// Appends bytes. Throws if the file has been removed, since the movie is then no longer wanted.
  func append(_ bytes: ArraySlice<UInt8>) throws(ImagingError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(path) }
    guard status.st_nlink > 0 else { throw ImagingError(writing: path, ENOENT) }
    try write(bytes)
    scan.received(bytes)
  }

  private func write(_ bytes: ArraySlice<UInt8>) throws(ImagingError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path) }
      rest = rest.dropFirst(count)
    }
  }

  private static func read(_ descriptor: Int32, path: String, count: Int) throws(ImagingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let length = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress.map { $0 + filled }, count - filled)
      }
      if length < 0, errno == EINTR { continue }
      guard length >= 0 else { throw failure(path) }
      if length == 0 { break }
      filled += length
    }
    return Array(bytes[..<filled])
  }

  /// Opens the file at its beginning. The caller closes the descriptor.
  func openForReading() throws(ImagingError) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
    return descriptor
  }

  func remove() { unlink(path) }

  private static func failure(_ path: String) -> ImagingError { ImagingError(writing: path, errno) }
}

/// Finds the times of frames, and key frames, in a transport stream with one picture.
struct TransportStreamScan {
  static let packetLength = 188

  /// A key frame at which the stream can be cut: no earlier frame is shown after it.
  struct KeyFrame: Equatable {
    /// The number of bytes before the frame's first packet.
    var offset: Int
    var ticks: Int
    /// The time of the latest frame before it, in ticks.
    var latestBefore: Int
  }

  /// The time of the latest frame in the order of display, in ticks.
  private(set) var latest: Int?
  /// The last key frame, except the stream's first frame.
  private(set) var lastKeyFrame: KeyFrame?
  /// True after bytes that are not packets; further bytes are ignored.
  private(set) var isMalformed = false
  private var offset = 0
  private var pending: [UInt8] = []

  /// Restarts at a key frame, for a stream that is cut off there.
  mutating func begin(at key: KeyFrame?) {
    self = TransportStreamScan()
    latest = key?.latestBefore
  }

  mutating func received(_ bytes: ArraySlice<UInt8>) {
    pending += bytes
    var start = 0
    while pending.count - start >= Self.packetLength, !isMalformed {
      read(pending[start..<start + Self.packetLength])
      start += Self.packetLength
    }
    pending.removeFirst(start)
  }

  private mutating func read(_ packet: ArraySlice<UInt8>) {
    let bytes = Array(packet)
    guard bytes[0] == 0x47 else {
      isMalformed = true
      return
    }
    defer { offset += bytes.count }
    // The first packet of a picture. An adaptation field may precede its payload.
    guard bytes[1] & 0x40 != 0 else { return }
    let hasExtras = bytes[3] & 0x20 != 0
    let payload = 4 + (hasExtras ? 1 + Int(bytes[4]) : 0)
    let isKey = hasExtras && bytes[4] > 0 && bytes[5] & 0x40 != 0
    guard payload + 14 <= bytes.count, bytes[payload..<payload + 3].elementsEqual([0, 0, 1]),
      bytes[payload + 3] & 0xF0 == 0xE0, bytes[payload + 7] & 0x80 != 0
    else { return }
    let time = bytes[payload + 9..<payload + 14].map(Int.init)
    let high = (time[0] & 0x0E) << 29 | time[1] << 22 | (time[2] & 0xFE) << 14
    let ticks = high | time[3] << 7 | time[4] >> 1
    if isKey, let latest, ticks > latest + 1 {
      lastKeyFrame = KeyFrame(offset: offset, ticks: ticks, latestBefore: latest)
    }
    latest = max(latest ?? ticks, ticks)
  }
}
