import Foundation
import NIOCore
import Photos

/// Any JSON value. A number is never a truth value, and the other way around.
enum JSONValue: Codable, Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Reads JSON; `nil` if it is malformed.
  ///
  /// `init(from:)` tries one type after another at each level, which takes a hundred times as long.
  init?(_ bytes: ByteBuffer) {
    let data = Data(bytes.readableBytesView)
    guard let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) else { return nil }
    self.init(value)
  }

  private init(_ value: Any) {
    switch value {
    case let text as String: self = .string(text)
    case let elements as [Any]: self = .array(elements.map { JSONValue($0) })
    case let values as [String: Any]: self = .object(values.mapValues { JSONValue($0) })
    case let number as NSNumber:
      self = String(cString: number.objCType) == "c" ? .bool(number.boolValue) : .number(number.doubleValue)
    default: self = .null
    }
  }

  /// The depth to which a request may be nested. Requests need a few levels, and the time of some
  /// decoders grows steeply with each.
  static let depthLimit = 32

  /// Returns the depth to which JSON is nested, without parsing it.
  static func depth(of bytes: some Sequence<UInt8>) -> Int {
    var (depth, deepest) = (0, 0)
    var (isInText, isEscaped) = (false, false)
    for byte in bytes {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInText: isEscaped = true
      case UInt8(ascii: "\""): isInText.toggle()
      case _ where isInText: break
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return deepest
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let values): try container.encode(values)
    }
  }

  /// The kind of the value, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// A value of a request's body with its place, which every error about it names:
/// `changes[2].collection`.
struct JSONPlace: Sendable {
  let value: JSONValue
  let path: String

  /// Returns the failure of a value that can be read but not used.
  func failure(_ reason: String, code: PHPhotosError.Code? = nil) -> Failure {
    Failure(.unprocessableContent, path.isEmpty ? reason : "\(path): \(reason)", code: code)
  }

  private func mismatch(_ wanted: String) -> Failure { failure("this has to be \(wanted), not \(value.kind)") }

  var isNull: Bool { value == .null }

  func string() throws -> String {
    guard case .string(let text) = value else { throw mismatch("a text") }
    return text
  }

  func bool() throws -> Bool {
    guard case .bool(let value) = value else { throw mismatch("true or false") }
    return value
  }

  func number() throws -> Double {
    guard case .number(let number) = value else { throw mismatch("a number") }
    return number
  }

  func integer(in range: ClosedRange<Int>) throws -> Int {
    guard case .number(let number) = value, let whole = Int(exactly: number), range.contains(whole) else {
      throw failure("this has to be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  func array() throws -> [JSONPlace] {
    guard case .array(let elements) = value else { throw mismatch("a list") }
    return elements.enumerated().map { JSONPlace(value: $1, path: "\(path)[\($0)]") }
  }

  /// Returns the fields of an object that may have only these keys.
  func fields(_ keys: Set<String>) throws -> JSONFields {
    let fields = try fields()
    for key in fields.keys.sorted() where !keys.contains(key) {
      throw fields.place(key).failure("this key is not known here; known are \(keys.sorted().joined(separator: ", "))")
    }
    return fields
  }

  /// Returns the fields of an object with any keys.
  func fields() throws -> JSONFields {
    guard case .object(let values) = value else { throw mismatch("an object") }
    return JSONFields(values: values, path: path)
  }
}

/// The fields of an object in a request's body.
struct JSONFields: Sendable {
  fileprivate let values: [String: JSONValue]
  fileprivate let path: String

  var keys: some Collection<String> { values.keys }

  fileprivate func place(_ key: String) -> JSONPlace {
    JSONPlace(value: values[key] ?? .null, path: path.isEmpty ? key : "\(path).\(key)")
  }

  /// Returns the value of a key, or `nil` if the object doesn't have it.
  subscript(key: String) -> JSONPlace? { values[key] == nil ? nil : place(key) }

  /// Returns the value of a key. Throws if the object doesn't have it.
  func require(_ key: String) throws -> JSONPlace {
    guard let found = self[key] else { throw place(key).failure("this key is missing") }
    return found
  }
}
