import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import Sandbox

extension Result {
  fileprivate var failure: Failure? {
    switch self {
    case .success: nil
    case .failure(let failure): failure
    }
  }
}

/// Tests workers that read the metadata of many files at once.
@Suite struct FileListTests {
  /// Checks more files than one message carries.
  @Test func manyFilesHaveTheMetadataThatEachHasAlone() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let jpeg = try encode(Sample.quadrants(40, 30), as: "public.jpeg", quality: 90)
    let files = try (0..<70).map { number in
      try MediaFile(data: number % 7 == 3 ? Data("no photo".utf8) : jpeg, name: "\(number).jpg")
    }
    let (together, alone) = WorkerPool.$place.withValue(.workers(pool)) {
      let alone = files.map { file in Result { () throws(ImagingError) in try MediaMetadata(of: file) } }
      return (MediaMetadata.read(from: files), alone)
    }
    #expect(together.map { try? $0.get() } == alone.map { try? $0.get() })
    #expect(together.map(\.failure?.code) == alone.map(\.failure?.code))
    #expect(together.filter { $0.failure == nil }.count == 60)
    #expect(pool.latestEnds.isEmpty)
  }

  @Test func aFileThatCrashesAWorkerFailsAloneAmongMany() throws {
    let pool = try TestWorkers.pool()
    defer { pool.end() }
    let jpeg = try encode(Sample.quadrants(40, 30), as: "public.jpeg", quality: 90)
    let files = try (0..<5).map { number in
      try MediaFile(data: number == 2 ? jpeg + Data("SMASH".utf8) : jpeg, name: "\(number).jpg")
    }
    let answers = WorkerPool.$place.withValue(.workers(pool)) { MediaMetadata.read(from: files) }
    #expect(answers.map(\.failure?.code) == [nil, nil, .crashed, nil, nil])
    // The request about all, the one about this file, and its repetition in a fresh worker.
    #expect(pool.latestEnds.count == 3)
  }

  @Test(arguments: [true, false])
  func `only a worker with decoders is replaced after a number of files`(loadsDecoders: Bool) throws {
    let pool = try TestWorkers.pool {
      $0.loadsDecoders = loadsDecoders
      $0.fileLimitPerWorker = 5
    }
    defer { pool.end() }
    let jpeg = try encode(Sample.quadrants(40, 30), as: "public.jpeg", quality: 90)
    let files = try (0..<3).map { try MediaFile(data: jpeg, name: "\($0).jpg") }
    let idleCounts = WorkerPool.$place.withValue(.workers(pool)) {
      (0..<4).map { _ in
        _ = MediaMetadata.read(from: files)
        return pool.idleProcesses.count
      }
    }
    #expect(idleCounts == (loadsDecoders ? [1, 0, 1, 0] : [1, 1, 1, 1]))
    #expect(pool.latestEnds.isEmpty)
  }

  @Test func `a worker that does not start is not started again for each file`() throws {
    let pool = WorkerPool(WorkerPool.Configuration(executable: "/bin/false"))
    defer { pool.end() }
    let files = try (0..<5).map { try MediaFile(data: Data("no photo".utf8), name: "\($0).jpg") }
    let answers = WorkerPool.$place.withValue(.workers(pool)) { MediaMetadata.read(from: files) }
    #expect(answers.map(\.failure?.code) == Array(repeating: .cannotRead, count: 5))
    #expect(pool.latestEnds.count == 1)
  }

  @Test func `a canceled read has no answers about the rest of the files`() throws {
    let files = try (0..<5).map { try MediaFile(data: Data("no photo".utf8), name: "\($0).jpg") }
    var calls = 0
    let answers = MediaMetadata.read(
      from: files,
      isCancelled: {
        calls += 1
        return calls > 2
      })
    #expect(answers.count == 2)
    #expect(calls == 3)
  }
}
