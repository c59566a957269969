import Foundation
import Photos

/// The folder that assets are exported to. No file in it is overwritten, except sidecars that this
/// program wrote.
struct ExportFolder {
  let path: String

  /// Creates the folder if it doesn't exist.
  init(path: String) throws {
    if (try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)) == nil {
      // Foundation's error contains no path, so `mkdir` is called to get the cause.
      guard mkdir(path, 0o777) == 0 else { throw CommandError("\(path): \(String(cString: strerror(errno)))") }
    }
    StagedFile.removeStaleFiles(in: path)
    self.path = path
  }

  struct Destination {
    var file: ExportedFile
    var url: URL
    fileprivate var state: State

    fileprivate enum State {
      case available, identical
      /// A file with other bytes exists.
      case conflicting
    }
  }

  /// Writes the files of one asset and returns their places. A file that exists with the same bytes
  /// is not written again.
  ///
  /// A sidecar that was changed is kept, with a warning.
  func add(_ files: [ExportedFile]) throws -> [Destination] {
    for _ in 0..<Self.attempts {
      let places = places(for: files)
      guard try write(places) else { continue }
      for place in places where place.state == .conflicting {
        Output.writeToStderr(
          "calotype: \(place.url.path): this file was changed after its export; it was not replaced\n")
      }
      return places.filter { $0.state != .conflicting }
    }
    let path = URL(fileURLWithPath: path).appendingPathComponent(files.first.map { $0.stem + $0.ending } ?? "").path
    throw CocoaError(
      .fileWriteFileExists,
      userInfo: [NSLocalizedDescriptionKey: "\(path): other files keep taking this name; try again"])
  }

  /// Other programs may take the names meanwhile, but not forever.
  private static let attempts = 100

  /// Returns `false` if a name was taken meanwhile, after removing the files that it wrote.
  private func write(_ places: [Destination]) throws -> Bool {
    var written: [URL] = []
    for place in places where place.state == .available {
      guard try place.file.write(to: place.url) else {
        for url in written { unlink(url.path) }
        return false
      }
      written.append(place.url)
    }
    return true
  }

  /// Chooses names for an asset's files. All get the same number, and all are shortened for the
  /// longest ending, so that pairs stay recognizable.
  private func places(for files: [ExportedFile]) -> [Destination] {
    let endingByteCount = files.map(\.ending.utf8.count).max() ?? 0
    var number = 1
    while true {
      let suffix = number == 1 ? "" : " (\(number))"
      let places = files.map { place(for: $0, stem: $0.stem(suffix: suffix, endingByteCount: endingByteCount)) }
      let taken = places.filter { $0.state == .conflicting }
      // A changed sidecar may stay if the photo beside it is this asset's.
      let isOurs = places.first?.state == .identical && taken.allSatisfy(\.file.isSidecar)
      if taken.isEmpty || isOurs { return places }
      number += 1
    }
  }

  private func place(for file: ExportedFile, stem: String) -> Destination {
    let url = URL(fileURLWithPath: path).appendingPathComponent(stem + file.ending)
    var status = stat()
    // A dangling symbolic link takes its name, too.
    let isThere = lstat(url.path, &status) == 0
    let state: Destination.State =
      !isThere
      ? .available : file.hasBytes(ofFileAt: url) ? .identical : file.replaces(fileAt: url) ? .available : .conflicting
    return Destination(file: file, url: url, state: state)
  }
}

extension PHPhotoLibrary {
  /// Throws if a path is in the library's folder: files that are written there belong to no asset.
  func checkIsElsewhere(_ path: String) throws {
    let (file, folder) = (Self.resolved(URL(fileURLWithPath: path)), Self.resolved(url))
    guard file == folder || file.hasPrefix(folder + "/") else { return }
    throw CommandError("\(path): this is inside the library; choose a folder elsewhere")
  }

  /// Returns a file's path without links. The last parts of the path may be missing.
  private static func resolved(_ file: URL) -> String {
    guard let path = realpath(file.path, nil) else {
      return resolved(file.deletingLastPathComponent()) + "/" + file.lastPathComponent
    }
    defer { free(path) }
    return String(cString: path)
  }
}

/// The JSON form of a written file.
struct ExportedFileDescription: Encodable {
  var localIdentifier: String
  var path: String
  var bytes: Int
}
