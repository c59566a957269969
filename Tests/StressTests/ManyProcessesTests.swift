import Foundation
import PhotosTesting
import TestSupport
import Testing

@Suite struct ManyProcessesTests {
  @Test func `readers and two writers end with the same library`() throws {
    let temporary = try TemporaryLibrary(photos: 12)
    let path = temporary.url.path
    let program = Program.path(of: "library-stressor")
    let readers = try (0..<Soak.count(few: 2, many: 8)).map { _ in
      try Child(program, ["read", path], keepsInput: true)
    }
    for reader in readers { try reader.output("beginning") { $0.contains("\n") } }
    let writers = try (0..<2).map { writer in
      try Child(
        program, ["write", path, "\(Soak.count(few: 20, many: 2000))", "\(Soak.seed(UInt64(300 + writer)))"])
    }
    for writer in writers {
      let outcome = try writer.finish(within: Patience.long * Soak.count(few: 1, many: 20))
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try #require(outcome.lines.first.flatMap { Int($0) }) > 0)
    }
    for reader in readers { reader.closeInput() }
    var lists: Set<String> = []
    for reader in readers {
      let outcome = try reader.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let lines = outcome.lines.map(String.init)
      try #require(lines.count == 3)
      #expect(lines[1] == lines[2], "an observer has come to another list than a fetch")
      lists.insert(lines[2])
    }
    #expect(lists.count == 1)
  }
}
