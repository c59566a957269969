import Foundation
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

@testable import calotype

@Suite struct OutputTests {
  @Test(
    arguments: [
      ("IMG_\u{202E}gpj.exe", "IMG_?gpj.exe"), ("a\u{1B}[2Jb", "a?[2Jb"), ("a\u{9B}b\u{7F}c\rd", "a?b?c?d"),
      ("\u{2066}a\u{2069}\u{200F}\u{61C}", "?a???"), ("a\u{2028}b", "a?b"), ("two\nlines", "two\nlines"),
      ("👩‍👩‍👧 café 写真 می‌خواهم", "👩‍👩‍👧 café 写真 می‌خواهم"),
    ])
  func `control and direction characters are printed as question marks`(_ text: String, _ shown: String) {
    #expect(Output.printable(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test(
    arguments: [
      ("IMG_\u{202E}gpj.exe", #"["IMG_\u202egpj.exe"]"#), ("a\u{1B}[2J\u{9B}\u{7F}", #"["a\u001B[2J\u009b\u007f"]"#),
      ("\u{2066}a\u{2069}\u{200F}\u{61C}", #"["\u2066a\u2069\u200f\u061c"]"#), ("a\u{2028}b\n", #"["a\u2028b\n"]"#),
      ("👩‍👩‍👧 café 写真 می‌خواهم", #"["👩‍👩‍👧 café 写真 می‌خواهم"]"#),
    ])
  func `control and direction characters are escaped in JSON`(_ text: String, _ line: String) throws {
    #expect(try JSONLines.line([text]).lowercased().unicodeScalars.elementsEqual(line.lowercased().unicodeScalars))
    #expect(try JSONDecoder().decode([String].self, from: Data(JSONLines.line([text]).utf8)) == [text])
  }

  @Test func `list prints a question mark for a direction character in a name`() throws {
    let folder = try TemporaryFolder()
    let program = Program(library: folder["Library.calotype"])
    try folder.write(SampleMedia.jpeg(size: PictureSize(width: 64, height: 48)), "in/IMG_\u{202E}gpj.jpg")
    #expect(try program.run("import", "--create", folder["in"]).status == 0)
    #expect(try program.run("list").output.hasSuffix("  IMG_?gpj.jpg\n"))
  }

  @Test func `list prints the known part of a date`() throws {
    let folder = try TemporaryFolder()
    let program = Program(library: folder["Library.calotype"])
    try folder.write(SampleMedia.jpeg(size: PictureSize(width: 64, height: 48)), "in/IMG-20161224-WA0014.jpg")
    #expect(try program.run("import", "--create", folder["in"]).status == 0)
    #expect(try program.run("list").output.hasPrefix("2016-12-24           photo       64×48        "))
    #expect(try program.run("list", "--json").output.contains(#""datePrecision":"day""#))
  }

  @Test func `a bar shows a rate and a time that are too large for a number`() {
    var state = ProgressLine.State(verb: "Importing", files: 1, totalFiles: 2, bytes: .max, totalBytes: .max)
    #expect(ProgressLine.text(state, elapsed: .milliseconds(500)).hasSuffix("  1000 TB/s"))
    state.bytes = 1
    #expect(ProgressLine.text(state, elapsed: .seconds(20)).hasSuffix(" left"))
  }
}
