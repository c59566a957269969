import Foundation
import ImageCoding
import MediaMetadata

extension MediaMetadata {
  /// Reads the size, the duration and the date of a movie with `ffprobe`, if its container has no
  /// header with these values. If a Matroska or a fragmented movie has several picture tracks,
  /// reads the size of the main one: such headers may lack the numbers of frames.
  package mutating func addFacts(ofStreamsIn file: MediaFile, machineTimeZone: TimeZone) {
    guard MediaType.withoutHeader.contains(type) else { return addSizeOfMainPicture(in: file) }
    let streams: MovieStreams
    do throws(ImagingError) {
      // A poster needs the duration of a movie in which `ffmpeg` can't seek.
      let countsDuration = MediaType.withoutTimes.contains(type)
      streams = try MovieStreams(of: file, range: nil, countsDuration: countsDuration)
    } catch {
      let reason = error.reason.cleaned(limit: 500) ?? "unknown"
      return notes.append("The movie's size and duration can't be read: \(reason)")
    }
    if streams.video == nil, streams.all.contains(where: { $0.codecType == "audio" }) { type = type.withoutPicture }
    if let size = streams.pictureSize {
      (pixelWidth, pixelHeight) = (size.width, size.height)
    } else {
      notes.append("The movie has no picture size.")
    }
    if (0...Self.longestDuration).contains(streams.duration) { duration = streams.duration }
    guard captureDate.source.isGuess, let text = streams.creationTime else { return }
    setContainerDate(text, fileDate: file.modificationDate, machineTimeZone: machineTimeZone)
  }

  private mutating func addSizeOfMainPicture(in file: MediaFile) {
    let mayLackCounts = [.matroska, .webM].contains(type) || type.kind == .video && duration == 0
    guard mayLackCounts, pixelWidth > 0, MediaBytes(file).hasSeveralPictureTracks,
      let size = (try? MovieStreams(of: file, range: nil, countsDuration: false))?.pictureSize
    else { return }
    (pixelWidth, pixelHeight) = (size.width, size.height)
  }

  /// Returns the duration in seconds. If the file's headers contain none, `ffprobe` reads the whole
  /// movie for it, which takes up to 30 seconds. Returns 0 if it can't be found.
  ///
  /// Fragmented and live recordings are written before their duration is known.
  package func measuredDuration(of file: MediaFile) -> Double {
    guard type.kind == .video, duration == 0, pixelWidth > 0, let streams = try? MovieStreams(of: file, range: nil),
      (0...Self.longestDuration).contains(streams.duration)
    else { return duration }
    return streams.duration
  }
}
