extension ParsedValues {
  /// Reads the identifiers that pair and group an iPhone's photos, and a few flags. Notes of other
  /// makers are ignored.
  ///
  /// Apple's note is a TIFF directory after "Apple iOS", a version and a byte order. Its offsets
  /// count from the start of the note.
  mutating func readAppleMakerNote(_ bytes: ByteReader) {
    guard bytes.starts(with: "Apple iOS\0") else { return }
    var bytes = bytes
    bytes.order = bytes.starts(with: "II", at: 12) ? .little : .big
    guard let note = TIFFReader(bytes, firstDirectory: 14).directory(at: 14) else { return }
    contentIdentifier = contentIdentifier ?? note.text(0x0011)
    burstIdentifier = burstIdentifier ?? note.text(0x000B)
    // In HDRImageType, 3 is the merged photo and 4 the original beside it.
    if note.int(0x000A) == 3 { subtypes.insert(.hdr) }
    // FrontFacing, which the iPhone 13 and later ones write.
    if note.int(0x0045) == 1 { isFrontCamera = true }
  }
}
