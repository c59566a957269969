import CProcess
import Foundation
import ImageCoding
import MediaMetadata

/// Parses the frames that a decoding `ffmpeg` writes: a NUT stream of raw RGB, in which each frame
/// has its size and its time.
///
///     var reader = RawMovieReader()
///     for frame in reader.received(chunk) { … }
///     if let flaw = reader.flaw { … }    // no further frame will follow
///
/// Each part has its length, and therefore no text in a movie can be mistaken for a size or a time.
/// The reader supports what FFmpeg writes for one picture: a single stream. It does not verify
/// checksums.
struct RawMovieReader {
  /// The reason why no further frame can be parsed.
  private(set) var failureReason: String?
  /// The time of the last frame, in seconds.
  private(set) var seconds = 0.0

  /// The bytes that have not been parsed yet.
  private var head: [UInt8] = []
  private var hasSignature = false
  private var clocks: [(numerator: Int64, timescale: Int64)] = []
  private var codes: [FrameCode] = []
  private var elided: [[UInt8]] = [[]]
  private var stream: Stream?
  /// The number of bytes to ignore.
  private var skipped = 0
  private var lastTicks: Int64 = 0
  /// The frame that is being received: room for all of its bytes, and the number of those that have
  /// arrived.
  private var frame: (ticks: Int64, bytes: [UInt8], received: Int)?

  private struct FrameCode {
    var flags: Int64
    var delta: Int64
    var multiplier: Int64
    var size: Int64
    var reserved: Int64
    var elided: Int64
  }

  private struct Stream: Equatable {
    var size: PixelSize
    var numerator: Int64
    var timescale: Int32
    var shift: Int64
  }

  /// About thirty years. In nanoseconds, this still fits 64 bits.
  static let farthestSeconds = 1e9
  private static let signature = Array("nut/multimedia container\0".utf8)
  /// The limit in bytes of everything except pixels, which is always small.
  private static let longestHead = 1 << 20

  private enum Stop: Error {
    case needsMore
    case malformed(String)
  }

  /// Returns the frames that are complete after these bytes.
  mutating func received(_ bytes: ArraySlice<UInt8>) -> [MovieFrame] {
    var frames: [MovieFrame] = []
    // An incomplete part is parsed again, together with the new bytes.
    var rest = head.isEmpty ? bytes : (head + bytes)[...]
    head = []
    while failureReason == nil {
      let passed = min(skipped, rest.count)
      rest = rest.dropFirst(passed)
      skipped -= passed
      if let ended = fill(&rest) { frames.append(ended) }
      guard frame == nil, skipped == 0, !rest.isEmpty else { break }
      do {
        var cursor = Cursor(bytes: rest)
        try readNext(&cursor)
        rest = rest[cursor.position...]
      } catch Stop.malformed(let reason) {
        failureReason = reason
      } catch {
        head = Array(rest)
        if head.count > 2 * Self.longestHead { failureReason = "what is between its frames is too long" }
        break
      }
    }
    return frames
  }

