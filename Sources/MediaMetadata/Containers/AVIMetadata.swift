import Foundation

extension ParsedValues {
  /// Reads an AVI's headers and the chunks that cameras add to them.
  mutating func readAVI(_ bytes: ByteReader) {
    formatRotates = true
    var bytes = bytes
    bytes.order = .little
    readAVIChunks(bytes, from: 12, depth: 0)
    readMainPicture(of: bytes.aviPictures)
    if storedWidth == 0 { note("The movie has no picture size.") }
  }

  private mutating func readAVIChunks(_ bytes: ByteReader, from start: Int, depth: Int) {
    guard depth < 4 else { return }
    for (type, content) in Chunks(bytes, from: start).prefix(500) {
      switch type {
      case "LIST" where content.fourCC(0) == "movi": readFirstFrames(content)
      case "LIST": readAVIChunks(content, from: 4, depth: depth + 1)
      case "avih": readMainHeader(content)
      case "strh": readStreamHeader(content)
      case "IDIT", "ICRD": if let text = content.text(limit: 256) { readAVIDate(.container, text) }
      case "DTIM": if let text = content.text(limit: 256) { readTicks(text) }
      case "ISFT": camera.software = content.text(limit: 256)
      case "ecor": camera.make = content.text(limit: 256)
      case "emdl": camera.model = content.text(limit: 256)
      case "nctg": readNikonTags(content)
      case "hymn", "mknt": readPentaxNote(content)
      case "strd" where content.starts(with: "AVIF"): readDirectory(content.slice(8), at: 0)
      case "JUNK": readJunk(content)
      default: break
      }
    }
  }

  private mutating func readMainHeader(_ header: ByteReader) {
    guard let frameTime = header.u32(0), let frames = header.u32(16), let width = header.u32(32),
      let height = header.u32(36)
    else { return }
    (storedWidth, storedHeight) = (width, height)
    if duration == 0 { duration = Double(frameTime) * Double(frames) / 1e6 }
  }

  private mutating func readStreamHeader(_ header: ByteReader) {
    guard header.fourCC(0) == "vids", let scale = header.u32(20), let rate = header.u32(24),
      let length = header.u32(32), scale > 0, rate > 0
    else { return }
    duration = length != AVIFrames.unknownCount ? Double(length) * Double(scale) / Double(rate) : 0
  }

  /// Keeps the size and duration of the main picture if there are several, or if its pixels are not
  /// square. The main header may have the values of any picture, and lacks the shape of pixels.
  private mutating func readMainPicture(of pictures: [AVIPicture]) {
    let longest = pictures.compactMap(\.stream.seconds).max() ?? 0
    guard let main = PictureStream.mainIndex(of: pictures.map(\.stream), movieSeconds: longest),
      pictures.count > 1 || pictures[main].shape != 1
    else { return }
    (storedWidth, storedHeight) = pictures[main].shownSize
    if let seconds = pictures[main].stream.seconds, seconds > 0 { duration = seconds }
  }

  /// Copies of DV tapes keep the tape's metadata in their frames.
  private mutating func readFirstFrames(_ frames: ByteReader) {
    for (_, content) in Chunks(frames, from: 4).prefix(Self.datedChunks) {
      if let time = DVFrame(content)?.recordingTime { return dates.append(DateCandidate(.original, .local(time))) }
    }
  }

  /// The number of chunks to search, which is about a second of pictures and sound: a recording
  /// begins a moment before its first metadata.
  private static let datedChunks = 50

  // MARK: Dates

  private mutating func readAVIDate(_ rank: DateCandidate.Rank, _ text: String) {
    addDate(rank, AVIDate.inUsualOrder(text) ?? text)
  }

  /// Reads the two halves of a Windows time, in 100 nanoseconds from 1601, or the date that Kodak's
  /// cameras write there.
  private mutating func readTicks(_ text: String) {
    let numbers = text.split(separator: " ").map { UInt32($0) }
    guard numbers.count == 2, let high = numbers[0], let low = numbers[1] else {
      return readAVIDate(.container, text)
    }
    addWindowsDate(Int(high) << 32 | Int(low))
  }

  // MARK: Makers' own metadata

  /// Reads Nikon's numbered texts.
  private mutating func readNikonTags(_ tags: ByteReader) {
    var position = 0
    for _ in 0..<256 {
      guard let tag = tags.u16(position), let length = tags.u16(position + 2) else { return }
      let text = tags.text(position + 4, length, limit: 256)
      switch tag {
      case 0x03: camera.make = text
      case 0x04: camera.model = text
      case 0x05: camera.software = text
      case 0x13: if let text { addDate(.original, text) }
      case 0x14: if let text { addDate(.digitized, text) }
      default: break
      }
      position += 4 + length
    }
  }

  /// Reads Pentax's maker note. Its byte order depends on the camera's model.
  private mutating func readPentaxNote(_ note: ByteReader) {
    for order in [ByteReader.Order.big, .little] {
      var note = note
      note.order = order
      let directory = TIFFReader(note, firstDirectory: 10).directory(at: 10)
      guard var date = directory?.window(0x06), let time = directory?.window(0x07) else { continue }
      date.order = .big
      guard let year = date.u16(0), let month = date.u8(2), let day = date.u8(3), let hour = time.u8(0),
        let minute = time.u8(1), let second = time.u8(2),
        let civil = CivilTime(year, month, day, hour, minute, second)
      else { continue }
      return dates.append(DateCandidate(.original, .local(civil)))
    }
  }

