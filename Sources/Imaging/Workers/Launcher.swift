import CProcess
import Foundation

/// Starts a program that reads one movie (`ffmpeg`, `ffprobe`) with what it needs for that, and no more: the other duty of
/// `calotype-worker`.
///
///     calotype-worker exec [--write FILE] -- /usr/bin/ffmpeg -i file:/dev/fd/3 …
///
/// From then on the program can read its movie, libraries and fonts of the system, and write the one file; it can start no other
/// process, has no network, and ends with its parent. Limits on memory and time are its parent's to set.
enum Launcher {
  private static let cannotStart: Int32 = 127

  static func run(_ arguments: [String]) -> Never {
    var written: [String] = []
    var rest = arguments[...]
    while let option = rest.popFirst(), option != "--" {
      if option == "--write", let file = rest.popFirst() { written.append(file) }
    }
    guard let program = rest.first else { WorkerProcess.fail("exec: no program", 2) }
    do {
      try confine(to: program, writing: written)
      let words = rest.map { strdup($0) } + [nil]
      execv(program, words)
      WorkerProcess.fail("\(program): \(String(cString: strerror(errno)))", cannotStart)
    } catch {
      WorkerProcess.fail(error.description, WorkerProcess.cannotConfine)
    }
  }

  private static func confine(to program: String, writing files: [String]) throws(ConfinementError) {
    _ = calotype_end_with_parent()
    guard calotype_give_up_privileges() == 0 else { throw ConfinementError("privileges can't be given up") }
    Confinement.setLimit(calotype_core_limit, 0)
    Confinement.setLimit(calotype_descriptor_limit, 256)
    if let landlock = Landlock() {
      for path in readable { landlock.allow(reading: path) }
      landlock.allow(reading: Subprocess.inputDescriptor)
      for file in files { landlock.allow(writing: file) }
      for path in ["/dev/null"] { landlock.allow(writing: path) }
      if let loader = loader(of: program) {
        landlock.allow(executing: program)
        if !loader.isEmpty { landlock.allow(executing: loader) }
      } else {
        // A script that starts the program itself.
        landlock.allow(executing: "/")
      }
      _ = landlock.restrict()
    }
    try SystemCallFilter(refusing: SystemCalls.refusedToPrograms).install()
  }

  /// Where systems keep what all programs share: libraries, fonts, facts about the processor.
  private static var readable: [String] {
    let libraries = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""
    return [
      "/usr", "/lib", "/lib64", "/bin", "/opt", "/nix/store", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/fonts",
      "/etc/alternatives", "/dev/urandom", "/dev/zero", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
      "/sys/devices/system",
    ] + libraries.split(separator: ":").map(String.init)
  }

  /// The program that the kernel loads a program with; empty for one that needs none, `nil` for what is no ELF file.
  private static func loader(of program: String) -> String? {
    guard let file = try? MediaFile(path: program) else { return nil }
    var bytes = ByteSource(file).all
    bytes.order = .little
    // 64-bit, little-endian: what this filter is for.
    guard bytes.starts(with: "\u{7F}ELF"), bytes.u8(4) == 2, bytes.u8(5) == 1, let table = bytes.u64(32),
      let size = bytes.u16(54), let count = bytes.u16(56)
    else { return nil }
    let interpreter = 3
    for index in 0..<count where bytes.u32(table + index * size) == interpreter {
      guard let offset = bytes.u64(table + index * size + 8) else { return nil }
      return bytes.slice(offset, 256)?.text() ?? ""
    }
    return ""
  }
}
