import Foundation
import PhotosTesting
import Testing

@testable import LibraryStore
@testable import Photos

/// Tests that a damaged database is reported where a signature of PhotoKit can't throw.
@Suite struct DamageReportTests {
  let temporary: TemporaryLibrary
  let asset: PHAsset
  let clock = TestClock()

  private var failures: Set<String> { temporary.library.engine.damage.failures }

  init() throws {
    temporary = try TemporaryLibrary(clock: clock)
    asset = try #require(try temporary.addPhotos("A").first)
  }

  private func tamper(_ sql: String) throws {
    try temporary.library.engine.store.database.write { _ = try $0.execute(sql) }
  }

  private func hideSizes() throws { try tamper("UPDATE resource SET pixel_height = -1") }

  private func client() throws -> PHPhotoLibrary {
    let client = LibraryClient(identifier: "com.example.Slideshow")
    try temporary.library.setAuthorization(.authorized, for: client, accessLevel: .readWrite)
    return temporary.library.photoLibrary(for: client)
  }

  private func hideAccess() throws { try tamper("UPDATE client SET asked_date = 9e999") }

  @Test func `texts that can't be read are reported`() throws {
    try tamper("UPDATE asset_detail SET file_size = -1")
    _ = asset.extendedMetadata
    #expect(failures == ["the texts of an asset could not be read"])
  }

  @Test(arguments: ["fileSize > 0", "cameraModel == 'X'"])
  func `a predicate's value that can't be read is reported`(format: String) throws {
    try tamper("UPDATE asset_detail SET file_size = -1")
    #expect(!NSPredicate(format: format).evaluate(with: asset))
    #expect(failures == ["the details of an asset could not be read"])
  }

  @Test func `an edit that can't be read is reported`() async throws {
    try await asset.edit { $0.turn(byQuarters: 1) }
    let edited = try temporary.refetched(asset)
    try hideSizes()
    #expect(edited.adjustmentFormatIdentifier == nil)
    #expect(failures == ["the edit of an asset could not be read"])
  }

  @Test func `files that can't be listed are reported`() throws {
    try hideSizes()
    #expect(PHAssetResource.assetResources(for: asset).isEmpty)
    #expect(failures == ["the files of an asset could not be listed"])
  }

  @Test func `a displayed file that can't be determined is reported`() throws {
    let resource = try #require(try asset.storedResources.first)
    try hideSizes()
    #expect(resource.value(forKey: "isCurrent") == nil)
    #expect(failures == ["the files of an asset could not be listed"])
  }

  @Test func `a client's access that can't be read is reported`() throws {
    let library = try client()
    try hideAccess()
    #expect(library.authorizationStatus(for: .readWrite) == .notDetermined)
    #expect(failures == ["the access of a client could not be read"])
  }

  @Test func `a change of a collection that can't be allowed is reported`() throws {
    _ = try temporary.album("Norway")
    let album = try #require(try client().collectionOverviews().last?.collection)
    try hideAccess()
    #expect(!album.canPerform(.rename))
    #expect(failures == ["the access of a client could not be read"])
  }

  @Test func `an edit of an asset that can't be allowed is reported`() throws {
    let seen = try #require(PHAsset.fetchAssets(with: options(of: client())).firstObject)
    try hideAccess()
    #expect(!seen.canPerform(.properties))
    #expect(failures == ["the access to an asset could not be read"])
  }

  @Test func `a file's URL that can't be determined is reported`() throws {
    let seen = try #require(PHAsset.fetchAssets(with: options(of: client())).firstObject)
    let resource = try #require(try seen.storedResources.first)
    #expect(resource.urlForUnlimitedClients != nil)
    try hideAccess()
    #expect(resource.urlForUnlimitedClients == nil)
    #expect(failures == ["the URL of a file could not be read"])
  }

  private func options(of library: PHPhotoLibrary) -> PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = library
    return options
  }

  @Test func `dates of an album that can't be read are reported`() throws {
    let album = try temporary.album("Norway", [asset])
    #expect(album.startDate != nil)
    try tamper("ALTER TABLE asset RENAME COLUMN creation_date TO lost_date")
    #expect(album.startDate == nil)
    #expect(failures == ["the dates of an album could not be read"])
  }

  private func hideLatestTransaction() throws { try tamper("UPDATE sqlite_sequence SET seq = 'lost'") }

  @Test func `a position in the history that can't be read is reported`() throws {
    try hideLatestTransaction()
    _ = temporary.library.currentChangeToken
    #expect(failures == ["the latest transaction could not be read"])
  }

  @Test func `an observer's position that can't be read is reported`() throws {
    try hideLatestTransaction()
    let observer = RecordingObserver()
    temporary.library.register(observer)
    #expect(failures == ["the latest transaction could not be read"])
    withExtendedLifetime(observer) {}
  }

  /// Leaves an asset in Recently Deleted whose time there is over, and which can't be read.
  private func hideTrash() throws {
    try temporary.library.performChangesAndWait { [asset] in
      PHAssetChangeRequest.deleteAssets([asset] as NSArray)
    }
    try tamper("UPDATE asset SET added_date = 9e999")
    clock.advance(by: 31 * 86_400)
  }

  @Test func `a library that can't empty Recently Deleted reports it when it is opened`() throws {
    try hideTrash()
    let opened = try PHPhotoLibrary(url: temporary.url, clock: { [clock] in clock.now })
    #expect(opened.engine.damage.failures == ["Recently Deleted could not be emptied"])
  }

  @Test func `a library that can't empty Recently Deleted reports it after a change`() throws {
    try hideTrash()
    temporary.library.engine.emptyExpiredTrashIfDue()
    #expect(failures == ["Recently Deleted could not be emptied"])
  }

  @Test func `a missing file is an answer and is not reported`() async throws {
    try await asset.edit { $0.turn(byQuarters: 1) }
    let edited = try temporary.refetched(asset)
    try temporary.removeOriginals(of: edited)
    #expect(edited.adjustmentFormatIdentifier == nil)
    #expect(failures.isEmpty)
  }

  @Test func `access that a client lacks is not reported`() throws {
    let library = try client()
    let seen = try #require(PHAsset.fetchAssets(with: options(of: library)).firstObject)
    try temporary.library.setAuthorization(
      .denied, for: LibraryClient(identifier: "com.example.Slideshow"), accessLevel: .readWrite)
    #expect(seen.extendedMetadata.originalFilename == nil)
    #expect(PHAssetResource.assetResources(for: seen).isEmpty)
    #expect(failures.isEmpty)
  }

  @Test func `a failure is written to standard error once`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let temporary = try TemporaryLibrary()
      let assets = try temporary.addPhotos("A", "B")
      try temporary.library.engine.store.database.write { _ = try $0.execute("UPDATE asset_detail SET file_size = -1") }
      for asset in assets { _ = asset.extendedMetadata }
    }
    let lines = String(decoding: try #require(result).standardErrorContent, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("photos: the texts of an asset could not be read: ") == true)
  }
}
