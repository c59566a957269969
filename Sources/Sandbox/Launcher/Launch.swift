import CProcess
import Foundation

/// A program to start. It inherits these descriptors and variables, and nothing else of this
/// process.
package struct Launch {
  package var program: String
  package var arguments: [String]
  /// This process's descriptors by the child's numbers. Without an entry, 0 and 1 are `/dev/null`.
  package var descriptors: [Int32: Int32]
  package var environment: [String]

  package init(
    program: String, arguments: [String], descriptors: [Int32: Int32], environment: [String]
  ) {
    self.program = program
    self.arguments = arguments
    self.descriptors = descriptors
    self.environment = environment
  }

  /// Returns the variables with these names that are set in this process, as `NAME=value`.
  package static func environment(_ names: [String]) -> [String] {
    let variables = ProcessInfo.processInfo.environment
    return names.compactMap { name in variables[name].map { "\(name)=\($0)" } }
  }

  /// Returns the path of a program, searched in `$PATH`.
  package static func path(of program: String) -> String? {
    guard !program.contains("/") else { return program }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// Starts the program. Returns 0, or the error's number, like `posix_spawn`.
  package func start(_ pid: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for standard: Int32 in [0, 1] where descriptors[standard] == nil {
      posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", standard == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    // Moves all descriptors above the child's numbers first, so that none is overwritten before it
    // is duplicated. Other descriptors there are closed in the child.
    let last = max(2, descriptors.keys.max() ?? 2)
    let spare = (last + 1..<last + 1 + 2 * Int32(descriptors.count)).filter { !descriptors.values.contains($0) }
    for (pair, spare) in zip(descriptors, spare) { posix_spawn_file_actions_adddup2(&actions, pair.value, spare) }
    for (pair, spare) in zip(descriptors, spare) { posix_spawn_file_actions_adddup2(&actions, spare, pair.key) }
    posix_spawn_file_actions_addclosefrom_np(&actions, last + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A session of its own, and thus a process group. The children of a killed program are killed
    // with it. An interrupt from the terminal reaches only this process. The program has no
    // terminal that it could type into.
    posix_spawnattr_setflags(
      &attributes, calotype_spawn_session | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var broken = sigset_t()
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &broken)

    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    return posix_spawn(&pid, program, &actions, &attributes, words, variables)
  }
}
