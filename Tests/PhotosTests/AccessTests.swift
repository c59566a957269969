import Foundation
import PhotosTesting
import Synchronization
import Testing

@testable import Photos

@Suite struct AccessTests {
  let temporary: TemporaryLibrary
  let assets: [PHAsset]
  let app: PHPhotoLibrary
  private static let client = PHClient(identifier: "com.example.Gallery", name: "Gallery", usageDescription: "To show.")
  var owner: PHPhotoLibrary { temporary.library }

  init() throws {
    temporary = try TemporaryLibrary()
    assets = try temporary.addPhotos("A", "B", "C")
    _ = try temporary.album("Norway", assets)
    app = temporary.library.photoLibrary(for: Self.client)
    app.accessAnswerer = PHScriptedAnswerer { _ in .nobody("nobody is asked in this test") }
  }

  private func allow(_ status: PHAuthorizationStatus, _ level: PHAccessLevel = .readWrite) throws {
    try owner.setAuthorizationStatus(status, for: Self.client, accessLevel: level)
  }

  /// What the client does, and what comes of it.
  private func outcome(_ name: String) throws -> String {
    let options = PHFetchOptions()
    options.photoLibrary = app
    func change(_ block: @escaping () -> Void) -> String {
      do {
        try app.performChangesAndWait(block)
        return "done"
      } catch { return "\((error as? PHPhotosError)?.code.rawValue ?? 0)" }
    }
    switch name {
    case "fetch": return "\(PHAsset.fetchAssets(with: options).count)"
    case "albums":
      return "\(PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options).count)"
    case "smart albums":
      return "\(PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .any, options: options).count)"
    case "add":
      let photo = try SampleMedia.jpeg(size: PictureSize(width: 16, height: 16), seed: 99)
      return change { PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil) }
    case "favorite": return change { PHAssetChangeRequest(for: self.assets[0]).isFavorite = true }
    case "make an album":
      return change { _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "X") }
    case "history":
      return (try? app.fetchPersistentChanges(since: owner.currentChangeToken)) == nil ? "refused" : "told"
    default: return "?"
    }
  }

  @Test(
    "What a client may do follows from its status",
    arguments: [
      (PHAuthorizationStatus.authorized, ["3", "1", "22", "done", "done", "done", "told"]),
      (.limited, ["0", "0", "22", "done", "3201", "3311", "told"]),
      (.denied, ["0", "0", "0", "3311", "3311", "3311", "refused"]),
      (.restricted, ["0", "0", "0", "3310", "3310", "3310", "refused"]),
      (.notDetermined, ["0", "0", "0", "3311", "3311", "3311", "refused"]),
    ])
  func table(status: PHAuthorizationStatus, expected: [String]) throws {
    try allow(status)
    let outcomes = try ["fetch", "albums", "smart albums", "add", "favorite", "make an album", "history"].map(outcome)
    #expect(outcomes == expected)
  }

  @Test func whoMayAddOnlyAddsAndSeesNothing() throws {
    try allow(.authorized, .addOnly)
    #expect(try outcome("add") == "done")
    #expect(try outcome("fetch") == "0")
    #expect(try outcome("make an album") == "3311")
    #expect(app.authorizationStatus(for: .addOnly) == .authorized)
    #expect(app.authorizationStatus(for: .readWrite) == .notDetermined)
    #expect(PHAsset.fetchAssets(with: temporary.options()).count == 4)
  }

  @Test func aLimitedClientSeesItsSelectionAndWhatItMakes() throws {
    try allow(.limited)
    try owner.select([assets[1].localIdentifier], for: Self.client)
    #expect(try outcome("fetch") == "1")
    #expect(try outcome("add") == "done")
    #expect(try outcome("fetch") == "2")
    try owner.deselect([assets[1].localIdentifier], for: Self.client)
    #expect(try outcome("fetch") == "1")
    let options = PHFetchOptions()
    options.photoLibrary = app
    options.searchText = "Norway"
    #expect(PHAsset.fetchAssets(with: options).count == 0)
    options.searchText = nil
    let recents = PHAssetCollection.fetchAssetCollections(
      with: .smartAlbum, subtype: .smartAlbumUserLibrary, options: options
    ).object(at: 0)
    #expect(recents.estimatedAssetCount == NSNotFound)
    #expect(PHAsset.fetchAssets(in: recents, options: options).count == 1)
    #expect(PHAsset.fetchAssets(withLocalIdentifiers: assets.map(\.localIdentifier), options: options).count == 0)
  }

  @Test func aChangedSelectionIsToldWithoutDetails() throws {
    try allow(.limited)
    let options = PHFetchOptions()
    options.photoLibrary = app
    let all = PHAsset.fetchAssets(with: options)
    let observer = RecordingObserver()
    app.register(observer)
    try owner.select([assets[0].localIdentifier], for: Self.client)
    app.waitForObservers()
    let details = try #require(observer.changes.last?.changeDetails(for: all))
    #expect(details.summary == "anew")
    #expect(details.fetchResultAfterChanges.count == 1)
  }

  @Test func twoClientsSeeDifferentThingsAtTheSameTime() throws {
    let other = PHClient(identifier: "https://example.com")
    try allow(.authorized)
    try owner.setAuthorizationStatus(.limited, for: other, accessLevel: .readWrite)
    try owner.select([assets[2].localIdentifier], for: other)
    let options = PHFetchOptions()
    options.photoLibrary = owner.photoLibrary(for: other)
    #expect(PHAsset.fetchAssets(with: options).count == 1)
    #expect(try outcome("fetch") == "3")
    let grants = try owner.clients().map { "\($0.client.identifier) \($0.readWrite) \($0.selectedAssetCount)" }
    #expect(grants == ["com.example.Gallery authorized 0", "https://example.com limited 1"])
  }

  @Test func whatWasFetchedBeforeAccessWasTakenBackGivesNothing() throws {
    try allow(.authorized)
    let options = PHFetchOptions()
    options.photoLibrary = app
    let asset = PHAsset.fetchAssets(with: options).object(at: 0)
    let resource = PHAssetResource.assetResources(for: asset)[0]
    try allow(.denied)
    let error = #expect(throws: PHPhotosError.self) { try PHAssetResourceManager.default().reader(for: resource) }
    #expect(error?.code == .accessUserDenied)
  }

  @Test(
    "A request is answered once and kept",
    arguments: [
      (PHAccessAnswer.authorized, PHAuthorizationStatus.authorized), (.limited([]), .limited), (.denied, .denied),
      (.restricted, .restricted), (.nobody("why"), .notDetermined),
    ])
  func request(answer: PHAccessAnswer, status: PHAuthorizationStatus) async throws {
    let asked = Mutex(0)
    app.accessAnswerer = PHScriptedAnswerer { request in
      asked.withLock { $0 += 1 }
      return request.purpose == .access(.readWrite) ? answer : .denied
    }
    #expect(app.authorizationStatus(for: .readWrite) == .notDetermined)
    async let first = app.requestAuthorization(for: .readWrite)
    async let second = app.requestAuthorization(for: .readWrite)
    #expect(await [first, second] == [status, status])
    #expect(app.authorizationStatus(for: .readWrite) == status)
    #expect(asked.withLock(\.self) == (status == .notDetermined ? 2 : 1))
    #expect(app.authorizationProblem == (status == .notDetermined ? "why" : nil))
  }

  @Test func aClientsDeletionsAreAskedForOnceAndCanBeRefused() throws {
    try allow(.authorized)
    let questions = Mutex<[String]>([])
    app.accessAnswerer = PHScriptedAnswerer { request in
      questions.withLock { $0.append(request.question) }
      return .denied
    }
    let error = #expect(throws: PHPhotosError.self) {
      try app.performChangesAndWait {
        PHAssetChangeRequest(for: self.assets[2]).isFavorite = true
        PHAssetChangeRequest.deleteAssets([self.assets[0]])
        PHAssetChangeRequest.deleteAssets([self.assets[1]])
      }
    }
    #expect(error?.code == .userCancelled)
    #expect(questions.withLock(\.self) == ["“Gallery” would like to delete 2 assets"])
    #expect(temporary.names(PHAsset.fetchAssets(with: temporary.options())) == "A B C")
    app.accessAnswerer = PHScriptedAnswerer { _ in .authorized }
    try app.performChangesAndWait { PHAssetChangeRequest.deleteAssets([self.assets[0]]) }
    #expect(try outcome("fetch") == "2")
  }

  @Test func onlyTheOwnerMayChangeWhatClientsMay() {
    let error = #expect(throws: PHPhotosError.self) {
      try app.setAuthorizationStatus(.authorized, for: Self.client, accessLevel: .readWrite)
    }
    #expect(error?.code == .accessUserDenied)
    #expect(throws: PHPhotosError.self) { try app.clients() }
  }
}

