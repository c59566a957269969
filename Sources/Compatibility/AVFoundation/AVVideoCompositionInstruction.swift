import Synchronization

/// The layers of a composition during a range of time.
///
///     let instruction = AVMutableVideoCompositionInstruction()
///     instruction.timeRange = CMTimeRange(start: .zero, duration: asset.duration)
///     instruction.layerInstructions = [layer]
///
/// An instruction has the one layer of the movie's picture, or none: it then shows black. Times are
/// those of the asset. The color of the background is left out; it is black.
///
/// Any thread may use it.
open class AVVideoCompositionInstruction: NSObject, @unchecked Sendable {
  // A lock guards the state; subclasses guard what they add.

  struct State {
    var timeRange = CMTimeRange.invalid
    var layers: [AVVideoCompositionLayerInstruction] = []
    var allowsPostProcessing = true
  }

  let state: Mutex<State>

  /// Makes an instruction without a time range.
  public override init() { state = Mutex(State()) }

  init(_ timeRange: CMTimeRange, _ layers: [AVVideoCompositionLayerInstruction]) {
    state = Mutex(State(timeRange: timeRange, layers: layers))
  }

  /// The time during which the layers are shown. The ranges of a composition's instructions follow
  /// each other without gaps.
  public var timeRange: CMTimeRange { state.withLock(\.timeRange) }
  /// The layers, the topmost one first.
  public var layerInstructions: [AVVideoCompositionLayerInstruction] { state.withLock(\.layers) }
  /// Whether an animation tool may add to the frames. There is none, so this changes nothing.
  public var enablePostProcessing: Bool { state.withLock(\.allowsPostProcessing) }
}

/// An instruction that can be changed until an export starts.
public final class AVMutableVideoCompositionInstruction: AVVideoCompositionInstruction, @unchecked Sendable {
  // A lock guards the state.

  public override var timeRange: CMTimeRange {
    get { state.withLock(\.timeRange) }
    set { state.withLock { $0.timeRange = newValue } }
  }

  public override var layerInstructions: [AVVideoCompositionLayerInstruction] {
    get { state.withLock(\.layers) }
    set { state.withLock { $0.layers = newValue } }
  }

  public override var enablePostProcessing: Bool {
    get { state.withLock(\.allowsPostProcessing) }
    set { state.withLock { $0.allowsPostProcessing = newValue } }
  }
}

/// The placing of a track's picture: a crop, a transform and an opacity, each of which may change.
///
/// Any thread may use it. Reading a ramp back is left out.
open class AVVideoCompositionLayerInstruction: NSObject, @unchecked Sendable {
  // A lock guards the state; subclasses guard what they add.

  struct State {
    var trackID: CMPersistentTrackID = kCMPersistentTrackID_Invalid
    var transform = Ramps<CGAffineTransform>()
    var opacity = Ramps<Float>()
    var crop = Ramps<CGRect>()
  }

  let state = Mutex(State())

  /// Makes an instruction for no track.
  public override init() {}

  /// The track whose picture is placed.
  public var trackID: CMPersistentTrackID { state.withLock(\.trackID) }
}

/// A layer's instruction that can be changed until an export starts.
///
///     let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
///     layer.setTransform(track.preferredTransform, at: .zero)       // upright
///
/// - A transform applies to the stored picture: `naturalSize` pixels, before the track's
///   `preferredTransform`. Its origin is at the top left, and y points down, in the picture and in
///   the frame of the composition. Without a transform the stored picture is shown unturned.
/// - A crop rectangle is in pixels of the stored picture. It is enlarged to whole pixels.
/// - A value holds from its time until the next one. Before its first value, a layer is neither
///   transformed nor cropped, and is opaque.
/// - A call with a time that isn't a number has no effect. A transform without an inverse shows
///   nothing.
public final class AVMutableVideoCompositionLayerInstruction: AVVideoCompositionLayerInstruction, @unchecked Sendable {
  // A lock guards the state.

  /// Makes an instruction for a track of the exported asset.
  public convenience init(assetTrack track: AVAssetTrack) {
    self.init()
    trackID = track.trackID
  }

