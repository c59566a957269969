import Foundation

/// Writes the parts of a message one after the other, or reads them back. One function of each type
/// does both, so that writing and reading can't differ.
///
///     var coder = MessageCoder()
///     coder.put(message)
///     send(coder.bytes)
///
///     var coder = MessageCoder(reading: bytes)
///     let message: Message = coder.get()
///     guard coder.isComplete else { … }
///
/// Numbers have eight bytes. Texts and lists begin with their count. Invalid bytes are read as
/// blank values, so check `isComplete` before you use the values.
package struct MessageCoder {
  package private(set) var bytes: [UInt8]
  package let isReading: Bool
  private var position = 0
  fileprivate private(set) var isDamaged = false

  package init() {
    bytes = []
    isReading = false
    bytes.reserveCapacity(512)
  }

  package init(reading bytes: [UInt8]) {
    self.bytes = bytes
    isReading = true
  }

  /// Whether every byte has been read, and every value was valid.
  package var isComplete: Bool { !isDamaged && position == bytes.count }

  /// Marks the message as damaged.
  package mutating func fail() { isDamaged = true }

  package mutating func put(_ part: some MessagePart) {
    var part = part
    part.code(with: &self)
  }

  package mutating func get<Part: MessagePart>() -> Part {
    var part = Part.blank
    part.code(with: &self)
    return part
  }

  /// Writes the part, or replaces it with the part that is read.
  package mutating func part(_ part: inout some MessagePart) { part.code(with: &self) }

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

  /// The limit of a list's count. In memory, a list takes a multiple of its coded bytes. The
  /// longest lists are the bytes of color profiles, and a photo's texts.
  package static let listCountLimit = 64 << 10

  /// Writes or reads the number of the parts that follow. Each of them has at least one byte.
  fileprivate mutating func count(_ count: Int) -> Int {
    guard isReading else {
      put(count)
      return count
    }
    let declaredCount: Int = get()
    guard !isDamaged, (0...min(bytes.count - position, Self.listCountLimit)).contains(declaredCount) else {
      fail()
      return 0
    }
    return declaredCount
  }
}

/// A value that can be part of a message.
package protocol MessagePart {
  /// The value before it has been read.
  static var blank: Self { get }
  mutating func code(with coder: inout MessageCoder)
}

extension Int: MessagePart {
  package static var blank: Int { 0 }
  package mutating func code(with coder: inout MessageCoder) {
    var number = UInt64(bitPattern: Int64(self))
    coder.number(&number)
    self = Int(Int64(bitPattern: number))
  }
}

extension UInt64: MessagePart {
  package static var blank: UInt64 { 0 }
  package mutating func code(with coder: inout MessageCoder) { coder.number(&self) }
}

extension UInt8: MessagePart {
  package static var blank: UInt8 { 0 }
  package mutating func code(with coder: inout MessageCoder) { coder.byte(&self) }
}

extension Bool: MessagePart {
  package static var blank: Bool { false }
  package mutating func code(with coder: inout MessageCoder) {
    var byte: UInt8 = self ? 1 : 0
    coder.byte(&byte)
    self = byte != 0
  }
}

extension Double: MessagePart {
  package static var blank: Double { 0 }
  package mutating func code(with coder: inout MessageCoder) {
    var number = bitPattern
    coder.number(&number)
    self = Double(bitPattern: number)
  }
}

extension String: MessagePart {
  package static var blank: String { "" }
  package mutating func code(with coder: inout MessageCoder) { coder.text(&self) }
}

extension Date: MessagePart {
  package static var blank: Date { Date(timeIntervalSinceReferenceDate: 0) }
  package mutating func code(with coder: inout MessageCoder) {
    var seconds = timeIntervalSinceReferenceDate
    coder.part(&seconds)
    self = Date(timeIntervalSinceReferenceDate: seconds)
  }
}

extension TimeZone: MessagePart {
  package static var blank: TimeZone { .gmt }
  package mutating func code(with coder: inout MessageCoder) {
    var name = identifier
    coder.part(&name)
    if coder.isReading { self = TimeZone(identifier: name) ?? .gmt }
  }
}

extension Optional: MessagePart where Wrapped: MessagePart {
  package static var blank: Wrapped? { nil }
  package mutating func code(with coder: inout MessageCoder) {
    var isThere = self != nil
    coder.part(&isThere)
    guard isThere else { return }
    var value: Wrapped = self ?? Wrapped.blank
    coder.part(&value)
    self = value
  }
}

extension Array: MessagePart where Element: MessagePart {
  package static var blank: [Element] { [] }
  package mutating func code(with coder: inout MessageCoder) {
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
  /// Writes or reads the raw value; one without a case marks the message as damaged.
  package mutating func codeRawValue(with coder: inout MessageCoder) {
    var raw = rawValue
    coder.part(&raw)
    guard coder.isReading else { return }
    if let value = Self(rawValue: raw) { self = value } else { coder.fail() }
  }
}

extension MessageCoder {
  package mutating func put<each Part: MessagePart>(_ part: repeat each Part) { repeat put(each part) }
}
