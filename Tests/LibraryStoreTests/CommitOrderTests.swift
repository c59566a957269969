import Foundation
import TestSupport
import Testing

@testable import LibraryStore

/// Tests the order in which a commit synchronizes files, folders and the database. A power failure
/// between two steps must leave an original that a row names, or no row.
@Suite(.enabled(if: SystemCallTrace.isAvailable, "strace can't trace this process"))
struct CommitOrderTests {
  private static let calls = "fsync,fdatasync,linkat,unlinkat,ftruncate"
  private static let log = #"f(data)?sync\(.*library\.sqlite-wal"#

  private let folder: TemporaryFolder
  private let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    try store.add("first", as: "First.jpg")
  }

  /// Requires that each pattern matches a line after the match of the pattern before.
  private func requireOrder(_ patterns: [String], in lines: [String]) throws {
    var rest = lines[...]
    for pattern in patterns {
      let position = rest.firstIndex { $0.range(of: pattern, options: .regularExpression) != nil }
      let found = try #require(position, "\(pattern) is missing, or too early, in:\n\(lines.joined(separator: "\n"))")
      rest = rest[(found + 1)...]
    }
  }

  @Test func `an original and its folders are on the disk before its row`() throws {
    let trace = try SystemCallTrace(Self.calls)
    try store.add("second", as: "Second.jpg", date: Date(timeIntervalSince1970: 86_400 * 60))
    let lines = try trace.stop()
    try requireOrder(
      [
        #"fsync\(.*incoming/[^/]+/\d+>"#, #"fdatasync\(.*/journal"#, #"linkat\(.*"Second\.jpg""#,
        #"fsync\(.*originals(/1970(/03)?)?>"#, #"fsync\(.*originals(/1970(/03)?)?>"#,
        #"fsync\(.*originals(/1970(/03)?)?>"#, Self.log, #"ftruncate\(.*/journal"#,
      ], in: lines)
    let commit = try #require(lines.firstIndex { $0.range(of: Self.log, options: .regularExpression) != nil })
    for name in ["originals", "originals/1970", "originals/1970/03"] {
      #expect(lines[..<commit].contains { $0.contains("fsync") && $0.contains("\(name)>") }, "\(name)")
    }
  }

  @Test func `the name of the journal is on the disk before its first line`() throws {
    let opened = try TemporaryFolder()
    let trace = try SystemCallTrace(Self.calls)
    let store = try opened.open()
    try store.add("second", as: "Second.jpg")
    try requireOrder(
      [#"fsync\(.*incoming/[^/>]+-[^/>]+>"#, #"fsync\(.*incoming>"#, #"fdatasync\(.*/journal"#], in: trace.stop())
  }

  @Test func `a commit takes its lock when its originals are on the disk`() throws {
    let trace = try SystemCallTrace("fsync,flock", slowsDisk: true)
    try store.add("second", as: "Second.jpg")
    // The first call to end is that for the original. Its line is in two parts if another call was
    // made meanwhile.
    try requireOrder(
      [
        #"fsync(\(.*incoming/[^/]+/\d+>\)| resumed>\)) += 0"#, #"flock\(.*commit\.lock>, LOCK_EX"#,
        #"fsync\(.*originals"#,
      ],
      in: trace.stop())
  }

  @Test func `an expunged original goes after its row, and is in the journal before`() throws {
    let asset = try store.add("second", as: "Second.jpg")
    try store.commit { try $0.trash(asset) }
    let trace = try SystemCallTrace(Self.calls)
    try store.commit { transaction in
      if let asset = try transaction.asset(uuid: asset.uuid) { try transaction.expunge(asset) }
    }
    try requireOrder(
      [#"fdatasync\(.*/journal"#, Self.log, #"unlinkat\(.*"Second\.jpg""#, #"ftruncate\(.*/journal"#],
      in: trace.stop())
  }

  @Test func `several originals of one commit are on the disk before its one transaction`() throws {
    let dates = [0.0, 86_400 * 60].map { Date(timeIntervalSince1970: $0) }
    let staged = try ["second", "third"].map { try store.stage(.data(Data($0.utf8))) }
    let placements = zip(staged, dates).map { staged, date in
      Placement(
        staged: staged, originalFilename: "\(date.timeIntervalSince1970).jpg", creationDate: date, timeZoneOffset: 0)
    }
    let trace = try SystemCallTrace(Self.calls)
    try store.commit(placing: placements) { transaction in
      for (staged, date) in zip(staged, dates) {
        _ = try transaction.insert(
          .sample(date: date), .sample, resources: [(record: .sample(name: "A.jpg"), sha256: staged.sha256)])
      }
    }
    let lines = try trace.stop()
    func positions(_ pattern: String) -> [Int] {
      lines.indices.filter { lines[$0].range(of: pattern, options: .regularExpression) != nil }
    }
    let commits = positions(Self.log)
    #expect(commits.count == 1)
    let commit = try #require(commits.first)
    for pattern in [#"linkat\(.*"0\.0\.jpg""#, #"linkat\(.*"5184000\.0\.jpg""#] {
      #expect(positions(pattern).count == 1)
      #expect(positions(pattern).allSatisfy { $0 < commit })
    }
    // Both folders of months have got a name.
    for month in ["01", "03"] {
      #expect(positions(#"fsync\(.*originals/1970/\#(month)>"#).contains { $0 < commit }, "\(month)")
    }
  }

  @Test func `a change without files synchronizes the database alone`() throws {
    let trace = try SystemCallTrace(Self.calls)
    try store.commit { _ = try $0.insert(.album, uuid: "album", title: "Norway") }
    let lines = try trace.stop().filter { $0.contains("sync(") }
    #expect(lines.count == 1)
    try requireOrder([Self.log], in: lines)
  }
}
