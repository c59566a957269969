import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

@testable import PhotosServer

/// Compares the times of a limited client's requests, in a library with 20,000 assets that it does
/// not see. All of them have the word FjordFjord in their titles.
@Suite(.enabled(if: Soak.isOn, Soak.reason)) struct SelectionTimeTests {
  private static let calls = 200

  private struct Times {
    var given: [Duration] = []
    var missing: [Duration] = []

    /// The medians of both in milliseconds.
    var medians: (given: Double, missing: Double) {
      func median(_ times: [Duration]) -> Double { times.sorted()[times.count / 2] / .milliseconds(1) }
      return (median(given), median(missing))
    }
  }

  @Test func `B-08: a request about an unseen asset takes as long as one about a missing asset`() async throws {
    let temporary = try TemporaryLibrary()
    try temporary.add([SampleAsset].photos(20_000).map(\.withoutFiles))
    let server = try TestServer(library: temporary.library)
    let all = try PHAsset.fetchAssets(with: server.options).all()
    try server.library.performChangesAndWait {
      for asset in all { PHAssetChangeRequest(for: asset).title = "FjordFjord" }
    }
    let seen = try (0..<2).map { try server.add(bitmap(red: UInt8($0)), named: "SEEN_\($0).BMP", minute: $0) }
    let unseen = try server.add(bitmap(red: 9), named: "UNSEEN.BMP", minute: 9)
    let client = try await TestClient(server: server).answered("limited", assets: seen)

    for (given, missing) in try Self.pairs(of: unseen) {
      var times = Times()
      for call in 0..<Self.calls {
        times.given.append(try await time(client, Self.spelled(given, call)))
        times.missing.append(try await time(client, Self.spelled(missing, call)))
      }
      let medians = times.medians
      print("\(medians.given) ms, \(medians.missing) ms: \(given)")
      #expect(abs(medians.given - medians.missing) < 1, "\(given)")
    }
  }

  /// Returns the addresses of requests about an asset that exists, each with that of the same
  /// request about one that doesn't.
  private static func pairs(of asset: PHAsset) throws -> [(String, String)] {
    let names = ["ID": asset.uuid, "VERSION": asset.renditionVersion, "NAME": "UNSEEN.BMP"]
    let none = ["ID": UUID().uuidString, "VERSION": asset.renditionVersion, "NAME": "NOTHERE.BMP"]
    func filled(_ path: String, _ names: [String: String]) -> String {
      names.reduce(path) { $0.replacing($1.key, with: $1.value) }
    }
    let paths: [String] = ClientSelectionTests.requests.filter { path in names.keys.contains { path.contains($0) } }
    let documents: [(String, String)] = paths.map { (filled($0, names), filled($0, none)) }
    return documents + texts
  }

  /// Pairs of requests: for a text that many unseen assets have, and for a text that no asset has.
  private static let texts: [(String, String)] = [
    ("/search?q=FjordFjo", "/search?q=ZebraZeb"),
    ("/collections/userLibrary/days?q=FjordFjo", "/collections/userLibrary/days?q=ZebraZeb"),
    ("/assets?where=title%20==%20'FjordFjord'", "/assets?where=title%20==%20'ZebraZebra'"),
    ("/assets?where=title%20LIKE%20'*jor*'", "/assets?where=title%20LIKE%20'*ebr*'"),
    ("/assets?where=title%20MATCHES%20'F.*d'", "/assets?where=title%20MATCHES%20'Z.*a'"),
  ]

  /// Returns the path with another spelling for each call, since the server caches the results of
  /// the latest predicates and searches.
  private static func spelled(_ path: String, _ call: Int) -> String {
    if path.contains("where=") { return "\(path)%20AND%20duration%20%3C%20\(call + 1)" }
    guard let words = path.range(of: "q=")?.upperBound else { return path }
    let end = path[words...].firstIndex(of: "&") ?? path.endIndex
    let letters = path[words..<end].enumerated().map { index, letter in
      call >> (index % 8) & 1 == 0 ? letter.lowercased() : letter.uppercased()
    }
    return path[..<words] + letters.joined() + path[end...]
  }

  private func time(_ client: TestClient, _ path: String) async throws -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    _ = try await client.ask(path)
    return clock.now - start
  }
}
