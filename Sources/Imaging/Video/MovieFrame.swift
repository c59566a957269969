import Foundation

/// A frame of a movie on its way from one `ffmpeg` through this process to another.
public struct MovieFrame: Sendable {
  /// Upright, square pixels, RGB in sRGB's code: movies' own transfer curve is shown by the same screens in the same way.
  public var pixels: PixelBuffer
  /// Seconds from the start of what is exported: a whole number of `timescale`'s ticks.
  public var ticks: Int64
  public var timescale: Int32
}

/// Frames that wait for whoever takes them; a few only, so that a fast decoder waits for a slow filter.
final class FrameQueue: @unchecked Sendable {
  // Everything is under the condition's lock.

  private enum State {
    case open
    case closed
    case abandoned
  }

  private let condition = NSCondition()
  private var frames: [MovieFrame] = []
  private var state = State.open
  private static let limit = 3

  /// False once nobody takes frames any more.
  func put(_ frame: MovieFrame) -> Bool {
    condition.withLock {
      while frames.count >= Self.limit, state == .open { condition.wait() }
      guard state == .open else { return false }
      frames.append(frame)
      condition.broadcast()
      return true
    }
  }

  /// The next frame; nil after the last.
  func take() -> MovieFrame? {
    condition.withLock {
      while frames.isEmpty, state == .open { condition.wait() }
      guard state != .abandoned, !frames.isEmpty else { return nil }
      let frame = frames.removeFirst()
      condition.broadcast()
      return frame
    }
  }

  /// No further frame comes.
  func close() { end(.closed) }
  /// Nobody wants any further frame.
  func abandon() { end(.abandoned) }

  private func end(_ state: State) {
    condition.withLock {
      if self.state == .open || state == .abandoned { self.state = state }
      condition.broadcast()
    }
  }
}

/// Puts frames together from what a decoding `ffmpeg` writes: raw pixels on one stream, times and sizes on the other.
struct FrameAssembler {
  private var clock: (numerator: Int64, timescale: Int32)?
  private var size: PixelSize?
  /// Of frames whose pixels aren't there yet.
  private var ticks: [Int64] = []
  private var pending: [UInt8] = []
  private var line: [UInt8] = []
  private var lastTick: Int64 = 0
  /// The last error that was told.
  private var complaint: String?
  /// Why no further frame can be put together.
  private(set) var flaw: String?

  /// Thirty years; in nanoseconds it still fits 64 bits.
  static let farthestSeconds = 1e9
  /// More than any frame that the filters let through.
  private static let pendingByteLimit = MovieFilters.longestSide * MovieFilters.longestSide * 3

  /// Pixels came; the frames that are whole now.
  mutating func received(_ bytes: ArraySlice<UInt8>) -> [MovieFrame] {
    pending += bytes
    let frames = takeFrames()
    if pending.count > 2 * Self.pendingByteLimit { flaw = flaw ?? "a frame without its time" }
    return frames
  }

  /// What went wrong where the frames end long before the movie: a file that is cut off, whose decoder told it and went on.
  func complaint(ofMovieLasting seconds: Double) -> String? {
    guard let complaint, let clock else { return nil }
    let end = Double(lastTick) / Double(clock.timescale)
    guard end + max(0.1, seconds / 20) < seconds else { return nil }
    return "the picture ends at \(String(format: "%.2f", end)) s: \(MovieInput.complaint(complaint))"
  }

  /// A part of what `showinfo` and others say; the frames that are whole now.
  mutating func heard(_ bytes: ArraySlice<UInt8>) -> [MovieFrame] {
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      read(String(decoding: line, as: UTF8.self))
      line.removeAll(keepingCapacity: true)
    }
    return takeFrames()
  }

  /// `… config in time_base: 1/30000, …`, and `… n:   0 pts:   1001 … s:1920x1080 …` for each frame.
  private mutating func read(_ line: String) {
    // Not what a movie's title says.
    guard line.hasPrefix("[Parsed_showinfo_") else {
      if MovieInput.isError(line) { complaint = line }
      return
    }
    if clock == nil, let text = Self.field("config in time_base: ", of: line) {
      let parts = text.split(separator: "/").compactMap { Int64($0) }
      if parts.count == 2, parts[0] > 0, let scale = Int32(exactly: parts[1]), scale > 0 { clock = (parts[0], scale) }
    }
    guard let text = Self.field(" pts:", of: line), let clock else { return }
    // One that tells no time follows the one before at once.
    let (tick, overflow) =
      Int64(text).map { $0.multipliedReportingOverflow(by: clock.numerator) } ?? (lastTick + 1, false)
    guard !overflow, abs(Double(tick)) < Self.farthestSeconds * Double(clock.timescale) else {
      flaw = flaw ?? "a frame at an impossible time"
      return
    }
    lastTick = tick
    ticks.append(tick)
    if size == nil, let sides = Self.field(" s:", of: line)?.split(separator: "x").compactMap({ Int($0) }),
      sides.count == 2, sides.allSatisfy({ (1...MovieFilters.longestSide).contains($0) })
    {
      size = PixelSize(width: sides[0], height: sides[1])
    }
  }

  private static func field(_ name: String, of line: String) -> String? {
    guard let range = line.range(of: name) else { return nil }
    return String(line[range.upperBound...].drop { $0 == " " }.prefix { $0 != " " && $0 != "," })
  }

  private mutating func takeFrames() -> [MovieFrame] {
    guard let size, let clock, flaw == nil else { return [] }
    let count = size.pixels * 3
    guard count <= Self.pendingByteLimit else { return [] }
    var frames: [MovieFrame] = []
    while pending.count >= count, !ticks.isEmpty {
      // Mostly there is exactly one.
      let bytes = pending.count == count ? pending : Array(pending[..<count])
      pending = pending.count == count ? [] : Array(pending[count...])
      if pending.isEmpty { pending.reserveCapacity(count) }
      frames.append(
        MovieFrame(
          pixels: PixelBuffer(width: size.width, height: size.height, channels: 3, bytes: bytes),
          ticks: ticks.removeFirst(), timescale: clock.timescale))
    }
    return frames
  }
}
