import Foundation
import Imaging
import MovieCoding
import PhotosTesting
import Testing

@Suite struct MovieTests {
  @Test func aQuickTimeMovieTellsAll() throws {
    var written = StillTests.full
    written.subseconds = nil
    let read = try metadata(of: SampleMedia.movie(duration: 1, metadata: written))
    #expect(read.type.uniformTypeIdentifier == "com.apple.quicktime-movie")
    #expect(read.size == PictureSize(width: 320, height: 240))
    #expect(abs(read.duration - 1) < 0.1)
    #expect(read.captureDate.date.timeIntervalSince1970 == 1_558_428_352)
    #expect(read.captureDate.offset == -12_600)
    #expect(read.captureDate.source == .quickTime)
    #expect(read.contentIdentifier == written.contentIdentifier)
    #expect(abs((read.location?.latitude ?? 0) + 33.8568) < 1e-4)
    #expect(abs((read.location?.longitude ?? 0) + 70.6483) < 1e-4)
    #expect(read.location?.altitude == 520.5)
    #expect(read.camera.model == "iPhone 15 Pro")
    #expect(read.notes.isEmpty)
  }

  @Test func anMP4TellsTheInstantAndThePlace() throws {
    let read = try metadata(
      of: SampleMedia.movie(duration: 1, metadata: StillTests.full, container: .mp4, hasAudio: false))
    #expect(read.type.uniformTypeIdentifier == "public.mpeg-4")
    #expect(read.captureDate.date.timeIntervalSince1970 == 1_558_428_352)
    #expect(read.captureDate.source == .container)
    #expect(abs((read.location?.latitude ?? 0) + 33.8568) < 1e-4)
  }

  @Test(arguments: [90, 180, 270]) func `a rotated movie has its displayed size`(_ degrees: Int) throws {
    let size = PictureSize(width: 128, height: 192)
    let movie = try SampleMedia.movie(duration: 0.5, size: size, scene: .lighthouse, rotation: degrees, hasAudio: false)
    let read = try metadata(of: movie)
    #expect(read.size == PictureSize(width: 128, height: 192))
    let poster = try #require(placeholder(of: movie).renditions.first)
    #expect(poster.size == PictureSize(width: 128, height: 192))
  }

  /// A date in a year in which all of these formats were in use.
  private static let date = Date(timeIntervalSince1970: 1_236_697_483)

  @Test(arguments: SampleMedia.OldMovieFormat.allCases)
  func anOldMovieTellsItsSizeAndDuration(_ format: SampleMedia.OldMovieFormat) throws {
    let duration = format == .dv ? 0.2 : 1
    let movie = try SampleMedia.oldMovie(format, duration: duration, date: Self.date)
    let read = try metadata(of: movie)
    #expect(read.type.kind == .video)
    #expect(read.size == (format == .dv ? PictureSize(width: 768, height: 576) : PictureSize(width: 64, height: 48)))
    #expect(abs(read.duration - duration) < 0.15)
    #expect(read.notes.isEmpty)
    let hasDate = [.windowsMedia, .flash, .ogg, .dv, .wtv, .nut].contains(format)
    #expect(hasDate == (read.captureDate.date == Self.date))
    #expect(try placeholder(of: movie).renditions.count == 1)
  }

  @Test(arguments: [SampleMedia.OldMovieFormat.wtv, .nut, .swf, .ivf, .roq, .h264, .hevc])
  func `a movie of which only the beginning is left has no picture`(_ format: SampleMedia.OldMovieFormat) throws {
    // The headers of a SWF are the shortest.
    let movie = try SampleMedia.oldMovie(format, duration: 0.2).prefix(format == .swf ? 60 : 80)
    #expect(try metadata(of: movie).type.kind == .video)
    let error = #expect(throws: ImagingError.self) { try placeholder(of: movie) }
    #expect(error?.code == .damaged)
  }

  @Test(arguments: SampleMedia.OldMovieFormat.allCases)
  func anOldMovieBecomesOneThatBrowsersPlay(_ format: SampleMedia.OldMovieFormat) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try MediaFile(data: SampleMedia.oldMovie(format, duration: 0.2), name: "film")
    let playable = folder.appendingPathComponent("film.mp4")
    try makePlayableMovie(of: file, range: nil, to: playable, progress: nil)
    let made = try MediaFile(path: playable.path)
    #expect(try isPlayable(made, metadata: MediaMetadata(of: made)))
    #expect(try !isPlayable(file, metadata: MediaMetadata(of: file)))
  }

  @Test func `HEVC and high frame rates are recognized`() throws {
    let hevc = try SampleMedia.movie(duration: 0.5, codec: .hevc)
    #expect(try metadata(of: hevc).notes.isEmpty)
    #expect(hevc.range(of: Data("hvc1".utf8)) != nil)
    let fast = try SampleMedia.movie(duration: 0.5, framesPerSecond: 240, hasAudio: false)
    #expect(try metadata(of: fast).subtypes == .highFrameRate)
  }

  @Test func `a time-lapse is recognized, and its frames and sound are where its index says`() throws {
    let data = try SampleMedia.movie(duration: 0.5, isTimeLapse: true)
    #expect(try metadata(of: data).subtypes == .timelapse)
    #expect(try metadata(of: data).notes.isEmpty)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let playable = folder.appendingPathComponent("film.mp4")
    try makePlayableMovie(of: MediaFile(data: data, name: "film"), range: nil, to: playable, progress: nil)
    #expect(try MediaMetadata(of: MediaFile(path: playable.path)).duration > 0.4)
  }

  @Test(arguments: [LivePhotoPair.StillType.heic, .jpeg]) func livePhotosArePairs(_ type: LivePhotoPair.StillType)
    throws
  {
    let pair = try SampleMedia.livePhoto(size: .small, seed: 3, stillType: type)
    let (still, video) = (try metadata(of: pair.still), try metadata(of: pair.video))
    #expect(!pair.contentIdentifier.isEmpty)
    #expect(still.contentIdentifier == pair.contentIdentifier)
    #expect(video.contentIdentifier == pair.contentIdentifier)
    #expect(still.type.uniformTypeIdentifier == (type == .heic ? "public.heic" : "public.jpeg"))
  }

  @Test func motionPhotosAreRecognised() throws {
    let data = try SampleMedia.motionPhoto(size: .small)
    let read = try metadata(of: data)
    let video = try #require(read.motionVideo)
    #expect(read.subtypes == .live)
    #expect(try metadata(of: data.dropFirst(video.offset).prefix(video.byteCount)).type.kind == .video)
  }
}