  /// Reads the next bytes of the frame that is being received, without a copy, into its buffer.
  /// Returns the number of bytes, and the frame when it is complete. Returns nil if no frame is
  /// being received.
  mutating func readFrame(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> (count: Int, frame: MovieFrame?)? {
    guard let received = frame?.received else { return nil }
    let count =
      frame?.bytes.withUnsafeMutableBytes { read(UnsafeMutableRawBufferPointer(rebasing: $0[received...])) } ?? 0
    frame?.received += count
    return (count, takeWholeFrame())
  }

  /// Adds bytes to the frame that is being received. Returns the frame when it is complete.
  private mutating func fill(_ rest: inout ArraySlice<UInt8>) -> MovieFrame? {
    guard let received = frame?.received, let byteCount = frame?.bytes.count else { return nil }
    let next = rest.prefix(byteCount - received)
    next.withUnsafeBytes { next in
      _ = frame?.bytes.withUnsafeMutableBytes { bytes in
        UnsafeMutableRawBufferPointer(rebasing: bytes[received...]).copyMemory(from: next)
      }
    }
    frame?.received += next.count
    rest = rest.dropFirst(next.count)
    return takeWholeFrame()
  }

  /// Returns the frame that is being received if all of its bytes have arrived.
  private mutating func takeWholeFrame() -> MovieFrame? {
    guard let stream, let whole = frame, whole.received == whole.bytes.count else { return nil }
    frame = nil
    let pixels = PixelBuffer(
      width: stream.size.width, height: stream.size.height, channels: 3, bytes: whole.bytes)
    return MovieFrame(pixels: pixels, ticks: whole.ticks, timescale: stream.timescale)
  }

  // MARK: Parts

  private enum StartCode {
    static let main: UInt64 = 0x4E4D_7A56_1F5F_04AD
    static let stream: UInt64 = 0x4E53_1140_5BF2_F9DB
    static let syncPoint: UInt64 = 0x4E4B_E4AD_EECA_4569
    /// The length above which headers have a checksum of their own.
    static let longestPlain = 4096
  }

  private mutating func readNext(_ cursor: inout Cursor) throws {
    if !hasSignature {
      guard try cursor.bytes(Self.signature.count).elementsEqual(Self.signature) else {
        throw Stop.malformed("the decoder produced no frames")
      }
      hasSignature = true
      return
    }
    guard try cursor.peek() == UInt8(ascii: "N") else { return try readFrame(&cursor) }
    let code = try cursor.fixed(8)
    let isKnown = [StartCode.main, StartCode.stream, StartCode.syncPoint].contains(code)
    let length = try cursor.count(atMost: isKnown ? Self.longestHead : .max / 2)
    let checksumLength = length > StartCode.longestPlain ? 4 : 0
    guard isKnown else {
      skipped = checksumLength + length
      return
    }
    _ = try cursor.bytes(checksumLength)
    var content = Cursor(bytes: try cursor.bytes(length))
    do {
      switch code {
      case StartCode.main: try readMainHeader(&content)
      case StartCode.stream: try readStreamHeader(&content)
      default: try readSyncPoint(&content)
      }
    } catch Stop.needsMore { throw Stop.malformed("a header is cut off") }
  }

  private mutating func readMainHeader(_ content: inout Cursor) throws {
    // Later versions have additional flags, which `ffmpeg` writes only if asked.
    guard try content.number() == 3, try content.number() == 1 else { throw Stop.malformed("not one picture") }
    // The maximum distance between sync points.
    _ = try content.number()
    clocks = try (0..<content.count(atMost: 16)).map { _ in
      let clock = (numerator: try content.number(), timescale: try content.number())
      guard clock.numerator > 0, clock.timescale > 0, Int32(exactly: clock.timescale) != nil else {
        throw Stop.malformed("an invalid time base")
      }
      return clock
    }
    try readFrameCodes(&content)
    elided = [[]]
    for _ in 0..<(try content.count(atMost: 127)) {
      elided.append(Array(try content.bytes(try content.count(atMost: 256))))
    }
  }

  /// Reads the table of the 256 bytes that a frame can begin with.
  private mutating func readFrameCodes(_ content: inout Cursor) throws {
    codes = []
    var code = FrameCode(flags: 0, delta: 0, multiplier: 1, size: 0, reserved: 0, elided: 0)
    while codes.count < 256 {
      code.flags = try content.number()
      let fields = try content.number()
      if fields > 0 { code.delta = try content.signed() }
      if fields > 1 { code.multiplier = try content.number() }
      // The stream, of which there is only one.
      if fields > 2 { _ = try content.number() }
      code.size = fields > 3 ? try content.number() : 0
      code.reserved = fields > 4 ? try content.number() : 0
      var count = fields > 5 ? try content.number() : code.multiplier - code.size
      if fields > 6 { _ = try content.signed() }
      if fields > 7 { code.elided = try content.number() }
      for _ in 0..<max(0, fields - 8) { _ = try content.number() }
      guard (1...256).contains(count) else { throw Stop.malformed("an empty frame code") }
      while count > 0, codes.count < 256 {
        // Start codes begin with this letter.
        if codes.count == Int(UInt8(ascii: "N")) {
          codes.append(FrameCode(flags: Flag.invalid, delta: 0, multiplier: 1, size: 0, reserved: 0, elided: 0))
          continue
        }
        codes.append(code)
        code.size += 1
        count -= 1
      }
    }
  }

  private mutating func readStreamHeader(_ content: inout Cursor) throws {
    // The stream's number, its kind, and its codec.
    guard try content.number() == 0, try content.number() == 0 else { throw Stop.malformed("not one picture") }
    _ = try content.bytes(try content.count(atMost: 16))
    let clock = try content.count(atMost: 15)
    let shift = try content.number()
    // The maximum distance between times, the decoding delay, and flags.
    for _ in 0..<3 { _ = try content.number() }
    _ = try content.bytes(try content.count(atMost: Self.longestHead))
    let longest = MovieFilters.longestSide
    let size = PixelSize(width: try content.count(atMost: longest), height: try content.count(atMost: longest))
    guard clocks.indices.contains(clock), (0...32).contains(shift), size.pixels > 0 else {
      throw Stop.malformed("a picture without a size or a clock")
    }
    let declared = Stream(
      size: size, numerator: clocks[clock].numerator, timescale: Int32(clocks[clock].timescale), shift: shift)
    guard clocks.count == 1 else { throw Stop.malformed("not one clock") }
    // Headers may be repeated but must be equal, because times of different clocks can't be
    // compared.
    guard stream == nil || stream == declared else { throw Stop.malformed("another header") }
    stream = declared
  }

  private mutating func readSyncPoint(_ content: inout Cursor) throws { lastTicks = try content.number() }

  private enum Flag {
    static let codedTime: Int64 = 8
    static let streamNumber: Int64 = 16
    static let codedSize: Int64 = 32
    static let checksum: Int64 = 64
    static let reserved: Int64 = 128
    static let sideData: Int64 = 256
    static let elided: Int64 = 1024
    static let matchTime: Int64 = 2048
    static let codedFlags: Int64 = 4096
    static let invalid: Int64 = 8192
  }

  private mutating func readFrame(_ cursor: inout Cursor) throws {
    guard let stream, codes.count == 256 else { throw Stop.malformed("a frame before its size") }
    let code = codes[Int(try cursor.fixed(1))]
    var flags = code.flags
    if flags & Flag.codedFlags != 0 { flags ^= try cursor.number() }
    guard flags & (Flag.invalid | Flag.sideData) == 0 else { throw Stop.malformed("a frame that can't be read") }
    if flags & Flag.streamNumber != 0 { _ = try cursor.number() }
    var ticks = lastTicks &+ code.delta
    if flags & Flag.codedTime != 0 { ticks = time(try cursor.number(), stream) }
    var size = code.size
    if flags & Flag.codedSize != 0 { size = size &+ code.multiplier &* (try cursor.number()) }
    if flags & Flag.matchTime != 0 { _ = try cursor.signed() }
    let header = flags & Flag.elided != 0 ? try cursor.number() : code.elided
    let reserved = flags & Flag.reserved != 0 ? try cursor.number() : code.reserved
    for _ in 0..<min(max(0, reserved), 256) { _ = try cursor.number() }
    if flags & Flag.checksum != 0 { _ = try cursor.fixed(4) }
    // The end of the stream.
    if size == 0 { return }
    guard size == stream.size.pixels * 3, header >= 0, header < elided.count, elided[Int(header)].count <= size else {
      throw Stop.malformed("a frame of another size")
    }
    let (scaled, overflow) = ticks.multipliedReportingOverflow(by: stream.numerator)
    guard !overflow, abs(Double(scaled)) < Self.farthestSeconds * Double(stream.timescale) else {
      throw Stop.malformed("a frame at an impossible time")
    }
    lastTicks = ticks
    seconds = Double(scaled) / Double(stream.timescale)
    let beginning = elided[Int(header)]
    frame = (
      ticks: scaled, bytes: Self.room(for: Int(size), beginningWith: beginning), received: beginning.count
    )
  }

  /// Returns bytes of any value behind the first ones.
  private static func room(for byteCount: Int, beginningWith beginning: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      calotype_take_large_pages(buffer.baseAddress, buffer.count)
      _ = buffer.update(fromContentsOf: beginning)
      count = byteCount
    }
  }

