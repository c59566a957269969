import CProcess
import Foundation

/// Starts a program that reads one movie (`ffmpeg`, `ffprobe`) in a sandbox. This is the second
/// purpose of `calotype-worker`.
///
///     calotype-worker exec --parent 4711 --memory 1073741824 [--seconds 60] [--write FILE] -- /usr/bin/ffmpeg -i file:/dev/fd/3 …
///
/// The program can read its movie and the system's libraries and fonts, and can write the named
/// files. It can't start processes and has no network. Its memory is limited in bytes, its
/// processor time in seconds, and it is killed when its parent exits.
package enum Launcher {
  /// The descriptor of the file that the program reads.
  package static let inputDescriptor: Int32 = 3
  private static let cannotStart: Int32 = 127

  /// The options before the program's path.
  package struct Options {
    var parent: pid_t?
    var memoryLimit: Int?
    var processorSeconds: Int?
    package var written: [String] = []

    package init(parent: pid_t, memoryLimit: Int, processorSeconds: Int?) {
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

    package var words: [String] {
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
    // The parent may have exited before that call.
    if let parent = options.parent, parent != getppid() {
      throw ConfinementError("the program that started it has ended")
    }
    guard calotype_give_up_privileges() == 0 else { throw ConfinementError("privileges can't be given up") }
    try Confinement.setLimit(calotype_core_limit, 0)
    try Confinement.setLimit(calotype_descriptor_limit, 256)
    if let seconds = options.processorSeconds { try Confinement.setLimit(calotype_processor_limit, seconds) }
    guard let landlock = try Landlock() else { throw ConfinementError(Landlock.missingReason) }
    for path in readable { landlock.allow(reading: path) }
    landlock.allow(reading: inputDescriptor)
    for file in options.written { landlock.allow(writing: file) }
    for path in ["/dev/null"] { landlock.allow(writing: path) }
    if let loader = loader(of: program) {
      landlock.allow(executing: program)
      if !loader.isEmpty { landlock.allow(executing: loader) }
    } else {
      // A script that starts the real program, which may be in any of the system's program folders.
      landlock.allow(executing: program)
      for path in executable { landlock.allow(executing: path) }
    }
    try landlock.restrict()
    try SystemCallFilter(refusing: SystemCalls.refusedToPrograms).install()
    // Set last, because this program uses more memory than the limit for the other one.
    if let bytes = options.memoryLimit { try Confinement.setLimit(calotype_data_limit, bytes) }
  }

  /// Folders and files that all programs share: libraries, fonts, facts about the processor.
  static var readable: [String] {
    let libraries = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""
    return [
      "/usr", "/lib", "/lib64", "/bin", "/opt", "/nix/store", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/fonts",
      "/etc/alternatives", "/dev/urandom", "/dev/zero", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
      "/sys/devices/system",
    ] + libraries.split(separator: ":").map(String.init)
  }

  private static let executable = ["/usr", "/bin", "/lib", "/lib64", "/opt", "/nix/store", "/snap"]

  /// Returns the program that loads this one (an ELF file's interpreter). Empty if it needs none;
  /// nil if it is not a little-endian 64-bit ELF file, which the filter requires.
  private static func loader(of program: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: program), let head = try? file.read(upToCount: 64), head.count == 64,
      head.starts(with: [0x7F, 0x45, 0x4C, 0x46]), head[4] == 2, head[5] == 1
    else { return nil }
    func number(_ bytes: Data, at offset: Int, count: Int) -> UInt64 {
      bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    func read(_ offset: UInt64, _ count: Int) -> Data? {
      guard offset < 1 << 32, (try? file.seek(toOffset: offset)) != nil else { return nil }
      return (try? file.read(upToCount: count)).map { Data($0) }
    }
    let (table, size, count) = (
      number(head, at: 32, count: 8), number(head, at: 54, count: 2), number(head, at: 56, count: 2)
    )
    let interpreter: UInt64 = 3
    for index in 0..<count {
      guard let entry = read(table &+ index * size, 16), entry.count == 16 else { break }
      guard number(entry, at: 0, count: 4) == interpreter else { continue }
      guard let path = read(number(entry, at: 8, count: 8), 256) else { return nil }
      return String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
    }
    return ""
  }
}
