import Foundation

/// IP addresses as texts.
enum NetworkAddress {
  /// Returns the part of an address that identifies one subscriber: the whole of an IPv4 address,
  /// and the first 64 bits of an IPv6 address.
  static func network(of address: String) -> String {
    guard let bytes = bytes(of: address), bytes.count == 16 else { return address }
    return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
  }

  /// Returns an address in one form: IPv4 addresses inside of IPv6 ones become IPv4, and the scope
  /// is removed. Returns `nil` if the text is no address.
  static func canonical(_ text: some StringProtocol) -> String? {
    guard let bytes = bytes(of: String(text.prefix { $0 != "%" })) else { return nil }
    let isMapped = bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
    let short = isMapped ? Array(bytes.suffix(4)) : bytes
    var buffer = [CChar](repeating: 0, count: 64)
    guard inet_ntop(short.count == 4 ? AF_INET : AF_INET6, short, &buffer, 64) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns the 4 or 16 bytes of an address.
  static func bytes(of text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }

  /// Returns the address of a request's sender.
  ///
  /// `X-Forwarded-For` counts only if a trusted proxy sent the request. Each proxy appends the
  /// address that it sees, so the last untrusted one is the sender's; everything before it was
  /// written by the sender.
  static func sender(peer: String, forwardedFor: [String], trusted: Set<String>) -> String {
    var sender = canonical(peer) ?? peer
    for hop in forwardedFor.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }).reversed() {
      guard trusted.contains(sender), let address = canonical(hop.trimming(" \t")) else { break }
      sender = address
    }
    return sender
  }
}

extension Substring {
  fileprivate func trimming(_ characters: String) -> Substring {
    let start = drop { characters.contains($0) }
    return start[..<(start.lastIndex { !characters.contains($0) }.map(start.index(after:)) ?? start.startIndex)]
  }
}
