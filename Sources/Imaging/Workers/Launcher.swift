import CProcess
import Foundation

/// Starts a program that reads one movie (`ffmpeg`, `ffprobe`) with what it needs for that, and no more: the other duty of
/// `calotype-worker`.
///
///     calotype-worker exec --parent 4711 --memory 1073741824 [--seconds 60] [--write FILE] -- /usr/bin/ffmpeg -i file:/dev/fd/3 …
///
/// From then on the program can read its movie, libraries and fonts of the system, and write the one file; it can start no other
/// process, has no network, has so many bytes of memory and seconds of processor time, and ends with its parent.
enum Launcher {
  private static let cannotStart: Int32 = 127

  /// What stands in front of the program.
  struct Options {
    var parent: pid_t?
    var memoryLimit: Int?
    var processorSeconds: Int?
    var written: [String] = []

    init(parent: pid_t, memoryLimit: Int, processorSeconds: Int?) {
      self.parent = parent
      self.memoryLimit = memoryLimit
      self.processorSeconds = processorSeconds
    }

    init(_ words: ArraySlice<String>) {
      var words = words
      while let name = words.popFirst(), let value = words.popFirst() {
        switch name {
        case "--parent": parent = pid_t(value)
        case "--memory": memoryLimit = Int(value)
        case "--seconds": processorSeconds = Int(value)
        case "--write": written.append(value)
        default: break
        }
      }
    }

    var words: [String] {
      let numbers = [
        ("--parent", parent.map(Int.init)), ("--memory", memoryLimit), ("--seconds", processorSeconds),
      ]
      return numbers.flatMap { name, value in value.map { [name, "\($0)"] } ?? [] }
        + written.flatMap { ["--write", $0] }
    }
  }

  static func run(_ arguments: [String]) -> Never {
    let options = Options(arguments.prefix { $0 != "--" })
    let rest = arguments.drop { $0 != "--" }.dropFirst()
    guard let program = rest.first else { WorkerProcess.fail("exec: no program", 2) }
    do {
      try confine(to: program, options)
      let words = rest.map { strdup($0) } + [nil]
      execv(program, words)
      WorkerProcess.fail("\(program): \(String(cString: strerror(errno)))", cannotStart)
    } catch {
      WorkerProcess.fail(error.description, WorkerProcess.cannotConfine)
    }
  }

  private static func confine(to program: String, _ options: Options) throws(ConfinementError) {
    _ = calotype_end_with_parent()
    // It may have ended before that.
    if let parent = options.parent, parent != getppid() { throw ConfinementError("whoever started it has ended") }
    guard calotype_give_up_privileges() == 0 else { throw ConfinementError("privileges can't be given up") }
    try Confinement.setLimit(calotype_core_limit, 0)
    try Confinement.setLimit(calotype_descriptor_limit, 256)
    if let seconds = options.processorSeconds { try Confinement.setLimit(calotype_processor_limit, seconds) }
    guard let landlock = try Landlock() else { throw ConfinementError(Landlock.isMissing) }
    for path in readable { landlock.allow(reading: path) }
    landlock.allow(reading: Subprocess.inputDescriptor)
    for file in options.written { landlock.allow(writing: file) }
    for path in ["/dev/null"] { landlock.allow(writing: path) }
    if let loader = loader(of: program) {
      landlock.allow(executing: program)
      if !loader.isEmpty { landlock.allow(executing: loader) }
    } else {
      // For a script that starts the real program, from any of the system's program folders.
      landlock.allow(executing: program)
      for path in executable { landlock.allow(executing: path) }
    }
    try landlock.restrict()
    try SystemCallFilter(refusing: SystemCalls.refusedToPrograms).install()
    // The last, since this program holds more than the other one may.
    if let bytes = options.memoryLimit { try Confinement.setLimit(calotype_data_limit, bytes) }
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

  private static let executable = ["/usr", "/bin", "/lib", "/lib64", "/opt", "/nix/store", "/snap"]

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
