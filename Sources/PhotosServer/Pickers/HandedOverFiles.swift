import Foundation
import NIOCore
import PhotosJSON
import Synchronization

/// A copy that was handed over, in a temporary file without a name. It is gone when nobody uses it.
final class HandedOverFile: Sendable {
  private let descriptor: Int32
  private let size = Atomic(0)
  private let space: CopySpace
  private let origin: String

  /// Throws 429 if there are as many copies as there may be.
  init(in space: CopySpace, origin: String) throws {
    try space.addFile(of: origin)
    var path = Array(FileManager.default.temporaryDirectory.appendingPathComponent("picked-XXXXXX").path.utf8CString)
    let opened = mkstemp(&path)
    guard opened >= 0 else {
      let reason = String(cString: strerror(errno))
      space.removeFile(of: origin)
      throw Failure(.internalServerError, "no temporary file can be made: \(reason)")
    }
    self.space = space
    self.origin = origin
    descriptor = opened
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  deinit {
    close(descriptor)
    space.release(byteCount, of: origin)
    space.removeFile(of: origin)
  }

  var byteCount: Int { size.load(ordering: .acquiring) }

  func append(_ piece: ByteBuffer) throws {
    try space.reserve(piece.readableBytes, for: origin)
    var isWritten = false
    // A copy that can't be written is given up.
    defer { if !isWritten { space.release(piece.readableBytes, of: origin) } }
    var offset = byteCount
    var rest = piece.readableBytesView[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
      guard count > 0 else {
        throw Failure(.init(code: 507, reasonPhrase: "Insufficient Storage"), "the temporary folder is full")
      }
      offset += count
      rest = rest.dropFirst(count)
    }
    size.store(offset, ordering: .releasing)
    isWritten = true
  }

  func data(in range: Range<Int>) throws -> Data {
    var data = Data(count: range.count)
    let count = data.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, range.lowerBound) }
    guard count > 0 else { throw Failure(.internalServerError, "the copy can't be read") }
    return data.prefix(count)
  }
}

/// The space of all copies, also those that are being made or that are still sent. One origin may
/// have a quarter of it.
final class CopySpace: Sendable {
  private struct Use {
    var files = 0
    var bytes = 0
  }

  /// The use of each origin.
  private let used = Mutex<[String: Use]>([:])
  private let byteLimit: Int
  private let fileLimit: Int

  init(byteLimit: Int, fileLimit: Int) {
    self.byteLimit = byteLimit
    self.fileLimit = fileLimit
  }

  fileprivate func addFile(of origin: String) throws {
    try add(1, to: \.files, of: origin, limit: fileLimit) { whose in
      Failure(.tooManyRequests, "there are too many copies for \(whose); release some, or try again later")
    }
  }

  fileprivate func removeFile(of origin: String) { remove(1, from: \.files, of: origin) }

  /// Throws 507 if the copies of the origin, or all copies, are too large together.
  fileprivate func reserve(_ byteCount: Int, for origin: String) throws {
    try add(byteCount, to: \.bytes, of: origin, limit: byteLimit) { whose in
      Failure(
        .init(code: 507, reasonPhrase: "Insufficient Storage"),
        "the copies for \(whose) are too large together; release some, or try again later")
    }
  }

  fileprivate func release(_ byteCount: Int, of origin: String) { remove(byteCount, from: \.bytes, of: origin) }

  private func add(
    _ amount: Int, to key: WritableKeyPath<Use, Int> & Sendable, of origin: String, limit: Int,
    failure: (_ whose: String) -> Failure
  ) throws {
    let full: String? = used.withLock { used in
      guard used[origin, default: Use()][keyPath: key] + amount <= limit / 4 else { return "this page" }
      guard used.values.reduce(amount, { $0 + $1[keyPath: key] }) <= limit else { return "web pages" }
      used[origin, default: Use()][keyPath: key] += amount
      return nil
    }
    if let full { throw failure(full) }
  }

  private func remove(_ amount: Int, from key: WritableKeyPath<Use, Int> & Sendable, of origin: String) {
    used.withLock { used in
      used[origin]?[keyPath: key] -= amount
      // A file is removed after its bytes.
      if used[origin]?.files == 0 { used[origin] = nil }
    }
  }
}

/// The copies that pages of other origins load by address, for as long as the address is valid.
/// They end with the server.
final class HandedOverFiles: Sendable {
  struct Ticket: Sendable {
    /// The public name, by which the owner's pages end it.
    var id: String
    /// The secret part of the address.
    var secret: String
    var asset: String
    var origin: String
    var name: String
    var contentType: String
    var file: HandedOverFile
    /// The library's device key when the copy was made. A reset of the password removes that key.
    var deviceKey: Data
    var expirationDate: Date
  }

  /// The valid addresses of an origin.
  struct Summary {
    var origin: String
    var count: Int
    /// The date at which the last one ends.
    var endDate: Date
  }

  private let clock: @Sendable () -> Date
  private let random: RandomBytes
  /// The tickets by the hash of their secret. The secret itself is left out.
  private let tickets = Mutex<[Data: Ticket]>([:])

  private let space: CopySpace

  init(clock: @escaping @Sendable () -> Date, random: RandomBytes, space: CopySpace) {
    self.clock = clock
    self.random = random
    self.space = space
  }

  /// Makes an empty copy for an origin. Throws 429 if there are as many copies as there may be.
  func makeFile(for origin: String) throws -> HandedOverFile {
    // Expired copies make room.
    update { _ in }
    return try HandedOverFile(in: space, origin: origin)
  }

  func add(
    _ file: HandedOverFile, of asset: String, origin: String, name: String, contentType: String, deviceKey: Data,
    seconds: TimeInterval
  ) -> Ticket {
    let secret = Secret(random)
    var ticket = Ticket(
      id: Secret.base64URL(random.make(12)), secret: "", asset: asset, origin: origin, name: name,
      contentType: contentType, file: file, deviceKey: deviceKey, expirationDate: clock() + seconds)
    update { $0[secret.hash] = ticket }
    ticket.secret = secret.text
    return ticket
  }

  /// Returns the valid ticket of a secret; `nil` if there is none.
  func ticket(_ secret: Substring) -> Ticket? { update { $0[Secret.hash(of: secret)] } }

  func remove(id: String) { update { tickets in tickets = tickets.filter { $0.value.id != id } } }

  func remove(origin: String) { update { tickets in tickets = tickets.filter { $0.value.origin != origin } } }

  /// Removes the copies from before the last reset of the password.
  func removeOthers(than deviceKey: Data?) {
    update { tickets in tickets = tickets.filter { $0.value.deviceKey == deviceKey } }
  }

  func removeAll() { update { $0 = [:] } }

  func list() -> [Summary] {
    let byOrigin = update { Dictionary(grouping: $0.values, by: \.origin) }
    return byOrigin.map { origin, tickets in
      Summary(origin: origin, count: tickets.count, endDate: tickets.map(\.expirationDate).max() ?? clock())
    }
  }

  @discardableResult
  private func update<Value: Sendable>(_ body: (inout [Data: Ticket]) -> Value) -> Value {
    let now = clock()
    return tickets.withLock { tickets in
      tickets = tickets.filter { now < $0.value.expirationDate }
      return body(&tickets)
    }
  }
}
