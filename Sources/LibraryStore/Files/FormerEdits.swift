import Foundation

/// The list of files in an edit's folder that belong to reverted or replaced edits.
///
/// Such files stay as long as an undo can bring them back. A repair has no database to distinguish
/// them from the photo's edit: `adjustments/<uuid>/.former` has their names, one a line.
extension LibraryFolder {
  private static let formerEdits = ".former"

  /// Returns whether a file of this name is the list, or the new one of a process that was killed.
  static func isListOfFormerEdits(_ name: String) -> Bool { name == formerEdits || name == "\(formerEdits)-new" }

  /// Writes the list of an asset durably, or removes it if there are no names.
  func setFormerEdits(_ names: [String], of uuid: String) throws(StoreError) {
    let parent = "adjustments/\(uuid)"
    let list = "\(parent)/\(Self.formerEdits)"
    guard !names.isEmpty else {
      if try status(list) != nil { try remove(list) }
      return
    }
    let new = "\(list)-new"
    let file = UploadFile(descriptor: try open(new, O_WRONLY | O_CREAT | O_TRUNC), name: absolute(new))
    try file.append(Data(names.map { $0 + "\n" }.joined().utf8))
    try file.synchronize()
    try replace(list, with: new)
    try synchronize(parent)
  }

  /// Takes all other names out of the list of an asset, durably.
  func keepFormerEdits(only names: [String], of uuid: String) throws(StoreError) {
    let parent = "adjustments/\(uuid)"
    guard try status("\(parent)/\(Self.formerEdits)") != nil else { return }
    let listed = try formerEdits(in: parent)
    let kept = listed.intersection(names)
    guard kept.count < listed.count else { return }
    try setFormerEdits(kept.sorted(), of: uuid)
    try synchronize(parent)
  }

  /// Returns the names in the list of a folder of `adjustments`.
  func formerEdits(in parent: String) throws(StoreError) -> Set<String> {
    let list = "\(parent)/\(Self.formerEdits)"
    guard let descriptor = try openIfPresent(list, O_RDONLY) else { return [] }
    var bytes = Data()
    try OpenFile(descriptor: descriptor, name: absolute(list)).forEachChunk { bytes.append(contentsOf: $0) }
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }
}

extension LibraryStore {
  /// Returns whether a file in the library's folder belongs to a reverted or replaced edit, or is
  /// the list of such files.
  public func isOfFormerEdit(_ file: FilePath) throws -> Bool { try pathInLibrary(file).map(isOfFormerEdit) ?? false }

  /// Returns the same of a file by its path relative to the library's folder.
  func isOfFormerEdit(_ path: String) throws -> Bool {
    guard path.hasPrefix("adjustments/") else { return false }
    let (parent, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
    return try LibraryFolder.isListOfFormerEdits(name) || folder.formerEdits(in: parent).contains(name)
  }
}
