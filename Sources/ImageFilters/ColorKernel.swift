import Foundation
import ImageCoding
import MediaMetadata
import Synchronization

/// A pipeline prepared for 8-bit pixels.
///
/// - Curves, a matrix and curves, in this order and each optional, are computed as they are
///   defined, within one step of 255. This covers every filter but vibrance, and every sequence of
///   matrices.
/// - All other pipelines use a lattice of 33 × 33 × 33 colors with tetrahedral interpolation. Its
///   error is at most two steps in ordinary pictures, and at most eight if a filter bends sharply.
public final class ColorKernel: Sendable {
  private enum Plan: Sendable {
    case copy
    case shares(ShareTables)
    case lattice(ColorLattice)
  }

  private let plan: Plan

  public init(_ pipeline: ColorPipeline) {
    if pipeline.isEmpty {
      plan = .copy
    } else if let tables = ShareTables(pipeline) {
      plan = .shares(tables)
    } else {
      plan = .lattice(ColorLattice(pipeline))
    }
  }

  /// Returns the kernel of a pipeline, from a cache of the last few: a movie requests the same one
  /// for every frame.
  static func make(_ pipeline: ColorPipeline) -> ColorKernel {
    if let known = recent.withLock({ recent in recent.first { $0.pipeline == pipeline }?.kernel }) { return known }
    let kernel = ColorKernel(pipeline)
    recent.withLock { recent in
      recent.append((pipeline, kernel))
      if recent.count > recentLimit { recent.removeFirst() }
    }
    return kernel
  }

  private static let recent = Mutex<[(pipeline: ColorPipeline, kernel: ColorKernel)]>([])
  private static let recentLimit = 4

  /// Computes `count` pixels; `source` may be `target`. A fourth channel is copied.
  func run(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, count: Int, channels: Int
  ) {
    switch plan {
    case .copy: if source != UnsafePointer(target) { target.update(from: source, count: count * channels) }
    case .shares(let tables): tables.run(source, target, count: count, channels: channels)
    case .lattice(let lattice): lattice.run(source, target, count: count, channels: channels)
    }
  }

  /// Like `run`, on several threads if there are enough pixels.
  func runInParallel(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, count: Int, channels: Int
  ) {
    let bands = min(ProcessInfo.processInfo.activeProcessorCount, count / Self.pixelsWorthAThread)
    guard bands > 1 else { return run(source, target, count: count, channels: channels) }
    // Bands don't overlap, and this function waits for all of them.
    nonisolated(unsafe) let (source, target) = (source, target)
    DispatchQueue.concurrentPerform(iterations: bands) { band in
      let start = count * band / bands
      let end = count * (band + 1) / bands
      run(source + start * channels, target + start * channels, count: end - start, channels: channels)
    }
  }

  private static let pixelsWorthAThread = 250_000
}

extension PixelBuffer {
  /// Returns the picture with each pixel's color changed by the pipeline; alpha stays.
  public func filtered(by pipeline: ColorPipeline) -> PixelBuffer {
    guard !pipeline.isEmpty else { return self }
    let kernel = ColorKernel.make(pipeline)
    return withView { source in
      PixelBuffer(width: width, height: height, channels: channels) { out in
        kernel.runInParallel(source.base, out, count: width * height, channels: channels)
      }
    }
  }
}

/// Tables with the share of each value of each channel in the result, and tables with the curve to
/// apply to their sum.
private struct ShareTables: Sendable {
  /// For each of 3 × 256 values, its shares in red, green and blue. They are three fields of one
  /// number, so one addition adds all three. A share may be negative. The sums are not, since the
  /// shares of the first channel include an offset for black.
  private var shares: [UInt64] = []
  /// The code for each sum without its fraction: one table each for red, green and blue, or one for
  /// all three.
  private var codes: [UInt8] = []
  private let greenCodes: Int
  private let blueCodes: Int
  private let fractionBits: Int

  private static let fieldBits = 21
  /// The number of steps from black to white.
  private static let steps = 1 << stepBits - 1
  private static let stepBits = 13

