import Foundation
import Photos
import Synchronization

/// The files of assets as one ZIP file, which is made while it is sent.
///
/// A CRC-32 is computed when the ZIP file's header of the file is sent, and kept. So every range of
/// the ZIP file has the bytes that the whole has.
final class Archive: Sendable {
  enum Kind: String, CaseIterable {
    /// The files as they were imported.
    case originals
    /// The files that are shown: the newest edit, or else the original.
    case current
  }

  let layout: ZipLayout
  /// The UUIDs of the assets.
  let assets: Set<String>
  private let resources: [PHAssetResource]
  private let checksums: Mutex<[UInt32?]>
  /// The names of files that are missing from the library.
  let missing: [String]

  /// The number of bytes that are read together for a CRC-32.
  private static let pieceSize = 1 << 20

  init(_ kind: Kind, of assets: [PHAsset]) throws {
    let resources = try PHAssetResource.assetResources(for: assets)
    var names = UniqueNames()
    var entries: [ZipLayout.Entry] = []
    var found: [PHAssetResource] = []
    var missing: [String] = []
    for asset in assets {
      let files = Self.files(resources[asset.localIdentifier] ?? [], kind)
      for (file, name) in zip(files, names.names(of: files.map(\.name))) {
        do { _ = try PHAssetResourceManager.default().reader(for: file.resource) } catch let error as PHPhotosError
          where error.code == .missingResource
        {
          missing.append(name)
          continue
        }
        found.append(file.resource)
        entries.append(
          .init(
            name: name, byteCount: file.resource.dataSize ?? 0,
            date: asset.creationDate ?? asset.modificationDate ?? .distantPast, timeZoneOffset: asset.timeZoneOffset))
      }
    }
    layout = ZipLayout(entries)
    self.resources = found
    self.assets = Set(found.map(Self.asset(of:)))
    self.missing = missing
    checksums = Mutex([UInt32?](repeating: nil, count: entries.count))
  }

  /// Returns the files of an asset that belong into the archive, with their names.
  private static func files(
    _ resources: [PHAssetResource], _ kind: Kind
  ) -> [(resource: PHAssetResource, name: String)] {
    let originals = resources.filter {
      [.photo, .video, .audio, .alternatePhoto, .pairedVideo].contains($0.type)
    }
    guard kind == .current else { return originals.map { ($0, $0.originalFilename) } }
    func newest(_ edited: [PHAssetResourceType], _ original: [PHAssetResourceType]) -> PHAssetResource? {
      resources.first { edited.contains($0.type) } ?? originals.first { original.contains($0.type) }
    }
    let shown = [
      newest([.fullSizePhoto, .fullSizeVideo], [.photo, .video]), newest([.fullSizePairedVideo], [.pairedVideo]),
    ].compactMap(\.self)
    // A render has a name of the library, such as `FullSizeRender.jpg`.
    let stem = originals.first.map { Filename.parts(of: $0.originalFilename).stem }
    return shown.map { file in
      let ending = Filename.parts(of: file.originalFilename).ending
      return (file, stem.map { $0 + ending } ?? file.originalFilename)
    }
  }

  /// Returns the UUID of the asset of a file.
  func asset(of index: Int) -> String { Self.asset(of: resources[index]) }

  private static func asset(of resource: PHAssetResource) -> String {
    String(resource.assetLocalIdentifier.prefix { $0 != "/" })
  }

  /// Opens a file. Throws if it is missing, or if its asset may not be seen any more.
  func reader(of index: Int) async throws -> FileReader {
    try await Blocking.run { [self] in
      try PHAssetResourceManager.default().reader(for: resources[index]).opened()
    }
  }

  /// Returns the CRC-32 of a file.
  func checksum(of index: Int) async throws -> UInt32 {
    if let known = checksums.withLock({ $0[index] }) { return known }
    let reader = try await reader(of: index)
    var crc = CRC32()
    var position = 0
    while position < layout.entries[index].byteCount {
      let rest = position..<layout.entries[index].byteCount
      let data = try await Blocking.run { try reader.data(in: rest.prefix(Self.pieceSize)) }
      guard !data.isEmpty else { throw Self.changed(layout.entries[index].name) }
      data.withUnsafeBytes { crc.update($0) }
      position += data.count
    }
    let value = crc.value
    checksums.withLock { $0[index] = value }
    return value
  }

  /// Ends the connection: the bytes that were sent before would not fit the rest.
  static func changed(_ name: String) -> Failure {
    Failure(.internalServerError, "\(name) has changed since the download was made")
  }
}
