import CProcess
import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding
@testable import Sandbox

/// Tests the permissions of a program that `calotype-worker` starts, with programs that exist on
/// every system.
@Suite(
  .enabled(
    if: !WorkerPlace.pools.isEmpty && Landlock.kernelVersion > 0, "no calotype-worker, or a kernel without Landlock"))
struct LauncherTests {
  private func run(_ script: String, writing file: String? = nil) throws -> Subprocess.Result {
    try run("bash", "-c", script, writing: file)
  }

  private func run(_ program: String, _ arguments: String..., writing file: String? = nil) throws -> Subprocess.Result {
    let input = try TemporaryFolder().file(Data("a movie".utf8))
    var process = Subprocess(
      program: program, arguments: arguments, input: input, idleSeconds: 120, seconds: 120, outputByteLimit: 1 << 16)
    process.processorSeconds = 6.5
    process.writtenFile = file
    return try process.run()
  }

  @Test func `a program reads its movie by descriptor and by path`() throws {
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
  func `the sandbox refuses what a script tries`(_ script: String, _ reason: String) throws {
    let result = try run(script)
    #expect(!result.succeeded)
    #expect(result.errors.contains(reason), "\(script): \(result.errors)")
  }

  /// Without Landlock, a movie that compromises `ffmpeg` could read and write this process's memory
  /// through `/proc`.
  @Test func `a kernel without Landlock starts no program on a movie`() throws {
    let error = #expect(throws: ImagingError.self) {
      try Landlock.$isHidden.withValue(true) { try run("echo x") }
    }
    #expect(error?.code == .missingProgram && error?.reason == Landlock.missingReason)
    // The movie is read if the owner allows it.
    let outcome = try Landlock.$isHidden.withValue(true) {
      try WorkerPool.$place.withValue(.inProcess) { try run("echo x") }
    }
    #expect(outcome.output == Array("x\n".utf8))
  }

