import Foundation

extension SampleMedia {
  /// The movie formats of cameras, camcorders and computers before MP4, and streams without a
  /// container.
  public enum OldMovieFormat: String, Sendable, CaseIterable {
    /// Digital cameras of 1998 and Video CDs.
    case mpeg1 = "mpg"
    /// DVDs.
    case mpeg2 = "vob"
    /// Camcorders with a hard disk.
    case transportStream = "ts"
    /// Camcorders with a memory card.
    case avchd = "mts"
    /// The format of Windows.
    case windowsMedia = "wmv"
    /// Copies of tapes.
    case dv
    /// Players in web pages.
    case flash = "flv"
    case ogg = "ogv"
    /// Digital cameras of 2003.
    case avi
    /// Recordings of television by Windows.
    case wtv
    case nut
    /// Animations in web pages.
    case swf
    case ivf
    /// Games.
    case roq
    /// H.264 without a container.
    case h264
    /// HEVC without a container.
    case hevc

    public var filenameExtension: String { rawValue }
  }

  /// Returns a moving test picture with a tone, in an old format.
  ///
  ///     try SampleMedia.oldMovie(.avchd, duration: 1).write(to: folder.appendingPathComponent("00000.MTS"))
  ///
  /// - Parameters:
  ///   - size: ignored for DV, which has only the size of television: 720 × 576, shown as 768 ×
  ///     576. RoQ needs multiples of 16.
  ///   - date: written only if `ffmpeg` supports it for the format: WMV, DV, FLV, OGV, WTV
  ///     and NUT.
  /// - Throws: `missingProgram` if `ffmpeg` is not installed.
  public static func oldMovie(
    _ format: OldMovieFormat, duration: Double = 1, size: PictureSize = PictureSize(width: 64, height: 48),
    date: Date? = nil
  ) throws(SampleError) -> Data {
    let size = format == .dv ? PictureSize(width: 720, height: 576) : size
    return try FFmpeg.making("a movie", named: "movie.\(format.filenameExtension)") { _ in
      var arguments = ["-f", "lavfi", "-t", "\(duration)", "-i", "testsrc=size=\(size.width)x\(size.height):rate=25"]
      arguments += ["-f", "lavfi", "-t", "\(duration)", "-i", "sine=frequency=330:sample_rate=\(format.sampleRate)"]
      arguments += ["-ac", "2", "-pix_fmt", format == .avi ? "yuvj420p" : "yuv420p"] + format.arguments
      if let date { arguments += ["-metadata", "creation_time=\(ClockTime(date, offset: 0).iso)Z"] }
      return arguments
    }
  }
}

extension SampleMedia.OldMovieFormat {
  fileprivate var sampleRate: Int { self == .dv ? 48_000 : 44_100 }

  fileprivate var arguments: [String] {
    switch self {
    case .mpeg1: ["-c:v", "mpeg1video", "-c:a", "mp2", "-f", "mpeg"]
    case .mpeg2: ["-c:v", "mpeg2video", "-c:a", "mp2", "-f", "vob"]
    case .transportStream: ["-c:v", "mpeg2video", "-c:a", "mp2", "-f", "mpegts"]
    case .avchd: ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "ac3", "-f", "mpegts", "-mpegts_m2ts_mode", "1"]
    case .windowsMedia: ["-c:v", "wmv2", "-c:a", "wmav2", "-f", "asf"]
    case .dv: ["-c:v", "dvvideo", "-c:a", "pcm_s16le", "-f", "dv"]
    case .flash: ["-c:v", "flv1", "-c:a", "mp3", "-f", "flv"]
    case .ogg: ["-c:v", "libtheora", "-c:a", "libvorbis", "-f", "ogg"]
    case .avi: ["-c:v", "mjpeg", "-c:a", "pcm_u8", "-f", "avi"]
    case .wtv: ["-c:v", "mpeg2video", "-c:a", "mp2", "-f", "wtv"]
    case .nut: ["-c:v", "mpeg4", "-c:a", "mp3", "-f", "nut"]
    case .swf: ["-c:v", "flv1", "-c:a", "mp3", "-f", "swf"]
    case .ivf: ["-c:v", "libvpx", "-an", "-f", "ivf"]
    // The format has one rate of frames and one of sound.
    case .roq: ["-c:v", "roq", "-pix_fmt", "yuvj444p", "-r", "30", "-c:a", "roq_dpcm", "-ar", "22050", "-f", "roq"]
    case .h264: ["-c:v", "libx264", "-an", "-f", "h264"]
    case .hevc: ["-c:v", "libx265", "-x265-params", "log-level=none", "-an", "-f", "hevc"]
    }
  }
}
