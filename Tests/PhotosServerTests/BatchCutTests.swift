import Foundation
import Photos
import TestSupport
import Testing

@testable import PhotosServer

/// Kills a server at system calls by which a batch changes the disk. Afterward the batch is whole
/// or absent, and a repeated request carries it out once.
@Suite(.enabled(if: SystemCallTrace.isAvailable, "strace can't trace this process"))
struct BatchCutTests {
  /// The calls, and the numbers of those at which the suite cuts: before, in and after the
  /// transaction. `make soak` cuts at each.
  private static let calls: KeyValuePairs = [
    "fsync": [1, 6], "mkdirat": [1], "linkat": [2], "unlinkat": [2], "fdatasync": [1], "pwrite64": [20],
    "ftruncate": [1],
  ]
  /// Contains the library's path, the call at which the server ends and its number, the path of a
  /// file that says that the batch is complete, and the batch.
  private static let variable = "CALOTYPE_BATCH_CUT"

  private static func post(_ batch: String, _ server: TestServer) async throws -> TestServer.Answer {
    try await server.post("/api/v1/changes", json: batch, ["Idempotency-Key": "cut"], isSignedIn: true)
  }

  /// Whether each change of the batch has taken effect: the album with its photo, the favorite, the
  /// deletion and the edit.
  private func effects(_ server: TestServer, _ photos: [String]) throws -> [Bool] {
    let options = server.options
    let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options)
    let members = try albums.all().map { try PHAsset.fetchAssets(in: $0, options: options).all().map(\.uuid) }
    let present = try PHAsset.fetchAssets(withLocalIdentifiers: photos, options: options).all()
    let byID = Dictionary(uniqueKeysWithValues: present.map { ($0.uuid, $0) })
    #expect(members.isEmpty || members == [[photos[0]]])
    return [
      !members.isEmpty, byID[photos[1]]?.isFavorite == true, byID[photos[2]] == nil,
      byID[photos[3]]?.hasAdjustments == true,
    ]
  }

  @Test func `a cut batch is whole or absent, and repeated requests carry it out once`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("BatchCutTests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (initial, complete) = (folder.appendingPathComponent("initial"), folder.appendingPathComponent("complete"))
    let (photos, earlier) = try Self.makeLibrary(initial)
    let batch = """
      {"changes":[{"type":"createAlbum","as":"$1","title":"Cut"},\
      {"type":"addAssets","collection":"$1","assets":["\(photos[0])"]},\
      {"type":"setAssets","assets":["\(photos[1])"],"isFavorite":true},\
      {"type":"deleteAssets","assets":["\(photos[2])"]},\
      {"type":"editAssets","assets":["\(photos[3])"],"steps":{"filter":"sepia"}}]}
      """
    var found: Set<Bool> = []
    for (call, few) in Self.calls {
      for number in Soak.isOn ? Array(1...200) : few {
        // The server of the cut before may still write to its library.
        let library = folder.appendingPathComponent("\(call)-\(number)")
        try FileManager.default.copyItem(at: initial, to: library)
        setenv(Self.variable, "\(library.path)\n\(call)\n\(number)\n\(complete.path)\n\(batch)", 1)
        await #expect(processExitsWith: .signal(SIGKILL)) { try await BatchCutTests.runUntilCut() }
        let server = try TestServer(library: PHPhotoLibrary(url: library, create: false))
        let cut = try Set(effects(server, photos))
        #expect(cut.count == 1, "cut at \(call) \(number)")
        found.formUnion(cut)
        for _ in 0..<2 {
          let answer = try await Self.post(batch, server)
          #expect(answer.status == 200, "\(answer.text)")
          #expect(try effects(server, photos) == [true, true, true, true], "cut at \(call) \(number)")
        }
        let transactions = try server.library.transactions(limit: 100)
        #expect(transactions.count == earlier + 1, "cut at \(call) \(number)")
        #expect(transactions[0].isUndoable, "cut at \(call) \(number)")
        if (try? FileManager.default.removeItem(at: complete)) != nil {
          #expect(number > few[few.count - 1], "the batch has fewer calls of \(call)")
          break
        }
      }
    }
    #expect(found == [true, false])
  }

  /// Returns the photos of the new library, and the number of its transactions.
  private static func makeLibrary(_ url: URL) throws -> ([String], Int) {
    let server = try TestServer(library: PHPhotoLibrary(url: url))
    let photos = try (0..<4).map { try server.add(bitmap(red: UInt8($0)), named: "P\($0).BMP", minute: $0).uuid }
    return (photos, try server.library.transactions(limit: 100).count)
  }

  /// Sends the batch to a server in this process, which ends at the cut. If the batch makes fewer
  /// calls, notes that it is complete.
  private static func runUntilCut() async throws {
    let words = (ProcessInfo.processInfo.environment[variable] ?? "").split(separator: "\n", maxSplits: 4)
    let server = try TestServer(
      library: PHPhotoLibrary(url: URL(fileURLWithPath: String(words[0])), create: false))
    let trace = try SystemCallTrace(
      calls.map(\.key).joined(separator: ","), killedAt: Int(words[2]) ?? 0, of: String(words[1]))
    let answer = try await post(String(words[4]), server)
    try #require(answer.status == 200, "\(answer.text)")
    _ = try trace.stop()
    try Data().write(to: URL(fileURLWithPath: String(words[3])))
    kill(getpid(), SIGKILL)
  }
}
