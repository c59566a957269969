import Foundation
import TestSupport
import Testing

@testable import PhotosServer

/// A ZIP file that a test reads by the format's description, without the server's own code.
struct ArchiveFile {
  struct Entry: Hashable {
    var name: String
    var crc: UInt32
    var byteCount: Int
    var offset: Int
  }

  let data: Data

  init(_ data: Data) throws { self.data = Data(data) }

  private func number(_ at: Int, _ bytes: Int) throws -> Int {
    try #require(at >= 0 && at + bytes <= data.count)
    return (0..<bytes).reduce(0) { $0 | Int(data[at + $1]) << (8 * $1) }
  }

  /// Returns the entries of the directory. ZIP64 is read by other programs only.
  func entries() throws -> [Entry] {
    let end = data.count - 22
    try #require(number(end, 4) == 0x0605_4B50)
    var position = try number(end + 16, 4)
    return try (0..<number(end + 10, 2)).map { _ in
      try #require(number(position, 4) == 0x0201_4B50)
      let name = try number(position + 28, 2)
      let entry = Entry(
        name: String(decoding: data[position + 46..<position + 46 + name], as: UTF8.self),
        crc: UInt32(try number(position + 16, 4)), byteCount: try number(position + 24, 4),
        offset: try number(position + 42, 4))
      position += 46 + name + (try number(position + 30, 2)) + (try number(position + 32, 2))
      return entry
    }
  }

  func contents(of name: String) throws -> Data {
    let entry = try #require(try entries().first { $0.name == name })
    try #require(number(entry.offset, 4) == 0x0403_4B50)
    #expect(try number(entry.offset + 14, 4) == Int(entry.crc))
    let start = entry.offset + 30 + (try number(entry.offset + 26, 2)) + (try number(entry.offset + 28, 2))
    return Data(data[start..<start + entry.byteCount])
  }

  /// Lets the programs that are there read the file.
  func check() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Archive-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Photos.zip")
    try data.write(to: file)
    try Self.check(file)
  }

  static let programs: [[String]] = [
    ["unzip", "-tqq"], ["bsdtar", "-tf"],
    ["python3", "-c", "import sys, zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip() is not None)"],
  ]

  static func check(_ file: URL) throws {
    for program in programs {
      guard let result = try run(program + [file.path]) else { continue }
      #expect(result.status == 0, "\(program): \(result.output)")
    }
  }

  /// Runs a program; `nil` if there is none.
  static func run(_ arguments: [String]) throws -> (status: Int32, output: String)? {
    let outcome = try Child.run("env", arguments)
    return outcome.status == 127 ? nil : (outcome.status, outcome.output + outcome.errors)
  }
}
