import Foundation

// Requests and answers as messages: a number for the case, and its parts.

extension WorkerJob: MessagePart {
  static var blank: WorkerJob {
    WorkerJob(name: "", byteCount: 0, modificationDate: .blank, request: .metadata(machineTimeZone: .gmt))
  }

  mutating func code(with coder: inout MessageCoder) {
    coder.part(&name)
    coder.part(&byteCount)
    coder.part(&modificationDate)
    coder.part(&request)
  }
}

extension WorkerRequest: MessagePart {
  static var blank: WorkerRequest { .metadata(machineTimeZone: .gmt) }

  mutating func code(with coder: inout MessageCoder) {
    guard coder.isReading else { return write(to: &coder) }
    switch coder.get() as UInt8 {
    case 0: self = .metadata(machineTimeZone: coder.get())
    case 1: self = .bareMetadata(machineTimeZone: coder.get())
    case 2: self = .renditions(coder.get(), kinds: coder.get(), coder.get())
    case 3: self = .picture(coder.get(), coder.get(), coder.get())
    case 4: self = .thumbnail(coder.get())
    case 5: self = .carried(coder.get(), coder.get(), size: coder.get(), keepsGeometry: coder.get())
    case 6: self = .turned(coder.get())
    case 7: self = .misbehavior(coder.get())
    case 8: self = .coloredPicture(coder.get(), coder.get())
    case 9: self = .converted(coder.get())
    case 10: self = .properties
    default: coder.fail()
    }
  }

  private func write(to coder: inout MessageCoder) {
    switch self {
    case .metadata(let zone): coder.put(0 as UInt8, zone)
    case .bareMetadata(let zone): coder.put(1 as UInt8, zone)
    case .renditions(let metadata, let kinds, let limits): coder.put(2 as UInt8, metadata, kinds, limits)
    case .picture(let metadata, let request, let limits): coder.put(3 as UInt8, metadata, request, limits)
    case .thumbnail(let limits): coder.put(4 as UInt8, limits)
    case .carried(let metadata, let changes, let size, let keepsGeometry):
      coder.put(5 as UInt8, metadata, changes, size, keepsGeometry)
    case .turned(let turn): coder.put(6 as UInt8, turn)
    case .misbehavior(let misbehavior): coder.put(7 as UInt8, misbehavior)
    case .coloredPicture(let metadata, let limits): coder.put(8 as UInt8, metadata, limits)
    case .converted(let conversion): coder.put(9 as UInt8, conversion)
    case .properties: coder.put(10 as UInt8)
    }
  }
}

extension WorkerReply: MessagePart {
  static var blank: WorkerReply { .nothing }

  mutating func code(with coder: inout MessageCoder) {
    guard coder.isReading else { return write(to: &coder) }
    switch coder.get() as UInt8 {
    case 0: self = .metadata(coder.get())
    case 1:
      self = .renditions(
        coder.get(), placeholder: coder.get(), notes: coder.get(), damage: coder.get(), originalServes: coder.get())
    case 2:
      self = .picture(
        width: coder.get(), height: coder.get(), channels: coder.get(), address: coder.get(), profile: coder.get())
    case 3: self = .carried(coder.get())
    case 4: self = .data(byteCount: coder.get())
    case 5: self = .nothing
    case 6: self = .outcome(coder.get())
    case 7:
      var code = ImagingError.Code.damaged
      code.codeRawValue(with: &coder)
      self = .failure(code, reason: coder.get())
    case 8: self = .properties(coder.get())
    default: coder.fail()
    }
  }

  private func write(to coder: inout MessageCoder) {
    switch self {
    case .metadata(let metadata): coder.put(0 as UInt8, metadata)
    case .renditions(let parts, let placeholder, let notes, let damage, let originalServes):
      coder.put(1 as UInt8, parts, placeholder, notes, damage, originalServes)
    case .picture(let width, let height, let channels, let address, let profile):
      coder.put(2 as UInt8, width, height, channels, address, profile)
    case .carried(let byteCounts): coder.put(3 as UInt8, byteCounts)
    case .data(let byteCount): coder.put(4 as UInt8, byteCount)
    case .nothing: coder.put(5 as UInt8)
    case .outcome(let text): coder.put(6 as UInt8, text)
    case .failure(let code, let reason): coder.put(7 as UInt8, code.rawValue, reason)
    case .properties(let properties): coder.put(8 as UInt8, properties)
    }
  }
}

extension WorkerReply.Part: MessagePart {
  static var blank: Self { Self(kind: .grid, pixelWidth: 0, pixelHeight: 0, uniformTypeIdentifier: "", byteCount: 0) }

  mutating func code(with coder: inout MessageCoder) {
    kind.codeRawValue(with: &coder)
    coder.part(&pixelWidth)
    coder.part(&pixelHeight)
    coder.part(&uniformTypeIdentifier)
    coder.part(&byteCount)
  }
}

extension Confinement.Summary: MessagePart {
  static var blank: Self { Self(landlock: 0) }
  mutating func code(with coder: inout MessageCoder) { coder.part(&landlock) }
}

extension Misbehavior: MessagePart {
  static var blank: Misbehavior { .crash }

  /// As JSON: there are many, and they are a test's.
  mutating func code(with coder: inout MessageCoder) {
    var text = (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    coder.part(&text)
    guard coder.isReading else { return }
    if let read = try? JSONDecoder().decode(Misbehavior.self, from: Data(text.utf8)) {
      self = read
    } else {
      coder.fail()
    }
  }
}
