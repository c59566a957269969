import Foundation
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding
@testable import Sandbox

/// Sends damaged files of every format through everything that workers do with a file. `make test`
/// tries three files of each format, `make soak` 300, `make fuzz` 20,000. The last two also damage
/// real files.
///
/// - `CALOTYPE_FUZZ_FILES`: the number of files of each format.
/// - `CALOTYPE_FUZZ_FIRST`: the number of the first file, to continue where a run ended.
/// - `CALOTYPE_FUZZ_FORMATS`: the formats, separated by commas, if not all.
/// - `CALOTYPE_FUZZ_FOLDER`: the folder for files that ended a worker, named by format and number.
///
/// File N of a format is the same in each run. The crash of a worker is a failure, in foreign code
/// too. A worker that is killed for its time or its memory is counted and listed.
@Suite(.serialized) struct FuzzTests {
  private static let variables = ProcessInfo.processInfo.environment
  private static let fileCount =
    variables["CALOTYPE_FUZZ_FILES"].flatMap { Int($0) } ?? Soak.count(few: 3, many: 300)
  private static let first =
    variables["CALOTYPE_FUZZ_FIRST"].flatMap { Int($0) } ?? Int(Soak.seed(0) % 1_000_000_000)
  private static let folder = variables["CALOTYPE_FUZZ_FOLDER"]
  private static let formats = variables["CALOTYPE_FUZZ_FORMATS"].map { names in
    names.split(separator: ",").compactMap { FuzzFormat(rawValue: String($0)) }
  }

  @Test(arguments: formats ?? FuzzFormat.allCases) func damagedFilesTakeNothingDown(_ format: FuzzFormat) throws {
    let before = childProcesses()
    let pool = WorkerPool(WorkerPool.Configuration(executable: try #require(WorkerPlace.executable)))
    var bases = try format.samples()
    let isLong = Soak.isOn || Self.variables["CALOTYPE_FUZZ_FILES"] != nil
    if isLong, let corpus = Self.variables["CALOTYPE_CORPUS"] { bases += format.realFiles(in: corpus) }
    let run = FuzzRun(format: format, bases: bases, pool: pool, folder: Self.folder)
    let numbers = Self.first..<Self.first + Self.fileCount
    let next = Atomic(numbers.lowerBound)
    DispatchQueue.concurrentPerform(iterations: pool.configuration.width) { _ in
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < numbers.upperBound else { return }
        run.tryOut(number)
        let done = number + 1 - numbers.lowerBound
        if done % 1000 == 0 { run.tell("\(done) of \(numbers.count)") }
      }
    }
    run.tell("\(numbers.count) of \(numbers.count): \(run.summary)")
    #expect(run.crashes == [])
    #expect(childProcesses().subtracting(before) != [])
    pool.end()
    // Writing a movie also uses the process's own pools. Their workers stay.
    let own = Set(WorkerPlace.pools.flatMap(\.idleProcesses))
    try eventually("the end of the pool's workers") { childProcesses().subtracting(before).subtracting(own) == [] }
  }
}

/// A run with one format.
private final class FuzzRun: Sendable {
  let format: FuzzFormat
  let bases: [Data]
  let pool: WorkerPool
  let folder: String?
  private let state = Mutex(State())

  private struct State {
    var outcomes: [String: Int] = [:]
    var crashes: [String] = []
    /// Files whose workers reached a limit.
    var ended: [String] = []
    var slowest = Duration.zero
  }

  init(format: FuzzFormat, bases: [Data], pool: WorkerPool, folder: String?) {
    self.format = format
    self.bases = bases
    self.pool = pool
    self.folder = folder
  }

  var crashes: [String] { state.withLock { $0.crashes } }
  var summary: String {
    state.withLock { state in
      let counts = state.outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      return (counts + ["slowest \(state.slowest)"] + state.crashes + state.ended).joined(separator: ", ")
    }
  }

  func tell(_ text: String) { FileHandle.standardError.write(Data("fuzz \(format.rawValue): \(text)\n".utf8)) }

