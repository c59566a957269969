import Foundation

/// Writes a message's parts one behind the other, or reads them back: one function of each type does both, so that they can't differ.
///
///     var coder = MessageCoder()
///     coder.put(job)
///     send(coder.bytes)
///
///     var coder = MessageCoder(reading: bytes)
///     let job: WorkerJob = coder.get()
///     guard coder.isComplete else { … }
///
/// Numbers have eight bytes, texts and lists their count first. What is read of bytes that are none of this is made of blanks; whoever
/// uses it asks `isComplete` before.
struct MessageCoder {
  private(set) var bytes: [UInt8]
  let isReading: Bool
  private var position = 0
  fileprivate private(set) var isDamaged = false

  init() {
    bytes = []
    isReading = false
    bytes.reserveCapacity(512)
  }

  init(reading bytes: [UInt8]) {
    self.bytes = bytes
    isReading = true
  }

  /// Whether all has been read, and was what it should be.
  var isComplete: Bool { !isDamaged && position == bytes.count }

  /// Says that what was read can't be.
  mutating func fail() { isDamaged = true }

  mutating func put(_ part: some MessagePart) {
    var part = part
    part.code(with: &self)
  }

  mutating func get<Part: MessagePart>() -> Part {
    var part = Part.blank
    part.code(with: &self)
    return part
  }

  /// Writes the part, or replaces it by what is read.
  mutating func part(_ part: inout some MessagePart) { part.code(with: &self) }

  fileprivate mutating func number(_ value: inout UInt64) {
    guard isReading else { return withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
    guard !isDamaged, bytes.count - position >= 8 else { return fail() }
    value = bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt64.self)) }
    position += 8
  }

  fileprivate mutating func byte(_ value: inout UInt8) {
    guard isReading else { return bytes.append(value) }
    guard !isDamaged, position < bytes.count else { return fail() }
    value = bytes[position]
    position += 1
  }

  fileprivate mutating func text(_ text: inout String) {
    guard isReading else {
      put(text.utf8.count)
      return bytes.append(contentsOf: text.utf8)
    }
    let count: Int = get()
    guard !isDamaged, (0...bytes.count - position).contains(count) else { return fail() }
    text = String(decoding: bytes[position..<position + count], as: UTF8.self)
    position += count
  }

  /// A list takes a multiple of its bytes in memory, and whoever sends it may say any number. Bytes of profiles are the most that is
  /// sent, and texts that a photo has no more than ten thousand of.
  static let longestList = 64 << 10

  /// How many parts follow: each has a byte at least.
  fileprivate mutating func count(_ count: Int) -> Int {
    guard isReading else {
      put(count)
      return count
    }
    let told: Int = get()
    guard !isDamaged, (0...min(bytes.count - position, Self.longestList)).contains(told) else {
      fail()
      return 0
    }
    return told
  }
}

/// What a message is made of.
protocol MessagePart {
  /// What is there before it has been read.
  static var blank: Self { get }
  mutating func code(with coder: inout MessageCoder)
}

extension Int: MessagePart {
  static var blank: Int { 0 }
  mutating func code(with coder: inout MessageCoder) {
    var number = UInt64(bitPattern: Int64(self))
    coder.number(&number)
    self = Int(Int64(bitPattern: number))
  }
}

extension UInt64: MessagePart {
  static var blank: UInt64 { 0 }
  mutating func code(with coder: inout MessageCoder) { coder.number(&self) }
}

extension UInt8: MessagePart {
  static var blank: UInt8 { 0 }
  mutating func code(with coder: inout MessageCoder) { coder.byte(&self) }
}

extension Bool: MessagePart {
  static var blank: Bool { false }
  mutating func code(with coder: inout MessageCoder) {
    var byte: UInt8 = self ? 1 : 0
    coder.byte(&byte)
    self = byte != 0
  }
}

extension Double: MessagePart {
  static var blank: Double { 0 }
  mutating func code(with coder: inout MessageCoder) {
    var number = bitPattern
    coder.number(&number)
    self = Double(bitPattern: number)
  }
}

extension String: MessagePart {
  static var blank: String { "" }
  mutating func code(with coder: inout MessageCoder) { coder.text(&self) }
}

extension Date: MessagePart {
  static var blank: Date { Date(timeIntervalSinceReferenceDate: 0) }
  mutating func code(with coder: inout MessageCoder) {
    var seconds = timeIntervalSinceReferenceDate
    coder.part(&seconds)
    self = Date(timeIntervalSinceReferenceDate: seconds)
  }
}

extension TimeZone: MessagePart {
  static var blank: TimeZone { .gmt }
  mutating func code(with coder: inout MessageCoder) {
    var name = identifier
    coder.part(&name)
    if coder.isReading { self = TimeZone(identifier: name) ?? .gmt }
  }
}

extension Optional: MessagePart where Wrapped: MessagePart {
  static var blank: Wrapped? { nil }
  mutating func code(with coder: inout MessageCoder) {
    var isThere = self != nil
    coder.part(&isThere)
    guard isThere else { return }
    var value: Wrapped = self ?? Wrapped.blank
    coder.part(&value)
    self = value
  }
}

extension Array: MessagePart where Element: MessagePart {
  static var blank: [Element] { [] }
  mutating func code(with coder: inout MessageCoder) {
    let count = coder.count(self.count)
    guard coder.isReading else {
      for element in self { coder.put(element) }
      return
    }
    self = []
    for _ in 0..<count where !coder.isDamaged { append(coder.get()) }
  }
}

extension RawRepresentable where RawValue: MessagePart {
  /// For a choice of some; another raw value can't be.
  mutating func codeRawValue(with coder: inout MessageCoder) {
    var raw = rawValue
    coder.part(&raw)
    guard coder.isReading else { return }
    if let value = Self(rawValue: raw) { self = value } else { coder.fail() }
  }
}
