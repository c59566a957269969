import Foundation

/// The folder that files of assets are written to. Nothing in it is overwritten but the program's own sidecars.
struct ExportFolder {
  let path: String

  /// Makes it where it is not there.
  init(path: String) throws {
    if (try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)) == nil {
      // Foundation names no file.
      guard mkdir(path, 0o777) == 0 else { throw CommandError("\(path): \(String(cString: strerror(errno)))") }
    }
    UnnamedFile.clearAbandoned(in: path)
    self.path = path
  }

  struct Place {
    var file: ExportedFile
    var url: URL
    fileprivate var state: State

    fileprivate enum State {
      case free, writtenBefore
      /// By other bytes.
      case taken
    }
  }

  /// Writes the files of one asset, and says where they are; one whose bytes are there already is not written again.
  ///
  /// A sidecar that somebody changed stays, and is complained of.
  func add(_ files: [ExportedFile]) throws -> [Place] {
    for _ in 0..<Self.attempts {
      let places = places(for: files)
      guard try write(places) else { continue }
      for place in places where place.state == .taken {
        Output.complain("calotype: \(place.url.path): it is not as an export wrote it, and stays as it is\n")
      }
      return places.filter { $0.state != .taken }
    }
    let path = URL(fileURLWithPath: path).appendingPathComponent(files.first.map { $0.stem + $0.ending } ?? "").path
    throw CocoaError(.fileWriteFileExists, userInfo: [NSLocalizedDescriptionKey: "\(path): its name is always taken"])
  }

  /// Names are taken by others meanwhile, but not for ever.
  private static let attempts = 100

  /// `false` where a name has been taken meanwhile; then nothing is left of those that were written.
  private func write(_ places: [Place]) throws -> Bool {
    var written: [URL] = []
    for place in places where place.state == .free {
      guard try place.file.write(to: place.url) else {
        for url in written { unlink(url.path) }
        return false
      }
      written.append(place.url)
    }
    return true
  }

  /// Names for an asset's files: the same number behind each, so that a pair stays a pair.
  private func places(for files: [ExportedFile]) -> [Place] {
    var number = 1
    while true {
      let places = files.map { place(for: $0, number: number) }
      let taken = places.filter { $0.state == .taken }
      // A sidecar that somebody changed says something of the photo beside it, if it is this one.
      let isOurs = places.first?.state == .writtenBefore && taken.allSatisfy(\.file.isSidecar)
      if taken.isEmpty || isOurs { return places }
      number += 1
    }
  }

  private func place(for file: ExportedFile, number: Int) -> Place {
    let suffix = number == 1 ? "" : " (\(number))"
    let url = URL(fileURLWithPath: path).appendingPathComponent(file.stem + suffix + file.ending)
    var status = stat()
    // A link to nothing takes its name, too.
    let isThere = lstat(url.path, &status) == 0
    let state: Place.State =
      !isThere ? .free : file.hasBytes(ofFileAt: url) ? .writtenBefore : file.replaces(fileAt: url) ? .free : .taken
    return Place(file: file, url: url, state: state)
  }
}

/// A written file as JSON shows it.
struct ExportedFileDescription: Encodable {
  var localIdentifier: String
  var path: String
  var bytes: Int
}
