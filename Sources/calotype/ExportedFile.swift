import Foundation
import Photos

/// A file that an export writes: a resource of an asset, or its XMP sidecar.
struct ExportedFile {
  /// The name without its ending; a number may come between.
  var stem: String
  /// With the dot: `.HEIC`, `.HEIC.xmp`.
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
    let resources = asset.resources(ofVersion: version)
    let original = asset.resources(ofVersion: .original).first.map { Name($0.originalFilename) }
    var files = resources.map { resource in
      let own = Name(resource.originalFilename)
      // A render has no name of its own that says which photo it is of.
      let isRender = [.fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo].contains(resource.type)
      return ExportedFile(
        stem: isRender ? original?.stem ?? own.stem : own.stem, ending: own.ending, content: .resource(resource))
    }
    if withSidecar, let first = files.first {
      let packet = try asset.xmpSidecar()
      files.append(ExportedFile(stem: first.stem, ending: first.ending + ".xmp", content: .sidecar(packet)))
    }
    return files.withNamesOfTheirOwn()
  }

  struct Name {
    var stem: String
    var ending: String

    /// A library's names are untrusted: a file is exported into the folder itself, and never
    /// hidden, as a shell's settings are.
    init(_ filename: String) {
      let scalars = (filename as NSString).lastPathComponent.unicodeScalars.drop { $0 == "." || $0 == "/" }
      let name = String(String.UnicodeScalarView(scalars)) as NSString
      ending = name.pathExtension.isEmpty ? "" : "." + name.pathExtension
      stem = name.length == 0 ? "Untitled" : name.deletingPathExtension
    }
  }

  var byteCount: Int {
    switch content {
    case .resource(let resource): resource.dataSize ?? 0
    case .data(let data), .sidecar(let data): data.count
    }
  }

  var isSidecar: Bool { if case .sidecar = content { true } else { false } }

  /// A file that can't be read has other bytes.
  func hasBytes(ofFileAt url: URL) -> Bool {
    switch content {
    case .resource(let resource): (try? resource.hasBytes(ofFileAt: url)) ?? false
    case .data(let data), .sidecar(let data): (try? Data(contentsOf: url)) == data
    }
  }

  /// Whether that file is an older one of these: a sidecar that this program wrote, and nobody since.
  func replaces(fileAt url: URL) -> Bool {
    guard case .sidecar = content, let other = try? Data(contentsOf: url) else { return false }
    return PHAsset.isUnchangedXMPSidecar(other)
  }

  /// `false` where another file has the name.
  func write(to url: URL) throws -> Bool {
    try UnnamedFile.write(to: url, replacing: replaces(fileAt: url)) { partial in
      switch content {
      case .resource(let resource):
        try PHAssetResourceManager.default().writeDataAndWait(for: resource, toFile: partial)
      case .data(let data), .sidecar(let data): try data.write(to: partial)
      }
    }
  }
}

extension [ExportedFile] {
  /// Two files of an asset may have one name; the second one gets a number. Some disks don't tell large letters from small ones.
  fileprivate func withNamesOfTheirOwn() -> [ExportedFile] {
    var taken: Set<String> = []
    return map { file in
      var named = file
      var number = 1
      while !taken.insert((named.stem + named.ending).lowercased()).inserted {
        number += 1
        named.stem = "\(file.stem) (\(number))"
      }
      return named
    }
  }
}

extension PHAsset {
  /// What its files are called: the original's name without its ending.
  var exportedStem: String {
    ExportedFile.Name(resources(ofVersion: .original).first?.originalFilename ?? "").stem
  }
}