  /// Some cameras write text at fixed offsets, or an EXIF directory, into a chunk called JUNK.
  private mutating func readJunk(_ junk: ByteReader) {
    if junk.starts(with: "OLYMDigital Camera") || junk.starts(with: "PENTDigital Camera") {
      camera.make = camera.make ?? junk.text(0x12, 24)
      camera.model = camera.model ?? junk.text(0x2C, 24)
      if let text = junk.text(0x83, 24) { readAVIDate(.original, text) }
    } else if junk.starts(with: "QVMI") {
      var junk = junk
      junk.order = .big
      readDirectory(junk, at: 10)
    }
  }

  /// Reads an EXIF directory without a header.
  private mutating func readDirectory(_ bytes: ByteReader?, at offset: Int) {
    guard let bytes else { return }
    let reader = TIFFReader(bytes, firstDirectory: offset)
    if let main = reader.directory(at: offset) { readEXIF(main: main, in: reader) }
  }
}

extension ByteReader {
  /// The streams of pictures in an AVI.
  var aviPictures: [AVIPicture] {
    var bytes = self
    bytes.order = .little
    let headers = Chunks(bytes, from: 12).prefix(64).first { $0.type == "LIST" && $0.content.fourCC(0) == "hdrl" }
    guard let headers else { return [] }
    return Chunks(headers.content, from: 4).prefix(64).filter { $0.type == "LIST" && $0.content.fourCC(0) == "strl" }
      .compactMap { AVIPicture($0.content) }
  }
}

/// A stream of pictures in an AVI.
struct AVIPicture {
  var stream = PictureStream()
  private var size = (0, 0)
  /// The width of a pixel divided by its height.
  private(set) var shape = 1.0

  /// Returns nil for a stream without pictures.
  fileprivate init?(_ list: ByteReader) {
    let chunks = Array(Chunks(list, from: 4).prefix(16))
    guard let header = chunks.first(where: { $0.type == "strh" })?.content, header.fourCC(0) == "vids" else {
      return nil
    }
    let length = header.u32(32) ?? 0
    stream.isStill = length == 1
    if let scale = header.u32(20), let rate = header.u32(24), scale > 0, rate > 0, length != AVIFrames.unknownCount {
      stream.seconds = Double(length) * Double(scale) / Double(rate)
    }
    guard let format = chunks.first(where: { $0.type == "strf" })?.content else { return }
    let width = format.u32(4) ?? 0
    // A negative height means that the rows begin at the top.
    let height = format.u32(8).map { Int(Int32(truncatingIfNeeded: $0).magnitude) } ?? 0
    size = (width, height)
    stream.hasPhotoCodec = ["MJPG", "mjpg", "MPNG"].contains(format.fourCC(16))
    stream.pixelCount = width.multipliedReportingOverflow(by: height).partialValue
    // The parameters of H.264 may follow the format.
    var parameters = format.slice(40)
    parameters?.order = .big
    shape =
      chunks.first { $0.type == "vprp" }.flatMap { Self.shape(by: $0.content) }
      ?? parameters.flatMap { RawVideoUnits($0)?.units.first }.flatMap(CodedVideo.pixelShape(h264Parameters:)) ?? 1
  }

  /// Computes the shape of a pixel from the size of the picture and its shape; nil if one of them
  /// is not set. The file stores the height of that shape before its width.
  private static func shape(by properties: ByteReader) -> Double? {
    let numbers = [properties.u16(22), properties.u16(20), properties.u32(28), properties.u32(24)].compactMap(\.self)
    guard numbers.count == 4, numbers.allSatisfy({ $0 > 0 }) else { return nil }
    return Double(numbers[0]) * Double(numbers[2]) / (Double(numbers[1]) * Double(numbers[3]))
  }

  var shownSize: (Int, Int) { PictureStream.shownSize(size.0, size.1, shape: shape) }
}

package enum AVIFrames {
  /// The number of frames that `ffmpeg` gives to an AVI if it writes to a pipe: it can't return to
  /// the header to set the right one.
  package static let unknownCount = 0x4000_0000
}

/// The date formats that cameras write into AVIs.
enum AVIDate {
  /// Returns the date in the order year, month, day, time; nil if it has that order already or
  /// can't be parsed.
  ///
  /// - "MON MAR 10 15:04:43 2003", C's own form.
  /// - "2001/ 1/27  1:42PM" and "2005/11/28/ 09:19", Casio's.
  static func inUsualOrder(_ text: String) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace)
    if let at = words.firstIndex(where: { EnglishMonth($0) != nil }), at + 1 < words.count,
      let month = EnglishMonth(words[at]), let year = words.last(where: { $0.count == 4 && Int($0) != nil }),
      let time = words.first(where: { $0.contains(":") })
    {
      return "\(year)-\(month.number)-\(words[at + 1]) \(time)"
    }
    let numbers = text.split(whereSeparator: { !("0"..."9").contains($0) }).prefix(6).compactMap { Int($0) }
    let half = text.uppercased().first { "AP".contains($0) }
    guard half != nil || text.contains("/ "), numbers.count >= 5 else { return nil }
    var hour = numbers[3]
    if half == "P", hour < 12 { hour += 12 }
    if half == "A", hour == 12 { hour = 0 }
    let second = numbers.count > 5 ? numbers[5] : 0
    return "\(numbers[0])-\(numbers[1])-\(numbers[2]) \(hour):\(numbers[4]):\(second)"
  }
}
