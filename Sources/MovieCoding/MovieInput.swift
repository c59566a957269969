import Essentials
import Foundation
import ImageCoding
import MediaMetadata

/// The arguments with which `ffmpeg` and `ffprobe` open a movie, and the errors that they report.
enum MovieInput {
  /// The containers of movies, without playlists, which refer to other files.
  private static let formats =
    "mov,matroska,avi,mpegts,mpeg,mpegvideo,flv,asf,ogg,h264,hevc,m4v,dv,mxf,rm,wtv,nut,swf,ivf,roq"

  /// Returns the arguments that open the child's input, or a range of its bytes. It is opened
  /// through the descriptor: the child needs no path and can seek.
  static func arguments(_ range: Range<Int>?) -> [String] {
    let url =
      range.map { "subfile,,start,\($0.lowerBound),end,\($0.upperBound),,:\(Subprocess.inputPath)" }
      ?? "file:\(Subprocess.inputPath)"
    return ["-protocol_whitelist", "file,subfile,pipe", "-format_whitelist", formats, "-i", url]
  }

  /// The option before an input that keeps `ffmpeg` from turning pictures. Coded pictures of H.264
  /// and HEVC may state a turn that their container does not. `ffmpeg` would turn only the pictures
  /// that state it, such as key frames. Browsers turn none.
  static let withoutTurn = ["-noautorotate"]

  /// Returns the last error that a program reported, or else its last line. The prefixes with
  /// FFmpeg's object names and levels are removed.
  static func errorMessage(_ errors: String) -> String {
    let lines = errors.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("frame=") && !$0.hasPrefix("video:") }
    guard var text = lines.last(where: isError) ?? lines.last else { return "no frame" }
    while text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      text = text[text.index(after: end)...].drop { $0 == " " }
    }
    return String(text.drop { $0 == " " }).replacing("file:\(Subprocess.inputPath): ", with: "")
  }

  /// Throws if a program that writes a file has failed: with `code`, unless the disk was full.
  static func check(
    _ result: Subprocess.Result, code: ImagingError.Code, file: MediaFile, writing path: String
  ) throws(ImagingError) {
    // A program may report a full disk when it closes the file, and still exit with success. Its
    // messages are not translated, because no locale is passed to it.
    for number in FullDisk.errorNumbers where result.errors.contains(": \(String(cString: strerror(number)))") {
      throw ImagingError(writing: path, number)
    }
    guard result.succeeded else { throw ImagingError(code, file.name, reason: errorMessage(result.errors)) }
  }

  /// Returns the error of a movie whose frames end long before its duration, because its file is
  /// cut off; nil for any other. The program reported the error and continued.
  static func errorMessage(_ errors: String, ofMovieLasting seconds: Double, endingAt end: Double) -> String? {
    guard errors.split(whereSeparator: \.isNewline).contains(where: isError), end + max(0.1, seconds / 20) < seconds
    else { return nil }
    return "it ends at \(String(format: "%.2f", end)) s: \(errorMessage(errors))"
  }

  /// Returns true for an error in the output of a program that prints levels: `[error] …`, or
  /// `[h264 @ 0x55…] [error] …`.
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
  /// 8K. Larger pictures are scaled down to it.
  static let longestSide = 8192

  /// Deinterlaces each frame that is marked as interlaced.
  static let wholeFrames = "bwdif=mode=send_frame:deint=interlaced"

  static let squarePixels = "scale=trunc(iw*sar):ih,setsar=1"

  /// Returns a filter that scales down to fit a square, and never enlarges. Sides are multiples of
  /// `step`.
  static func fit(_ side: Int, step: Int = 1) -> String {
    "scale=min(\(side)\\,iw):min(\(side)\\,ih):force_original_aspect_ratio=decrease:force_divisible_by=\(step):flags=bicubic"
  }

  /// Converts HLG or PQ with BT.2020's primaries to BT.709, which every screen shows.
  static let toneMap =
    "zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
}

extension MediaFile {
  /// Returns the size of a movie's frames, upright and with square pixels; nil if `ffprobe` does
  /// not know it.
  package func movieSize() throws(ImagingError) -> PixelSize? {
    try MovieStreams(of: self, range: nil, countsDuration: false).pictureSize
  }
}
