import Foundation

/// Opens the databases of a library that this account can't write, in place.
extension LibraryFolder {
  /// Opens a database in place; returns `nil` if SQLite can't read it there.
  ///
  /// - On a disk that nobody can write, the database is opened as immutable: SQLite needs no files
  ///   beside it. A log with commits rules that out, since SQLite would not see them.
  /// - On other disks, other processes may write at any time, and SQLite must share its log and the
  ///   log's index with them. It can do so if they have the database open. Otherwise there are no
  ///   such files, and none can be created.
  func openInPlace(_ name: String) -> SQLiteDatabase? {
    if isOnImmutableDisk, size(of: "\(name)-wal") ?? 0 == 0 {
      let address = URL(fileURLWithPath: absolute(name)).absoluteString + "?immutable=1"
      return try? SQLiteDatabase(path: address, isReadOnly: true)
    }
    // In a folder that this account may write to, SQLite would create files that the owner can't
    // use. Readers also write to the log's index.
    guard size(of: "\(name)-wal") != nil, size(of: "\(name)-shm") != nil, access(path, W_OK) != 0,
      hardLinkObstacle() == nil
    else { return nil }
    return try? SQLiteDatabase(path: absolute(name), isReadOnly: true)
  }

  /// Whether a database keeps a log, as every one does when it has been made.
  func hasLog(_ name: String) throws(StoreError) -> Bool {
    guard let descriptor = try openIfPresent(name, O_RDONLY) else { return false }
    defer { close(descriptor) }
    // The versions of SQLite's format for writing and for reading.
    var versions: [UInt8] = [0, 0]
    return pread(descriptor, &versions, versions.count, 18) == versions.count && versions == [2, 2]
  }

  private func size(of name: String) -> Int? { (try? status(name)).flatMap(\.self).map { Int($0.st_size) } }

  /// Whether nobody can write to the folder's disk: it belongs to this machine and is itself
  /// read-only.
  ///
  /// A read-only mount is not enough. Its disk may also be mounted elsewhere, as on a container's
  /// host, or belong to another machine.
  var isOnImmutableDisk: Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let lines = Self.lines(of: "/proc/self/fdinfo/\(descriptor)")
    guard let line = lines.first(where: { $0.hasPrefix("mnt_id:") }) else { return false }
    let mount = line.dropFirst("mnt_id:".count).trimmingCharacters(in: .whitespaces)
    return Self.lines(of: "/proc/self/mountinfo").first { $0.hasPrefix("\(mount) ") }.map(Self.isImmutable) ?? false
  }

  /// Reads a line of `/proc/self/mountinfo`: the mount, a dash, the file system.
  static func isImmutable(mount line: Substring) -> Bool {
    guard let dash = line.range(of: " - ") else { return false }
    let (mount, disk) = (line[..<dash.lowerBound].split(separator: " "), line[dash.upperBound...].split(separator: " "))
    guard mount.count > 2, disk.count == 3, disk[2].split(separator: ",").contains("ro") else { return false }
    // A number of 0 means that there is no block device, as for network file systems.
    return !mount[2].hasPrefix("0:") || ["btrfs", "zfs", "tmpfs"].contains(disk[0])
  }

  private static func lines(of file: String) -> [Substring] {
    let bytes = (try? FileHandle(forReadingFrom: URL(fileURLWithPath: file)).readToEnd()) ?? Data()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