  public override var trackID: CMPersistentTrackID {
    get { state.withLock(\.trackID) }
    set { state.withLock { $0.trackID = newValue } }
  }

  public func setTransform(_ transform: CGAffineTransform, at time: CMTime) {
    state.withLock { $0.transform.set(transform, transform, from: time, to: time) }
  }

  /// Changes the transform evenly during a range of time.
  public func setTransformRamp(
    fromStart startTransform: CGAffineTransform, toEnd endTransform: CGAffineTransform, timeRange: CMTimeRange
  ) {
    state.withLock { $0.transform.set(startTransform, endTransform, from: timeRange.start, to: timeRange.end) }
  }

  /// Sets the opacity, from 0 to 1.
  public func setOpacity(_ opacity: Float, at time: CMTime) {
    state.withLock { $0.opacity.set(opacity, opacity, from: time, to: time) }
  }

  /// Changes the opacity evenly during a range of time.
  public func setOpacityRamp(
    fromStartOpacity startOpacity: Float, toEndOpacity endOpacity: Float, timeRange: CMTimeRange
  ) {
    state.withLock { $0.opacity.set(startOpacity, endOpacity, from: timeRange.start, to: timeRange.end) }
  }

  public func setCropRectangle(_ cropRectangle: CGRect, at time: CMTime) {
    state.withLock { $0.crop.set(cropRectangle, cropRectangle, from: time, to: time) }
  }

  /// Changes the crop rectangle evenly during a range of time.
  public func setCropRectangleRamp(
    fromStartCropRectangle startCropRectangle: CGRect, toEndCropRectangle endCropRectangle: CGRect,
    timeRange: CMTimeRange
  ) {
    state.withLock {
      $0.crop.set(startCropRectangle, endCropRectangle, from: timeRange.start, to: timeRange.end)
    }
  }
}

/// A value that changes with time.
struct Ramps<Value: Interpolated> {
  private struct Ramp {
    var start: CMTime
    var end: CMTime
    var first: Value
    var last: Value
  }

  /// In the order of their starts.
  private var ramps: [Ramp] = []

  /// Replaces the ramp that starts at the same time.
  mutating func set(_ first: Value, _ last: Value, from start: CMTime, to end: CMTime) {
    guard start.seconds.isFinite, end.seconds.isFinite, end >= start else { return }
    ramps.removeAll { $0.start == start }
    let index = ramps.firstIndex { $0.start > start } ?? ramps.count
    ramps.insert(Ramp(start: start, end: end, first: first, last: last), at: index)
  }

  /// Returns `nil` before the first start.
  func value(at time: CMTime) -> Value? {
    guard let ramp = ramps.last(where: { $0.start <= time }) else { return nil }
    guard time < ramp.end else { return ramp.last }
    let share = (time - ramp.start).seconds / (ramp.end - ramp.start).seconds
    return share.isFinite ? ramp.first.interpolated(to: ramp.last, share) : ramp.last
  }
}

/// A type with values between any two of its values.
protocol Interpolated {
  /// Returns this value for a share of 0, and the other one for 1.
  func interpolated(to other: Self, _ share: Double) -> Self
}

extension Float: Interpolated {
  func interpolated(to other: Float, _ share: Double) -> Float { self + (other - self) * Float(share) }
}

extension CGAffineTransform: Interpolated {
  func interpolated(to other: CGAffineTransform, _ share: Double) -> CGAffineTransform {
    func between(_ part: KeyPath<CGAffineTransform, CGFloat>) -> CGFloat {
      self[keyPath: part] + (other[keyPath: part] - self[keyPath: part]) * CGFloat(share)
    }
    return CGAffineTransform(
      a: between(\.a), b: between(\.b), c: between(\.c), d: between(\.d), tx: between(\.tx), ty: between(\.ty))
  }
}

extension CGRect: Interpolated {
  func interpolated(to other: CGRect, _ share: Double) -> CGRect {
    func between(_ first: CGFloat, _ last: CGFloat) -> CGFloat { first + (last - first) * CGFloat(share) }
    return CGRect(
      x: between(minX, other.minX), y: between(minY, other.minY), width: between(width, other.width),
      height: between(height, other.height))
  }
}
