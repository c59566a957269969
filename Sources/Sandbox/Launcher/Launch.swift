import CProcess
import Foundation

/// A program to start, which gets these descriptors and variables and nothing else of this process.
package struct Launch {
  package var program: String
  package var arguments: [String]
  /// The child's number of each; 0 is `/dev/null` where it isn't named, 1 too.
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

  /// Variables that are set here, as `NAME=value`.
  package static func environment(_ names: [String]) -> [String] {
    let variables = ProcessInfo.processInfo.environment
    return names.compactMap { name in variables[name].map { "\(name)=\($0)" } }
  }

  /// Where a program is, by `$PATH`.
  package static func path(of program: String) -> String? {
    guard !program.contains("/") else { return program }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// As `posix_spawn`: 0, or the number of the error.
  package func start(_ pid: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for standard: Int32 in [0, 1] where descriptors[standard] == nil {
      posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", standard == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    // Out of the way first, above all numbers of the child's: none is overwritten before it has been duplicated. What else this
    // process has there is not the child's.
    let last = max(2, descriptors.keys.max() ?? 2)
    let spare = (last + 1..<last + 1 + 2 * Int32(descriptors.count)).filter { !descriptors.values.contains($0) }
    for (pair, spare) in zip(descriptors, spare) { posix_spawn_file_actions_adddup2(&actions, pair.value, spare) }
    for (pair, spare) in zip(descriptors, spare) { posix_spawn_file_actions_adddup2(&actions, spare, pair.key) }
    posix_spawn_file_actions_addclosefrom_np(&actions, last + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A session of its own, and with that a group: what is killed is killed with its children, a terminal's interrupt is ours to pass
    // on, and it has no terminal that it could type into.
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
