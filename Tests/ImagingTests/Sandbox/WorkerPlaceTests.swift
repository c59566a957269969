import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding
@testable import Sandbox

/// Tests processes without a worker program, or with one that can't be sandboxed. Each test runs in
/// a process of its own.
@Suite struct WorkerPlaceTests {
  private static func readTwice() throws {
    for name in ["a.png", "b.png"] {
      let file = try MediaFile(data: Data(SampleFiles.png()), name: name)
      _ = try MediaMetadata(of: file)
    }
  }

  private static func lines(_ result: ExitTest.Result?) -> [Substring] {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n").filter {
      $0.hasPrefix("calotype: ")
    }
  }

  @Test func `a program without workers writes one line, and reads files nevertheless`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("CALOTYPE_WORKER", "/no/such/worker", 1)
      try Self.readTwice()
    }
    #expect(
      Self.lines(result) == [
        "calotype: calotype-worker was not found beside this program or in $PATH: files are decoded in this process"
      ])
  }

  @Test func `a program that requires workers reads nothing without them`() async {
    let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
      setenv("CALOTYPE_WORKER", "/no/such/worker", 1)
      requireWorkers()
      guard failureOfWorkers(loadingDecoders: false) == "calotype-worker was not found beside this program or in $PATH"
      else { exit(1) }
      do { try Self.readTwice() } catch let error as ImagingError where error.code == .missingProgram { exit(7) }
    }
    #expect(Self.lines(result).isEmpty)
  }

  /// On a kernel without system call filters, a worker exits with status 70.
  @Test func `a program that requires workers reads nothing where they can't be confined`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let folder = try TemporaryFolder()
      let worker = folder.url.appendingPathComponent("worker").path
      try "#!/bin/sh\nexit 70\n".write(toFile: worker, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
      setenv("CALOTYPE_WORKER", worker, 1)
      requireWorkers()
      do { try Self.readTwice() } catch let error as ImagingError where error.code == .missingProgram { exit(7) }
    }
  }

  private typealias Reading = @Sendable (MediaFile, MediaMetadata) throws -> Any?

  private static let readings: [(String, Reading)] = [
    ("metadata", { file, _ in try MediaMetadata(of: file) }),
    ("bare metadata", { file, _ in try MediaMetadata(typeAndDateOf: file) }),
    ("properties", { file, _ in try PictureProperties(of: file) }),
    ("carried metadata", { try CarriedMetadata(from: $0, metadata: $1, width: 8, height: 8) }),
    ("renditions", { try makeRenditions(of: $0, metadata: $1, kinds: [.grid]) }),
    ("a picture", { try decodePicture(of: $0, metadata: $1) }),
    ("own colors", { try decodeInOwnColors($0, metadata: $1) }),
    ("a thumbnail", { file, _ in try embeddedThumbnail(of: file) }),
    ("a turn", { file, _ in try rotateJPEGLosslessly(file, by: .right) }),
    ("colors", { _, _ in try ColoredPicture(pixels: Sample.quadrants(8, 8), profile: [1]).converted(to: nil) }),
    ("a movie", { file, _ in try file.movieSize() }),
  ]

  @Test(arguments: readings.indices) func `nothing reads a file where there are no workers`(index: Int) throws {
    let (what, read) = Self.readings[index]
    let file = try MediaFile(
      data: encode(Sample.quadrants(8, 8), as: "public.jpeg", quality: 90), name: "a.jpg")
    let error = #expect(throws: ImagingError.self, "\(what)") {
      try WorkerPool.$place.withValue(.unavailable("no workers")) { _ = try read(file, Sample.metadata("public.jpeg")) }
    }
    #expect(error?.code == .missingProgram && error?.reason == "no workers", "\(what)")
  }

  @Test func `the owner can choose to do without workers`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("CALOTYPE_WORKER", "none", 1)
      requireWorkers()
      guard failureOfWorkers(loadingDecoders: true) == nil else { exit(1) }
      try Self.readTwice()
    }
    #expect(Self.lines(result).isEmpty)
  }
}
