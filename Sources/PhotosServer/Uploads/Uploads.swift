import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos
import Synchronization

/// The uploads of a library, as draft-ietf-httpbis-resumable-upload describes them.
///
/// An upload's record and bytes are in the library's folder, so that it goes on after a restart of
/// the server. Every offset that a client gets is on the disk. Only one request at a time sends
/// bytes of an upload. A new request about the upload ends it, since its client has given it up.
final class Uploads: Sendable {
  /// An upload as its client sees it.
  struct State: Sendable {
    var id: String
    var offset: Int
    var length: Int?
    var isComplete: Bool
    var expirationDate: Date
  }

  let library: PHPhotoLibrary
  let limits: ServerLimits
  let clock: @Sendable () -> Date
  private let time: @Sendable () -> ContinuousClock.Instant
  private let random: RandomBytes
  let transfers = Mutex<[String: Transfer]>([:])
  let space: UploadSpace
  let hashes = Mutex<[String: PHPhotoLibrary.UploadHash]>([:])
  /// The imported uploads of each sender, oldest first.
  let finished = Mutex<[String: [String]]>([:])
  /// The uploads that are being imported or removed.
  private let claimed = Mutex<Set<String>>([])

  /// The number of bytes that are written together.
  private static let pieceSize = 512 << 10
  /// An upload that is not imported within this time is removed.
  static let lifetime: TimeInterval = 7 * 86_400

  init(
    library: PHPhotoLibrary, limits: ServerLimits, clock: @escaping @Sendable () -> Date,
    time: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, random: RandomBytes
  ) {
    self.library = library
    self.limits = limits
    self.clock = clock
    self.time = time
    self.random = random
    space = UploadSpace(limits: limits)
  }

  /// A request with bytes, and its sender.
  struct Incoming: Sendable {
    var asker: String
    var body: RequestBody
    var channel: (any Channel)?
    /// Throws if the sender may not add to the library any more.
    var check: @Sendable () async throws -> Void
  }

  /// A request that sends bytes.
  final class Transfer: Sendable {
    let incoming: Incoming
    private let isEndedFlag = Atomic(false)

    init(_ incoming: Incoming) { self.incoming = incoming }

    var asker: String { incoming.asker }

    var isEnded: Bool { isEndedFlag.load(ordering: .relaxed) }

    func end() {
      isEndedFlag.store(true, ordering: .relaxed)
      incoming.channel?.close(promise: nil)
    }
  }

  // MARK: Requests

  /// Creates an upload with the first bytes of the file, or all of them. If the request is
  /// interrupted, nothing is left of it, since its client does not know the address.
  func create(_ fields: UploadFields, _ incoming: Incoming) async throws -> State {
    let asker = incoming.asker
    let isComplete = fields.isComplete ?? true
    let length = try Self.length([fields.length, isComplete ? fields.contentLength : nil])
    try check(length ?? fields.contentLength ?? 0)
    let id = UploadID.make(random)
    let record = UploadRecord(
      asker: asker, name: fields.name ?? "Untitled", creationDate: clock(), length: length, sha256: fields.sha256,
      fileDate: fields.fileDate, isNew: true)
    let making = try await blocking { [self] in
      let folder = try library.uploads
      if space.isDue(clock()) { try removeUseless() }
      let making = try folder.lockForMaking()
      try space.reserve(length ?? 0, for: id, by: asker)
      do {
        try folder.checkRoom(for: length ?? 0)
        try folder.makeFile(of: id)
        try save(record, id, in: folder)
      } catch {
        space.release(id)
        try? folder.remove(id)
        throw error
      }
      return making
    }
    defer { making.release() }
    do {
      var fields = fields
      (fields.isComplete, fields.offset) = (isComplete, 0)
      return try await receive(fields, to: id, incoming) { making.release() }
    } catch {
      try? await blocking { [self] in try remove(id, in: library.uploads) }
      throw error
    }
  }

  /// Appends bytes to an upload.
  func append(_ fields: UploadFields, to id: String, _ incoming: Incoming) async throws -> State {
    guard fields.offset != nil, fields.isComplete != nil else {
      throw Failure(.badRequest, "the request needs Upload-Offset and Upload-Complete")
    }
    _ = try await blocking { [self] in try record(of: id, by: incoming.asker) }
    await endTransfer(of: id)
    return try await receive(fields, to: id, incoming)
  }

