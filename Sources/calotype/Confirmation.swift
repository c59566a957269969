import ArgumentParser
import Foundation

/// A question before something is lost: the owner's answer is typed on a terminal, or is `--yes`.
struct Confirmation: ParsableArguments {
  @Flag(help: "Do it without asking.") var yes = false

  /// Returns if the answer is yes; throws where it is no, and where there is nobody to ask.
  func ask(_ question: String) throws {
    if yes { return }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw CommandError("\(question) Nothing was done; say yes with --yes")
    }
    Output.complain("\(question) [y/N] ")
    guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw CommandError("nothing was done") }
  }
}
