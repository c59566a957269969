import Foundation
import Testing

@testable import LibraryStore

/// Tests the overview of all collections against fetches of each of them.
@Suite struct SummaryTests {
  @Test func `an overview has the counts, dates and covers that fetches find`() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    let first = try store.add("bytes")
    let sha256 = try store.inspect { try $0.resources(of: first)[0].sha256 }
    var random = LinearGenerator(seed: 7)
    try store.commit { transaction in
      let assets = try (0..<60).map { number in
        // Several assets have the same date.
        var asset = AssetRecord.sample(
          date: Date(timeIntervalSince1970: Double(Int.random(in: 0..<20, using: &random))))
        asset.mediaType = number % 3 == 0 ? 2 : 1
        asset.isHidden = number % 7 == 0
        return try transaction.insert(
          asset, .sample, resources: [(record: .sample(name: "A.jpg"), sha256: sha256)])
      }
      try transaction.trash(assets.filter { $0.id % 11 == 0 })
      let travels = try transaction.insert(.folder, uuid: UUID().uuidString, title: "Travels")
      for number in 0..<8 {
        let album = try transaction.insert(
          .album, uuid: UUID().uuidString, title: "\(number)", in: number % 2 == 0 ? travels : nil)
        let members = assets.filter { _ in Int.random(in: 0..<8, using: &random) < number }
        try transaction.append(members.map(\.id), to: album)
      }
    }
    let summaries = try store.collectionSummaries(FetchQuery(.assets))
    let albums = summaries.filter { $0.record.kind == .album }
    #expect(albums.count == 8)
    for album in albums {
      let found = try store.assets(ids: store.fetch(FetchQuery(.assetsInAlbum(album.record.id))).ids)
      let newest = found.max { ($0.creationDate, $0.id) < ($1.creationDate, $1.id) }
      #expect(album.count == found.count)
      #expect(album.videoCount == found.count { $0.mediaType == 2 })
      #expect(album.startDate == found.map(\.creationDate).min())
      #expect(album.endDate == newest?.creationDate)
      #expect(album.covers.map(\.uuid) == [newest?.uuid].compactMap(\.self))
    }
    let travels = try #require(summaries.first { $0.record.title == "Travels" })
    let inside = try albums.filter { $0.parentUUID == travels.record.uuid }
      .flatMap { try store.fetch(FetchQuery(.assetsInAlbum($0.record.id))).ids }
    #expect(travels.count == Set(inside).count)
    #expect(try travels.videoCount == store.count(Array(Set(inside)), mediaType: 2))
  }
}
