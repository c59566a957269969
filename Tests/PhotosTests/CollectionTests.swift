import Foundation
import Photos
import PhotosTesting
import Testing

@Suite struct AlbumTests {
  let temporary: TemporaryLibrary
  let assets: [PHAsset]
  let album: PHAssetCollection

  init() throws {
    temporary = try TemporaryLibrary()
    assets = try temporary.addPhotos("A", "B", "C", "D", "E")
    album = try temporary.album("Norway", Array(assets[..<4]))
  }

  private func change(_ body: @escaping (PHAssetCollectionChangeRequest) -> Void) throws -> String {
    let members = PHAsset.fetchAssets(in: album, options: temporary.options())
    try temporary.library.performChangesAndWait {
      guard let request = PHAssetCollectionChangeRequest(for: self.album, assets: members) else { return }
      body(request)
    }
    return temporary.names(in: album)
  }

  @Test func anAlbumHasItsAssetsInTheOrderInWhichTheyWereAdded() {
    #expect(temporary.names(in: album) == "A B C D")
    #expect(album.localizedTitle == "Norway")
    #expect(album.estimatedAssetCount == 4)
    #expect(album.localIdentifier.hasSuffix("/L0/040"))
    #expect(album.startDate == Date(timeIntervalSince1970: 0))
    #expect(album.endDate == Date(timeIntervalSince1970: 3 * 86_400))
  }

  @Test func anAssetThatIsInItStaysWhereItIsWhenItIsAddedAgain() throws {
    #expect(try change { $0.addAssets([assets[0], assets[4]]) } == "A B C D E")
  }

  @Test func insertedAssetsStandAtTheirIndexes() throws {
    #expect(try change { $0.insertAssets([assets[4]] as NSArray, at: [2]) } == "A B E C D")
  }

  @Test func removedAssetsAreGoneFromTheAlbumAlone() throws {
    #expect(try change { $0.removeAssets(at: [0, 2]) } == "B D")
    #expect(try change { $0.removeAssets([assets[1]] as NSArray) } == "D")
    #expect(PHAsset.fetchAssets(with: temporary.options()).count == 5)
  }

  @Test func replacedAssetsLeaveTheAlbum() throws {
    #expect(try change { $0.replaceAssets(at: [1], withAssets: [assets[4]]) } == "A E C D")
  }

  @Test(
    "Assets that replace each other, or move from elsewhere in the album, stay in it",
    arguments: [
      ([0, 1], [1, 0], "B A C D"), ([0, 3], [3, 0], "D B C A"), ([0, 3], [2, 4], "C B E"), ([1], [3], "A D C"),
      ([2], [2], "A B C D"),
    ])
  func replaced(indexes: [Int], new: [Int], names: String) throws {
    #expect(try change { $0.replaceAssets(at: IndexSet(indexes), withAssets: new.map { assets[$0] }) } == names)
  }

  @Test func anAssetThatIsInsertedAgainLeavesAnEmptyPlaceThatIsRemovedByItsIndex() throws {
    let names = try change {
      $0.insertAssets([assets[3]], at: [0])
      $0.removeAssets(at: [4])
    }
    #expect(names == "D A B C")
  }

  @Test func anAssetThatIsInsertedAgainIsNoAnchorWhereItWas() throws {
    let names = try change {
      $0.insertAssets([assets[0]], at: [3])
      $0.insertAssets([assets[4]], at: [1])
    }
    #expect(names == "E B C A D")
  }

  @Test(
    "A move counts its target after the moved ones were taken out",
    arguments: [
      ([0], 3, "B C D A"), ([3], 0, "D A B C"), ([0, 1], 2, "C D A B"), ([1, 3], 0, "B D A C"), ([1], 1, "A B C D"),
      ([0, 2], 1, "B A C D"),
    ])
  func moved(indexes: [Int], target: Int, names: String) throws {
    #expect(try change { $0.moveAssets(at: IndexSet(indexes), to: target) } == names)
  }

  @Test func stepsOfOneRequestCountInWhatTheOneBeforeLeft() throws {
    let names = try change {
      $0.removeAssets(at: [0])
      $0.insertAssets([assets[4]], at: [0])
      $0.moveAssets(at: [0], to: 3)
    }
    #expect(names == "B C D E")
  }

