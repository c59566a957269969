import Foundation

extension ParsedValues {
  /// The lowest frame rate that counts as high, per second.
  private static let highFrameRate = 100.0
  private static let lensKey = "com.apple.quicktime.camera.lens_model"
  /// Seconds from the start of QuickTime's clock, 1904, to 1970.
  private static let secondsTo1970 = 2_082_844_800

  /// Reads a movie from its `moov` box, which may be anywhere in the file.
  mutating func readMovie(_ bytes: ByteReader) {
    formatRotates = true
    var hasMovie = false
    for box in bytes.boxes() {
      switch box.type {
      case "moov":
        if !hasMovie { readMovie(QuickTimeMovie(box.content)) }
        hasMovie = true
      case "uuid" where box.content.starts(withUUID: XMP.uuid): readXMP(box: box.content.slice(16))
      case "meta": readSonyXML(box.content)
      default: break
      }
      if box.isCut { note("The file is cut short.") }
    }
    if !hasMovie { note("The movie has no index; it can't be played.") }
  }

  private mutating func readMovie(_ movie: QuickTimeMovie) {
    let video = movie.mainPicture
    // A track's header has only the length before the first fragment.
    let trackDuration = movie.isFragmented ? nil : video?.duration
    duration = movie.duration.flatMap { $0 > 0 ? $0 : nil } ?? trackDuration ?? 0
    if let video {
      (storedWidth, storedHeight) = video.displaySize
      // A rate computed from fewer than four frames is unreliable.
      if let rate = video.framesPerSecond, rate >= Self.highFrameRate, video.sampleCount > 3 {
        subtypes.insert(.highFrameRate)
      }
      if video.isStereo { subtypes.insert(.spatial) }
      if video.values["com.apple.photos.captureMode"] == "Time-lapse" { subtypes.insert(.timelapse) }
    } else {
      note("The movie has no picture.")
    }
    if movie.tracks.contains(where: \.isCinematic)
      || movie.values.keys.contains(where: { $0.contains("cinematic-video") })
    {
      subtypes.insert(.cinematic)
    }
    readValues(movie)
    readTexts(movie)
    camera.lens = camera.lens ?? video?.values[Self.lensKey]
    let clock = readMakers(movie)
    for creation in [movie.creation, video?.creation] { if let creation { readCreation(creation, by: clock) } }
    readXMP(box: movie.xmp)
  }

  private mutating func readValues(_ movie: QuickTimeMovie) {
    func value(_ key: String, _ letters: String...) -> String? {
      (["com.apple.quicktime." + key] + letters).lazy.compactMap { movie.values[$0] }.first
    }
    stillTime = movie.stillTime
    contentIdentifier = movie.values["com.apple.quicktime.content.identifier"]
    camera.make = value("make", "©mak", "@mak")
    camera.model = value("model", "©mod", "@mod")
    camera.software = value("software", "©swr")
    camera.lens = movie.values[Self.lensKey]
    for key in ["com.apple.quicktime.creationdate", "©day", "@day", "date", "yrrc"] {
      if let text = movie.values[key] { addDate(.quickTime, text) }
    }
    if let text = value("location.ISO6709", "©xyz", "@xyz"), let position = ISO6709.position(text) {
      setPosition(position.latitude, position.longitude, altitude: position.altitude)
    } else if let position = movie.position {
      setPosition(position.latitude, position.longitude, altitude: position.altitude)
    }
    let author = value("author", "©aut") ?? value("artist", "©ART")
    if [author, camera.software].contains(where: { $0?.contains("ReplayKit") == true }) {
      subtypes.insert(.screenRecording)
    }
  }

  /// Keeps a creation time in seconds from 1904, or from 1970 if the writer used the wrong epoch.
  /// The seconds are UTC's, or those of a camera's clock.
  mutating func readCreation(_ seconds: Int, by clock: CameraClock? = nil) {
    guard seconds > 0, seconds != Self.secondsTo1970 else { return }
    let isUnix = seconds < Self.secondsTo1970
    let unix = isUnix ? seconds : seconds - Self.secondsTo1970
    // No movie of this kind is older than QuickTime. An older date comes from an unset clock.
    guard unix > 662_688_000, unix < 7_258_118_400 else {
      return note("The movie's creation date can't be true and was ignored.")
    }
    let date = Date(timeIntervalSince1970: Double(unix))
    guard let clock else { return dates.append(DateCandidate(.container, .instant(date))) }
    if let offset = clock.offset {
      dates.append(DateCandidate(.container, .zoned(date - Double(offset), offset: offset)))
    } else if let time = CivilTime(secondsOnUTC: unix) {
      dates.append(DateCandidate(.container, .local(time)))
    }
  }

  private mutating func readXMP(box: ByteReader?) {
    guard let box, box.count <= XMP.byteLimit, let packet = box.bytes(0, box.count) else { return }
    readXMP(packet)
  }
}

extension XMP {
  /// The UUID of the box that contains XMP in MP4 and JPEG 2000.
  static let uuid: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
}

extension ByteReader {
  func starts(withUUID uuid: [UInt8]) -> Bool { bytes(0, 16) == uuid }
}

extension String {
  var lastPathComponent: Substring { self[(lastIndex(of: "/").map(index(after:)) ?? startIndex)...] }
}
