import Foundation
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

@Suite struct ManyProcessesTests {
  private struct Running {
    let process: Process
    let input = Pipe()
    let output = Pipe()
    let errors = Pipe()

    init(_ arguments: [String]) throws {
      process = Process()
      process.executableURL = URL(fileURLWithPath: Program.path).deletingLastPathComponent()
        .appendingPathComponent("library-stressor")
      process.arguments = arguments
      process.standardInput = input
      process.standardOutput = output
      process.standardError = errors
      try process.run()
    }

    func finish() -> (status: Int32, output: String, errors: String) {
      try? input.fileHandleForWriting.close()
      let text = output.fileHandleForReading.readDataToEndOfFile()
      let complaints = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (
        process.terminationStatus, String(decoding: text, as: UTF8.self), String(decoding: complaints, as: UTF8.self)
      )
    }
  }

  @Test func `readers and two writers end with the same library`() throws {
    let temporary = try TemporaryLibrary(photos: 12)
    let path = temporary.url.path
    let readers = try (0..<Soak.count(few: 2, many: 8)).map { _ in try Running(["read", path]) }
    let writers = try (0..<2).map { _ in try Running(["write", path, "\(Soak.count(few: 1, many: 120))"]) }
    var transactions = 0
    for writer in writers {
      let outcome = writer.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      transactions += Int(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }
    #expect(transactions > Soak.count(few: 0, many: 20))
    let outcomes = readers.map { $0.finish() }
    var lists: Set<String> = []
    for outcome in outcomes {
      #expect(outcome.status == 0, "\(outcome.errors)")
      let lines = outcome.output.split(separator: "\n").map(String.init)
      try #require(lines.count == 2)
      #expect(lines[0] == lines[1], "an observer has come to another list than a fetch")
      lists.insert(lines[1])
    }
    #expect(lists.count == 1)
  }
}
