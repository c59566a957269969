import Foundation

extension PHPhotoLibrary {
  /// Returns the cloud identifiers of assets, albums and folders, keyed by local identifier.
  ///
  /// The result is `identifierNotFound` for objects that don't exist or that the client may not
  /// see. One call with many identifiers is faster than many calls.
  public func cloudIdentifierMappings(
    forLocalIdentifiers localIdentifiers: [String]
  ) -> [String: Result<PHCloudIdentifier, any Error>] {
    found(localIdentifiers).mapValues { result in
      result.map { PHCloudIdentifier(localIdentifier: $0, libraryUUID: engine.uuid) }
    }
  }

  /// Returns the local identifiers of assets, albums and folders, keyed by cloud identifier. The
  /// result is `identifierNotFound` also for objects of another library.
  public func localIdentifierMappings(
    for cloudIdentifiers: [PHCloudIdentifier]
  ) -> [PHCloudIdentifier: Result<String, any Error>] {
    let local = Dictionary(
      cloudIdentifiers.map { ($0, $0.localIdentifier(libraryUUID: engine.uuid)) },
      uniquingKeysWith: { first, _ in first })
    let results = found(local.values.compactMap { $0 })
    return local.reduce(into: [:]) { mappings, pair in
      mappings[pair.key] = pair.value.flatMap { results[$0] } ?? .failure(Self.notFound(pair.key.stringValue))
    }
  }

  /// Returns the same as `localIdentifierMappings(for:)`, since nothing has to be synced first.
  public func localIdentifierMappings(
    forSynced cloudIdentifiers: [PHCloudIdentifier]
  ) -> [PHCloudIdentifier: Result<String, any Error>] { localIdentifierMappings(for: cloudIdentifiers) }

  /// Deprecated by PhotoKit in favor of `cloudIdentifierMappings`. Returns
  /// `PHCloudIdentifier.notFound` for an object that is not found.
  public func cloudIdentifiers(forLocalIdentifiers localIdentifiers: [String]) -> [PHCloudIdentifier] {
    let mappings = cloudIdentifierMappings(forLocalIdentifiers: localIdentifiers)
    return localIdentifiers.map { (try? mappings[$0]?.get()) ?? .notFound }
  }

  /// Deprecated by PhotoKit in favor of `localIdentifierMappings`. Returns
  /// `PHLocalIdentifierNotFound` for an object that is not found.
  public func localIdentifiers(for cloudIdentifiers: [PHCloudIdentifier]) -> [String] {
    let mappings = localIdentifierMappings(for: cloudIdentifiers)
    return cloudIdentifiers.map { (try? mappings[$0]?.get()) ?? PHLocalIdentifierNotFound }
  }

  /// Returns the full local identifiers of existing objects, keyed by the text that was asked for,
  /// which may be a UUID alone.
  private func found(_ localIdentifiers: [String]) -> [String: Result<String, any Error>] {
    let options = PHFetchOptions()
    options.photoLibrary = self
    var byUUID: [String: String] = [:]
    var failure: (any Error)?
    func add<Object: PHObject>(_ fetch: ([String], PHFetchOptions) -> PHFetchResult<Object>) {
      let missing = localIdentifiers.filter { byUUID[PHObject.uuid(localIdentifier: $0)] == nil }
      guard !missing.isEmpty, failure == nil else { return }
      let result = fetch(missing, options)
      failure = result.error
      for index in 0..<result.count {
        let identifier = result.object(at: index).localIdentifier
        byUUID[PHObject.uuid(localIdentifier: identifier)] = identifier
      }
    }
    add { PHAsset.fetchAssets(withLocalIdentifiers: $0, options: $1) }
    add { PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: $0, options: $1) }
    add { PHCollectionList.fetchCollectionLists(withLocalIdentifiers: $0, options: $1) }
    return localIdentifiers.reduce(into: [:]) { results, identifier in
      let object = byUUID[PHObject.uuid(localIdentifier: identifier)]
      results[identifier] = object.map(Result.success) ?? .failure(failure ?? Self.notFound(identifier))
    }
  }

  private static func notFound(_ identifier: String) -> PHPhotosError {
    PHPhotosError(.identifierNotFound, "the library has no object \(identifier)", identifiers: [identifier])
  }
}
