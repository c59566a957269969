extension Findings {
  /// Reads what EXIF's main directory has of a person's words: ImageDescription, and what Windows adds.
  ///
  /// UserComment is left alone: nothing tells what a person typed there from what a program did.
  mutating func readTexts(_ main: TIFFDirectory) {
    // ImageDescription is ASCII by the standard, and UTF-8 by habit.
    texts.add(.caption, main.textBytes(0x010E).map { String.guessed($0) }, from: .exif)
    // XPTitle, XPComment and XPKeywords, which only people write, in Explorer.
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
    guard let window = window(tag), let bytes = window.bytes(0, min(window.count, FoundTexts.byteLimit)),
      // Many cameras leave a blank form.
      bytes.contains(where: { $0 > 0x20 })
    else { return nil }
    return bytes
  }
}