  /// Decodes a time, which is stored in full or as its low bits.
  private func time(_ coded: Int64, _ stream: Stream) -> Int64 {
    let span: Int64 = 1 << stream.shift
    guard coded < span else { return coded &- span }
    let start = lastTicks &- (span - 1) / 2
    return ((coded &- start) & (span - 1)) &+ start
  }

  // MARK: Numbers

  /// Reads the available bytes. Throws `needsMore` if there are not enough.
  private struct Cursor {
    let bytes: ArraySlice<UInt8>
    var position: Int

    init(bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      position = bytes.startIndex
    }

    func peek() throws -> UInt8 {
      guard position < bytes.endIndex else { throw Stop.needsMore }
      return bytes[position]
    }

    mutating func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
      guard count <= bytes.endIndex - position else { throw Stop.needsMore }
      defer { position += count }
      return bytes[position..<position + count]
    }

    mutating func fixed(_ count: Int) throws -> UInt64 { try bytes(count).reduce(0) { $0 << 8 | UInt64($1) } }

    /// Reads seven bits from each byte, the highest first. A number has at most 56 bits, and thus
    /// adding 1 to it can't overflow.
    mutating func number() throws -> Int64 {
      var value: Int64 = 0
      for _ in 0..<8 {
        let byte = UInt8(try fixed(1))
        value = value << 7 | Int64(byte & 0x7F)
        if byte & 0x80 == 0 { return value }
      }
      throw Stop.malformed("a number that is too long")
    }

    mutating func signed() throws -> Int64 {
      let value = try number() + 1
      return value & 1 == 1 ? -(value >> 1) : value >> 1
    }

    mutating func count(atMost most: Int) throws -> Int {
      let value = try number()
      guard value <= most else { throw Stop.malformed("a length that is too long") }
      return Int(value)
    }
  }
}
