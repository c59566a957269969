import ArgumentParser
import Foundation
import Photos

/// The library that a command works on.
struct LibraryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The library's folder.", valueName: "path"),
    transform: { try GivenArguments.path($0) })
  var library: String?

  var url: URL { library.map { URL(fileURLWithPath: $0) } ?? PHPhotoLibrary.defaultURL }

  func validate() throws {
    // An empty path is the current folder's.
    if library?.isEmpty == true { throw ValidationError("--library takes the path of a folder, but it is empty") }
  }

  /// True if the library's path was given. A given path may be mistyped, or its disk not mounted.
  var isNamed: Bool { Self.isNamed(library, environment: ProcessInfo.processInfo.environment) }

  static func isNamed(_ library: String?, environment: [String: String]) -> Bool {
    library != nil || environment["CALOTYPE_LIBRARY"].map { !$0.isEmpty } ?? false
  }

  /// Returns whether there is a library. Throws if that can't be determined, and if the library has
  /// lost its database.
  func exists() throws -> Bool { try PHPhotoLibrary.exists(at: url) }

  /// Opens the library. Reports a new one, since a path may be mistyped, or its disk not mounted.
  /// Reports a read-only one, unless the command is going to fail with the same words.
  func open(create: Bool = false, isForChanges: Bool = false) throws -> PHPhotoLibrary {
    let isNew = try !exists()
    if isNew, !create {
      throw CommandError(
        "\(url.path): there is no photo library here; check the path, and that its disk is mounted; "
          + "`calotype import --create` makes a new library")
    }
    let library = try PHPhotoLibrary(url: url, create: create)
    if isNew { Output.writeToStderr("Made a new library at \(url.path)\n") }
    if let reason = library.readOnlyReason, !isForChanges {
      Output.writeToStderr("calotype: \(url.path) is open read-only: \(reason). It can’t be changed.\n")
    }
    return library
  }
}

/// An error with a message for the user.
struct CommandError: LocalizedError {
  let errorDescription: String?
  init(_ description: String) { errorDescription = description }
}

extension PHPhotoLibrary {
  /// Returns the options of a fetch that includes hidden assets and all frames of bursts.
  func allAssetsOptions() -> PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = self
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    return options
  }

  /// Returns the assets with these identifiers, in this order. An identifier may be shortened to
  /// its beginning. Throws if one names no asset, or several.
  func assets(named identifiers: [String]) throws -> [PHAsset] {
    let found = try PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: allAssetsOptions()).all()
    let byUUID = Dictionary(found.map { ($0.uuid, $0) }, uniquingKeysWith: { first, _ in first })
    return try identifiers.map { identifier in
      if let asset = try byUUID[String(identifier.prefix { $0 != "/" }).uppercased()] ?? asset(shortened: identifier) {
        return asset
      }
      throw CommandError(
        try isRecentlyDeleted(identifier)
          ? "\(identifier): it is in Recently Deleted; `calotype trash restore` brings it back"
          : "\(identifier): there is no such asset")
    }
  }

  /// The length of the shortest beginning that names an asset.
  private static let shortestIdentifier = 6

  /// Returns the only asset whose identifier begins with a text; `nil` if there is none.
  private func asset(shortened identifier: String) throws -> PHAsset? {
    guard identifier.count >= Self.shortestIdentifier, identifier.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      return nil
    }
    let found = try PHAsset.fetchAssets(withIdentifierPrefix: identifier, options: allAssetsOptions()).all()
    guard found.count <= 1 else {
      throw CommandError("\(identifier): the identifiers of \(found.count) assets begin with this; use a longer part")
    }
    return found.first
  }

  private func isRecentlyDeleted(_ identifier: String) throws -> Bool {
    let uuid = String(identifier.prefix { $0 != "/" }).uppercased()
    return try PHAsset.fetchRecentlyDeletedAssets(with: allAssetsOptions()).all().contains { $0.uuid == uuid }
  }
}
