import Foundation
import Photos
import TestSupport
import Testing

@testable import PhotosServer

/// Kills a server at each system call of a batch that changes the disk. Afterward the batch is
/// whole or absent, and a repeated request carries it out once.
@Suite(.enabled(if: SystemCallTrace.isAvailable, "strace can't trace this process"))
struct BatchCutTests {
  private static let calls = "fsync,fdatasync,linkat,renameat,unlinkat,mkdirat,ftruncate,pwrite64"
  /// Contains the library's path, the number of the call at which the server ends, and the batch.
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

  @Test func `a batch is whole or absent wherever it is cut, and repeated once`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("BatchCutTests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (initial, library) = (folder.appendingPathComponent("initial"), folder.appendingPathComponent("library"))
    let complete = folder.appendingPathComponent("complete")
    let (photos, earlier) = try Self.makeLibrary(initial)
    let batch = """
      {"changes":[{"type":"createAlbum","as":"$1","title":"Cut"},\
      {"type":"addAssets","collection":"$1","assets":["\(photos[0])"]},\
      {"type":"setAssets","assets":["\(photos[1])"],"isFavorite":true},\
      {"type":"deleteAssets","assets":["\(photos[2])"]},\
      {"type":"editAssets","assets":["\(photos[3])"],"steps":{"filter":"sepia"}}]}
      """
    var found: Set<Bool> = []
    for number in stride(from: 1, through: 200, by: Soak.count(few: 12, many: 1)) {
      try? FileManager.default.removeItem(at: library)
      try FileManager.default.copyItem(at: initial, to: library)
      setenv(Self.variable, "\(library.path)\n\(number)\n\(complete.path)\n\(batch)", 1)
      await #expect(processExitsWith: .signal(SIGKILL)) { try await BatchCutTests.runUntilCut() }
      let server = try TestServer(library: PHPhotoLibrary(url: library, create: false))
      let cut = try Set(effects(server, photos))
      #expect(cut.count == 1, "cut at call \(number)")
      found.formUnion(cut)
      for _ in 0..<2 {
        let answer = try await Self.post(batch, server)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try effects(server, photos) == [true, true, true, true], "cut at call \(number)")
      }
      #expect(try server.library.transactions(limit: 100).count == earlier + 1, "cut at call \(number)")
      if FileManager.default.fileExists(atPath: complete.path) { break }
    }
    #expect(FileManager.default.fileExists(atPath: complete.path))
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
    let words = (ProcessInfo.processInfo.environment[variable] ?? "").split(separator: "\n", maxSplits: 3)
    let server = try TestServer(
      library: PHPhotoLibrary(url: URL(fileURLWithPath: String(words[0])), create: false))
    let trace = try SystemCallTrace(calls, killedAt: Int(words[1]) ?? 0)
    let answer = try await post(String(words[3]), server)
    try #require(answer.status == 200, "\(answer.text)")
    _ = try trace.stop()
    try Data().write(to: URL(fileURLWithPath: String(words[2])))
    kill(getpid(), SIGKILL)
  }
}
