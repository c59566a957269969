import Foundation

/// The folder that files of assets are written to. Nothing in it is overwritten but the program's own sidecars.
struct ExportFolder {
  let path: String

  /// Makes it where it is not there.
  init(path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    PartialFile.clearAbandoned(in: path)
    self.path = path
  }

  struct Place {
    var file: ExportedFile
    var url: URL
    fileprivate var isThere: Bool
  }

  /// Writes the files of one asset, and says where they are; one whose bytes are there already is not written again.
  func add(_ files: [ExportedFile]) throws -> [Place] {
    while true {
      let places = places(for: files)
      // A name may be taken by somebody else meanwhile.
      if try places.allSatisfy({ try $0.isThere || $0.file.write(to: $0.url) }) { return places }
    }
  }

  /// Names for an asset's files: the same number behind each, so that a pair stays a pair.
  private func places(for files: [ExportedFile]) -> [Place] {
    var number = 1
    while true {
      let places = files.compactMap { place(for: $0, number: number) }
      if places.count == files.count { return places }
      number += 1
    }
  }

  /// `nil` where other bytes have the name.
  private func place(for file: ExportedFile, number: Int) -> Place? {
    let suffix = number == 1 ? "" : " (\(number))"
    let url = URL(fileURLWithPath: path).appendingPathComponent(file.stem + suffix + file.ending)
    guard FileManager.default.fileExists(atPath: url.path) else { return Place(file: file, url: url, isThere: false) }
    if file.hasBytes(ofFileAt: url) { return Place(file: file, url: url, isThere: true) }
    return file.replaces(fileAt: url) ? Place(file: file, url: url, isThere: false) : nil
  }
}

/// A written file as JSON shows it.
struct ExportedFileDescription: Encodable {
  var localIdentifier: String
  var path: String
  var bytes: Int
}