  func state(of id: String, by asker: String) async throws -> State {
    _ = try await blocking { [self] in try record(of: id, by: asker) }
    // A request whose client is gone may begin to be read only now.
    for _ in 0..<10 {
      await endTransfer(of: id)
      let state: State? = try await blocking { [self] in
        let folder = try library.uploads
        let record = try record(of: id, by: asker)
        guard record.outcome == nil else { return self.state(record, id, offset: record.length ?? 0) }
        guard let file = try folder.openFile(of: id) else { return nil }
        try file.synchronize()
        return self.state(record, id, offset: try file.byteCount())
      }
      if let state { return state }
    }
    throw Self.isBusy
  }

  func delete(_ id: String, by asker: String) async throws {
    _ = try await blocking { [self] in try record(of: id, by: asker) }
    await endTransfer(of: id)
    try await blocking { [self] in
      try claim([id])
      defer { release([id]) }
      try remove(id, in: library.uploads)
    }
  }

  /// Keeps others from importing or removing these uploads. Throws 409 if somebody does so.
  func claim(_ ids: [String]) throws {
    try claimed.withLock { claimed in
      guard claimed.isDisjoint(with: ids) else {
        throw Failure(.conflict, "the upload is being imported or removed", [.retryAfter: "1"])
      }
      claimed.formUnion(ids)
    }
  }

  /// The number of uploads that are being imported or removed.
  var claimedCount: Int { claimed.withLock(\.count) }

  func release(_ ids: [String]) { claimed.withLock { $0.subtract(ids) } }

  // MARK: Receiving

  /// Receives bytes. Calls `didOpen` when the file is locked for this request.
  private func receive(
    _ fields: UploadFields, to id: String, _ incoming: Incoming, didOpen: () -> Void = {}
  ) async throws -> State {
    let transfer = Transfer(incoming)
    let asker = incoming.asker
    try begin(transfer, id)
    defer { transfers.withLock { $0[id] = nil } }
    let offset = fields.offset ?? 0
    let (file, opened) = try await blocking { [self] in
      let folder = try library.uploads
      var record = try record(of: id, by: asker)
      guard !record.isComplete else {
        throw Failure(.badRequest, "the upload is complete", [.uploadComplete: "?1"])
      }
      guard let file = try folder.openFile(of: id, hash: hashes.withLock { $0[id] }) else { throw Self.isBusy }
      let byteCount = try file.byteCount()
      guard byteCount == offset else {
        throw Failure(
          .conflict, "Upload-Offset: \(byteCount) bytes have arrived, not \(offset)",
          [.uploadOffset: String(byteCount)])
      }
      let end = fields.isComplete == true ? fields.contentLength.map { offset + $0 } : nil
      let known = record
      record.length = try Self.length([fields.length, end, record.length])
      try check(record.length ?? offset + (fields.contentLength ?? 0))
      if let length = record.length, offset + (fields.contentLength ?? 0) > length {
        throw Failure(.badRequest, "the file has \(length) bytes, and more were sent")
      }
      record.sha256 = fields.sha256 ?? record.sha256
      try space.reserve(record.length ?? byteCount, for: id, by: asker)
      if record != known { try save(record, id, in: folder) }
      return (file, record)
    }
    defer { file.unlock() }
    didOpen()
    let limit = opened.length ?? limits.largestUpload
    let received = await write(transfer, to: file, id, at: offset, upTo: limit)
    // The bytes that have arrived stay, whatever interrupted the rest.
    do { try await blocking { try file.synchronize() } } catch {
      // It is unknown which bytes are on the disk now.
      try? await blocking { [self] in try remove(id, in: library.uploads) }
      throw error
    }
    hashes.withLock { $0[id] = file.hash }
    if let failure = received.failure { throw failure }
    guard received.byteCount <= limit else {
      try await blocking { [self] in try remove(id, in: library.uploads) }
      throw opened.length == nil ? tooLarge : Failure(.badRequest, "the file has \(limit) bytes, and more were sent")
    }
    let isInterrupted =
      transfer.isEnded
      || (fields.contentLength.map { offset + $0 > received.byteCount } ?? (incoming.channel?.isActive == false))
    guard !isInterrupted else { throw Failure(.badRequest, "the request ended before its body did") }
    guard fields.isComplete == true else {
      if opened.isNew == true {
        try await blocking { [self] in
          var record = opened
          record.isNew = nil
          try save(record, id, in: library.uploads)
        }
      }
      return state(opened, id, offset: received.byteCount)
    }
    return try await complete(opened, id: id, file: file, byteCount: received.byteCount)
  }