@Suite struct AnswererTests {
  private static func request(_ purpose: PHAccessRequest.Purpose) -> PHAccessRequest {
    PHAccessRequest(client: PHClient(identifier: "x", name: "X"), purpose: purpose)
  }

  private static let deletion = PHAccessRequest.Purpose.deletion(assets: 1, collections: 2, isForGood: true)

  @Test(
    "The environment answers",
    arguments: [
      ("authorized", PHAccessRequest.Purpose.access(.readWrite), PHAccessAnswer.authorized),
      ("limited", .access(.readWrite), .limited([])),
      ("limited:A/L0/001,B", .access(.readWrite), .limited(["A/L0/001", "B"])),
      ("denied", .access(.readWrite), .denied), ("restricted", .access(.addOnly), .restricted),
      ("addOnly", .access(.readWrite), .denied), ("addOnly", .access(.addOnly), .authorized),
      ("authorized", deletion, .authorized), ("limited", deletion, .authorized), ("addOnly", deletion, .denied),
      (
        "yes", .access(.readWrite),
        .nobody("CALOTYPE_AUTHORIZATION is “yes”; it can be authorized, limited, denied, restricted or addOnly")
      ),
    ])
  func environment(value: String, purpose: PHAccessRequest.Purpose, answer: PHAccessAnswer) {
    #expect(PHStandardAnswerer(environment: value).answer(Self.request(purpose)) == answer)
  }