  /// Returns nil for a pipeline that is more than curves, a matrix and curves.
  init?(_ pipeline: ColorPipeline) {
    var rest = pipeline.steps[...]
    func takeCurves() -> [ToneCurve] {
      var curves: [ToneCurve] = []
      while case .curve(let curve) = rest.first {
        curves.append(curve)
        rest.removeFirst()
      }
      return curves
    }
    let before = takeCurves()
    var matrix = ColorMatrix.identity
    if case .matrix(let found) = rest.first {
      matrix = found
      rest.removeFirst()
    }
    let after = takeCurves()
    guard rest.isEmpty else { return nil }

    let exact = (0..<3).map { channel in
      let column = ColorValue(matrix.red[channel], matrix.green[channel], matrix.blue[channel])
      return (0...255).map { value in
        var share = column * before.reduce(Double(value) / 255) { $1($0, channel: channel) }
        share[channel] += matrix.bias[channel]
        // NaN counts as 0.
        return share.replacing(with: 0, where: share .!= share)
      }
    }
    guard let reach = Self.largestSum(of: exact) else { return nil }
    // The largest sum, as a multiple of white, determines how many bits of a field are left for its
    // fraction.
    let reachBits = Int(log2(max(reach, 1))) + 1
    fractionBits = Self.fieldBits - 1 - reachBits - Self.stepBits
    let black = 1 << (reachBits + Self.stepBits)
    let scale = Double(Self.steps << fractionBits)
    // Adding a half rounds the result.
    let start = (Double(black) + 0.5) * Double(1 << fractionBits)
    shares = exact.enumerated().flatMap { channel, shares in
      shares.map { share in
        let clamped = share.clamped(lowerBound: -Self.most, upperBound: Self.most)
        let parts = (clamped * scale + (channel == 0 ? start : 0)).rounded(.toNearestOrEven)
        return (0..<3).reduce(0) { $0 &+ UInt64(bitPattern: Int64(parts[$1]) << (Self.fieldBits * $1)) }
      }
    }

    let isOneTable = after.allSatisfy(\.isSameForAllChannels)
    (greenCodes, blueCodes) = isOneTable ? (0, 0) : (2 * black, 4 * black)
    codes = (0..<(isOneTable ? 1 : 3)).flatMap { channel in
      let inside = (0...Self.steps).map { step in
        let value = after.reduce(Double(step) / Double(Self.steps)) { $1($0, channel: channel) }
        return value.isNaN ? 0 : UInt8(min(max(value, 0), 1) * 255 + 0.5)
      }
      let darker = repeatElement(inside[0], count: black)
      return darker + inside + repeatElement(inside[Self.steps], count: black - inside.count)
    }
  }

  /// The limit of a share as a multiple of white: three of them fit a field.
  private static let most = ColorValue(repeating: 40)

  /// Returns the largest sum of clamped shares as a multiple of white. Returns `nil` if clamping
  /// could change the result, because another channel brings the sum back into range.
  private static func largestSum(of shares: [[ColorValue]]) -> Double? {
    var reach = 0.0
    for result in 0..<3 {
      let ranges = shares.map { shares in shares.reduce(0...0) { $0.including($1[result]) } }
      for (channel, range) in ranges.enumerated() {
        let others = ranges.enumerated().filter { $0.offset != channel }.map(\.element)
        if range.upperBound > most[result], others.contains(where: { $0.lowerBound < 0 }) { return nil }
        if range.lowerBound < -most[result], others.contains(where: { $0.upperBound > 0 }) { return nil }
      }
      reach = max(reach, ranges.reduce(0) { $0 + min(max($1.upperBound, -$1.lowerBound), most[result]) })
    }
    return reach
  }

  func run(_ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, count: Int, channels: Int) {
    shares.withUnsafeBufferPointer { shares in
      codes.withUnsafeBufferPointer { codes in
        guard let shares = shares.baseAddress, let codes = codes.baseAddress else { return }
        let (greenShares, blueShares) = (shares + 256, shares + 512)
        let (greenCodes, blueCodes) = (codes + greenCodes, codes + blueCodes)
        let redShift = UInt64(fractionBits)
        let (greenShift, blueShift) = (redShift + UInt64(Self.fieldBits), redShift + UInt64(2 * Self.fieldBits))
        let mask = (1 << UInt64(Self.fieldBits)) &>> redShift &- 1
        @inline(__always) func step(_ sum: UInt64, _ shift: UInt64) -> Int {
          Int(truncatingIfNeeded: (sum &>> shift) & mask)
        }
        var (from, to) = (source, target)
        for _ in 0..<count {
          let sum = shares[Int(from[0])] &+ greenShares[Int(from[1])] &+ blueShares[Int(from[2])]
          if channels == 4 { to[3] = from[3] }
          to[0] = codes[step(sum, redShift)]
          to[1] = greenCodes[step(sum, greenShift)]
          to[2] = blueCodes[step(sum, blueShift)]
          from += channels
          to += channels
        }
      }
    }
  }
}

extension ClosedRange<Double> {
  fileprivate func including(_ value: Double) -> Self { Swift.min(lowerBound, value)...Swift.max(upperBound, value) }
}
