import Foundation
import ImageCoding
import MediaMetadata

/// A decoded frame of a movie, which is passed from one `ffmpeg` process to this one and on to
/// another.
public struct MovieFrame: Sendable {
  /// The upright RGB picture with square pixels, in sRGB's encoding. Screens show the transfer
  /// curve of movies in the same way.
  public var pixels: PixelBuffer
  /// The time from the start of the export, in ticks. A second has `timescale` ticks.
  public var ticks: Int64
  public var timescale: Int32
}

/// A bounded queue of frames. It applies back-pressure: a fast decoder waits for a slow filter.
final class FrameQueue: @unchecked Sendable {
  // The condition's lock guards all properties.

  private enum State {
    case open
    case closed
    case abandoned
  }

  private let condition = NSCondition()
  private var frames: [MovieFrame] = []
  private var state = State.open
  private static let limit = 3

  /// Adds a frame; waits while the queue is full. Returns false if no more frames are taken.
  func put(_ frame: MovieFrame) -> Bool {
    condition.withLock {
      while frames.count >= Self.limit, state == .open { condition.wait() }
      guard state == .open else { return false }
      frames.append(frame)
      condition.broadcast()
      return true
    }
  }

  /// Removes and returns the next frame; waits while the queue is empty. Returns nil after the last
  /// frame.
  func take() -> MovieFrame? {
    condition.withLock {
      while frames.isEmpty, state == .open { condition.wait() }
      guard state != .abandoned, !frames.isEmpty else { return nil }
      let frame = frames.removeFirst()
      condition.broadcast()
      return frame
    }
  }

  /// Whether the queue has room and may receive more frames. An encoder without output may then be
  /// waiting for input, and does not count as hung.
  var isWaitingForInput: Bool { condition.withLock { state == .open && frames.count < Self.limit } }

  /// Marks that no more frames will be added.
  func close() { end(.closed) }
  /// Marks that no more frames will be taken.
  func abandon() { end(.abandoned) }

  private func end(_ state: State) {
    condition.withLock {
      if self.state == .open || state == .abandoned { self.state = state }
      condition.broadcast()
    }
  }
}
