import Foundation
import MediaMetadata

extension PixelView {
  /// Returns the picture in a smaller size: whole-number box averages while it is more than twice
  /// as large, then Lanczos.
  ///
  /// This is the same filter as in `vipsthumbnail`. Colors are averaged as they are coded (not in
  /// linear light), as in every viewer.
  ///
  /// - Parameter isPremultiplied: whether the colors are multiplied by the opacity. In the result,
  ///   they are not.
  package func resized(to size: PixelSize, isPremultiplied: Bool = false) -> PixelBuffer {
    if size.width == width, size.height == height { return isPremultiplied ? copy().unpremultiplied() : copy() }
    // Transparent pixels have no color to average.
    if isPremultiplied { return reduced(to: size).unpremultiplied() }
    if channels == 4 { return premultiplied().withView { $0.reduced(to: size) }.unpremultiplied() }
    return reduced(to: size)
  }

  /// The largest box whose column sums of 8-bit values fit 16 bits.
  private static let largestBox = 257

  private func reduced(to size: PixelSize) -> PixelBuffer {
    // Exactly divisible sizes need box averages only; others leave at least a factor of two to
    // Lanczos.
    let exact = width / size.width
    if (2...Self.largestBox).contains(exact), width / exact == size.width, height / exact == size.height {
      return boxed(exact)
    }
    let shrink = min(width / size.width, height / size.height, Self.largestBox * 2) / 2
    if shrink >= 2 { return boxed(shrink).withView { $0.convolved(to: size) } }
    return convolved(to: size)
  }

