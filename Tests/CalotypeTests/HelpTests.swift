import ArgumentParser
import TestSupport
import Testing

@testable import calotype

@Suite struct HelpTests {
  private static func commands(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap { commands(below: $0) }
  }

  @Test func `no example is wrapped at 80 columns`() {
    for command in Self.commands(below: Calotype.self) {
      let source = command.configuration.discussion.split(separator: "\n")
      let shown = Set(Calotype.helpMessage(for: command, columns: 80).split(separator: "\n"))
      for example in source where example.hasPrefix("  ") { #expect(shown.contains(example)) }
    }
  }

  @Test func `the program tells its version`() throws {
    let outcome = try Program(library: "/none").run("--version")
    #expect(outcome.status == 0)
    #expect(outcome.output == "calotype \(Calotype.version)\n")
  }

  @Test(arguments: [["nonsense"], ["album", "nonsense"], ["album", "create", "nonsense"]])
  func `help of an unknown command names the word`(words: [String]) throws {
    let outcome = try Program(library: "/none").run(arguments: ["help"] + words)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("Error: Unexpected argument 'nonsense'\n"), "\(outcome.errors)")
  }

  @Test(arguments: [[], ["import"], ["album", "create"], ["help"], ["--help"]])
  func `help of a known command is shown`(words: [String]) throws {
    let outcome = try Program(library: "/none").run(arguments: ["help"] + words)
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("OVERVIEW: "), "\(outcome.output)")
  }
}
