import Foundation
import Imaging

extension SampleMedia {
  public enum VideoCodec: String, Sendable, CaseIterable { case h264, hevc }
  public enum Container: String, Sendable, CaseIterable {
    /// QuickTime as Apple's cameras write it: the date with its time zone, the place and
    /// identifiers are metadata keys.
    case mov
    /// MP4 as other cameras write it, with a date in UTC and a place.
    case mp4
  }

  /// Makes a movie of a camera that pans slowly over a scene.
  ///
  /// - Parameters:
  ///   - size: the size as displayed; odd sides become even.
  ///   - rotation: the clockwise turn that makes the stored frames upright: 0, 90, 180 or 270
  ///     degrees.
  /// - Throws: `missingProgram` if `ffmpeg` is not installed.
  public static func movie(
    duration: Double = 2, size: PictureSize = PictureSize(width: 320, height: 240), seed: UInt64 = 1,
    scene: SampleScene? = nil, metadata: SampleMetadata = SampleMetadata(), codec: VideoCodec = .h264,
    container: Container = .mov, framesPerSecond: Int = 30, rotation: Int = 0, hasAudio: Bool = true,
    isTimeLapse: Bool = false
  ) throws(SampleError) -> Data {
    let stored = rotation % 180 == 0 ? size : size.turned
    let frame = PictureSize(width: (stored.width + 1) / 2 * 2, height: (stored.height + 1) / 2 * 2)
    // The scene is larger than a frame, so that the camera can pan.
    var room = PictureSize(width: frame.width * 5 / 4, height: frame.height * 9 / 8)
    if rotation % 180 != 0 { room = room.turned }
    let orientation = [90: 6, 180: 3, 270: 8][rotation] ?? 1
    let still = try encoded(
      picture(room, seed: seed, scene: scene).stored(for: orientation), metadata: SampleMetadata(), as: "public.jpeg",
      quality: 95)

    let movie = try FFmpeg.making("a movie", named: "movie.\(container.rawValue)") { folder throws(SampleError) in
      let source = folder.appendingPathComponent("picture.jpg")
      try write(still, to: source)
      var arguments = ["-loop", "1", "-framerate", "\(framesPerSecond)", "-t", "\(duration)", "-i", source.path]
      if hasAudio {
        arguments += ["-f", "lavfi", "-t", "\(duration)", "-i", "sine=frequency=330:sample_rate=44100"]
        arguments += ["-filter:a", "volume=0.1", "-c:a", "aac", "-b:a", "48k", "-shortest"]
      }
      let sweep = "x='(iw-\(frame.width))*min(1,t/\(duration))':y='(ih-\(frame.height))*(1-min(1,t/\(duration)))'"
      arguments += ["-filter:v", "crop=\(frame.width):\(frame.height):\(sweep),format=yuv420p"]
      arguments += codec.arguments
      return arguments + container.arguments(metadata)
    }.turned(by: rotation)
    return isTimeLapse ? movie.markedAsTimeLapse() : movie
  }

  static func write(_ data: Data, to url: URL) throws(SampleError) {
    do { try data.write(to: url) } catch {
      throw SampleError(.cannotWrite, url.lastPathComponent, reason: error.localizedDescription)
    }
  }
}

extension SampleMedia.VideoCodec {
  fileprivate var arguments: [String] {
    switch self {
    case .h264: ["-c:v", "libx264", "-preset", "veryfast", "-crf", "27", "-threads", "2"]
    case .hevc:
      [
        "-c:v", "libx265", "-preset", "ultrafast", "-crf", "28", "-tag:v", "hvc1", "-x265-params",
        "log-level=none:pools=1",
      ]
    }
  }
}

extension SampleMedia.Container {
  /// Returns the arguments that write the metadata and drop the source's own.
  fileprivate func arguments(_ metadata: SampleMetadata) -> [String] {
    var values: [(String, String)] = []
    if let date = metadata.captureDate {
      values.append(("creation_time", ClockTime(date, offset: 0).iso + "Z"))
    }
    let position = metadata.place?.iso6709
    switch self {
    case .mov:
      func add(_ key: String, _ value: String?) {
        if let value { values.append(("com.apple.quicktime." + key, value)) }
      }
      if let date = metadata.captureDate, let offset = metadata.offset {
        add("creationdate", ClockTime(date, offset: offset).iso + ClockTime.zone(offset, separator: ""))
      }
      add("content.identifier", metadata.contentIdentifier)
      add("location.ISO6709", position)
      add("make", metadata.camera?.make)
      add("model", metadata.camera?.model)
      add("software", metadata.software)
    case .mp4:
      if let position { values.append(("location", position)) }
    }
    let flags = self == .mov ? "+faststart+use_metadata_tags" : "+faststart"
    return ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags", "+bitexact", "-movflags", flags]
      + values.flatMap { ["-metadata", "\($0.0)=\($0.1)"] }
  }
}

extension SampleMetadata.Place {
  /// The place in ISO 6709: `+48.8584+002.2945+035.000/`.
  var iso6709: String {
    func text(_ value: Double, digits: Int, places: Int) -> String {
      let number = String(format: "%.\(places)f", abs(value))
      return (value < 0 ? "-" : "+") + String(repeating: "0", count: max(0, digits + 1 + places - number.count))
        + number
    }
    return text(latitude, digits: 2, places: 4) + text(longitude, digits: 3, places: 4)
      + (altitude.map { text($0, digits: 3, places: 3) } ?? "") + "/"
  }
}
