import Foundation

/// The packets of an MPEG-2 transport stream: 188 bytes each. On AVCHD cards and Blu-ray discs a
/// 4-byte time stamp precedes each; in some broadcasts a 16-byte checksum follows.
struct TransportPackets {
  private static let packetByteCount = 188
  private static let strides = [packetByteCount, packetByteCount + 4, packetByteCount + 16]
  /// The number of packets that must begin with the sync byte.
  private static let certainPackets = 8
  private static let fewestPackets = 4
  /// The number of packets among which the list of programs must be: it is sent ten times a second.
  private static let packetsToTheList = 1000

  private let bytes: ByteReader
  private let start: Int
  private let stride: Int

  var count: Int { (bytes.count - start) / stride }

  /// True if a time stamp precedes each packet.
  var hasClock: Bool { stride == Self.packetByteCount + 4 }

  init?(_ bytes: ByteReader) {
    for stride in Self.strides {
      for start in 0..<stride where Self.isSequence(bytes, from: start, stride: stride) {
        let packets = Self(bytes: bytes, start: start, stride: stride)
        // Without this, records whose size divides a packet's would be taken for packets.
        guard
          (0..<min(packets.count, Self.packetsToTheList)).contains(where: { packets[$0]?.beginsListOfPrograms == true })
        else {
          continue
        }
        self = packets
        return
      }
    }
    return nil
  }

  /// The number of streams that have pictures among the first packets.
  var pictureCount: Int {
    let streams = (0..<min(count, Self.packetsToTheList)).compactMap { index -> Int? in
      guard let packet = self[index], packet.isFirstOfUnit, packet.content.u24(0) == 1,
        let kind = packet.content.u8(3), (0xE0...0xEF).contains(kind)
      else { return nil }
      return packet.stream
    }
    return Set(streams).count
  }

  private init(bytes: ByteReader, start: Int, stride: Int) {
    (self.bytes, self.start, self.stride) = (bytes, start, stride)
  }

  private static func isSequence(_ bytes: ByteReader, from start: Int, stride: Int) -> Bool {
    for index in 0..<certainPackets {
      let offset = start + index * stride
      guard let sync = bytes.u8(offset) else { return index >= fewestPackets }
      guard sync == 0x47, let control = bytes.u8(offset + 3), control & 0x30 != 0 else { return false }
    }
    return true
  }

  struct Packet {
    /// The stream that the packet belongs to.
    var stream: Int
    var isFirstOfUnit: Bool
    var content: ByteReader

    fileprivate var beginsListOfPrograms: Bool {
      stream == 0 && isFirstOfUnit && content.u8(1 + (content.u8(0) ?? 0)) == 0
    }
  }

  /// Returns the packet; nil if there is none, or if it has no content.
  subscript(index: Int) -> Packet? {
    let offset = start + index * stride
    guard let packet = bytes.slice(offset, Self.packetByteCount), packet.u8(0) == 0x47, let head = packet.u16(1),
      let control = packet.u8(3), control & 0x10 != 0
    else { return nil }
    let adaptation = control & 0x20 == 0 ? 0 : 1 + (packet.u8(4) ?? 0)
    return packet.slice(4 + adaptation).map {
      Packet(stream: head & 0x1FFF, isFirstOfUnit: head & 0x4000 != 0, content: $0)
    }
  }
}

extension ParsedValues {
  /// The number of packets that are searched for the first picture's metadata: 280 KB.
  private static let searchedPackets = 1500
  private static let mostStreams = 16

  /// Reads the metadata that an AVCHD camera writes before its pictures; `ffprobe` reads the rest.
  mutating func readTransportStream(_ bytes: ByteReader) {
    formatRotates = true
    guard let packets = TransportPackets(bytes) else { return }
    var streams: [Int: [UInt8]] = [:]
    for index in 0..<min(packets.count, Self.searchedPackets) {
      guard let packet = packets[index], streams.count < Self.mostStreams || streams[packet.stream] != nil,
        let content = packet.content.bytes(0, packet.content.count)
      else { continue }
      streams[packet.stream, default: []] += content
    }
    guard let notes = streams.values.lazy.compactMap(CameraNotes.init).first else { return }
    if let reading = notes.recordingTime { dates.append(DateCandidate(.original, reading)) }
    camera.make = notes.make
  }
}

/// The metadata (MDPM) that an AVCHD camera writes before each picture: numbered entries of four
/// bytes.
private struct CameraNotes {
  private var notes: [UInt8: [UInt8]] = [:]

  /// The identifier of this user data in H.264, followed by its name.
  private static let mark: [UInt8] =
    [0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66]
    + Array("MDPM".utf8)
  private static let longest = 1 + 255 * 5

  init?(_ stream: [UInt8]) {
    guard let mark = stream.firstRange(of: Self.mark) else { return nil }
    let content = VideoBits.withoutEscapes(stream[mark.upperBound...].prefix(Self.longest))
    guard let count = content.first else { return nil }
    for start in Swift.stride(from: 1, to: 1 + Int(count) * 5, by: 5) where start + 5 <= content.count {
      notes[content[start]] = Array(content[start + 1..<start + 5])
    }
  }

  var recordingTime: DateCandidate.Reading? {
    guard let date = notes[0x18], let time = notes[0x19] else { return nil }
    let numbers = (date.dropFirst() + time).compactMap(\.binaryCodedDecimal)
    guard numbers.count == 7,
      let clock = CivilTime(
        numbers[0] * 100 + numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6])
    else { return nil }
    guard let offset = Self.offset(date[0]) else { return .local(clock) }
    return .zoned(.init(timeIntervalSince1970: clock.secondsOnUTC - Double(offset)), offset: offset)
  }

  /// Returns seconds east of UTC; nil if no zone was set, or if it is marked as summer time.
  /// Cameras differ in whether the zone includes summer time: the machine's zone is used instead.
  private static func offset(_ zone: UInt8) -> Int? {
    guard zone != 0, zone & 0xC0 == 0 else { return nil }
    let hours = Int(zone >> 1 & 15)
    guard hours <= 14 else { return nil }
    return (zone & 0x20 == 0 ? 1 : -1) * (hours * 3600 + Int(zone & 1) * 1800)
  }

  var make: String? {
    guard let note = notes[0xE0] else { return nil }
    return [0x0103: "Panasonic", 0x0108: "Sony", 0x1011: "Canon", 0x1104: "JVC"][Int(note[0]) << 8 | Int(note[1])]
  }
}
