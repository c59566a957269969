import Foundation
import ImageCoding
import MediaMetadata

/// Decodes a frame near a movie's beginning with `ffmpeg`: upright, with square pixels, in sRGB.
///
/// The frame is at a tenth of the movie, at most one second from its beginning. If it is nearly
/// black, the frame at a third is tried, and then the first.
package func decodePoster(of file: MediaFile, _ metadata: MediaMetadata, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  let early = min(1, metadata.duration / 10)
  let frames = [early, metadata.duration / 3, 0].reduce(into: [Double]()) { if !$0.contains($1) { $0.append($1) } }
  let movie = PosterMovie(
    file: file, type: metadata.type, isTurned: MediaBytes(file).isTurnedByContainer, map: pictureMap(of: file))
  var darkest: DecodedPicture?
  var reason = "no frame"
  for time in frames {
    switch try frame(of: movie, at: time, request) {
    case .picture(let pixels) where !pixels.isNearlyBlack: return DecodedPicture(pixels: pixels)
    case .picture(let pixels): darkest = darkest ?? DecodedPicture(pixels: pixels)
    case .nothing(let errorMessage): reason = errorMessage
    }
    try request.checkDeadline(file)
  }
  guard let darkest else { throw ImagingError(.damaged, file.name, reason: reason) }
  return darkest
}

/// Returns the option that selects the main picture. `ffprobe` takes as long as a frame, and nearly
/// every movie has one picture only.
private func pictureMap(of file: MediaFile) -> [String] {
  // A capital V leaves out covers and the thumbnails of chapters.
  let first = ["-map", "0:V:0"]
  guard MediaBytes(file).hasSeveralPictureTracks else { return first }
  // If `ffprobe` fails, `ffmpeg` reports why.
  let map = (try? MovieStreams(of: file, range: nil, countsDuration: false))?.pictureMap() ?? []
  return map.isEmpty ? first : map
}

private struct PosterMovie {
  var file: MediaFile
  var type: MediaType
  /// Whether the container turns the picture.
  var isTurned: Bool
  /// The option that selects the picture.
  var map: [String]
}

private enum Frame {
  case picture(PixelBuffer)
  case nothing(reason: String)
}

private func frame(
  of movie: PosterMovie, at time: Double, _ request: DecodingRequest
) throws(ImagingError) -> Frame {
  let result = try extract(movie, at: time, toneMapped: false, request)
  if result.isHDR, let mapped = try? extract(movie, at: time, toneMapped: true, request),
    let pixels = mapped.pixels
  {
    return .picture(pixels)
  }
  return result.pixels.map(Frame.picture) ?? .nothing(reason: result.errorMessage)
}

private struct Extract {
  var pixels: PixelBuffer?
  var isHDR: Bool
  var errorMessage: String
}

/// The ratio between the limits of elapsed time and processor time of the child. Other programs may
/// keep the machine busy.
private let clockFactor = 4.0

private func extract(
  _ movie: PosterMovie, at time: Double, toneMapped: Bool, _ request: DecodingRequest
) throws(ImagingError) -> Extract {
  let side = request.largest == .full ? MovieFilters.longestSide : RenditionKind.screenLongSide
  var filters = [MovieFilters.squarePixels, MovieFilters.fit(side)]
  if toneMapped { filters.append(MovieFilters.toneMap) }
  let seek = time > 0 ? ["-ss", String(format: "%.3f", time)] : []
  let source = (movie.isTurned ? [] : MovieInput.withoutTurn) + MovieInput.arguments(nil)
  // Without times, `ffmpeg` discards the frames before.
  let input = MediaType.withoutTimes.contains(movie.type) ? source + seek : seek + source
  let remaining = max(0.5, (request.deadline - ContinuousClock.now) / .seconds(1))
  let process = Subprocess(
    program: "ffmpeg",
    arguments: ["-hide_banner", "-nostdin", "-loglevel", "info", "-threads", "1"] + input + movie.map
      + [
        "-frames:v", "1", "-vf", filters.joined(separator: ","), "-filter_threads", "1",
        "-pix_fmt", "rgb24", "-c:v", "ppm", "-f", "image2pipe", "pipe:1",
      ],
    input: movie.file, idleSeconds: remaining * clockFactor, seconds: remaining * clockFactor,
    processorSeconds: remaining,
    outputByteLimit: MovieFilters.longestSide * MovieFilters.longestSide * 3)
  let result = try process.run()
  // The system ends the program when it shuts down, which is unrelated to the file.
  guard !result.errors.contains("Exiting normally, received signal") else {
    throw ImagingError(.tookTooLong, movie.file.name, reason: "ffmpeg was killed")
  }
  return Extract(
    pixels: PixelBuffer(portablePixmap: result.output),
    isHDR: result.errors.contains("arib-std-b67") || result.errors.contains("smpte2084"),
    errorMessage: MovieInput.errorMessage(result.errors))
}

extension PixelBuffer {
  /// Parses the format that `ffmpeg` writes: `P6`, width, height, 255, then the rows.
  fileprivate init?(portablePixmap bytes: [UInt8]) {
    let header = bytes.prefix(32).split(maxSplits: 4, whereSeparator: { $0 == 0x0A || $0 == 0x20 })
    guard header.count == 5, header[0].elementsEqual("P6".utf8),
      let width = Int(String(decoding: header[1], as: UTF8.self)),
      let height = Int(String(decoding: header[2], as: UTF8.self)), width > 0, height > 0
    else { return nil }
    let start = header[4].startIndex
    guard width <= MovieFilters.longestSide, height <= MovieFilters.longestSide,
      bytes.count - start >= width * height * 3
    else { return nil }
    self.init(
      width: width, height: height, channels: 3, bytes: Array(bytes[start..<start + width * height * 3]))
  }

  /// Whether the picture is nearly black, like a fade-in's first frames, or a lens in a pocket.
  fileprivate var isNearlyBlack: Bool {
    let darkest = 24
    let samples = stride(from: 0, to: bytes.count, by: 97)
    let bright = samples.lazy.filter { bytes[$0] > darkest }.count
    return bright * 50 < bytes.count / 97
  }
}
