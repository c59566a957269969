import Foundation

extension PHPhotoLibrary {
  /// The cloud identifiers of assets, albums and folders, by their local ones; `identifierNotFound` for what isn't there, and for what
  /// the client may not see. Ask for many at once.
  public func cloudIdentifierMappings(
    forLocalIdentifiers localIdentifiers: [String]
  ) -> [String: Result<PHCloudIdentifier, any Error>] {
    found(localIdentifiers).mapValues { result in
      result.map { PHCloudIdentifier(localIdentifier: $0, libraryUUID: engine.uuid) }
    }
  }

  /// The local identifiers of assets, albums and folders, by their cloud ones; `identifierNotFound` for those of another library too.
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

  /// The same: nothing waits to be synced here.
  public func localIdentifierMappings(
    forSynced cloudIdentifiers: [PHCloudIdentifier]
  ) -> [PHCloudIdentifier: Result<String, any Error>] { localIdentifierMappings(for: cloudIdentifiers) }

  /// Deprecated by PhotoKit in favour of `cloudIdentifierMappings`; `PHCloudIdentifier.notFound` where there is none.
  public func cloudIdentifiers(forLocalIdentifiers localIdentifiers: [String]) -> [PHCloudIdentifier] {
    let mappings = cloudIdentifierMappings(forLocalIdentifiers: localIdentifiers)
    return localIdentifiers.map { (try? mappings[$0]?.get()) ?? .notFound }
  }

  /// Deprecated by PhotoKit in favour of `localIdentifierMappings`; `PHLocalIdentifierNotFound` where there is none.
  public func localIdentifiers(for cloudIdentifiers: [PHCloudIdentifier]) -> [String] {
    let mappings = localIdentifierMappings(for: cloudIdentifiers)
    return cloudIdentifiers.map { (try? mappings[$0]?.get()) ?? PHLocalIdentifierNotFound }
  }

  /// The full local identifiers of what is there, by the text that was asked for: a UUID alone finds its object too.
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