  @Test func indexesAreThoseOfTheFetchThoughTheAlbumHasChangedSince() throws {
    let members = PHAsset.fetchAssets(in: album, options: temporary.options())
    _ = try change { $0.removeAssets(at: [0]) }
    try temporary.library.performChangesAndWait {
      // B has index 1 in the fetch result, and index 2 inserts E after it.
      PHAssetCollectionChangeRequest(for: self.album, assets: members)?.insertAssets([self.assets[4]], at: [2])
    }
    #expect(temporary.names(in: album) == "B E C D")
  }

  private func changeWithoutAFetchResult(_ body: @escaping (PHAssetCollectionChangeRequest) -> Void) throws -> String {
    try temporary.library.performChangesAndWait { PHAssetCollectionChangeRequest(for: self.album).map(body) }
    return temporary.names(in: album)
  }

  @Test func withoutAFetchResultIndexesCountInTheAlbumAsItIs() throws {
    #expect(try changeWithoutAFetchResult { $0.insertAssets([assets[4]] as NSArray, at: [0]) } == "E A B C D")
    #expect(try changeWithoutAFetchResult { $0.removeAssets(at: [1, 2]) } == "E C D")
    #expect(try changeWithoutAFetchResult { $0.moveAssets(at: [0], to: 2) } == "C D E")
    #expect(
      try changeWithoutAFetchResult { $0.replaceAssets(at: [1], withAssets: [assets[0]] as NSArray) } == "C A E")
  }

  @Test func withoutAFetchResultIndexesCountAfterTheRequestsBefore() throws {
    try temporary.library.performChangesAndWait {
      PHAssetCollectionChangeRequest(for: self.album)?.removeAssets([self.assets[0]] as NSArray)
      PHAssetCollectionChangeRequest(for: self.album)?.insertAssets([self.assets[4]] as NSArray, at: [1])
    }
    #expect(temporary.names(in: album) == "B E C D")
  }

  @Test func withoutAFetchResultAWrongIndexFailsTheWholeBlock() throws {
    let error = #expect(throws: PHPhotosError.self) {
      try changeWithoutAFetchResult {
        $0.removeAssets(at: [0])
        $0.insertAssets([assets[4]] as NSArray, at: [9])
      }
    }
    #expect(error?.code == .changeNotSupported)
    #expect(error?.localizedDescription == "index 9 is beyond the end of the album, which has 3 assets")
    #expect(temporary.names(in: album) == "A B C D")
  }

  @Test func aDeletedAssetHasNoPlaceThatIndexesCount() throws {
    try temporary.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([self.assets[0]] as NSArray) }
    #expect(try changeWithoutAFetchResult { $0.insertAssets([assets[4]] as NSArray, at: [1]) } == "B E C D")
  }

  @Test func anAssetCanBeMadeAndPutIntoAnAlbumByOneBlock() throws {
    let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 16, height: 16), seed: 77)
    try temporary.library.performChangesAndWait {
      let creation = PHAssetCreationRequest.forAsset()
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = "N"
      creation.addResource(with: .photo, data: jpeg, options: options)
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "New")
      if let placeholder = creation.placeholderForCreatedAsset { album.addAssets([placeholder] as NSArray) }
    }
    let new = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: temporary.options())
    #expect(new.count == 2)
    #expect(temporary.names(in: new.object(at: 1)) == "N")
  }

  @Test func aBlockThatFailsChangesNothing() throws {
    let gone = try temporary.album("Gone")
    try temporary.library.performChangesAndWait { PHAssetCollectionChangeRequest.deleteAssetCollections([gone]) }
    let error = #expect(throws: PHPhotosError.self) {
      try temporary.library.performChangesAndWait {
        PHAssetChangeRequest(for: self.assets[0]).isFavorite = true
        PHAssetCollectionChangeRequest(for: self.album)?.title = "Sweden"
        PHAssetCollectionChangeRequest(for: gone)?.title = "Nowhere"
      }
    }
    #expect(error?.code == .identifierNotFound)
    #expect(error?.errorUserInfo[PHLocalIdentifiersErrorKey] as? [String] == [gone.localIdentifier])
    let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: temporary.options())
    #expect(albums.object(at: 0).localizedTitle == "Norway")
    #expect(
      PHAsset.fetchAssets(withLocalIdentifiers: [assets[0].localIdentifier], options: temporary.options())
        .object(at: 0).isFavorite == false)
  }

  @Test func deletingAnAlbumLeavesItsAssets() throws {
    try temporary.library.performChangesAndWait { PHAssetCollectionChangeRequest.deleteAssetCollections([self.album]) }
    #expect(
      PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: temporary.options()).count == 0)
    #expect(PHAsset.fetchAssets(with: temporary.options()).count == 5)
  }

  @Test func theAlbumsOfAnAssetAreFound() throws {
    let other = try temporary.album("Sweden", [assets[0]])
    let found = PHAssetCollection.fetchAssetCollectionsContaining(assets[0], with: .album, options: temporary.options())
    #expect(found.objects(at: [0, 1]).compactMap(\.localizedTitle) == ["Norway", "Sweden"])
    #expect(found.contains(other))
    #expect(PHAssetCollection.fetchAssetCollectionsContaining(assets[0], with: .smartAlbum, options: nil).count == 0)
  }

  @Test func itsKeyAssetIsTheChosenOneElseTheLatest() throws {
    let latest = PHAsset.fetchKeyAssets(in: album, options: temporary.options())
    #expect(latest.map(temporary.names) == "D C B")
    _ = try change { $0.setKeyAsset(assets[1]) }
    let again = PHAssetCollection.fetchAssetCollections(
      withLocalIdentifiers: [album.localIdentifier], options: temporary.options()
    ).object(at: 0)
    #expect(PHAsset.fetchKeyAssets(in: again, options: temporary.options()).map(temporary.names) == "B")
  }

  @Test func aTransientCollectionHasItsListAlone() {
    let transient = PHAssetCollection.transientAssetCollection(with: [assets[3], assets[1]], title: "Picked")
    #expect(temporary.names(in: transient) == "D B")
    #expect(transient.estimatedAssetCount == 2)
    #expect(transient.canPerform(.addContent) == false)
    #expect(
      PHAssetCollection.fetchAssetCollections(
        withLocalIdentifiers: [transient.localIdentifier], options: temporary.options()
      ).count == 0)
  }

  @Test func anAlbumCanBeSortedAndFiltered() {
    let fetched = PHAsset.fetchAssets(
      in: album,
      options: temporary.options {
        $0.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
        $0.fetchLimit = 2
      })
    #expect(temporary.names(fetched) == "D C")
  }
}

