import Foundation

extension Sequence<UInt8> {
  /// The bytes as text, two lowercase digits each.
  package var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}
