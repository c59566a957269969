import Foundation
import Synchronization
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

@Suite struct MovieRenditionTests {
  /// A two-second movie made by `ffmpeg`, red above blue. Its first 0.1 seconds are black.
  private static func movie(in folder: TemporaryFolder, _ name: String, _ options: [String]) throws -> MediaFile {
    let path = folder.url.appendingPathComponent(name).path
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-y", "-f", "lavfi", "-i",
        "color=red:s=320x120:d=2:r=20,pad=320:240:0:0:blue,fade=in:d=0.1", "-f", "lavfi", "-i", "sine=d=2",
        "-shortest",
      ] + options + [path])
    return try MediaFile(path: path)
  }

  private static let h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]

  @Test func thePosterIsUprightAndNotBlack() throws {
    let folder = try TemporaryFolder()
    let upright = try Self.movie(in: folder, "upright.mov", Self.h264)
    let turned = folder.url.appendingPathComponent("turned.mov").path
    try Program.run(
      "ffmpeg", ["-loglevel", "error", "-i", upright.name, "-c", "copy", "-metadata:s:v:0", "rotate=90", turned])

    let type = "com.apple.quicktime-movie"
    let set = try makeRenditions(
      of: try MediaFile(path: turned), metadata: Sample.metadata(type, kind: .video, duration: 2),
      kinds: [.grid, .screen])
    let picture = try set.rendition(.screen).decoded()
    #expect(picture.size == PixelSize(width: 240, height: 320))
    // After a turn in either direction, red and blue are side by side.
    let left = picture[60, 160]
    let right = picture[180, 160]
    #expect(abs(Int(left[0]) - Int(right[0])) > 150)
    #expect(try set.rendition(.grid).size == PixelSize(width: 240, height: 320))
  }

  @Test func aQuickTimeMovieIsRemuxed() throws {
    let folder = try TemporaryFolder()
    let file = try Self.movie(in: folder, "in.mov", Self.h264)
    let metadata = Sample.metadata("com.apple.quicktime-movie", kind: .video, duration: 2)
    #expect(try isPlayable(file, metadata: metadata) == false)

    let target = folder.url.appendingPathComponent("out.mp4")
    let last = Mutex(0.0)
    try makePlayableMovie(of: file, range: nil, to: target) { value in last.withLock { $0 = value } }
    #expect(last.withLock { $0 } == 1)
    let made = try MediaFile(path: target.path)
    #expect(try isPlayable(made, metadata: Sample.metadata("public.mpeg-4", kind: .video)))
    #expect(folder.names.sorted() == ["in.mov", "out.mp4"])
    // The index precedes the data.
    let bytes = Data(try made.read(made.byteCount, at: 0))
    let index = try #require(bytes.range(of: Data("moov".utf8))).lowerBound
    let data = try #require(bytes.range(of: Data("mdat".utf8))).lowerBound
    #expect(index < data)
  }

  @Test func anEmbeddedMovieInAnotherCodecIsEncodedAgain() throws {
    let folder = try TemporaryFolder()
    let movie = try Self.movie(in: folder, "old.mp4", ["-c:v", "mpeg4", "-c:a", "aac"])
    #expect(try isPlayable(movie, metadata: Sample.metadata("public.mpeg-4", kind: .video)) == false)
    let front = [UInt8](repeating: 0x55, count: 5000)
    let whole = try folder.file(front + movie.read(movie.byteCount, at: 0) + front, named: "photo.jpg")
    let target = folder.url.appendingPathComponent("out.mp4")
    try makePlayableMovie(of: whole, range: 5000..<5000 + movie.byteCount, to: target, progress: nil)
    #expect(try isPlayable(try MediaFile(path: target.path), metadata: Sample.metadata("public.mpeg-4", kind: .video)))
  }

  @Test func webMIsPlayableAsItIs() throws {
    let folder = try TemporaryFolder()
    let file = try Self.movie(in: folder, "in.webm", ["-c:v", "libvpx", "-c:a", "libopus"])
    #expect(try isPlayable(file, metadata: Sample.metadata("org.webmproject.webm", kind: .video)))
  }

  @Test func aFileThatIsNoMovieIsAnErrorAndLeavesNothing() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file(Data("#EXTM3U\n/etc/passwd\n".utf8), named: "list.mov")
    let metadata = Sample.metadata("com.apple.quicktime-movie", kind: .video)
    #expect(throws: ImagingError.self) { try makeRenditions(of: file, metadata: metadata, kinds: [.grid]) }
    #expect(throws: ImagingError.self) {
      try makePlayableMovie(of: file, range: nil, to: folder.url.appendingPathComponent("out.mp4"), progress: nil)
    }
    #expect(folder.names == ["list.mov"])
  }

  @Test func aProgramThatHangsIsKilled() throws {
    let file = try TemporaryFolder().file([1])
    let process = Subprocess(
      program: "sleep", arguments: ["600"], input: file, idleSeconds: 0.3, seconds: 300, outputByteLimit: 0)
    let error = #expect(throws: ImagingError.self) { try process.run() }
    #expect(error?.code == .tookTooLong && error?.reason == "sleep took more than 0.3 s")
  }

  @Test func aMissingProgramIsNamed() throws {
    let file = try TemporaryFolder().file([1])
    let process = Subprocess(
      program: "no-such-program", arguments: [], input: file, idleSeconds: 1, seconds: 1, outputByteLimit: 0)
    let error = #expect(throws: ImagingError.self) { try process.run() }
    #expect(error?.code == .missingProgram)
    #expect(error?.reason == "no-such-program is not installed")
  }
}
