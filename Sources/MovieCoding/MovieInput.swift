import Foundation
import ImageCoding
import MediaMetadata

/// How a movie is handed to `ffmpeg` and `ffprobe`.
enum MovieInput {
  /// Containers of movies. No playlists: those name other files.
  private static let formats = "mov,matroska,avi,mpegts,mpeg,mpegvideo,flv,asf,ogg,h264,hevc,m4v,dv,mxf,rm"

  /// The descriptor's file, or a range of its bytes, opened through the descriptor: no path, and it can seek.
  static func arguments(_ range: Range<Int>?) -> [String] {
    let url =
      range.map { "subfile,,start,\($0.lowerBound),end,\($0.upperBound),,:\(Subprocess.inputPath)" }
      ?? "file:\(Subprocess.inputPath)"
    return ["-protocol_whitelist", "file,subfile,pipe", "-format_whitelist", formats, "-i", url]
  }

  /// The last error that a program told, or else its last line, without the parts in which FFmpeg names its own object and the line's
  /// level.
  static func complaint(_ errors: String) -> String {
    let lines = errors.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("frame=") && !$0.hasPrefix("video:") }
    guard var text = lines.last(where: isError) ?? lines.last else { return "no frame" }
    while text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      text = text[text.index(after: end)...].drop { $0 == " " }
    }
    return String(text.drop { $0 == " " }).replacing("file:\(Subprocess.inputPath): ", with: "")
  }

  /// Throws where a program failed that wrote a file: with `code`, unless the disk was full.
  static func check(
    _ result: Subprocess.Result, _ code: ImagingError.Code, _ file: MediaFile, writing path: String
  ) throws(ImagingError) {
    // It may say so when it closes the file, and then end as if all was well. It is started without a language of its own.
    for number in [ENOSPC, EDQUOT] where result.errors.contains(": \(String(cString: strerror(number)))") {
      throw ImagingError(writing: path, number)
    }
    guard result.succeeded else { throw ImagingError(code, file.name, reason: complaint(result.errors)) }
  }

  /// What went wrong where a movie ends long before its end: a file that is cut off. The program told it and went on.
  static func complaint(_ errors: String, ofMovieLasting seconds: Double, endingAt end: Double) -> String? {
    guard errors.split(whereSeparator: \.isNewline).contains(where: isError), end + max(0.1, seconds / 20) < seconds
    else { return nil }
    return "it ends at \(String(format: "%.2f", end)) s: \(complaint(errors))"
  }

  /// Of a program that tells its lines' levels: `[error] …`, or `[h264 @ 0x55…] [error] …`.
  static func isError(_ line: some StringProtocol) -> Bool {
    var rest = Substring(line)
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]"), rest[..<end].contains(" @ 0x") {
      rest = rest[rest.index(after: end)...].drop { $0 == " " }
    }
    return rest.hasPrefix("[error]") || rest.hasPrefix("[fatal]")
  }
}

/// Parts of `ffmpeg` filter graphs.
enum MovieFilters {
  /// 8K: larger pictures are brought down to it.
  static let longestSide = 8192

  /// Deinterlaces each frame that is marked as interlaced.
  static let wholeFrames = "bwdif=mode=send_frame:deint=interlaced"

  static let squarePixels = "scale=trunc(iw*sar):ih,setsar=1"

  /// Shrinks to fit a square, never enlarges. `step`: sides are multiples of it.
  static func fit(_ side: Int, step: Int = 1) -> String {
    "scale=min(\(side)\\,iw):min(\(side)\\,ih):force_original_aspect_ratio=decrease:force_divisible_by=\(step):flags=bicubic"
  }

  /// From HLG or PQ with BT.2020's primaries to what every screen shows.
  static let toneMap =
    "zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
}

extension MediaFile {
  /// How large a movie's frames come: upright, with square pixels. It asks `ffprobe`; `nil` where that doesn't know.
  package func movieSize() throws(ImagingError) -> PixelSize? { try MovieStreams(of: self, range: nil).pictureSize }
}
