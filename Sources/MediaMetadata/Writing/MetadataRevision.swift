/// The values of a `MediaMetadata` that differ from its file because a person changed them.
///
///     metadata.captureDate = date
///     let carried = try CarriedMetadata(from: file, metadata: metadata, changes: .date, width: 24, height: 16)
///
/// The caller names the changes. A comparison with the file would be unreliable, because a time
/// without a zone is another instant on each machine.
public struct MetadataChanges: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A change of `captureDate`.
  public static let date = MetadataChanges(rawValue: 1 << 0)
  /// A change of `location`; nil removes the place.
  public static let location = MetadataChanges(rawValue: 1 << 1)
}

/// Replaces the date and the place in the metadata of a picture that is made from a file.
///
///     let revision = MetadataRevision([.date], in: metadata)
///     exif = revision.revised(exif)
///
/// Changed directories are appended to the block, so that the offsets in a maker's note stay valid.
/// The bytes of an old place are zeroed.
package struct MetadataRevision {
  private var date: CaptureDate?
  /// An inner nil removes the place.
  private var place: Location??

  package init(_ changes: MetadataChanges, in metadata: MediaMetadata) {
    if changes.contains(.date) { date = metadata.captureDate }
    if changes.contains(.location) { place = .some(metadata.location) }
  }

  /// Returns the changed block; nil if `exif` can't be read.
  package func revised(_ exif: [UInt8]) -> [UInt8]? {
    if date == nil, place == nil { return exif }
    guard let tiff = TIFFReader(MediaBytes(exif).all), tiff.version == 42,
      let main = tiff.directory(at: tiff.firstDirectory)
    else { return nil }
    let order = tiff.bytes.order
    var bytes = exif
    func append(_ entries: [(Int, EXIFWriting.Value)]) -> Int {
      if bytes.count % 2 == 1 { bytes.append(0) }
      let start = bytes.count
      bytes += EXIFWriting.directory(entries, at: start, order)
      return start
    }
    var entries = main.entries(without: [])
    if let date {
      let capture = main.int(Self.capture).flatMap { tiff.directory(at: $0) }?.entries(without: Self.dates) ?? []
      let start = append(capture + EXIFWriting.entries(of: date))
      // If a date is missing in the EXIF directory, readers use the one in the main directory.
      entries.removeAll { $0.0 == Self.capture || Self.dates.contains($0.0) }
      entries.append((Self.capture, .long(start)))
    }
    if let place {
      if let offset = main.int(Self.gps), let old = tiff.directory(at: offset) {
        Self.wipe(old, at: offset, in: &bytes)
      }
      entries.removeAll { $0.0 == Self.gps }
      if let place { entries.append((Self.gps, .long(append(EXIFWriting.entries(of: place))))) }
    }
    bytes.replaceSubrange(4..<8, with: UInt32(append(entries)).bytes(order))
    return bytes
  }

  private static let capture = 0x8769
  private static let gps = 0x8825
  /// The tags of the original and the digitized date: times, zones and fractions.
  private static let dates: Set<Int> = [0x9003, 0x9004, 0x9011, 0x9012, 0x9291, 0x9292]

  /// Returns IPTC's fields without dates, if the date is changed: EXIF and XMP contain the new one.
  /// Nil if no fields are left.
  package func revised(fields: [UInt8]) -> [UInt8]? {
    guard date != nil else { return fields }
    var found = IPTCFields(MediaBytes(fields).all)
    var kept: [UInt8] = []
    var start = 0
    while let field = found.next() {
      let isOfDate = field.record == 2 && Self.fieldsOfDates.contains(field.number)
      if !isOfDate { kept += fields[start..<found.position] }
      start = found.position
    }
    // The rest contains no complete field.
    kept += fields[start...]
    return kept.isEmpty ? nil : kept
  }

  /// The days and times of creation and digitization.
  private static let fieldsOfDates: Set<Int> = [55, 60, 62, 63]

  private static func wipe(_ directory: TIFFDirectory, at offset: Int, in bytes: inout [UInt8]) {
    let values = directory.entries.map { $0.offset..<$0.offset + $0.count * TIFFDirectory.byteCount(ofType: $0.type) }
    for range in values + [offset..<offset + 2 + directory.entries.count * 12] {
      for index in range.clamped(to: 8..<bytes.count) { bytes[index] = 0 }
    }
  }

  /// Returns true if an XMP property contains a replaced value.
  package func isReplaced(_ property: String) -> Bool {
    date != nil && Self.dateProperties.contains(property) || place != nil && property.hasPrefix("exif:GPS")
  }

  private static let dateProperties: Set<String> = [
    "exif:DateTimeOriginal", "exif:DateTimeDigitized", "photoshop:DateCreated", "xmp:CreateDate", "xap:CreateDate",
  ]
}

extension TIFFDirectory {
  /// Returns the entries unchanged, for a copy of the directory elsewhere in the same block.
  fileprivate func entries(without tags: Set<Int>) -> [(Int, EXIFWriting.Value)] {
    entries.filter { !tags.contains($0.tag) }.map { entry in
      let byteCount = entry.count * Self.byteCount(ofType: entry.type)
      let field =
        byteCount > 4 ? UInt32(truncatingIfNeeded: entry.offset).bytes(bytes.order) : bytes.bytes(entry.offset, 4)
      return (entry.tag, .kept(type: entry.type, count: entry.count, field: field ?? [0, 0, 0, 0]))
    }
  }
}
