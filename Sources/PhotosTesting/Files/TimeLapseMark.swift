import Foundation

extension Data {
  /// Returns a movie whose picture is marked as a time-lapse, as a phone's camera app does it.
  ///
  /// ffmpeg can't write the values of a track.
  func markedAsTimeLapse() -> Data {
    var movie = [UInt8](self)
    let whole = 0..<movie.count
    guard let index = movie.boxes(["moov"], in: whole).first,
      let track = movie.boxes(["moov", "trak"], in: whole).first
    else { return self }
    let mark = Self.trackValue("com.apple.photos.captureMode", "Time-lapse")
    // The index grows, so the samples behind it move.
    for table in movie.boxes(["moov", "trak", "mdia", "minf", "stbl", "stco"], in: whole) {
      for position in stride(from: table.lowerBound + 8, to: table.upperBound - 3, by: 4) {
        movie.grow(at: position, by: mark.count)
      }
    }
    for box in [index, track] { movie.grow(at: box.lowerBound - 8, by: mark.count) }
    movie.insert(contentsOf: mark, at: track.upperBound)
    return Data(movie)
  }

  /// Returns QuickTime's box of a value.
  private static func trackValue(_ key: String, _ value: String) -> [UInt8] {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] { bigEndian32(content.count + 8) + type.utf8 + content }
    let zero = bigEndian32(0)
    let item = box("data", bigEndian32(1) + zero + value.utf8)
    return box(
      "meta",
      box("hdlr", zero + zero + "mdta".utf8 + zero + zero + zero)
        + box("keys", zero + bigEndian32(1) + box("mdta", [UInt8](key.utf8)))
        + box("ilst", bigEndian32(item.count + 8) + bigEndian32(1) + item))
  }
}

extension [UInt8] {
  /// Adds to a number of four bytes.
  fileprivate mutating func grow(at position: Int, by count: Int) {
    let number = self[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    replaceSubrange(position..<position + 4, with: bigEndian32(number + count))
  }
}
