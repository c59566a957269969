import Foundation
import ImageCoding
import MediaMetadata

/// A movie's streams and texts, as `ffprobe` reports them.
///
///     let movie = try MovieDescription(of: file)
///     movie.tracks.first { $0.kind == .video }?.frameRate    // 29.97
package struct MovieDescription: Sendable {
  package struct Track: Hashable, Sendable {
    package enum Kind: String, Sendable {
      case video, audio, subtitle, data
    }

    /// The track's number, from 1, in the order of the file.
    package var number: Int
    package var kind: Kind
    /// The stored size in square pixels; nil for a track without a picture.
    package var size: PixelSize?
    /// The clockwise rotation in degrees that turns the picture upright: 0, 90, 180 or 270.
    package var rotation: Int
    /// Frames a second; 0 if unknown.
    package var frameRate: Double
    /// Bits a second; 0 if unknown.
    package var bitRate: Double
    package var startInSeconds: Double
    package var durationInSeconds: Double
  }

  package var tracks: [Track]
  /// The number of the track whose picture an export has; nil for a movie without a picture.
  package var pictureNumber: Int?
  /// The tags by name; QuickTime's own names begin with `com.apple.quicktime.`.
  package var tags: [String: String]

  package init(of file: MediaFile) throws(ImagingError) {
    let streams = try MovieStreams(of: file, range: nil)
    tracks = streams.all.enumerated().compactMap { index, stream in
      Track(stream, number: (stream.index ?? index) + 1, streams)
    }
    pictureNumber = streams.video?.index.map { $0 + 1 }
    tags = streams.format?.tags ?? [:]
  }
}

extension MovieDescription.Track {
  /// Returns nil for a cover picture, and for a stream of an unknown kind.
  fileprivate init?(_ stream: MovieStreams.Stream, number: Int, _ streams: MovieStreams) {
    guard stream.disposition?["attached_pic"] != 1, let kind = stream.codecType.flatMap(Kind.init) else { return nil }
    self.number = number
    self.kind = kind
    size = kind == .video ? stream.squareSize : nil
    rotation = kind == .video ? stream.clockwiseRotation : 0
    let rate = (stream.avgFrameRate ?? "").split(separator: "/").compactMap { Double($0) }
    frameRate = kind == .video && rate.count == 2 && rate[1] > 0 ? rate[0] / rate[1] : 0
    bitRate = stream.bitRate.flatMap(Double.init) ?? 0
    startInSeconds = stream.startTime.flatMap(Double.init) ?? 0
    durationInSeconds = stream.duration.flatMap(Double.init) ?? streams.duration
  }
}

extension MovieStreams.Stream {
  /// The stored size, in square pixels.
  fileprivate var squareSize: PixelSize? {
    guard let width, let height, width > 0, height > 0 else { return nil }
    let sides = (sampleAspectRatio ?? "").split(separator: ":").compactMap { Double($0) }
    let ratio = sides.count == 2 && sides.allSatisfy { $0 > 0 } ? sides[0] / sides[1] : 1
    let wide = Double(width) * ratio
    return wide >= 1 && wide < 1e6 ? PixelSize(width: Int(wide), height: height) : nil
  }

  fileprivate var clockwiseRotation: Int {
    let turned = sideDataList?.compactMap(\.rotation).first ?? 0
    guard turned.isFinite, abs(turned) < 1e6 else { return 0 }
    let quarters = Int((-turned / 90).rounded()) % 4
    return (quarters + 4) % 4 * 90
  }
}

extension MediaFile {
  /// Returns the frame at a time, or else the first one after it, upright. Returns the last frame
  /// if there is none after the time.
  ///
  /// Throws if the movie has no frame there. Blocks the calling thread.
  package func movieFrame(atSeconds seconds: Double, longestSide: Int?) throws -> (pixels: PixelBuffer, seconds: Double)
  {
    let streams = try MovieStreams(of: self, range: nil)
    guard streams.video != nil else { throw ImagingError(.unsupported, name, reason: "no video stream") }
    let start = min(max(0, seconds), streams.duration)
    if let found = try frames(of: streams, from: start, to: streams.duration + 1, longestSide, isLast: false) {
      return found
    }
    let last = max(0, (streams.videoEnd ?? streams.duration) - 1)
    guard
      let found = try frames(of: streams, from: min(start, last), to: streams.duration + 1, longestSide, isLast: true)
    else { throw ImagingError(.damaged, name, reason: "no frame at \(seconds) s") }
    return found
  }

  /// Returns the first or the last frame of a range.
  private func frames(
    of streams: MovieStreams, from start: Double, to end: Double, _ longestSide: Int?, isLast: Bool
  ) throws -> (pixels: PixelBuffer, seconds: Double)? {
    var export = MovieExport(file: self, readingMetadataWith: nil)
    export.timeRange = start...max(start, end)
    export.longestSide = longestSide
    let decoder = MovieDecoding(export, streams: streams) { false }
    defer { decoder.stop() }
    var found = decoder.frames.take()
    while isLast, let next = decoder.frames.take() { found = next }
    return found.map { ($0.pixels, start + Double($0.ticks) / Double($0.timescale)) }
  }
}
