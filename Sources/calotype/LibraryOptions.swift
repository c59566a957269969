import ArgumentParser
import Foundation
import Photos

/// Which library a command is about.
struct LibraryOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The library's folder.", valueName: "path"))
  var library: String?

  var url: URL { library.map { URL(fileURLWithPath: $0) } ?? PHPhotoLibrary.defaultURL }

  /// Opens the library; only commands that put something into it make one.
  func open(create: Bool = false) throws -> PHPhotoLibrary {
    do { return try PHPhotoLibrary(url: url, create: create) } catch PHPhotosError.libraryVolumeOffline where !create {
      throw CommandError("\(url.path): there is no photo library here; `calotype import` makes one")
    }
  }
}

/// An error in a person's words.
struct CommandError: LocalizedError {
  let errorDescription: String?
  init(_ description: String) { errorDescription = description }
}

extension PHPhotoLibrary {
  /// The options of a fetch from this library, which sees hidden assets and all frames of bursts.
  func everything() -> PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = self
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    return options
  }

  /// The assets that a user names by whole identifiers, in that order.
  func assets(named identifiers: [String]) throws -> [PHAsset] {
    let found = try PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: everything()).all()
    let byUUID = Dictionary(found.map { ($0.uuid, $0) }, uniquingKeysWith: { first, _ in first })
    return try identifiers.map { identifier in
      guard let asset = byUUID[String(identifier.prefix { $0 != "/" }).uppercased()] else {
        throw CommandError("\(identifier): there is no such asset")
      }
      return asset
    }
  }
}
