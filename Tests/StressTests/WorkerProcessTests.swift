import Foundation
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

/// Tests worker processes from outside the program that starts them.
@Suite struct WorkerProcessTests {
  /// Whether a process exists and has not ended. Another one may take long to wait for it.
  private static func isAlive(_ process: pid_t) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
    return text.split(separator: ")").last?.hasPrefix(" Z") == false
  }

  private func photos(_ count: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for index in 0..<count {
      try folder.write(try SampleMedia.jpeg(size: .small, seed: UInt64(index)), "photos/IMG_\(index).JPG")
    }
    return folder
  }

  /// Makes a program that writes its process's number to a file and becomes a worker. A look at the
  /// program's children could miss a worker that lives for a moment.
  private func writeWorker(to folder: TemporaryFolder, arguments: String = "") throws -> [String: String] {
    let worker = Program.path(of: "calotype-worker")
    let script = "#!/bin/sh\necho $$ >>'\(folder["workers"])'\nexec '\(worker)' \"$@\" \(arguments)\n"
    try folder.write(Data(script.utf8), "worker")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder["worker"])
    return ["CALOTYPE_WORKER": folder["worker"]]
  }

  /// The workers that have been started.
  private func workers(_ folder: TemporaryFolder) -> [pid_t] {
    let text = (try? String(contentsOfFile: folder["workers"], encoding: .utf8)) ?? ""
    // The last line may be unfinished.
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { pid_t($0) }
  }

  /// A pipe that takes nothing until it is emptied.
  private final class FullPipe {
    let pipe = Pipe()
    private var count = 0

    init() {
      let writing = pipe.fileHandleForWriting.fileDescriptor
      _ = fcntl(writing, F_SETFL, O_NONBLOCK)
      let bytes = [UInt8](repeating: 0, count: 4096)
      while case let written = write(writing, bytes, bytes.count), written > 0 { count += written }
      _ = fcntl(writing, F_SETFL, 0)
    }

    func empty() throws { _ = try pipe.fileHandleForReading.read(upToCount: count) }
  }

  /// The program can't write its summary before the signal, so it does not end earlier.
  @Test(arguments: [SIGKILL, SIGTERM, SIGINT]) func noWorkerOutlivesItsProgram(_ signal: Int32) throws {
    let folder = try photos(40)
    let program = Program(library: folder["Library.calotype"])
    let output = FullPipe()
    let process = try program.start(
      ["import", "--create", folder["photos"]], environment: try writeWorker(to: folder),
      output: output.pipe.fileHandleForWriting)
    try eventually("a worker") { !workers(folder).isEmpty || !process.isRunning }
    #expect(process.isRunning)
    process.send(signal)
    try output.empty()
    try eventually("the program's end") { !process.isRunning }
    #expect(!workers(folder).isEmpty)
    try eventually("the end of its workers") { !workers(folder).contains(where: Self.isAlive) }
    withExtendedLifetime(output) {}
  }

  @Test func workersEndWithAProgramThatIsDone() throws {
    let folder = try photos(3)
    let program = Program(library: folder["Library.calotype"])
    let outcome = try program.run(
      arguments: ["import", "--create", folder["photos"]], environment: try writeWorker(to: folder))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!workers(folder).isEmpty)
    try eventually("the end of its workers") { !workers(folder).contains(where: Self.isAlive) }
  }

  /// The bytes at which a test's worker crashes: while it decodes, or already while it reads the
  /// headers.
  @Test(arguments: ["CRASH", "SMASH"])
  func aFileThatItsDecoderDoesNotSurviveIsImportedWithThatReason(_ ending: String) throws {
    let folder = try TemporaryFolder()
    for index in 0..<4 {
      var jpeg = try SampleMedia.jpeg(size: .small, seed: UInt64(index))
      if index == 2 { jpeg += Data(ending.utf8) }
      try folder.write(jpeg, "photos/IMG_\(index).JPG")
    }
    // These workers obey the bytes in a file.
    let environment = try writeWorker(to: folder, arguments: "--misbehave")
    let program = Program(library: folder["Library.calotype"])
    let imported = try program.run(arguments: ["import", "--create", folder["photos"]], environment: environment)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(try program.run("list").lines.count == 4)
    let reason = "the decoder crashed (SIGSEGV)"
    #expect(imported.output.contains(reason) || imported.errors.contains(reason))
    let identifiers = try program.run("list").lines.compactMap {
      $0.split(separator: " ").first { $0.contains("/L0/") }.map(String.init)
    }
    let known = try identifiers.map { try program.run("info", $0).output }
    #expect(known.filter { $0.contains(reason) }.count == 1, "\(known)")
  }

  /// Neither a temporary failure nor a program that is not a worker makes the program decode files
  /// of strangers in its own process.
  @Test func aTemporaryFailureDoesNotMakeAProgramDecodeInItsOwnProcess() throws {
    let folder = try photos(1)
    let program = Program(library: folder["Library.calotype"])
    let imported = try program.run(
      arguments: ["import", "--create", folder["photos"]], environment: ["CALOTYPE_WORKER": "/bin/false"])
    #expect(!imported.errors.contains("decoded in this process"))
    #expect((imported.errors + imported.output).contains("the decoder did not start"))
    #expect(try program.run("list").lines.isEmpty)
    #expect(try program.run(arguments: ["import", "--create", folder["photos"]]).status == 0)
    #expect(try program.run("list").lines.count == 1)
  }
}
