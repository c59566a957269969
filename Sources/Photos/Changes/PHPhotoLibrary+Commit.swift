import Foundation
internal import Imaging
internal import LibraryStore

internal import enum Sandbox.WorkDemand

extension PHPhotoLibrary {
  /// Runs a change block and commits its requests. Called on the change queue.
  func commitChanges(of block: () -> Void) throws {
    try withPhotosErrors {
      try Self.$current.withValue(self) { try commit(ChangeCollector.requests(of: block)) }
    }
  }

  private func commit(_ requests: [PHChangeRequest]) throws {
    let store = try engine.available()
    let demands = requests.map(\.demand)
    try ensureAllowed(demands)
    do { try commit(requests, demands, in: store) } catch let error as StoreError where error.code == .staged {
      // Another program has removed bytes that the library contained at the staging, for example by
      // reverting an edit. Staging again copies them.
      try commit(requests, demands, in: store)
    } catch let error as StoreError where error.code == .replaced {
      // The library's own database may be back from a backup. After a repair, this says why not.
      try commit(requests, demands, in: engine.available())
    }
    engine.emptyExpiredTrashIfDue()
  }

  private func commit(_ requests: [PHChangeRequest], _ demands: [ChangeDemand], in store: LibraryStore) throws {
    let creations = requests.compactMap { $0 as? PHAssetCreationRequest }
    let staging = Staging(store: store, clientSeesEverything: try access().seesEverything)
    let width = ProcessInfo.processInfo.activeProcessorCount
    let prepared = try creations.map(\.files).parallelMap(width: width) { files in
      try WorkDemand.following({ .background }) { try PreparedCreation(files, in: staging) }
    }
    let edits = requests.compactMap { $0 as? PHAssetChangeRequest }.filter { $0.edit != nil }
    let preparedEdits = try edits.compactMap(\.edit).parallelMap(width: width) { edit in
      try WorkDemand.following({ .background }) { try edit.prepared(in: staging) }
    }
    if let error = engine.situations.nextCommitError() { throw error }
    let (created, edited) = try store.commit(
      placing: prepared.flatMap(\.placements) + preparedEdits.flatMap(\.placements),
      isDeletion: demands.allSatisfy(\.isDeletion), by: author
    ) { transaction in
      let access = try access(in: transaction, allowing: demands)
      let creation = CreationCommit(
        transaction: transaction, access: access, concealsHidden: try concealsHidden())
      let created = try zip(prepared, creations).map { try creation.apply($0, $1) }
      let commit = ChangeCommit(
        transaction: transaction, access: access, joined: Self.joined(created.map(\.result), creations),
        edits: Dictionary(uniqueKeysWithValues: zip(edits.map { ObjectIdentifier($0) }, preparedEdits)))
      for request in requests { try request.work { try request.create(commit) } }
      try commit.apply(requests)
      return (created, commit.editedAssets)
    }
    // Renditions that can't be stored are made again when they are requested.
    try? store.renditions.store((created.compactMap(\.asset) + edited).compactMap(\.entry))
    var replaced: Set<Data> = []
    for ((request, creation), var result) in zip(zip(creations, prepared), created.map(\.result)) {
      if staging.clientSeesEverything {
        result.replacedResourceTypes = Set(
          creation.replacements.filter { replaced.insert($0.sha256).inserted }.map(\.type))
      }
      if creation.unreadableReason != nil { store.renditions.noteUnreadable(creation.primary.staged.sha256) }
      request.result = result
    }
    // A picture that can't be made now is made when it is requested.
    if !replaced.isEmpty {
      _ = engine.damage.optional("replaced pictures could not be made") { try redraw(assetsWithFiles: replaced) }
    }
    for creation in creations { creation.removeMovedFiles(from: store) }
  }
}

extension PHPhotoLibrary {
  /// Returns the UUIDs of the assets that have the files of requests that created none, by the
  /// UUIDs of the requests.
  fileprivate static func joined(
    _ results: [CreationResult], _ requests: [PHAssetCreationRequest]
  ) -> [String: String] {
    var joined: [String: String] = [:]
    for (result, request) in zip(results, requests) {
      switch result.outcome {
      case .created: break
      case .joined(let asset), .existing(let asset): joined[request.uuid] = PHObject.uuid(localIdentifier: asset)
      }
    }
    return joined
  }
}

extension PreparedCreation {
  /// The places of the files. All originals of an asset are stored in the month of its primary
  /// file's date.
  fileprivate var placements: [Placement] {
    let originals = resources.map {
      Placement(
        staged: $0.staged, originalFilename: $0.originalFilename, creationDate: primary.metadata.captureDate.date,
        timeZoneOffset: primary.metadata.captureDate.offset)
    }
    return originals + (edit?.placements ?? [])
  }

  /// The files that replace a damaged or missing copy of the library.
  fileprivate var replacements: [(type: PHAssetResourceType, sha256: Data)] {
    var files = (resources + (edit?.media ?? [])).map { (type: $0.type, staged: $0.staged) }
    if let edit { files.append((.adjustmentData, edit.data)) }
    return files.filter(\.staged.isReplacement).map { ($0.type, $0.staged.sha256) }
  }
}

extension AssetRenditions {
  fileprivate var entry: RenditionStore.Entry? {
    renditions.map { RenditionStore.Entry($0, of: asset) }
  }
}

extension PHAssetCreationRequest {
  /// Removes the files that are to be moved. A file that was left out stays, and so does a file
  /// that belongs to the library.
  fileprivate func removeMovedFiles(from store: LibraryStore) {
    for resource in resources where !(leftOutEdit != nil && resource.type.isOfEdit) {
      if let file = resource.movedFile, (try? store.names(file)) == false { unlink(file.bytes) }
    }
  }
}
