import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import LibraryStore

/// Kills a process at each system call of a commit that changes the disk. The next opening must
/// find the transaction whole or not at all, and no file without a row.
@Suite(.enabled(if: SystemCallTrace.isAvailable, "strace can't trace this process"))
struct CommitCutTests {
  private static let calls = "fsync,fdatasync,linkat,renameat,unlinkat,mkdirat,ftruncate,pwrite64"
  /// The kinds of calls that are numbered together. `make soak` cuts at each call of each kind.
  private static let kinds = Soak.isOn ? calls.split(separator: ",").map(String.init) : [calls]
  /// Contains the library's path, and the kind and the number of the call that ends the process.
  private static let variable = "CALOTYPE_CUT"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Cut {
    let store: LibraryStore
    let kind: String
    let number: Int

    init() throws {
      let words = ProcessInfo.processInfo.environment[CommitCutTests.variable]?.split(separator: " ") ?? []
      store = try LibraryStore(path: String(words[0]), create: false)
      (kind, number) = (String(words[1]), Int(words[2]) ?? 0)
    }

    /// Runs the commit until the cut. If the commit makes fewer calls, notes that it is complete.
    func run(_ commit: () throws -> Void) throws -> Never {
      let trace = try SystemCallTrace(CommitCutTests.calls, killedAt: number, of: kind)
      try commit()
      _ = try trace.stop()
      try "".write(toFile: store.path + "-complete", atomically: false, encoding: .utf8)
      kill(getpid(), SIGKILL)
      exit(1)
    }
  }

  /// Runs `check` for each cut, until a commit was complete: for every sixth one, and for all in
  /// `make soak`. Returns the number of cuts.
  private func forEachCut(
    _ run: () async -> Void, check: (LibraryStore, Int) throws -> Void
  ) async throws -> Int {
    let (initial, complete) = ("\(folder.path)/initial", "\(folder.library)-complete")
    try FileManager.default.moveItem(atPath: folder.library, toPath: initial)
    var count = 0
    for kind in Self.kinds {
      for number in stride(from: 1, through: 100, by: Soak.count(few: 6, many: 1)) {
        try? FileManager.default.removeItem(atPath: folder.library)
        try FileManager.default.copyItem(atPath: initial, toPath: folder.library)
        setenv(Self.variable, "\(folder.library) \(kind) \(number)", 1)
        await run()
        try check(folder.open(), number)
        count += 1
        if (try? FileManager.default.removeItem(atPath: complete)) != nil { break }
      }
    }
    return count
  }

  /// Checks that the files of originals and edits are those that rows name, and that no session is
  /// left.
  private func checkFiles(_ store: LibraryStore, _ number: Int) throws {
    let named = try store.database.pool.read { try String.fetchAll($0, sql: "SELECT path FROM original ORDER BY path") }
    let files = ["adjustments", "originals"].flatMap { folder in self.folder.files(in: folder).map { "\(folder)/\($0)" }
    }
    // The list of former edits is written after the commit.
    #expect(files.filter { !$0.contains("/.former") } == named, "cut at call \(number)")
    let findings = Mutex<[VerificationFinding]>([])
    try store.verify(
      isCancelled: { false }, progress: { _ in }, found: { found in findings.withLock { $0.append(found) } })
    #expect(findings.withLock { $0 } == [], "cut at call \(number)")
    let sessions = try FileManager.default.contentsOfDirectory(atPath: "\(folder.library)/incoming")
      .filter { UUID(uuidString: $0) != nil }
    #expect(sessions.isEmpty, "cut at call \(number)")
  }

