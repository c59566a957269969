/// Makes a camera's EXIF block fit an edited picture: in place, so that a maker's note keeps its offsets.
package enum EXIFRewriting {
  /// Nil for what is no EXIF.
  package static func rewritten(_ exif: [UInt8], width: Int, height: Int) -> [UInt8]? {
    guard let tiff = TIFFReader(ByteSource(exif).all), tiff.version == 42,
      let main = tiff.directory(at: tiff.firstDirectory)
    else { return nil }
    var block = EXIFBlock(bytes: exif, order: tiff.bytes.order)
    block.set(0x0112, of: main, to: 1)
    block.set(0x0100, of: main, to: width)
    block.set(0x0101, of: main, to: height)
    if let capture = main.int(0x8769).flatMap({ tiff.directory(at: $0) }) {
      block.set(0xA002, of: capture, to: width)
      block.set(0xA003, of: capture, to: height)
    }
    block.dropThumbnails(of: tiff, main)
    return block.bytes
  }
}

private struct EXIFBlock {
  var bytes: [UInt8]
  let order: ByteReader.Order

  /// A whole number that is there already; one that doesn't fit its field stays as it is.
  mutating func set(_ tag: Int, of directory: TIFFDirectory, to value: Int) {
    guard let entry = directory[tag], entry.count == 1 else { return }
    switch entry.type {
    case 3 where value <= 0xFFFF: write(value, 2, at: entry.offset)
    case 4, 9: write(value, 4, at: entry.offset)
    default: break
    }
  }

  private mutating func write(_ value: Int, _ byteCount: Int, at offset: Int) {
    guard offset >= 0, offset + byteCount <= bytes.count else { return }
    for index in 0..<byteCount {
      let shift = 8 * (order == .big ? byteCount - 1 - index : index)
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }

  /// The second directory is the thumbnail's. Its bytes go, too: they show what may have been cropped away.
  mutating func dropThumbnails(of tiff: TIFFReader, _ main: TIFFDirectory) {
    guard main.next > 0 else { return }
    var end = bytes.count
    for directory in tiff.directories(from: main.next, limit: 4) {
      guard let offset = directory.int(0x0201) ?? directory.int(0x0111),
        let count = directory.int(0x0202) ?? directory.int(0x0117), offset > 0, count > 0, offset < bytes.count
      else { continue }
      let range = offset..<min(bytes.count, offset + count)
      for position in range { bytes[position] = 0 }
      // Most cameras write the thumbnail last.
      if range.upperBound == end { end = offset }
    }
    write(0, 4, at: tiff.firstDirectory + 2 + (tiff.bytes.u16(tiff.firstDirectory) ?? 0) * 12)
    if main.entriesEnd() <= end { bytes.removeSubrange(end...) }
  }
}

extension TIFFDirectory {
  /// Behind all values that this directory and its children could keep: the thumbnail is cut off only where it is really last.
  ///
  /// `depth`: how many levels of children are looked at; EXIF has two, and a directory may name itself.
  fileprivate func entriesEnd(depth: Int = 2) -> Int {
    let own = entries.map { $0.offset + $0.count * Self.byteCount(ofType: $0.type) }.max() ?? 0
    let tiff = TIFFReader(bytes, firstDirectory: 8)
    guard depth > 0 else { return own }
    let children = [0x8769, 0x8825, 0xA005].compactMap { tag in
      int(tag).flatMap { offset in
        tiff.directory(at: offset).map { max($0.entriesEnd(depth: depth - 1), offset + 6 + $0.entries.count * 12) }
      }
    }
    return max(own, children.max() ?? 0)
  }
}