  /// Averages `factor` × `factor` pixels to one; an incomplete last row or column is left out.
  private func boxed(_ factor: Int) -> PixelBuffer {
    let outWidth = max(1, width / factor)
    let outHeight = max(1, height / factor)
    let columns = outWidth * factor * channels
    let scale = UInt32((1 << 24) / (factor * factor))
    return PixelBuffer(width: outWidth, height: outHeight, channels: channels) { out in
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: columns) { sums in
        guard let sums = sums.baseAddress else { return }
        for row in 0..<outHeight {
          sumRows(from: base + row &* factor &* stride, count: factor, into: sums, columns: columns)
          let target = out + row &* outWidth &* channels
          switch (factor, channels) {
          case (2, 3): averagePairs(of: sums, into: target, count: outWidth)
          case (2, 1):
            for column in 0..<outWidth {
              target[column] = UInt8(
                truncatingIfNeeded: (sums[column &* 2] &+ sums[column &* 2 &+ 1] &+ 2) &>> 2)
            }
          default: averageColumns(of: sums, by: factor, scale: scale, into: target, count: outWidth)
          }
        }
      }
    }
  }

  private func sumRows(
    from rows: UnsafePointer<UInt8>, count: Int, into sums: UnsafeMutablePointer<UInt16>, columns: Int
  ) {
    for column in 0..<columns { sums[column] = UInt16(rows[column]) }
    for row in 1..<count {
      let source = rows + row &* stride
      for column in 0..<columns { sums[column] &+= UInt16(source[column]) }
    }
  }

  private func averagePairs(
    of sums: UnsafeMutablePointer<UInt16>, into out: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    // This also averages pixels of different pairs, and leaves those results out. The loop becomes
    // vectors, and is faster than one over pairs only.
    for index in 0..<count &* 6 &- 3 { sums[index] = (sums[index] &+ sums[index &+ 3] &+ 2) &>> 2 }
    for column in 0..<count {
      let from = sums + column &* 6
      let to = out + column &* 3
      to[0] = UInt8(truncatingIfNeeded: from[0])
      to[1] = UInt8(truncatingIfNeeded: from[1])
      to[2] = UInt8(truncatingIfNeeded: from[2])
    }
  }

  private func averageColumns(
    of sums: UnsafePointer<UInt16>, by factor: Int, scale: UInt32, into out: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    for column in 0..<count {
      for channel in 0..<channels {
        var sum: UInt32 = 0
        var from = sums + (column &* factor &* channels &+ channel)
        for _ in 0..<factor {
          sum &+= UInt32(from.pointee)
          from += channels
        }
        let scaled = (UInt64(sum) &* UInt64(scale) &+ 1 << 23) &>> 24
        out[column &* channels &+ channel] = UInt8(truncatingIfNeeded: min(scaled, 255))
      }
    }
  }

  /// Applies Lanczos in both directions, rows first: that pass runs along whole rows and leaves
  /// fewer of them to the other.
  private func convolved(to size: PixelSize) -> PixelBuffer {
    let vertical = FilterBank(from: height, to: size.height)
    let horizontal = FilterBank(from: width, to: size.width)
    let rowCount = width * channels
    // Every pixel is read as four values, so the last one needs room after it.
    let capacity = rowCount + FilterBank.lanes - channels
    return PixelBuffer(width: size.width, height: size.height, channels: channels) { out in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: capacity) { row in
        row.initialize(repeating: 0)
        guard let row = row.baseAddress else { return }
        for y in 0..<size.height {
          blendRows(y, vertical, into: row, count: rowCount)
          blendColumns(of: row, horizontal, into: out + y &* size.width &* channels, count: size.width)
        }
      }
    }
  }

  private func blendRows(_ y: Int, _ bank: FilterBank, into row: UnsafeMutablePointer<Float>, count: Int) {
    bank.withFilter(y) { first, weights, taps in
      for index in 0..<count { row[index] = 0 }
      var tap = 0
      // With four rows at a time, each sum is loaded and stored a quarter as often.
      while tap &+ 4 <= taps {
        let source = base + (first &+ tap) &* stride
        let rows = (source, source + stride, source + stride &* 2, source + stride &* 3)
        for index in 0..<count {
          row[index] +=
            Float(rows.0[index]) * weights[tap] + Float(rows.1[index]) * weights[tap &+ 1]
            + Float(rows.2[index]) * weights[tap &+ 2] + Float(rows.3[index]) * weights[tap &+ 3]
        }
        tap &+= 4
      }
      while tap < taps {
        let source = base + (first &+ tap) &* stride
        for index in 0..<count { row[index] += Float(source[index]) * weights[tap] }
        tap &+= 1
      }
      for index in 0..<count { row[index] = FilterBank.rounded(row[index]) - FilterBank.roundsToWhole }
    }
  }

  private func blendColumns(
    of row: UnsafePointer<Float>, _ bank: FilterBank, into out: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    let step = channels &* MemoryLayout<Float>.stride
    for x in 0..<count {
      bank.withFilter(x) { first, weights, taps in
        var sum = SIMD4<Float>()
        var source = UnsafeRawPointer(row + first &* channels)
        for tap in 0..<taps {
          sum += source.loadUnaligned(as: SIMD4<Float>.self) * weights[tap]
          source += step
        }
        for channel in 0..<channels {
          let value = FilterBank.rounded(sum[channel])
          out[x &* channels &+ channel] = UInt8(truncatingIfNeeded: value.bitPattern)
        }
      }
    }
  }

  private func premultiplied() -> PixelBuffer {
    PixelBuffer(width: width, height: height, channels: 4) { out in
      for row in 0..<height {
        var from = base + row &* stride
        var to = out + row &* width &* 4
        for _ in 0..<width {
          let alpha = UInt32(from[3])
          to[0] = UInt8(truncatingIfNeeded: (UInt32(from[0]) &* alpha &+ 127) / 255)
          to[1] = UInt8(truncatingIfNeeded: (UInt32(from[1]) &* alpha &+ 127) / 255)
          to[2] = UInt8(truncatingIfNeeded: (UInt32(from[2]) &* alpha &+ 127) / 255)
          to[3] = from[3]
          from += 4
          to += 4
        }
      }
    }
  }
}

