extension Findings {
  /// Reads what pairs and groups an iPhone's photos; the notes of other makers are left alone.
  ///
  /// Apple's note is a directory after "Apple iOS", a version and a byte order, with offsets that count from its own start.
  mutating func readAppleMakerNote(_ bytes: ByteReader) {
    guard bytes.starts(with: "Apple iOS\0") else { return }
    var bytes = bytes
    bytes.order = bytes.starts(with: "II", at: 12) ? .little : .big
    guard let note = TIFFReader(bytes, firstDirectory: 14).directory(at: 14) else { return }
    contentIdentifier = contentIdentifier ?? note.text(0x0011)
    burstIdentifier = burstIdentifier ?? note.text(0x000B)
    // HDRImageType: 3 is the merged photo, 4 the original beside it.
    if note.int(0x000A) == 3 { subtypes.insert(.hdr) }
    // FrontFacing, of the iPhone 13 and later ones.
    if note.int(0x0045) == 1 { isFrontCamera = true }
  }
}