  @Test func aPersonIsNotAskedWithoutAReason() {
    #expect(
      PHStandardAnswerer.missingDescription(Self.request(.access(.readWrite))) == """
        X asks for access to the photo library without a usage description. Say it by NSPhotoLibraryUsageDescription in the \
        Info.plist beside the executable, or in PHClient.current
        """)
    var allowed = Self.request(.access(.addOnly))
    allowed.client.usageDescription = "To show."
    #expect(PHStandardAnswerer.missingDescription(allowed) == nil)
    #expect(PHStandardAnswerer.missingDescription(Self.request(Self.deletion)) == nil)
  }

  @Test func aProgramIsWhatItsInfoPlistSays() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appendingPathComponent("gallery")
    #expect(PHClient(executable: program) == PHClient(identifier: program.path, name: "gallery"))
    let plist: [String: Any] = [
      "CFBundleIdentifier": "com.example.Gallery", "CFBundleName": "Gallery",
      "NSPhotoLibraryUsageDescription": "To show your photos.",
    ]
    try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
      .write(to: folder.appendingPathComponent("Info.plist"))
    #expect(
      PHClient(executable: program)
        == PHClient(identifier: "com.example.Gallery", name: "Gallery", usageDescription: "To show your photos."))
  }

  @Test func deletionsAreCountedInTheQuestion() {
    #expect(
      Self.request(Self.deletion).question == "“X” would like to delete one asset and 2 albums or folders for good")
  }
}
