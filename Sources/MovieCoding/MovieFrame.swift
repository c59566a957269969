import Foundation
import ImageCoding
import MediaMetadata

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

  /// Whether frames are wanted that don't come: whoever takes them can't be blamed for waiting.
  var isStarved: Bool { condition.withLock { state == .open && frames.count < Self.limit } }

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
