import CoreLocation
internal import Essentials
import Foundation
internal import Imaging
internal import LibraryStore

extension PHAsset {
  /// Returns title, caption, keywords, rating, date and place as an XMP packet, for a file beside
  /// an exported one.
  ///
  ///     try asset.xmpSidecar().write(to: URL(fileURLWithPath: "IMG_0001.HEIC.xmp"))
  ///
  /// The values are the library's, which may be newer than those in the file. The same values
  /// produce the same bytes.
  public func xmpSidecar() throws -> Data {
    try withPhotosErrors {
      let detail = try photoLibrary.store(reading: [rowID]).detail(assetID: rowID)
      var packet = XMPPacket()
      packet.title = detail?.title
      packet.caption = detail?.caption
      packet.keywords = detail?.keywords ?? []
      packet.rating = record.rating
      packet.date = record.shownDate(detail)
      if let latitude = record.latitude, let longitude = record.longitude {
        packet.location = Location(latitude: latitude, longitude: longitude, altitude: record.altitude)
      }
      return try SidecarDigest.withDigest(packet.data)
    }
  }

  /// Returns whether the bytes are a packet of `xmpSidecar()` that has not been changed since. The
  /// packet contains a digest for that.
  package static func isUnchangedXMPSidecar(_ packet: Data) -> Bool { SidecarDigest.isUnchanged(packet) }

  /// Returns the files of a version, the picture first. For a Live Photo the list includes the
  /// movie.
  ///
  /// `current` is the displayed version. `unadjusted` is without the RAW file if there is also a
  /// picture of the same shot. `original` contains every file that the asset was made of.
  ///
  /// Throws if the list can't be read.
  public func resources(ofVersion version: PHImageRequestOptionsVersion) throws -> [PHAssetResource] {
    let all = try storedResources
    let files = AssetFiles(all.map(\.record))
    let records: [ResourceRecord?] =
      switch version {
      case .original: files.originals
      case .unadjusted: [files.unadjusted, files[.pairedVideo]]
      case .current:
        [
          files.current,
          // The decision is based on the files, since they may have changed since the asset was
          // fetched.
          files.isEditedToStill(isAnimation: false) ? nil : files[.fullSizePairedVideo] ?? files[.pairedVideo],
        ]
      }
    return records.compactMap { record in all.first { $0.record.id == record?.id } }
  }
}

extension AssetRecord {
  /// The last part of the creation date that is known.
  var datePrecision: CaptureDate.Precision {
    get {
      traits.contains(.noMonth) ? .year : traits.contains(.noDay) ? .month : traits.contains(.noTime) ? .day : .time
    }
    set {
      traits.subtract(.ofDate)
      if newValue < .time { traits.insert(.noTime) }
      if newValue < .day { traits.insert(.noDay) }
      if newValue < .month { traits.insert(.noMonth) }
    }
  }

  /// Returns the creation date after a move, which may lead to another time zone. A partial date
  /// keeps its precision, and its clock moves from the middle of its year, month or day: a move by
  /// a few hours leaves most of them as they are.
  func creationDate(movedBy seconds: TimeInterval, to newOffset: Int?) -> Date {
    guard datePrecision < .time else { return creationDate + seconds }
    var time = CivilTime(clampingSecondsOnUTC: creationDate.timeIntervalSince1970 + Double(timeZoneOffset))
    if datePrecision < .month { time.month = 7 }
    if datePrecision < .day { time.day = 16 }
    let zoneMove = Double((newOffset ?? timeZoneOffset) - timeZoneOffset)
    time = CivilTime(clampingSecondsOnUTC: time.secondsOnUTC + seconds + zoneMove)
    if datePrecision < .month { time.month = 1 }
    if datePrecision < .day { time.day = 1 }
    (time.hour, time.minute, time.second, time.fraction) = (12, 0, 0, 0)
    return Date(timeIntervalSince1970: time.secondsOnUTC - Double(timeZoneOffset))
  }

  /// Returns the date that the library shows, with its precision and its sources.
  func shownDate(_ detail: AssetDetailRecord?) -> CaptureDate {
    CaptureDate(
      date: creationDate, offset: timeZoneOffset,
      source: (detail?.dateSource).flatMap(CaptureDate.Source.init) ?? .file,
      zoneSource: (detail?.timeZoneSource).flatMap(CaptureDate.ZoneSource.init) ?? .machine,
      precision: datePrecision)
  }
}

/// The digest of a packet, which follows the name of the program: `x:xmptk="Calotype 1f3c…"`.
private enum SidecarDigest {
  private static let mark = Data(XMPText.signature.utf8).dropLast()

  static func withDigest(_ packet: Data) throws -> Data {
    guard let mark = packet.firstRange(of: mark) else { return packet }
    return packet[..<mark.upperBound] + (try digest(of: packet)) + packet[mark.upperBound...]
  }

  static func isUnchanged(_ packet: Data) -> Bool {
    guard let mark = packet.firstRange(of: mark),
      let end = packet[mark.upperBound...].firstIndex(of: UInt8(ascii: "\""))
    else { return false }
    return (try? digest(of: packet[..<mark.upperBound] + packet[end...])) == packet[mark.upperBound..<end]
  }

  private static func digest(of packet: Data) throws -> Data {
    let bytes = try ByteSource.data(packet).sha256()
    return Data((" " + bytes.hexadecimal).utf8)
  }
}
