import ImageCoding
import MediaMetadata

extension MovieStreams.Answer {
  /// Reads the streams that `ffmpeg` reports for an input that `ffprobe` refuses. `ffprobe` opens
  /// every decoder, and reports nothing if the decoder of one sound can't be opened. `ffmpeg` opens
  /// only the decoders that it uses. Returns nil if no picture with a decoder is reported.
  init?(reportOf file: MediaFile, _ range: Range<Int>?, seconds: Double) {
    let process = Subprocess(
      program: "ffmpeg", arguments: ["-hide_banner", "-nostdin", "-loglevel", "info"] + MovieInput.arguments(range),
      input: file, idleSeconds: seconds, seconds: seconds, outputByteLimit: 1 << 20)
    // Without an output file, `ffmpeg` exits with an error after the report.
    guard let result = try? process.run() else { return nil }
    self.init(report: result.errors)
  }

  init?(report: String) {
    var streams: [MovieStreams.Stream] = []
    var format = MovieStreams.Format()
    var incomplete: Set<Int> = []
    // A tag may contain other separators of lines, which `ffmpeg` prints as they are.
    for line in report.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
      if let stream = MovieStreams.Stream(reportLine: line) {
        streams.append(stream)
      } else if let match = line.firstMatch(of: /displaymatrix: rotation of (-?[0-9.]+) degrees/), !streams.isEmpty {
        streams[streams.count - 1].sideDataList = [.init(rotation: Double(match.1))]
      } else if let match = line.firstMatch(of: /Could not find codec parameters for stream ([0-9]+) \(/) {
        if let index = Int(match.1) { incomplete.insert(index) }
      } else if let match = line.prefixMatch(of: /Input #0, ([^ ]+), from/) {
        format.formatName = String(match.1)
      } else if streams.isEmpty {
        format.read(reportLine: line)
      }
    }
    // A stream without its parameters has no decoder that opens.
    for at in streams.indices where streams[at].index.map(incomplete.contains) == true { streams[at].codecName = nil }
    guard streams.contains(where: { $0.codecType == "video" && $0.codecName != nil }),
      streams.indices.allSatisfy({ streams[$0].index == $0 })
    else { return nil }
    self.init(streams: streams, format: format)
  }
}

extension MovieStreams.Format {
  fileprivate mutating func read(reportLine line: Substring) {
    if let match = line.prefixMatch(of: /[ ]+([a-z_]+) +: (.+)/) {
      tags = (tags ?? [:]).merging([String(match.1): String(match.2)]) { first, _ in first }
    } else if line.hasPrefix("  Duration: ") {
      if let match = line.prefixMatch(of: /[ ]{2}Duration: ([0-9]+):([0-9]+):([0-9.]+)/), let hours = Double(match.1),
        let minutes = Double(match.2), let seconds = Double(match.3)
      {
        duration = String(hours * 3600 + minutes * 60 + seconds)
      }
      startTime = line.firstMatch(of: /, start: (-?[0-9.]+)/).map { String($0.1) }
    }
  }
}

extension MovieStreams.Stream {
  /// Reads the line of a stream:
  ///
  ///       Stream #0:0[0x1](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709),
  ///       320x240 [SAR 1:1 DAR 4:3], 100 kb/s, 25 fps, 25 tbr, 12800 tbn (default)
  fileprivate init?(reportLine line: Substring) {
    guard let match = line.prefixMatch(of: /[ ]{2}Stream #0:([0-9]+)[^ ]*: ([A-Z][a-z]+): ([a-z0-9_]+)/) else {
      return nil
    }
    self.init()
    index = Int(match.1)
    codecType = match.2.lowercased()
    codecName = String(match.3)
    disposition = [
      "default": line.contains("(default)") ? 1 : 0, "attached_pic": line.contains("(attached pic)") ? 1 : 0,
    ]
    guard codecType == "video" else { return }
    if let match = line.firstMatch(of: /, ([a-z0-9]+)(?:\(([^)]*)\))?, ([0-9]+)x([0-9]+)/) {
      (pixFmt, width, height) = (String(match.1), Int(match.3), Int(match.4))
      readColor(match.2 ?? "")
    }
    sampleAspectRatio = line.firstMatch(of: /SAR ([0-9]+:[0-9]+)/).map { String($0.1) }
    avgFrameRate = line.firstMatch(of: /, ([0-9.]+) fps/).map { "\($0.1)/1" }
    if let match = line.firstMatch(of: /, ([0-9]+)(k?) tbn/) { timeBase = "1/\(match.1)\(match.2 == "k" ? "000" : "")" }
  }

  /// Reads the text in parentheses after the format of the pixels:
  /// `tv, bt2020nc/bt2020/arib-std-b67, top first`. If there is one name in place of three, it
  /// applies to the matrix, the primaries and the transfer function.
  private mutating func readColor(_ text: Substring) {
    let words = text.split(separator: ", ")
    let fieldOrders = ["top first": "tt", "bottom first": "bb", "top coded first ": "tb", "bottom coded first ": "bt"]
    fieldOrder = words.lazy.compactMap { word in fieldOrders.first { word.hasPrefix($0.key) }?.value }.first
    let known = ["bt709", "smpte170m", "bt470bg"]
    guard let color = words.first(where: { $0.contains("/") || known.contains(String($0)) }) else { return }
    let names = color.split(separator: "/").map(String.init)
    colorSpace = names.first
    (colorPrimaries, colorTransfer) = names.count == 3 ? (names[1], names[2]) : (names.first, names.first)
  }
}
