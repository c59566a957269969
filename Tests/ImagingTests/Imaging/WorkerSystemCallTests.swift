import Foundation
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding
@testable import Sandbox

private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

/// Compares the system calls that confined processes really make, by `strace`, with those that
/// their filters allow.
@Suite(
  .serialized, .enabled(if: Soak.isOn, Soak.reason), .enabled(if: corpus != nil, "CALOTYPE_CORPUS is not set"),
  .enabled(if: TracedWorker.isAvailable, "strace is not installed, or may not trace"))
struct WorkerSystemCallTests {
  /// The calls that libraries try, and do without: they count processors, name a thread, and start
  /// one in the newer way. Each has a part of its arguments.
  private static let expectedRefusals = [
    ("openat", #""/sys/fs/cgroup/"#), ("openat", #""/sys/devices/system/cpu/"#), ("openat", #""/proc/stat""#),
    ("prctl", "PR_SET_NAME"), ("clone3", "CLONE_THREAD"),
  ]

  @Test(arguments: [true, false])
  func `a worker makes the calls of its list, and opens nothing`(loadsDecoders: Bool) throws {
    let worker = try TracedWorker()
    var configuration = WorkerPool.Configuration(executable: worker.path, loadsDecoders: loadsDecoders)
    configuration.width = 1
    let pool = WorkerPool(configuration)
    defer { pool.end() }
    let files = try files()
    for file in files { ask(pool, about: file, loadsDecoders: loadsDecoders) }
    pool.end()
    let allowed = Set(SystemCalls.decoding.compactMap(\.allowedCall))
    let traces = try worker.traces()
    #expect(!traces.isEmpty)
    let (refused, made) = traces.joined().partitioned(by: \.isRefused)
    let unlisted = Set(made.filter { !allowed.contains($0.number) }.map(\.text))
    #expect(unlisted == [], "made, and not in the list")
    let unexpected = refused.filter { call in
      !Self.expectedRefusals.contains { call.name == $0 && call.text.contains($1) }
    }
    #expect(Set(unexpected.map(\.text)) == [], "refused, and not known")
    let used = Set(made.map(\.number))
    let names = SystemCallNames()
    let unused = allowed.subtracting(used).map { names[$0] }.sorted().joined(separator: ", ")
    let kind = loadsDecoders ? "workers with decoders" : "workers for metadata"
    tell(
      "\(kind): \(files.count) files, \(traces.count) workers, \(made.count) calls of \(used.count) kinds, "
        + "\(refused.count) refused; allowed and never made: \(unused)")
  }

  @Test(.enabled(if: Landlock.kernelVersion > 0, "a kernel without Landlock"))
  func `a program that reads a movie makes no call of its list, and opens only what it may`() throws {
    let worker = try TracedWorker()
    let folder = try TemporaryFolder()
    let pool = WorkerPool(WorkerPool.Configuration(executable: worker.path, loadsDecoders: false))
    defer { pool.end() }
    let movies = try files().filter { (try? MediaMetadata(parsing: $0, machineTimeZone: .gmt))?.type.kind == .video }
    #expect(movies.count > 3)
    WorkerPool.$place.withValue(.workers(pool)) {
      for (index, movie) in movies.enumerated() {
        guard let metadata = try? MediaMetadata(parsing: movie, machineTimeZone: .gmt) else { continue }
        _ = try? MakeRenditions(metadata: metadata, kinds: [.grid, .screen], limits: limits).perform(on: movie)
        _ = try? movie.movieFrame(atSeconds: 0.5, longestSide: 200)
        // A conversion of each takes minutes.
        guard index < 2 else { continue }
        let converted = folder.url.appendingPathComponent("\(index).mp4")
        try? makePlayableMovie(of: movie, range: nil, to: converted, isCancelled: { false }, progress: nil)
        let copied = folder.url.appendingPathComponent("\(index).mov")
        try? MovieExport(file: movie, readingMetadataWith: nil).copy(to: copied, isCancelled: { false })
      }
    }
    #expect(!folder.names.isEmpty)
    pool.end()
    let forbidden = Set(
      SystemCalls.refusedToPrograms.compactMap { if case .always(let call) = $0 { call } else { nil } })
    let readable = Launcher.readable + ["/dev/null", folder.url.path] + movies.map(\.name)
    let traces = try worker.traces().filter { $0.contains { $0.text.hasPrefix("execve(") } }
    #expect(!traces.isEmpty)
    let (refused, made) = traces.joined().partitioned(by: \.isRefused)
    #expect(Set(made.filter { forbidden.contains($0.number) }.map(\.text)) == [], "made, and in the list")
    let opened = Set(made.compactMap(\.openedPath))
    #expect(!opened.isEmpty)
    #expect(opened.filter { path in !readable.contains { path == $0 || path.hasPrefix("\($0)/") } } == [])
    tell(
      "programs for movies: \(movies.count) movies, \(traces.count) programs, \(made.count) calls, "
        + "\(opened.count) files opened; refused: \(Set(refused.map(\.name)).sorted().joined(separator: ", "))")
  }

  private let limits = DecodingLimits(pixels: DecodingLimits.standard.pixels, seconds: 60)

  /// The first four files of each extension.
  private func files() throws -> [MediaFile] {
    let corpus = try #require(corpus)
    let names = FileManager.default.enumerator(atPath: corpus)?.compactMap { $0 as? String } ?? []
    let groups = Dictionary(grouping: names.sorted()) { ($0 as NSString).pathExtension.lowercased() }
    let chosen = groups.values.flatMap { $0.prefix(4) }.sorted()
    let files = chosen.compactMap { try? MediaFile(path: "\(corpus)/\($0)") }
    let formats = Set(files.compactMap { try? MediaMetadata(parsing: $0, machineTimeZone: .gmt).type })
    #expect(formats.count > 9)
    return files
  }

  /// Sends all requests. Their answers are compared in `ConfinedEndpointTests`.
  private func ask(_ pool: WorkerPool, about file: MediaFile, loadsDecoders: Bool) {
    _ = try? ReadMetadata(machineTimeZone: .gmt).answer(on: file, in: pool)
    _ = try? ReadProperties().answer(on: file, in: pool)
    guard loadsDecoders, let metadata = try? MediaMetadata(parsing: file, machineTimeZone: .gmt) else { return }
    _ = try? ReadThumbnail(limits: limits).answer(on: file, in: pool)
    _ = try? TurnJPEG(turn: Turn(quarterTurns: 1)).answer(on: file, in: pool)
    guard metadata.type.kind == .image else { return }
    _ = try? MakeRenditions(metadata: metadata, kinds: [.grid, .screen, .full], limits: limits)
      .answer(on: file, in: pool)
    _ = try? MakePicture(metadata: metadata, request: PictureRequest(.fitting(width: 200, height: 200)), limits: limits)
      .answer(on: file, in: pool)
    _ = try? CarryMetadata(
      metadata: metadata, changes: [], size: PixelSize(width: 40, height: 30), keepsGeometry: false
    ).answer(on: file, in: pool)
    guard let own = try? DecodeInOwnColors(metadata: metadata, limits: limits).answer(on: file, in: pool),
      own.profile != nil,
      let pixels = try? MediaFile(data: ConvertColors(of: own, to: nil).content(of: own, to: nil), name: "an image")
    else { return }
    _ = try? ConvertColors(of: own, to: nil).answer(on: pixels, in: pool)
  }

  private func tell(_ text: String) { FileHandle.standardError.write(Data("system calls of \(text)\n".utf8)) }
}

extension SystemCallFilter.Rule {
  /// The call, if a list of allowed calls has this rule for it.
  fileprivate var allowedCall: Int32? {
    switch self {
    case .always(let call), .when(let call, _): call
    case .missing: nil
    }
  }
}

extension Sequence {
  fileprivate func partitioned(by isFirst: (Element) -> Bool) -> (first: [Element], second: [Element]) {
    (filter(isFirst), filter { !isFirst($0) })
  }
}

/// A `calotype-worker` whose system calls are traced.
private final class TracedWorker {
  /// A call after the process was confined.
  struct Call {
    var number: Int32
    var name: String
    /// The call with its arguments and its result, like `close(4) = 0`.
    var text: String

