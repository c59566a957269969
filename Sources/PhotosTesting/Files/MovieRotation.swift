import Foundation

extension Data {
  /// Returns a movie whose video tracks have to be turned clockwise by 90, 180 or 270 degrees.
  ///
  /// The options of ffmpeg for this have changed between versions. The matrix in a track's header
  /// has not.
  func turned(by degrees: Int) -> Data {
    let one = bigEndian32(0x1_0000)
    let minus = bigEndian32(-0x1_0000)
    let zero = bigEndian32(0)
    let unit = bigEndian32(0x4000_0000)
    let matrix: [UInt8]
    switch degrees {
    case 90: matrix = zero + one + zero + minus + zero + zero
    case 180: matrix = minus + zero + zero + zero + minus + zero
    case 270: matrix = zero + minus + zero + one + zero + zero
    default: return self
    }
    var result = [UInt8](self)
    for header in result.boxes(["moov", "trak", "tkhd"], in: 0..<result.count) {
      // In version 1, three time fields are twice as long.
      let start = header.lowerBound + (result[header.lowerBound] == 1 ? 52 : 40)
      // Sound tracks have no size.
      guard start + 44 <= header.upperBound, result[start + 36..<start + 44].contains(where: { $0 != 0 }) else {
        continue
      }
      // The translation moves the turned picture back into the positive quadrant.
      let (width, height) = (Array(result[start + 36..<start + 40]), Array(result[start + 40..<start + 44]))
      let (moveX, moveY) =
        switch degrees {
        case 90: (height, zero)
        case 180: (width, height)
        default: (zero, width)
        }
      result.replaceSubrange(start..<start + 36, with: matrix + moveX + moveY + unit)
    }
    return Data(result)
  }
}

extension [UInt8] {
  /// Returns the contents of all boxes at a path of types ("moov", "trak", …) in an ISO base media
  /// file.
  func boxes(_ path: [String], in range: Range<Int>) -> [Range<Int>] {
    guard let type = path.first else { return [range] }
    var found: [Range<Int>] = []
    var position = range.lowerBound
    while position + 8 <= range.upperBound {
      let size = self[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = size == 0 ? range.upperBound : position + size
      guard end >= position + 8, end <= range.upperBound else { break }
      if self[position + 4..<position + 8].elementsEqual(type.utf8) {
        found += boxes([String](path.dropFirst()), in: position + 8..<end)
      }
      position = end
    }
    return found
  }
}
