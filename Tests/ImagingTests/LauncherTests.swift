import Foundation
import Testing

@testable import Imaging

/// What a program that `calotype-worker` starts may do, tried with programs that are on every system.
@Suite(
  .enabled(if: WorkerPlace.launcher != nil && Landlock() != nil, "no calotype-worker, or a kernel without Landlock"))
struct LauncherTests {
  private func run(_ script: String, writing file: String? = nil) throws -> Subprocess.Result {
    let input = try TemporaryFolder().file(Data("a movie".utf8))
    var process = Subprocess(
      program: "bash", arguments: ["-c", script], input: input, idleSeconds: 20, seconds: 20, outputByteLimit: 1 << 16)
    process.writtenFile = file
    return try process.run()
  }

  @Test func itReadsItsMovieByItsNumberAndByItsPath() throws {
    #expect(try run("read -r line <&3; echo $line").output == Array("a movie\n".utf8))
    #expect(try run("read -r line < /dev/fd/3; echo $line").output == Array("a movie\n".utf8))
  }

  @Test(arguments: [
    ("read -r line < /etc/passwd", "Permission denied"),
    ("echo x > /tmp/calotype-launcher-test", "Permission denied"),
    ("exec /usr/bin/id", "Permission denied"),
    ("(true) & wait", "Operation not permitted"),
    ("echo x > /dev/tcp/127.0.0.1/9", "Operation not permitted"),
    ("kill -0 $PPID", "Operation not permitted"),
  ])
  func itIsRefused(_ script: String, _ reason: String) throws {
    let result = try run(script)
    #expect(!result.succeeded)
    #expect(result.errors.contains(reason), "\(script): \(result.errors)")
  }

  @Test func itWritesTheOneFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("out.mp4").path
    #expect(try run("echo made > \(path)", writing: path).succeeded)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "made\n")
    #expect(try !run("echo x > \(path).other", writing: path).succeeded)
    #expect(folder.names == ["out.mp4"])
  }
}
