import Foundation
import Synchronization

/// A pipeline made ready to compute 8-bit pixels.
///
/// - Curves, a matrix and curves, in this order and any of them missing, are computed as they are defined: within one step of 255. That
///   is every filter but vibrance, and every run of matrices.
/// - Anything else goes through a lattice of 33 × 33 × 33 colours with tetrahedral interpolation: within two steps on average pictures
///   and eight at most, where a filter bends sharply.
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

  /// The kernel of a pipeline, from the last few that were made: a movie asks for the same one at every frame.
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

  /// `source` may be `target`. A fourth channel is copied.
  func run(
    _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, count: Int, channels: Int
  ) {
    switch plan {
    case .copy: if source != UnsafePointer(target) { target.update(from: source, count: count * channels) }
    case .shares(let tables): tables.run(source, target, count: count, channels: channels)
    case .lattice(let lattice): lattice.run(source, target, count: count, channels: channels)
    }
  }

  /// The same on several threads where there is enough to do.
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
  /// Each pixel's colour as the pipeline makes it; alpha stays.
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

/// What each value of each channel adds to the result, in tables, and the curve behind their sum in others.
private struct ShareTables: Sendable {
  /// For each of 3 × 256 values: what it adds to red, green and blue, in fractions of a step of `codes`.
  private var shares: [SIMD4<Int32>] = []
  /// Of red, green and blue, or one table for all three.
  private var codes: [UInt8] = []
  private let greenCodes: Int
  private let blueCodes: Int

  private static let steps = 8191
  private static let fractionBits: Int32 = 12

  /// Nil for a pipeline that is more than curves, a matrix and curves.
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

    let isOneTable = after.allSatisfy(\.isSameForAllChannels)
    (greenCodes, blueCodes) = isOneTable ? (0, 0) : (Self.steps + 1, 2 * (Self.steps + 1))
    codes = (0..<(isOneTable ? 1 : 3)).flatMap { channel in
      (0...Self.steps).map { step in
        let value = after.reduce(Double(step) / Double(Self.steps)) { $1($0, channel: channel) }
        return value.isNaN ? 0 : UInt8(min(max(value, 0), 1) * 255 + 0.5)
      }
    }
    let scale = Double(Self.steps << Int(Self.fractionBits))
    for channel in 0..<3 {
      let column = ColorValue(matrix.red[channel], matrix.green[channel], matrix.blue[channel])
      shares += (0...255).map { value in
        let light = before.reduce(Double(value) / 255) { $1($0, channel: channel) }
        var exact = column * light
        // The constant, and the half that rounds.
        if channel == 0 { exact += matrix.bias + 0.5 / Double(Self.steps) }
        // What is no number gives nothing.
        exact = (exact * scale).replacing(with: 0, where: exact .!= exact)
          .clamped(lowerBound: Self.lowest, upperBound: -Self.lowest)
        return SIMD4<Int32>(Int32(exact.x), Int32(exact.y), Int32(exact.z), 0)
      }
    }
  }

  /// Three of these still fit 32 bits; it is 20 times white.
  private static let lowest = ColorValue(repeating: -680_000_000)

  func run(_ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, count: Int, channels: Int) {
    shares.withUnsafeBufferPointer { shares in
      codes.withUnsafeBufferPointer { codes in
        guard let shares = shares.baseAddress, let codes = codes.baseAddress else { return }
        let (greenShares, blueShares) = (shares + 256, shares + 512)
        let (greenCodes, blueCodes) = (codes + greenCodes, codes + blueCodes)
        let last = Int32(Self.steps)
        var (from, to) = (source, target)
        for _ in 0..<count {
          let sum = shares[Int(from[0])] &+ greenShares[Int(from[1])] &+ blueShares[Int(from[2])]
          let step = sum &>> Self.fractionBits
          if channels == 4 { to[3] = from[3] }
          to[0] = codes[Int(min(max(step[0], 0), last))]
          to[1] = greenCodes[Int(min(max(step[1], 0), last))]
          to[2] = blueCodes[Int(min(max(step[2], 0), last))]
          from += channels
          to += channels
        }
      }
    }
  }
}