  @Test func `the program that starts others does not do so without Landlock`() async {
    await #expect(processExitsWith: .exitCode(WorkerProcess.cannotConfine)) {
      Landlock.$isHidden.withValue(true) { () -> Void in
        Launcher.run(["--parent", "\(getppid())", "--", "/bin/true"])
      }
    }
  }

  /// The kernel refuses if, for example, no descriptor is left.
  @Test func aKernelThatRefusesLandlockIsAnError() async {
    await #expect(processExitsWith: .exitCode(7)) {
      try Confinement.setLimit(calotype_descriptor_limit, 0)
      do { _ = try Landlock() } catch { exit(7) }
    }
  }

  private static func isThere(_ program: String) -> Bool { Launch.path(of: program) != nil }

  /// Perl programs that make system calls which the filter refuses, and print the error. Numbers
  /// stand for calls and commands for which perl has no name.
  private static let attempts = [
    "kill 0, getppid() or die $!",
    "syscall(\(SYS_tgkill), getppid(), getppid(), 0) == 0 or die $!",
    "syscall(\(SYS_tkill), getppid(), 0) == 0 or die $!",
    "syscall(\(SYS_prlimit64), getppid(), 7, 0, 0) == 0 or die $!",
    "my $p = pack('l', 0); syscall(\(SYS_sched_setscheduler), getppid(), 0, $p) == 0 or die $!",
    "setpriority(0, getppid(), 19) or die $!",
    "open(my $f, '<', '/dev/null'); fcntl($f, 8, getppid()) or die $!",
    "open(my $f, '<', '/dev/null'); fcntl($f, 10, 9) or die $!",
    // The requests TIOCSTI and TIOCLINUX.
    "open(my $f, '+<', '/dev/null'); my $c = 'x'; ioctl($f, 0x5412, $c) or die $!",
    "open(my $f, '+<', '/dev/null'); my $c = 'x'; ioctl($f, 0x541C, $c) or die $!",
    "syscall(\(SYS_shmctl), 4711, 0, 0) == 0 or die $!",
    "syscall(\(SYS_semctl), 4711, 0, 0) == 0 or die $!",
    "syscall(\(SYS_msgctl), 4711, 0, 0) == 0 or die $!",
    "my $p = 'calotype-no-such-queue'; syscall(\(SYS_mq_unlink), $p) == 0 or die $!",
    "syscall(448, -1, 0) == 0 or die $!",
    "my $p = '/tmp/no such file'; syscall(\(SYS_unlinkat), -100, $p, 0) == 0 or die $!",
    "rename '/tmp/no such file', '/tmp/x' or die $!",
    "chdir '/tmp/no such folder' or die $!",
    "syscall(\(SYS_fchdir), 0) == 0 or die $!",
    "syscall(\(SYS_inotify_init1), 0) >= 0 or die $!",
    "my $p = '/tmp'; syscall(\(SYS_inotify_add_watch), 0, $p, 2) >= 0 or die $!",
    "link '/tmp/no such file', '/tmp/x' or die $!",
    "symlink '/tmp/no such file', '/tmp/calotype-launcher-link' or die $!",
    "mkdir '/tmp/calotype-launcher-folder' or die $!",
    "rmdir '/tmp/no such folder' or die $!",
    "chmod 0, '/tmp/no such file' or die $!",
    "truncate '/tmp/no such file', 0 or die $!",
    // The requests FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR and FS_IOC_ENABLE_VERITY on the movie itself,
    // which is open for reading.
    "open(my $f, '<&=', 3); my $p = pack('l', 0); ioctl($f, 0x40086602, $p) or die $!",
    "open(my $f, '<&=', 3); my $p = pack('x28'); ioctl($f, 0x401C5820, $p) or die $!",
    "open(my $f, '<&=', 3); my $p = pack('x128'); ioctl($f, 0x40806685, $p) or die $!",
    "my $p = ''; syscall(469, 3, $p, 0, 0, 0) == 0 or die $!",
    // Memory that RLIMIT_DATA does not count: shared mappings and files in memory.
    "syscall(\(SYS_mmap), 0, 1 << 20, 3, 0x21, -1, 0) != -1 or die $!",
    "my $p = 'x'; syscall(\(SYS_memfd_create), $p, 0) != -1 or die $!",
    "my $p = '/tmp/no such file'; syscall(452, -100, $p, 0, 0) == 0 or die $!",
  ]

  /// The error comes from the filter, so the refusal does not need Landlock.
  @Test(.enabled(if: isThere("perl"), "no perl"), arguments: attempts)
  func `the filter refuses each system call`(_ attempt: String) throws {
    let result = try run("perl", "-e", attempt)
    #expect(result.errors.contains("Operation not permitted"), "\(result.errors)")
  }

  @Test(
    .enabled(if: isThere("perl"), "no perl"),
    arguments: [
      "syscall(\(SYS_tgkill), $$ + 0, $$ + 0, 0) == 0 or die $!",
      "syscall(\(SYS_prlimit64), 0, 7, 0, 0) == 0 or die $!",
      "syscall(\(SYS_prlimit64), $$ + 0, 7, 0, 0) == 0 or die $!",
      "open(my $f, '<', '/dev/null'); fcntl($f, 1, 0) or die $!",
    ])
  func `a program may make these system calls on itself`(_ attempt: String) throws {
    let result = try run("perl", "-e", attempt)
    #expect(result.succeeded, "\(result.errors)")
  }

  @Test(.enabled(if: isThere("perl"), "no perl")) func itHasASessionOfItsOwnAndNoTerminal() throws {
    let session = "print syscall(\(SYS_getsid), 0) == $$ ? 'own' : 'shared', getpgrp() == $$ ? ' own' : ' shared'"
    #expect(try run("perl", "-e", session).output == Array("own own".utf8))
  }

  @Test func limitsAreThereFromItsFirstInstructionOn() throws {
    #expect(try run("ulimit -d; ulimit -Hd; ulimit -t").output == Array("1048576\n1048576\n7\n".utf8))
  }

  /// On some systems `ffmpeg` is such a wrapper script.
  @Test func aScriptMayReadWhatSystemsShareAndNoMore() throws {
    let folder = try TemporaryFolder()
    let script = folder.url.appendingPathComponent("wrapper").path
    try "#!/bin/bash\nexec /bin/cat \"$1\"\n".write(toFile: script, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let secret = folder.url.appendingPathComponent("secret").path
    try "a secret\n".write(toFile: secret, atomically: true, encoding: .utf8)
    func read(_ path: String) throws -> Subprocess.Result {
      try Subprocess(
        program: script, arguments: [path], input: folder.file(Data("a movie\n".utf8)), idleSeconds: 120, seconds: 120,
        outputByteLimit: 1 << 16
      ).run()
    }
    #expect(try read(Subprocess.inputPath).output == Array("a movie\n".utf8))
    let refused = try read(secret)
    #expect(refused.output.isEmpty && refused.errors.contains("Permission denied"), "\(refused.errors)")
  }

  @Test func `a program can write only its output file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("out.mp4").path
    #expect(try run("echo made > \(path)", writing: path).succeeded)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "made\n")
    #expect(try !run("echo x > \(path).other", writing: path).succeeded)
    #expect(folder.names == ["out.mp4"])
  }
}
