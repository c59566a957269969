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
    of sums: UnsafePointer<UInt16>, into out: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    for column in 0..<count {
      let from = sums + column &* 6
      let to = out + column &* 3
      to[0] = UInt8(truncatingIfNeeded: (from[0] &+ from[3] &+ 2) &>> 2)
      to[1] = UInt8(truncatingIfNeeded: (from[1] &+ from[4] &+ 2) &>> 2)
      to[2] = UInt8(truncatingIfNeeded: (from[2] &+ from[5] &+ 2) &>> 2)
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
    let rowBytes = width * channels
    return PixelBuffer(width: size.width, height: size.height, channels: channels) { out in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: rowBytes) { row in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: rowBytes) { sums in
          guard let row = row.baseAddress, let sums = sums.baseAddress else { return }
          for y in 0..<size.height {
            blendRows(y, vertical, into: row, sums: sums, count: rowBytes)
            let target = out + y &* size.width &* channels
            switch channels {
            case 1: blendColumns1(of: row, horizontal, into: target, count: size.width)
            case 3: blendColumns3(of: row, horizontal, into: target, count: size.width)
            default: blendColumns4(of: row, horizontal, into: target, count: size.width)
            }
          }
        }
      }
    }
  }

  private func blendRows(
    _ y: Int, _ bank: FilterBank, into row: UnsafeMutablePointer<UInt8>, sums: UnsafeMutablePointer<Int32>, count: Int
  ) {
    bank.withFilter(y) { first, weights, taps in
      for index in 0..<count { sums[index] = FilterBank.half }
      for tap in 0..<taps {
        let source = base + (first &+ tap) &* stride
        let weight = weights[tap]
        for index in 0..<count { sums[index] &+= Int32(Int16(source[index])) &* Int32(weight) }
      }
      for index in 0..<count {
        row[index] = UInt8(truncatingIfNeeded: min(max(sums[index] &>> FilterBank.bits, 0), 255))
      }
    }
  }

  private func blendColumns1(
    of row: UnsafePointer<UInt8>, _ bank: FilterBank, into out: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    for x in 0..<count {
      bank.withFilter(x) { first, weights, taps in
        var sum = FilterBank.half
        for tap in 0..<taps { sum &+= Int32(Int16(row[first &+ tap])) &* Int32(weights[tap]) }
        out[x] = UInt8(truncatingIfNeeded: min(max(sum &>> FilterBank.bits, 0), 255))
      }
    }
  }

  private func blendColumns3(
    of row: UnsafePointer<UInt8>, _ bank: FilterBank, into out: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    for x in 0..<count {
      bank.withFilter(x) { first, weights, taps in
        var red = FilterBank.half
        var green = FilterBank.half
        var blue = FilterBank.half
        var source = row + first &* 3
        for tap in 0..<taps {
          let weight = Int32(weights[tap])
          red &+= Int32(source[0]) &* weight
          green &+= Int32(source[1]) &* weight
          blue &+= Int32(source[2]) &* weight
          source += 3
        }
        out[x &* 3] = UInt8(truncatingIfNeeded: min(max(red &>> FilterBank.bits, 0), 255))
        out[x &* 3 &+ 1] = UInt8(truncatingIfNeeded: min(max(green &>> FilterBank.bits, 0), 255))
        out[x &* 3 &+ 2] = UInt8(truncatingIfNeeded: min(max(blue &>> FilterBank.bits, 0), 255))
      }
    }
  }

  private func blendColumns4(
    of row: UnsafePointer<UInt8>, _ bank: FilterBank, into out: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    for x in 0..<count {
      bank.withFilter(x) { first, weights, taps in
        var sum = SIMD4<Int32>(repeating: FilterBank.half)
        for tap in 0..<taps {
          let source = row + (first &+ tap) &* 4
          let pixel = SIMD4<Int32>(Int32(source[0]), Int32(source[1]), Int32(source[2]), Int32(source[3]))
          sum &+= pixel &* Int32(weights[tap])
        }
        for channel in 0..<4 {
          out[x &* 4 &+ channel] = UInt8(truncatingIfNeeded: min(max(sum[channel] &>> FilterBank.bits, 0), 255))
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
  /// Weights are fractions of 2¹⁴, so that a weight fits 16 bits and a sum 32.
  static let bits: Int32 = 14
  static let half: Int32 = 1 << 13
  /// The number of lobes of the Lanczos window.
  static let lobes = 3.0

  private var firsts: [Int] = []
  private var counts: [Int] = []
  private var weights: [Int16] = []
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
    var rounded = exact.map { Int16(($0 / total * Double(1 << Self.bits)).rounded()) }
    // The middle weight absorbs the rounding error, so that a flat picture stays exactly as it is.
    rounded[rounded.count / 2] += Int16((1 << Int(Self.bits)) - rounded.reduce(0) { $0 + Int($1) })
    firsts.append(first)
    counts.append(rounded.count)
    weights += rounded + [Int16](repeating: 0, count: max(0, taps - rounded.count))
  }

  private static func lanczos(_ x: Double) -> Double {
    guard abs(x) > 1e-9 else { return 1 }
    guard abs(x) < lobes else { return 0 }
    return lobes * sin(.pi * x) * sin(.pi * x / lobes) / (.pi * .pi * x * x)
  }

  @inline(__always)
  func withFilter(_ index: Int, _ body: (_ first: Int, _ weights: UnsafePointer<Int16>, _ taps: Int) -> Void) {
    weights.withUnsafeBufferPointer { weights in
      guard let base = weights.baseAddress else { return }
      body(firsts[index], base + index &* taps, counts[index])
    }
  }
}
