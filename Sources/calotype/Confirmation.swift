import ArgumentParser
import Foundation

/// A question before data is lost. The owner answers it on a terminal or with `--yes`.
struct Confirmation: ParsableArguments {
  @Flag(help: "Do not ask for confirmation.") var yes = false

  /// Returns if the answer is yes. Throws if it is no, and if there is no terminal to ask on.
  func ask(_ question: String) throws {
    if yes { return }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw CommandError("\(question) Nothing was changed; confirm with --yes")
    }
    Output.writeToStderr("\(question) [y/N] ")
    guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw CommandError("nothing was changed") }
  }
}