  func tryOut(_ number: Int) {
    var mutation = Mutation(seed: UInt64(number) &* 0x9E37_79B9 &+ 17)
    // A generator of its own chooses the file and the requests. If each were used for every nth
    // number, some files would never meet some requests.
    var random = SeededGenerator(seed: UInt64(number) &* 0x2545_F491 &+ 5)
    let (base, other) = (Int.random(in: bases.indices, using: &random), Int.random(in: bases.indices, using: &random))
    let data = mutation.damaged(bases[base], other: bases[other])
    let outcome = WorkerPool.$place.withValue(.workers(pool)) { Result { try read(data, number, &random) } }
    let name =
      switch outcome {
      case .success(let name): name
      case .failure(let error as ImagingError): error.code.rawValue
      case .failure(let error): "\(error)"
      }
    state.withLock { state in
      state.outcomes[name, default: 0] += 1
      guard case .failure(let error as ImagingError) = outcome, error.isOfAWorkersEnd else { return }
      let line = "\(format.rawValue) \(number): \(error.reason)"
      if error.code == .crashed { state.crashes.append(line) } else { state.ended.append(line) }
    }
    guard case .failure(let error as ImagingError) = outcome, error.isOfAWorkersEnd else { return }
    tell("\(number): \(error.reason)")
    if let folder { keep(data, "\(folder)/\(format.rawValue)-\(number)") }
  }

  private func keep(_ data: Data, _ path: String) {
    try? FileManager.default.createDirectory(
      at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    do { try data.write(to: URL(fileURLWithPath: path)) } catch { tell("\(path): \(error)") }
  }

  private func read(_ data: Data, _ number: Int, _ random: inout SeededGenerator) throws -> String {
    let file = try MediaFile(data: data, name: "\(format.rawValue) \(number)")
    let metadata = try timed { try MediaMetadata(of: file, machineTimeZone: .gmt) }
    _ = try survived { try MediaMetadata(typeAndDateOf: file, machineTimeZone: .gmt) }
    _ = try survived { try CarriedMetadata(from: file, metadata: metadata, width: 30, height: 20) }
    if metadata.type == .jpeg {
      let turn = Turn(exifOrientation: Int.random(in: 1...8, using: &random))
      _ = try survived { try rotateJPEGLosslessly(file, by: turn) }
    }
    let isDecoded = Int.random(in: 0..<format.decodesOneIn, using: &random) == 0
    guard metadata.type.kind == .image || isDecoded else { return "metadata" }
    _ = try survived { try embeddedThumbnail(of: file) }
    if metadata.type.kind == .image {
      let request = pictureRequest(&random)
      _ = try survived { try makePicture(of: file, metadata: metadata, request) }
      _ = try survived { try decodeInOwnColors(file, metadata: metadata) }
    }
    if metadata.type.kind != .image { try writeAnew(file) }
    let set = try timed { try makeRenditions(of: file, metadata: metadata, kinds: [.grid, .screen]) }
    return set.notes.isEmpty ? "picture" : "picture with notes"
  }

  /// Writes a movie as an edit and as a version that browsers play.
  private func writeAnew(_ movie: MediaFile) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try survived {
      try MovieExport(file: movie).write(to: folder.appendingPathComponent("edit.mov")) { $0.pixels }
    }
    _ = try survived {
      try makePlayableMovie(of: movie, range: nil, to: folder.appendingPathComponent("playable.mp4"), progress: nil)
    }
  }

  /// Returns `nil` if the file can't be read and its worker goes on.
  private func survived<Made>(_ make: () throws -> Made) throws -> Made? {
    do { return try timed(make) } catch let error as ImagingError where !error.isOfAWorkersEnd { return nil }
  }

  /// Makes one request, and records the slowest one.
  private func timed<Made>(_ make: () throws -> Made) throws -> Made {
    let started = ContinuousClock.now
    defer {
      let time = ContinuousClock.now - started
      state.withLock { $0.slowest = max($0.slowest, time) }
    }
    return try make()
  }

  /// Returns a request of any kind.
  private func pictureRequest(_ random: inout SeededGenerator) -> PictureRequest {
    let (width, height) = (Int.random(in: 1...300, using: &random), Int.random(in: 1...300, using: &random))
    let size: PictureRequest.Size =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: .whole
      case 1: .fitting(width: width, height: height)
      default: .filling(width: width, height: height)
      }
    let part = UnitRect(
      x: Double.random(in: 0..<1, using: &random), y: Double.random(in: 0..<1, using: &random),
      width: Double.random(in: 0...1, using: &random), height: Double.random(in: 0...1, using: &random))
    return PictureRequest(size, part: part ?? .whole, isExact: Bool.random(using: &random))
  }
}

extension ImagingError {
  /// Whether the error reports that a worker ended.
  fileprivate var isOfAWorkersEnd: Bool {
    switch code {
    case .crashed, .tookTooLong: true
    case .tooLarge: reason.contains("s of processor time") || reason.contains("the decoder needed more memory")
    default: false
    }
  }
}
