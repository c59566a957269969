/// Tracks with places or texts in their samples: those of cameras with a GPS receiver, and
/// QuickTime's timed metadata.
extension MetadataRemoval {
  /// The types of samples with places: of GoPro, of Android's cameras, of Sony and of DJI.
  private static let placeSamples: Set<String> = ["gpmd", "camm", "rtmd", "djmd"]
  /// The type of samples that contain values. The track's description declares their keys.
  private static let timedMetadata = "mebx"
  private static let mostChunks = 1_000_000

  /// Fills the samples of a track with zeros if they contain places or texts that are removed.
  /// Returns whether they do. Other tracks keep their samples, and no offset changes.
  mutating func removeSamples(of trak: Box) throws -> Bool {
    let tables = try sampleTables(of: trak)
    guard let descriptions = try only("stsd", of: tables),
      try boxes(in: descriptions.content.dropFirst(8)).contains(where: isRemoved(samples:))
    else { return false }
    for chunk in try chunks(tables) { clear(chunk) }
    return true
  }

  /// Returns the chunks of a track, cut at the end of the file.
  func chunks(of trak: Box) throws -> [Range<Int>] { try chunks(sampleTables(of: trak)) }

  /// Returns the tables of a track's samples. There are none if a box around them is missing.
  private func sampleTables(of trak: Box) throws -> [Box] {
    var tables = [trak]
    for type in ["trak", "mdia", "minf", "stbl"] {
      guard let box = try only(type, of: tables) else { return [] }
      tables = try boxes(in: box.content)
    }
    return tables
  }

  /// Returns the box of a type. Throws if there are several, since players may use any of them.
  private func only(_ type: String, of boxes: [Box]) throws -> Box? {
    let found = boxes.filter { $0.type == type }
    guard found.count < 2 else { throw Self.unreadable }
    return found.first
  }

  /// Returns whether a description is of samples with a place or a text that is removed.
  private func isRemoved(samples: Box) throws -> Bool {
    if options.contains(.removeLocation), Self.placeSamples.contains(samples.type) { return true }
    guard samples.type == Self.timedMetadata else { return false }
    let declarations = try boxes(in: samples.content.dropFirst(8)).filter { $0.type == "keys" }
      .flatMap { try boxes(in: $0.content) }
      .flatMap { try boxes(in: $0.content) }
      .filter { $0.type == "keyd" }
    return try declarations.contains { declaration in
      // The key's namespace, four bytes long, comes first.
      let key = declaration.content.dropFirst(4)
      guard key.count <= Self.largestTable else { throw Self.unreadable }
      let name = String(String.UnicodeScalarView(try bytes(key.lowerBound, key.count).map { Unicode.Scalar($0) }))
      return isRemoved(key: name.lowercased()) || isRemoved(type: name)
    }
  }

  private func chunks(_ tables: [Box]) throws -> [Range<Int>] {
    func table(_ type: String) throws -> Table? {
      guard let box = try only(type, of: tables) else { return nil }
      guard box.content.count <= Self.largestTable else { throw Self.unreadable }
      return Table(bytes: try bytes(box.content.lowerBound, box.content.count))
    }
    let (places, farPlaces) = (try table("stco"), try table("co64"))
    guard let count = try (places ?? farPlaces)?.number(at: 4), count > 0 else { return [] }
    guard count <= Self.mostChunks, let runs = try table("stsc"), let sizes = try table("stsz") else {
      throw Self.unreadable
    }
    let (runCount, commonSize, sampleCount) = (try runs.number(at: 4), try sizes.number(at: 4), try sizes.number(at: 8))
    var (run, sample) = (0, 0)
    var chunks: [Range<Int>] = []
    for chunk in 0..<count {
      // Each run begins with the number of its first chunk. Chunks are numbered from 1.
      while run + 1 < runCount, try runs.number(at: 20 + 12 * run) <= chunk + 1 { run += 1 }
      let end = min(sample + (try runs.number(at: 12 + 12 * run)), sampleCount)
      var length = commonSize.multipliedReportingOverflow(by: end - sample)
      if commonSize == 0 {
        length.partialValue = try (sample..<end).reduce(0) { $0 + (try sizes.number(at: 12 + 4 * $1)) }
      }
      sample = end
      let start = try places?.number(at: 8 + 4 * chunk) ?? farPlaces?.number(at: 8 + 8 * chunk, byteCount: 8) ?? 0
      guard !length.overflow, start <= byteCount else { throw Self.unreadable }
      chunks.append(start..<start + min(length.partialValue, byteCount - start))
    }
    return chunks
  }
}

/// A table of numbers in a box.
private struct Table {
  let bytes: [UInt8]

  func number(at offset: Int, byteCount: Int = 4) throws -> Int {
    guard offset <= bytes.count - byteCount else { throw MetadataRemoval.unreadable }
    return Int(clamping: bytes[offset..<offset + byteCount].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