extension PixelBuffer {
  /// Returns the picture in another size, which may have another shape.
  public func resized(to size: PixelSize) -> PixelBuffer {
    size == PixelSize(width: width, height: height) ? self : withView { $0.resized(to: size) }
  }

  fileprivate func unpremultiplied() -> PixelBuffer {
    bytes.withUnsafeBufferPointer { source in
      PixelBuffer(width: width, height: height, channels: 4) { out in
        for index in stride(from: 0, to: source.count, by: 4) {
          let alpha = UInt32(source[index + 3])
          for channel in index..<index + 3 {
            let color = alpha == 0 ? 0 : (UInt32(source[channel]) &* 255 &+ alpha / 2) / alpha
            out[channel] = UInt8(truncatingIfNeeded: min(color, 255))
          }
          out[index + 3] = source[index + 3]
        }
      }
    }
  }
}

/// The pixels of the source that each pixel of a resized row or column blends, and their weights.
private struct FilterBank {
  /// The values that are multiplied at once: those of a pixel with four channels.
  static let lanes = 4
  /// The unit of the weights, 2⁻¹⁴. In this unit, they are whole numbers.
  ///
  /// The absolute weights of a filter add up to less than 2. So each product and each sum is a
  /// whole number below 2²³, which a `Float` holds exactly. The order of the additions doesn't
  /// matter.
  static let fraction: Float = 1 / 16384
  /// 2²³: from here on, a `Float` holds whole numbers only.
  static let roundsToWhole: Float = 8_388_608

  /// The number of lobes of the Lanczos window.
  static let lobes = 3.0

  private var firsts: [Int] = []
  private var counts: [Int] = []
  private var weights: [Float] = []
  private let taps: Int

  init(from source: Int, to target: Int) {
    let scale = max(1, Double(source) / Double(target))
    let reach = Self.lobes * scale
    taps = Int(reach.rounded(.up)) * 2 + 2
    for index in 0..<target {
      let center = (Double(index) + 0.5) * Double(source) / Double(target) - 0.5
      let first = max(0, Int((center - reach).rounded(.up)))
      let last = min(source - 1, Int((center + reach).rounded(.down)))
      let exact = (first...max(first, last)).map { Self.lanczos((Double($0) - center) / scale) }
      append(first, exact)
    }
  }

  private mutating func append(_ first: Int, _ exact: [Double]) {
    let total = exact.reduce(0, +)
    let unit = 1 / Self.fraction
    var rounded = exact.map { Float(($0 / total * Double(unit)).rounded()) }
    // The middle weight absorbs the rounding error, so that a flat picture stays exactly as it is.
    rounded[rounded.count / 2] += unit - rounded.reduce(0, +)
    firsts.append(first)
    counts.append(rounded.count)
    weights += rounded + [Float](repeating: 0, count: max(0, taps - rounded.count))
  }

  private static func lanczos(_ x: Double) -> Double {
    guard abs(x) > 1e-9 else { return 1 }
    guard abs(x) < lobes else { return 0 }
    return lobes * sin(.pi * x) * sin(.pi * x / lobes) / (.pi * .pi * x * x)
  }

  /// Returns a sum's value plus 2²³. The value is rounded half up and limited to 0 to 255. It is
  /// the last byte of the result's bits.
  ///
  /// A checked conversion to an integer would take a third of the time of resizing.
  @inline(__always)
  static func rounded(_ sum: Float) -> Float {
    // A sum in the middle of two values is rounded up. Half a unit changes no other sum.
    min(max((sum + 0.5) * fraction, 0), 255) + roundsToWhole
  }

  @inline(__always)
  func withFilter(_ index: Int, _ body: (_ first: Int, _ weights: UnsafePointer<Float>, _ taps: Int) -> Void) {
    weights.withUnsafeBufferPointer { weights in
      guard let base = weights.baseAddress else { return }
      body(firsts[index], base + index &* taps, counts[index])
    }
  }
}
