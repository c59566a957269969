import Foundation
import Testing

@testable import LibraryStore

/// Tests the permissions of a library's files.
@Suite struct PermissionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The modes of the library's folder and of everything in it, by path.
  private func modes() throws -> [String: Int] {
    let names = FileManager.default.enumerator(atPath: folder.library)?.compactMap { $0 as? String } ?? []
    var modes: [String: Int] = [:]
    for name in names + ["."] {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.library)/\(name)")
      modes[name] = attributes[.posixPermissions] as? Int
    }
    return modes
  }

  private func isFolder(_ name: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: "\(folder.library)/\(name)", isDirectory: &isFolder)
      && isFolder.boolValue
  }

  private func setMode(_ mode: Int, _ name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder.library)/\(name)")
  }

  /// Adds one of each kind of file, and returns the library, so that it stays open.
  private func use() throws -> LibraryStore {
    let store = try folder.open()
    try store.add("one", as: "A.jpg")
    try store.renditions.write(
      Data("full".utf8), to: store.renditions.file(uuid: UUID().uuidString, version: "1", name: "full"))
    let render = "\(folder.library)/incoming/render"
    try Data("render".utf8).write(to: URL(fileURLWithPath: render))
    let staged = try store.stage(.file(path: render), allowsLinking: true)
    unlink(render)
    _ = try store.commit(placing: [Placement(staged: staged, adjustmentFilename: "R.jpg", assetUUID: "B")]) {
      try $0.insert(.sample(), .sample, resources: [(record: .sample(name: "R.jpg"), sha256: staged.sha256)])
    }
    return store
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"), arguments: [0o755, 0o777])
  func filesThatRootMakesInAForeignFolderBelongToItsOwnerAlone(_ mode: Int) throws {
    try FileManager.default.createDirectory(atPath: folder.library, withIntermediateDirectories: true)
    try setMode(mode, ".")
    chown(folder.library, 1000, 1000)
    let store = try use()
    let modes = try modes()
    #expect(modes.filter { $0.key != "." && $0.value & 0o007 != 0 } == [:])
    let foreign = modes.keys.filter { name in
      var status = stat()
      return lstat("\(folder.library)/\(name)", &status) != 0 || status.st_uid != 1000 || status.st_gid != 1000
    }
    #expect(foreign == [])
    withExtendedLifetime(store) {}
  }

  @Test(arguments: [nil, 0o755, 0o775, 0o777])
  func aLibraryIsItsOwnersAlone(_ madeWith: Int?) throws {
    if let madeWith {
      try FileManager.default.createDirectory(atPath: folder.library, withIntermediateDirectories: true)
      try setMode(madeWith, ".")
    }
    let store = try use()
    let wrong = try modes().filter { $0.value != (isFolder($0.key) ? 0o700 : 0o600) }
    #expect(wrong == [:])
    withExtendedLifetime(store) {}
  }

  @Test func aLibraryThatEverybodyMayReadIsTightenedWhenItsOwnerOpensIt() throws {
    _ = try use()
    for name in try modes().keys { try setMode(isFolder(name) ? 0o755 : 0o644, name) }
    let store = try folder.open()
    let wrong = try modes().filter { $0.value != (isFolder($0.key) ? 0o700 : 0o600) }
    #expect(wrong == [:])
    withExtendedLifetime(store) {}
  }

  @Test(arguments: [(0o770, 0o660), (0o750, 0o640)])
  func aLibraryThatItsOwnerSharesWithAGroupStaysShared(_ folders: Int, _ files: Int) throws {
    try FileManager.default.createDirectory(atPath: folder.library, withIntermediateDirectories: true)
    try setMode(folders, ".")
    let store = try use()
    let wrong = try modes().filter { $0.value != (isFolder($0.key) ? folders : files) }
    #expect(wrong == [:])
    withExtendedLifetime(store) {}
  }

  @Test func theTargetOfALinkInTheLibraryKeepsItsMode() throws {
    _ = try use()
    let letter = "\(folder.path)/letter.txt"
    try Data().write(to: URL(fileURLWithPath: letter))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: letter)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.library)/originals/link", withDestinationPath: letter)
    try setMode(0o755, ".")
    _ = try folder.open()
    #expect(try FileManager.default.attributesOfItem(atPath: letter)[.posixPermissions] as? Int == 0o644)
  }
}
