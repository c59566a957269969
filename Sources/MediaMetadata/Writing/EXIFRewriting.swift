/// Adapts a camera's EXIF block to an edited picture. Values are changed in place, so that the
/// offsets in a maker's note stay valid.
package enum EXIFRewriting {
  /// Returns the changed block; nil if `exif` can't be read.
  package static func rewritten(_ exif: [UInt8], width: Int, height: Int) -> [UInt8]? {
    guard let tiff = TIFFReader(MediaBytes(exif).all), tiff.version == 42,
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

  /// Sets an integer that is already there. A value that doesn't fit the field is not written.
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

  /// Removes the second directory, which is the thumbnail's. The thumbnail's bytes are removed too,
  /// because they may show parts that were cropped away.
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
  /// Returns the offset after all values of this directory and its children. The thumbnail is cut
  /// off only if it is really last.
  ///
  /// `depth` is the number of levels of children: EXIF has two. The limit is needed because a
  /// directory may refer to itself.
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
