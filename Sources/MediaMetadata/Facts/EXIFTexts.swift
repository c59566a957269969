extension ParsedValues {
  /// Reads a person's texts from EXIF's main directory: ImageDescription, and the tags that Windows
  /// adds.
  ///
  /// UserComment is ignored, since the texts of programs and of persons can't be distinguished
  /// there.
  mutating func readTexts(_ main: TIFFDirectory) {
    // ImageDescription is ASCII by the standard, but often UTF-8.
    texts.add(.caption, main.textBytes(0x010E).map { String.decodedWithUnknownEncoding($0) }, from: .exif)
    // XPTitle, XPComment and XPKeywords. Only persons write these, in Windows' Explorer.
    texts.add(.title, main.wideText(0x9C9B), from: .exif)
    texts.add(.caption, main.wideText(0x9C9C), from: .exif)
    texts.addKeywords(main.wideText(0x9C9E), separator: ";", from: .exif)
    // Windows' Rating, in stars.
    texts.add(.rating, main.int(0x4746).map(String.init), from: .exif)
  }
}

extension TIFFDirectory {
  fileprivate func wideText(_ tag: Int) -> String? { textBytes(tag).map { String.littleEndianUTF16($0) } }

  fileprivate func textBytes(_ tag: Int) -> [UInt8]? {
    guard let window = window(tag), let bytes = window.bytes(0, min(window.count, TextCandidates.byteLimit)),
      // Many cameras leave the field blank.
      bytes.contains(where: { $0 > 0x20 })
    else { return nil }
    return bytes
  }
}
