/// The part of a file to send for a `Range` header.
enum ByteRange: Hashable {
  case whole
  case part(Range<Int>)
  case unsatisfiable

  /// Parses one range of bytes. Lists of ranges and malformed headers select the whole file, as
  /// HTTP allows.
  init(_ header: String?, byteCount: Int) {
    self = .whole
    guard let header, header.lowercased().hasPrefix("bytes=") else { return }
    let bounds = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return }
    // A number too large for an `Int` is beyond the end of any file.
    let first = bounds[0].isEmpty ? nil : Int(bounds[0]) ?? .max
    let last = bounds[1].isEmpty ? nil : Int(bounds[1]) ?? .max
    switch (first, last) {
    case (nil, nil): return
    case (nil, let suffix?):
      self = suffix == 0 || byteCount == 0 ? .unsatisfiable : .part(max(0, byteCount - suffix)..<byteCount)
    case (let first?, let last):
      if let last, last < first { return }
      self = first >= byteCount ? .unsatisfiable : .part(first..<min(last ?? .max, byteCount - 1) + 1)
    }
  }
}