  /// Writes a request's body to the file, in pieces, as long as its sender may add to the library.
  /// Returns the number of bytes that the file or its upload has then, and the error that ended it.
  private func write(
    _ transfer: Transfer, to file: PHPhotoLibrary.UploadedFile, _ id: String, at offset: Int, upTo limit: Int
  ) async -> (byteCount: Int, failure: (any Error)?) {
    var byteCount = offset
    var pending = ByteBuffer()
    var failure: (any Error)?
    func flush() async throws {
      let piece = pending
      let end = byteCount
      pending.clear()
      guard piece.readableBytes > 0 else { return }
      try await blocking { [self] in
        try space.reserve(end, for: id, by: transfer.asker, isGrowth: true)
        try piece.withUnsafeReadableBytes { try file.append($0) }
      }
    }
    var check = PermissionCheck(by: time)
    do {
      for try await buffer in transfer.incoming.body {
        byteCount += buffer.readableBytes
        guard byteCount <= limit, !transfer.isEnded else { break }
        try await check(transfer.incoming.check)
        pending.writeImmutableBuffer(buffer)
        if pending.readableBytes >= Self.pieceSize { try await flush() }
      }
    } catch { failure = error }
    do { try await flush() } catch { failure = error }
    return (byteCount, failure)
  }

  private func complete(
    _ record: UploadRecord, id: String, file: PHPhotoLibrary.UploadedFile, byteCount: Int
  ) async throws -> State {
    if let length = record.length, length != byteCount {
      throw Failure(
        .badRequest, "the file has \(length) bytes, and \(byteCount) have arrived",
        [.uploadOffset: String(byteCount)])
    }
    return try await blocking { [self] in
      let folder = try library.uploads
      if let sha256 = record.sha256, try file.sha256() != sha256 {
        try remove(id, in: folder)
        throw Failure(
          .unprocessableContent, "Repr-Digest: the bytes that have arrived have another SHA-256; upload the file again",
          [.uploadComplete: "?1"])
      }
      var record = record
      record.isComplete = true
      record.isNew = nil
      record.length = byteCount
      try save(record, id, in: folder)
      _ = hashes.withLock { $0.removeValue(forKey: id) }
      return state(record, id, offset: byteCount)
    }
  }

  // MARK: Transfers

  private func begin(_ transfer: Transfer, _ id: String) throws {
    try transfers.withLock { transfers in
      guard transfers[id] == nil else { throw Self.isBusy }
      guard transfers.values.count(where: { $0.asker == transfer.asker }) < limits.uploadsAtOnce else {
        throw Failure(
          .tooManyRequests, "\(limits.uploadsAtOnce) uploads are sent at once; try again", [.retryAfter: "1"])
      }
      transfers[id] = transfer
    }
  }

  /// Ends a request that sends bytes of an upload, and waits until they are written.
  private func endTransfer(of id: String) async {
    guard let transfer = transfers.withLock({ $0[id] }) else { return }
    transfer.end()
    // A disk that takes longer is answered with `isBusy`.
    for _ in 0..<1000 where transfers.withLock({ $0[id] === transfer }) {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  private static var isBusy: Failure {
    Failure(.conflict, "another request is sending bytes of this upload", [.retryAfter: "1"])
  }

  private func state(_ record: UploadRecord, _ id: String, offset: Int) -> State {
    State(
      id: id, offset: offset, length: record.length, isComplete: record.isComplete,
      expirationDate: record.creationDate + Self.lifetime)
  }

  // MARK: Limits

  /// Returns the header field with the limits.
  func limitField(_ state: State?) -> String {
    let age = state.map { max(0, Int($0.expirationDate.timeIntervalSince(clock()))) } ?? Int(Self.lifetime)
    return "max-size=\(limits.largestUpload), max-age=\(age)"
  }

  private func check(_ byteCount: Int) throws {
    guard byteCount <= limits.largestUpload else { throw tooLarge }
  }

  private var tooLarge: Failure {
    Failure(
      .contentTooLarge, "an upload may have \(limits.largestUpload) bytes; `calotype serve --max-upload` raises it",
      [.uploadLimit: limitField(nil)])
  }

  /// Returns the length on which all sources agree; `nil` if none knows it.
  private static func length(_ lengths: [Int?]) throws -> Int? {
    let known = Set(lengths.compactMap(\.self))
    guard known.count < 2 else {
      throw Failure(.badRequest, "Upload-Length, Content-Length and earlier requests disagree about the file's length")
    }
    return known.first
  }

  /// Runs blocking work, and maps the library's errors to PhotoKit's.
  func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await Blocking.run {
      try withPhotosErrors { () -> Result<Value, Failure> in
        do { return .success(try work()) } catch let failure as Failure { return .failure(failure) }
      }.get()
    }
  }
}