@Suite struct FolderTests {
  let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  @Test func foldersHoldAlbumsAndFoldersToAnyDepth() throws {
    let norway = try temporary.album("Norway")
    let north = try temporary.folder("North", [norway])
    _ = try temporary.folder("Travels", [north, try temporary.album("Rome")])
    _ = try temporary.album("Family")
    #expect(temporary.tree() == "Travels(North(Norway) Rome) Family")
    let all = PHCollectionList.fetchCollectionLists(with: .folder, subtype: .any, options: temporary.options())
    #expect(all.objects(at: [0, 1]).compactMap(\.localizedTitle) == ["North", "Travels"])
    let parent = PHCollectionList.fetchCollectionListsContaining(norway, options: temporary.options())
    #expect(parent.firstObject?.localizedTitle == "North")
    #expect(norway.localIdentifier.hasSuffix("/L0/040"))
    #expect(north.localIdentifier.hasSuffix("/L0/020"))
  }

  @Test func withoutAFetchResultIndexesCountInTheFolderAsItIs() throws {
    let rome = try temporary.album("Rome")
    let folder = try temporary.folder("Travels", [try temporary.album("Norway"), try temporary.album("Sweden")])
    try temporary.library.performChangesAndWait {
      PHCollectionListChangeRequest(for: folder)?.insertChildCollections([rome] as NSArray, at: [1])
    }
    #expect(temporary.tree() == "Travels(Norway Rome Sweden)")
    let error = #expect(throws: PHPhotosError.self) {
      try temporary.library.performChangesAndWait {
        PHCollectionListChangeRequest(for: folder)?.removeChildCollections(at: [3])
      }
    }
    #expect(error?.localizedDescription == "index 3 is beyond the end of the folder, which has 3 collections")
  }

  @Test func aCollectionHasOneParent() throws {
    let norway = try temporary.album("Norway")
    _ = try temporary.folder("A", [norway])
    _ = try temporary.folder("B", [norway])
    #expect(temporary.tree() == "A() B(Norway)")
  }

  @Test func anAlbumThatIsRemovedFromAFolderMovesToTheTopLevel() throws {
    let norway = try temporary.album("Norway")
    let folder = try temporary.folder("Travels", [norway])
    try temporary.library.performChangesAndWait {
      PHCollectionListChangeRequest(for: folder)?.removeChildCollections([norway])
    }
    #expect(temporary.tree() == "Travels() Norway")
  }

  @Test func theTopLevelCanBeRearranged() throws {
    for title in ["A", "B", "C"] { _ = try temporary.album(title) }
    let top = PHCollection.fetchTopLevelUserCollections(with: temporary.options())
    try temporary.library.performChangesAndWait {
      PHCollectionListChangeRequest(forTopLevelCollectionListUserCollections: top)?.moveChildCollections(at: [2], to: 0)
    }
    #expect(temporary.tree() == "C A B")
  }

  @Test func collectionsAtTheTopLevelCanReplaceEachOther() throws {
    let (a, b) = (try temporary.album("A"), try temporary.album("B"))
    _ = try temporary.album("C")
    let top = PHCollection.fetchTopLevelUserCollections(with: temporary.options())
    try temporary.library.performChangesAndWait {
      PHCollectionListChangeRequest(forTopLevelCollectionListUserCollections: top)?
        .replaceChildCollections(at: [0, 1], withChildCollections: [b, a])
    }
    #expect(temporary.tree() == "B A C")
  }

  @Test func collectionsThatReplaceEachOtherStayInTheirFolder() throws {
    let (a, b) = (try temporary.album("A"), try temporary.album("B"))
    let folder = try temporary.folder("Travels", [a, b, try temporary.album("C")])
    try temporary.library.performChangesAndWait {
      PHCollectionListChangeRequest(for: folder)?
        .replaceChildCollections(at: [0, 1], withChildCollections: [b, a])
    }
    #expect(temporary.tree() == "Travels(B A C)")
  }

  @Test func aFolderCanNotBePutIntoItself() throws {
    let inner = try temporary.folder("Inner")
    let outer = try temporary.folder("Outer", [inner])
    let error = #expect(throws: PHPhotosError.self) {
      try temporary.library.performChangesAndWait {
        PHCollectionListChangeRequest(for: inner)?.addChildCollections([outer])
      }
    }
    #expect(error?.code == .changeNotSupported)
    #expect(error?.localizedDescription == "Outer: a folder can't be moved into itself or into one of its subfolders")
    #expect(temporary.tree() == "Outer(Inner())")
  }

  @Test func transientAlbumsHaveTheirPlacesInATransientFolder() throws {
    let trip = PHAssetCollection.transientAssetCollection(with: try temporary.addPhotos("A"), title: "Trip")
    let none = PHAssetCollection.transientAssetCollection(with: [], title: "None")
    let list = PHCollectionList.transientCollectionList(
      with: [none, try temporary.album("Norway"), trip], title: "Trips")
    let children = PHCollection.fetchCollections(in: list, options: nil)
    #expect(children.objects(at: IndexSet(0..<children.count)).map(\.localizedTitle) == ["None", "Norway", "Trip"])
    #expect(children.index(of: trip) == 2)
  }

  @Test func aTransientAlbumInATransientFolderHasItsAssets() throws {
    let assets = try temporary.addPhotos("A", "B")
    let trip = PHAssetCollection.transientAssetCollection(with: [assets[1], assets[0]], title: "Trip")
    let list = PHCollectionList.transientCollectionList(with: [trip], title: "Trips")
    let children = PHCollection.fetchCollections(in: list, options: nil)
    #expect(children.count == 1)
    let album = try #require(children.firstObject as? PHAssetCollection)
    #expect(temporary.names(in: album) == "B A")
  }

  @Test func deletingAFolderDeletesWhatIsInIt() throws {
    let norway = try temporary.album("Norway")
    let folder = try temporary.folder("Travels", [try temporary.folder("North", [norway])])
    _ = try temporary.album("Family")
    try temporary.library.performChangesAndWait { PHCollectionListChangeRequest.deleteCollectionLists([folder]) }
    #expect(temporary.tree() == "Family")
    let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: temporary.options())
    #expect(albums.count == 1)
  }

  @Test func theRootFolderRefusesToBeRenamedOrDeleted() {
    let roots = PHCollectionList.fetchCollectionLists(with: .folder, subtype: .rootFolder, options: temporary.options())
    #expect(roots.count == 1)
    let root = roots.object(at: 0)
    #expect(root.canPerform(.rename) == false)
    #expect(root.canPerform(.addContent))
    #expect(throws: PHPhotosError.self) {
      try temporary.library.performChangesAndWait { PHCollectionListChangeRequest(for: root)?.title = "Mine" }
    }
    #expect(throws: PHPhotosError.self) {
      try temporary.library.performChangesAndWait { PHCollectionListChangeRequest.deleteCollectionLists([root]) }
    }
  }
}
