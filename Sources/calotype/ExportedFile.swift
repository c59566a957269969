import Foundation
import Photos

/// A file that an export writes: a resource of an asset, or an XMP sidecar.
struct ExportedFile {
  /// The name without its extension. A number may be added to it.
  var stem: String
  /// The extension with its dot: `.HEIC`, `.HEIC.xmp`.
  var ending: String
  private var content: Content

  private enum Content {
    case resource(PHAssetResource)
    case data(Data)
    case sidecar(Data)
  }

  init(stem: String, ending: String, data: Data) { self.init(stem: stem, ending: ending, content: .data(data)) }

  private init(stem: String, ending: String, content: Content) {
    (self.stem, self.ending, self.content) = (stem, ending, content)
  }

  static func files(
    of asset: PHAsset, _ version: PHImageRequestOptionsVersion, withSidecar: Bool
  ) throws -> [ExportedFile] {
    let resources = try asset.resources(ofVersion: version)
    guard !resources.isEmpty else { throw NoFileError() }
    let original = try asset.resources(ofVersion: .original).first.map { Name($0.originalFilename) }
    var files = resources.map { resource in
      let own = Name(resource.originalFilename)
      // A render's own name doesn't identify the photo, so it gets the original's.
      let isRender = [.fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo].contains(resource.type)
      return ExportedFile(
        stem: isRender ? original?.stem ?? own.stem : own.stem, ending: own.ending, content: .resource(resource))
    }
    if withSidecar, let first = files.first {
      let packet = try asset.xmpSidecar()
      files.append(ExportedFile(stem: first.stem, ending: first.ending + ".xmp", content: .sidecar(packet)))
    }
    return files.withUniqueNames()
  }

  struct Name {
    var stem: String
    var ending: String

    /// Splits a name. Names in a library are untrusted: the file must be written into the folder
    /// itself and must not be hidden, since a hidden file may be a shell's settings.
    init(_ filename: String) {
      let scalars = (filename as NSString).lastPathComponent.unicodeScalars.drop { $0 == "." || $0 == "/" }
      let name = String(String.UnicodeScalarView(scalars)) as NSString
      let hasEnding = (1...Self.longestEnding).contains(name.pathExtension.utf8.count)
      ending = hasEnding ? "." + name.pathExtension : ""
      stem = name.length == 0 ? "Untitled" : hasEnding ? name.deletingPathExtension : name as String
    }

    /// Greater than any type's, in bytes: what is longer is a part of the name.
    private static let longestEnding = 32
  }

  /// Returns the stem with a suffix, shortened so that file systems accept the name with an ending
  /// of so many bytes.
  func stem(suffix: String, endingByteCount: Int) -> String {
    var byteCount = suffix.utf8.count + endingByteCount
    let kept = stem.unicodeScalars.prefix {
      byteCount += UTF8.width($0)
      return byteCount <= Self.longestName
    }
    return String(kept) + suffix
  }

  /// In bytes.
  private static let longestName = 255

  var byteCount: Int {
    switch content {
    case .resource(let resource): resource.dataSize ?? 0
    case .data(let data), .sidecar(let data): data.count
    }
  }

  var isSidecar: Bool { if case .sidecar = content { true } else { false } }

  /// Returns whether a file has the same bytes. Returns `false` if it can't be read.
  func hasBytes(ofFileAt url: URL) -> Bool {
    switch content {
    case .resource(let resource): (try? resource.hasBytes(ofFileAt: url)) ?? false
    case .data(let data), .sidecar(let data): (try? Data(contentsOf: url)) == data
    }
  }

  /// Returns whether the file is an older version of this one: a sidecar that this program wrote
  /// and nobody changed since.
  func replaces(fileAt url: URL) -> Bool {
    guard case .sidecar = content, let other = try? Data(contentsOf: url) else { return false }
    return PHAsset.isUnchangedXMPSidecar(other)
  }

  /// Writes the file. Returns `false` if another file has the name.
  func write(to url: URL) throws -> Bool {
    try StagedFile.write(to: url, replacing: replaces(fileAt: url)) { partial in
      switch content {
      case .resource(let resource):
        try PHAssetResourceManager.default().writeDataAndWait(for: resource, toFile: partial)
      case .data(let data), .sidecar(let data): try data.write(to: partial)
      }
    }
  }
}

/// The error for an asset without a file to export, such as one that was deleted meanwhile.
private struct NoFileError: LocalizedError {
  var errorDescription: String? { "the library has no file of it" }
}

extension [ExportedFile] {
  /// Adds a number to the second of two equal names. Case is ignored, since some file systems do
  /// the same.
  fileprivate func withUniqueNames() -> [ExportedFile] {
    var taken: Set<String> = []
    // Another number may follow where the folder has files of these names.
    let endingByteCount = (map(\.ending.utf8.count).max() ?? 0) + " (100000)".utf8.count
    return map { file in
      var named = file
      var number = 1
      while !taken.insert((named.stem + named.ending).lowercased()).inserted {
        number += 1
        named.stem = file.stem(suffix: " (\(number))", endingByteCount: endingByteCount)
      }
      return named
    }
  }
}

extension PHAsset {
  /// The stem of the files' names: the original's name without its extension.
  var exportedStem: String {
    get throws { ExportedFile.Name(try resources(ofVersion: .original).first?.originalFilename ?? "").stem }
  }
}
