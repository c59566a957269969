import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

@Suite struct PartialFileTests {
  private let folder: TemporaryFolder
  private let destination: URL

  init() throws {
    folder = try TemporaryFolder()
    destination = folder.url.appendingPathComponent("movie.mp4")
  }

  @Test func `a partial file is kept only if it is committed`() throws {
    do {
      let part = try PartialFile(for: destination) { false }
      try Data([1, 2]).write(to: URL(fileURLWithPath: part.path))
      #expect(folder.names == [".movie.mp4.part"])
    }
    #expect(folder.names == [])
    do {
      let part = try PartialFile(for: destination) { false }
      try part.commit()
    }
    #expect(folder.names == ["movie.mp4"])
  }

  @Test func `a second writer waits and finds the file complete`() throws {
    let first = try PartialFile(for: destination) { false }
    let waits = DispatchSemaphore(value: 0)
    let second = ThreadedCall { [destination] in
      // A writer asks whether it is canceled each time that it finds the file locked.
      let part = try PartialFile(for: destination) {
        waits.signal()
        return false
      }
      return part.isDone
    }
    for _ in 0..<2 { waits.waits(for: "a second writer that waits") }
    #expect(!second.hasEnded)
    try first.commit()
    // The first holder keeps its lock until it is deallocated. By then its file has been renamed.
    #expect(try second.value("the second writer"))
    withExtendedLifetime(first) {}
  }

  @Test func aRemovedPartDoesNotBecomeTheMovie() throws {
    do {
      let part = try PartialFile(for: destination) { false }
      unlink(part.path)
      #expect(throws: ImagingError.self) { try part.commit() }
      // Another process starts the same file again.
      try Data([1]).write(to: URL(fileURLWithPath: part.path))
      #expect(throws: ImagingError.self) { try part.commit() }
    }
    #expect(folder.names == [".movie.mp4.part"])
  }

  @Test func `a full disk is reported as such`() throws {
    let movie = try folder.file(Data([1]), named: "in.mov")
    let errors = "[error] av_interleaved_write_frame(): No space left on device\n[error] Error closing file file:x.part"
    func failure(_ errors: String, succeeded: Bool) -> ImagingError? {
      let result = Subprocess.Result(output: [], errors: errors, succeeded: succeeded)
      return #expect(throws: ImagingError.self) {
        try MovieInput.check(result, code: .damaged, file: movie, writing: "/disk/x.mp4")
      }
    }
    // The exit status of the program does not matter.
    for succeeded in [true, false] {
      #expect(
        failure(errors, succeeded: succeeded)?.description == "/disk/x.mp4: no space is left on its disk")
    }
    #expect(failure("[error] nothing", succeeded: false)?.code == .damaged)
  }

  @Test func aCanceledConversionDoesNotWait() throws {
    let first = try PartialFile(for: destination) { false }
    #expect(throws: ImagingError.self) { try PartialFile(for: destination) { true } }
    withExtendedLifetime(first) {}
  }

  @Test func thePartOfAKilledProcessIsOverwritten() throws {
    try Data([1, 2, 3]).write(to: folder.url.appendingPathComponent(".movie.mp4.part"))
    let movie = try folder.file(MovieSample.bytes(["-c:v", "mpeg4"]), named: "in.mov")
    try makePlayableMovie(of: movie, range: nil, to: destination, progress: nil)
    #expect(folder.names.sorted() == ["in.mov", "movie.mp4"])
    #expect(try isPlayable(MediaFile(path: destination.path), metadata: Sample.metadata("public.mpeg-4", kind: .video)))
  }

  @Test func aCancelledConversionEndsSoonAndLeavesItsPicture() throws {
    // The picture has several times as many bytes as are read between two looks at the
    // cancellation.
    let movie = try folder.file(MovieSample.bytes(["-c:v", "mpeg4"], seconds: 20, size: "320x240"), named: "in.mov")
    let progress = Mutex(0.0)
    let error = #expect(throws: ImagingError.self) {
      try makePlayableMovie(
        of: movie, range: nil, to: destination, isCancelled: { progress.withLock { $0 > 0 } },
        progress: { value in progress.withLock { $0 = value } })
    }
    #expect(error?.reason.contains("canceled") == true)
    #expect(progress.withLock { $0 } < 0.9)
    #expect(folder.names.sorted() == [".movie.mp4.picture.part", "in.mov"])
  }

  @Test(arguments: [(0o700, 0o600), (0o750, 0o640)])
  func aWrittenMovieHasTheReadPermissionsOfItsFolder(_ ofFolder: Int, _ ofFile: Int) throws {
    let movie = try folder.file(MovieSample.bytes(["-c:v", "mpeg4"]), named: "in.mov")
    try FileManager.default.setAttributes([.posixPermissions: ofFolder], ofItemAtPath: folder.url.path)
    try makePlayableMovie(of: movie, range: nil, to: destination, progress: nil)
    let mode = try FileManager.default.attributesOfItem(atPath: destination.path)[.posixPermissions] as? Int
    #expect(mode == ofFile)
  }

  @Test(arguments: [".movie.mp4.part", ".movie.mp4.picture.part"])
  func aLinkNamedLikeAnUnfinishedMovieIsNotWrittenThrough(_ name: String) throws {
    let letter = folder.url.appendingPathComponent("letter.txt")
    try Data("precious".utf8).write(to: letter)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent(name), withDestinationURL: letter)
    #expect(throws: ImagingError.self) {
      if name.contains("picture") {
        _ = try UnfinishedPicture(of: destination, recipe: "any")
      } else {
        _ = try PartialFile(for: destination) { false }
      }
    }
    #expect(try Data(contentsOf: letter) == Data("precious".utf8))
  }
}

/// Makes movies with a moving picture and a tone.
enum MovieSample {
  static func bytes(_ options: [String], seconds: Int = 1, size: String = "160x120") throws -> Data {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("movie.mov").path
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=s=\(size):d=\(seconds):r=20", "-f", "lavfi", "-i",
        "sine=d=\(seconds)", "-shortest", "-c:a", "aac",
      ] + options + [path])
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
