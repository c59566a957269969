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

  init(in space: CopySpace, origin: String) throws {
    self.space = space
    self.origin = origin
    var path = Array(FileManager.default.temporaryDirectory.appendingPathComponent("picked-XXXXXX").path.utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw Failure(.internalServerError, "no temporary file can be made: \(String(cString: strerror(errno)))")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  deinit {
    close(descriptor)
    space.release(byteCount, of: origin)
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

/// The number of bytes of all copies, also of those that are being made or that are still sent. One
/// origin may have a quarter of them.
final class CopySpace: Sendable {
  /// The bytes of each origin that has some.
  private let used = Mutex<[String: Int]>([:])
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Throws 507 if the copies of the origin, or all copies, are too large together.
  func reserve(_ byteCount: Int, for origin: String) throws {
    let isReserved = used.withLock { used in
      let ofOrigin = used[origin, default: 0] + byteCount
      guard ofOrigin <= limit / 4, used.values.reduce(byteCount, +) <= limit else { return false }
      used[origin] = ofOrigin
      return true
    }
    guard isReserved else {
      throw Failure(
        .init(code: 507, reasonPhrase: "Insufficient Storage"),
        "the copies for web pages have too many bytes together; try again later")
    }
  }

  func release(_ byteCount: Int, of origin: String) {
    used.withLock { used in
      let rest = used[origin, default: 0] - byteCount
      used[origin] = rest > 0 ? rest : nil
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

  /// The number of all copies, of which one origin may have a quarter.
  private let countLimit: Int

  init(clock: @escaping @Sendable () -> Date, random: RandomBytes, byteLimit: Int, countLimit: Int = 1000) {
    self.clock = clock
    self.random = random
    self.countLimit = countLimit
    space = CopySpace(limit: byteLimit)
  }

  /// Makes an empty copy for an origin. Throws 429 if there are as many addresses as there may be.
  func makeFile(for origin: String) throws -> HandedOverFile {
    let (ofOrigin, ofAll) = update { tickets in (tickets.values.count { $0.origin == origin }, tickets.count) }
    guard ofOrigin < countLimit / 4, ofAll < countLimit else {
      throw Failure(.tooManyRequests, "there are too many addresses of copies; a page has to release some")
    }
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