    var isRefused: Bool { text.contains(" = -1 EPERM ") || text.contains(" = -1 ENOSYS ") }

    /// The file that the call has opened.
    var openedPath: Substring? {
      guard name.hasPrefix("open"), let found = text.firstMatch(of: /= \d+<(.+)>$/) else { return nil }
      return found.1
    }
  }

  static let isAvailable = (try? Child.run("strace", ["-n", "-o", "/dev/null", "true"]))?.status == 0

  private let folder: TemporaryFolder
  let path: String
  private var logs: URL { folder.url.appendingPathComponent("logs") }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.url.appendingPathComponent("worker").path
    try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: false)
    let worker = try #require(WorkerPlace.executable)
    // With -D, the worker itself has the process ID that its parent knows.
    let script = "#!/bin/sh\nexec strace -D -f -n -y -o '\(logs.path)'/$$ -- '\(worker)' \"$@\"\n"
    try Data(script.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// Returns the calls of each process after it was confined. The processes must have ended.
  func traces() throws -> [[Call]] {
    try FileManager.default.contentsOfDirectory(at: logs, includingPropertiesForKeys: nil).compactMap { log in
      var lines: [Substring] = []
      try eventually("the end of the trace of \(log.lastPathComponent)") {
        lines = String(decoding: try Data(contentsOf: log), as: UTF8.self).split(separator: "\n")
        return lines.contains { $0.hasPrefix("\(log.lastPathComponent) ") && $0.contains(/\+\+\+ (killed|exited)/) }
      }
      let calls = Self.calls(lines)
      // A worker may have been killed before.
      guard let start = calls.lastIndex(where: { $0.name == "seccomp" && !$0.isRefused }) else { return nil }
      return Array(calls[(start + 1)...])
    }
  }

  /// Parses lines like `17 [  3] close(4) = 0`. Another thread's call may divide one in two.
  private static func calls(_ lines: [Substring]) -> [Call] {
    var calls: [Call] = []
    var unfinished: [Substring: Int] = [:]
    for line in lines {
      if let begun = line.wholeMatch(of: /(\d+) +\[ *(\d+)\] (\w+)(\(.*)/), let number = Int32(begun.2) {
        let rest = String(begun.4)
        if rest.hasSuffix(" <unfinished ...>") { unfinished[begun.1] = calls.count }
        calls.append(Call(number: number, name: String(begun.3), text: begun.3 + rest))
      } else if let ended = line.wholeMatch(of: /(\d+) +\[ *\d+\] <\.\.\. \w+ resumed>(.*)/),
        let index = unfinished.removeValue(forKey: ended.1)
      {
        calls[index].text.removeLast(" <unfinished ...>".count)
        calls[index].text += ended.2
      }
    }
    return calls
  }
}

/// The names of system calls by number, as this machine's headers define them.
private struct SystemCallNames {
  private var names: [Int32: String] = [:]

  init() {
    for path in ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm-generic/unistd.h"] {
      guard names.isEmpty, let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
      for found in text.matches(of: /#define __NR_(\w+)\s+(\d+)/) { names[Int32(found.2) ?? -1] = String(found.1) }
    }
  }

  subscript(number: Int32) -> String { names[number] ?? "number \(number)" }
}