  @Test func `an import is whole or absent wherever it is cut`() async throws {
    try folder.open().add("first", as: "First.jpg")
    var counts: Set<Int> = []
    let cuts = try await forEachCut {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let cut = try Cut()
        try cut.run {
          try cut.store.add("second", as: "Second.jpg", date: Date(timeIntervalSince1970: 86_400 * 60))
        }
      }
    } check: { store, number in
      counts.insert(try store.fetch(FetchQuery(.assets)).ids.count)
      try checkFiles(store, number)
      // The same import succeeds afterward.
      try store.add("third", as: "Second.jpg")
    }
    #expect(cuts > 8 || !Soak.isOn)
    #expect(counts == [1, 2])
  }

  @Test func `an expunged asset is gone or whole wherever it is cut`() async throws {
    do {
      let store = try folder.open()
      try store.add("first", as: "First.jpg")
      let second = try store.add("second", as: "Second.jpg")
      try store.commit { try $0.trash(second) }
    }
    var counts: Set<Int> = []
    var trash = FetchQuery(.assets)
    trash.isOfTrash = true
    let cuts = try await forEachCut {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let cut = try Cut()
        try cut.run {
          try cut.store.commit { transaction in
            for asset in try transaction.assetsTrashed(before: .distantFuture) { try transaction.expunge(asset) }
          }
        }
      }
    } check: { [trash] store, number in
      counts.insert(try store.fetch(trash).ids.count)
      try checkFiles(store, number)
    }
    #expect(cuts > 4 || !Soak.isOn)
    #expect(counts == [0, 1])
  }

  @Test func `a damaged copy is damaged or whole wherever its replacement is cut`() async throws {
    try folder.open().add("first", as: "First.jpg")
    let original = "\(folder.library)/originals/1970/01/First.jpg"
    try "damaged".write(toFile: original, atomically: false, encoding: .utf8)
    var states: Set<[String]> = []
    let cuts = try await forEachCut {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let cut = try Cut()
        try cut.run { try cut.store.add("first", as: "Again.jpg") }
      }
    } check: { store, number in
      states.insert([
        try String(contentsOfFile: original, encoding: .utf8), "\(try store.fetch(FetchQuery(.assets)).ids.count)",
      ])
      // The same file repairs the copy afterward.
      try store.add("first", as: "Later.jpg")
      #expect(try String(contentsOfFile: original, encoding: .utf8) == "first", "cut at call \(number)")
      #expect(folder.files(in: "originals") == ["1970/01/First.jpg"], "cut at call \(number)")
    }
    #expect(cuts > 4 || !Soak.isOn)
    // The copy is replaced before the transaction, never after it.
    let all: Set = [["damaged", "1"], ["first", "1"], ["first", "2"]]
    #expect(Soak.isOn ? states == all : states.isSubset(of: all))
  }

  @Test func `an edit is whole or absent wherever it is cut`() async throws {
    try folder.open().add("first", as: "First.jpg")
    var counts: Set<Int> = []
    let cuts = try await forEachCut {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let cut = try Cut()
        let asset = try #require(try cut.store.assets(ids: cut.store.fetch(FetchQuery(.assets)).ids).first)
        try cut.run { try CommitCutTests.edit(asset, in: cut.store) }
      }
    } check: { store, number in
      counts.insert(try editFiles(in: store))
      try checkFiles(store, number)
    }
    #expect(cuts > 8 || !Soak.isOn)
    #expect(counts == [0, 2])
  }

  @Test func `a revert is whole or absent wherever it is cut`() async throws {
    do {
      let store = try folder.open()
      try Self.edit(store.add("first", as: "First.jpg"), in: store)
    }
    var counts: Set<Int> = []
    let cuts = try await forEachCut {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let cut = try Cut()
        var asset = try #require(try cut.store.assets(ids: cut.store.fetch(FetchQuery(.assets)).ids).first)
        try cut.run {
          try cut.store.commit { transaction in
            try transaction.revert(&asset)
            try transaction.update(asset)
          }
        }
      }
    } check: { store, number in
      counts.insert(try editFiles(in: store))
      try checkFiles(store, number)
    }
    #expect(cuts > 2 || !Soak.isOn)
    #expect(counts == [0, 2])
  }

  @Test func `an undo is whole or absent wherever it is cut`() async throws {
    do {
      let store = try folder.open()
      let asset = try store.add("first", as: "First.jpg")
      try Self.edit(asset, in: store)
      try store.commit(by: .owner) { transaction in
        var reverted = try #require(try transaction.asset(uuid: asset.uuid))
        try transaction.revert(&reverted)
        try transaction.update(reverted)
      }
    }
    var counts: Set<Int> = []
    let cuts = try await forEachCut {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let cut = try Cut()
        try cut.run { try cut.store.reverse(.undo) }
      }
    } check: { store, number in
      let edits = try editFiles(in: store)
      counts.insert(edits)
      let undone = try store.database.pool.read {
        try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM history_inverse WHERE is_undo = 1") ?? 0
      }
      #expect(undone == edits / 2, "cut at call \(number)")
      try checkFiles(store, number)
    }
    #expect(cuts > 2 || !Soak.isOn)
    #expect(counts == [0, 2])
  }

  /// Returns the number of files that belong to edits.
  private func editFiles(in store: LibraryStore) throws -> Int {
    try store.database.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM resource WHERE type <> 1") ?? 0 }
  }

  private static func edit(_ asset: AssetRecord, in store: LibraryStore) throws {
    let names = [(ResourceType.fullSizePhoto, "FullSizeRender.jpg"), (.adjustmentData, "Adjustments.plist")]
    let staged = try names.map { try store.stage(.data(Data($0.1.utf8))) }
    let placements = zip(staged, names).map {
      Placement(staged: $0, adjustmentFilename: $1.1, assetUUID: asset.uuid)
    }
    try store.commit(placing: placements, by: .owner) { transaction in
      var edited = try #require(try transaction.asset(uuid: asset.uuid))
      let resources = zip(names, staged).map { name, staged in
        var record = ResourceRecord.sample(name: name.1)
        record.type = name.0.rawValue
        return (record: record, sha256: staged.sha256)
      }
      try transaction.edit(&edited, resources: resources)
      try transaction.update(edited)
    }
  }
}
