/// The first bytes of movies of cameras from 1998 to 2014, built by hand.
enum OldMovies {
  static let mpeg1: [UInt8] = [0, 0, 1, 0xBA, 0x21, 0, 1, 0, 1, 1, 0xA1, 0xA1]
  static let mpeg2: [UInt8] = [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 1, 0x43, 0x43]
  static let videoCD = ascii("RIFF") + little(4000, 4) + ascii("CDXAfmt ") + [UInt8](repeating: 0, count: 40)
  /// A sequence header of MPEG-2: 64 × 48 square pixels, 25 frames a second.
  static let pictureSequence: [UInt8] = [0, 0, 1, 0xB3, 4, 0, 0x30, 0x13, 0xFF, 0xFF, 0xE0]
  static let mxf: [UInt8] = [6, 14, 43, 52, 2, 5, 1, 1, 13, 1, 2, 1, 1, 2, 4, 0]

  /// A program association table, and packets of one stream with `content`.
  static func transportStream(before: Int = 0, behind: Int = 0, content: [UInt8] = []) -> [UInt8] {
    let list: [UInt8] = [0x47, 0x40, 0, 0x10, 0, 0, 0xB0, 13]
    var packets = [list]
    for start in stride(from: 0, to: max(content.count, 20 * 184), by: 184) {
      let part = content.dropFirst(start).prefix(184)
      // An adaptation field pads a packet that the content does not fill.
      let room = 184 - part.count
      let field: [UInt8] = room == 0 ? [] : [UInt8(room - 1)] + [UInt8](repeating: 0, count: room - 1)
      let header: [UInt8] = [0x47, start == 0 ? 0x50 : 0x10, 0x11, room == 0 ? 0x10 : 0x30]
      packets.append(header + field + part)
    }
    var bytes: [UInt8] = []
    for packet in packets {
      bytes += [UInt8](repeating: 9, count: before) + packet
      bytes += [UInt8](repeating: 0xFF, count: 188 - packet.count)
      bytes += [UInt8](repeating: 9, count: behind)
    }
    return bytes
  }

  /// The metadata that an AVCHD camera writes before a picture: zone, date and maker.
  static func cameraNotes(
    zone: UInt8 = 0, clock: [UInt8] = [0x20, 0x12, 0x06, 0x03, 0x14, 0x22, 0x37], maker: [UInt8] = [0x01, 0x03]
  ) -> [UInt8] {
    let identifier: [UInt8] =
      [0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66]
    var notes: [UInt8] = [0x18, zone] + clock.prefix(3)
    notes += [0x19] + clock.dropFirst(3)
    notes += [0xE0] + maker + [0, 0]
    var escaped: [UInt8] = []
    for byte in [3] + notes {
      if byte <= 3, escaped.suffix(2).elementsEqual([0, 0]) { escaped.append(3) }
      escaped.append(byte)
    }
    let unit: [UInt8] = [0, 0, 0, 1, 6, 5, UInt8(20 + 1 + notes.count)]
    return [UInt8](repeating: 0x55, count: 150) + unit + identifier + ascii("MDPM") + escaped + [0x80]
  }

  static func asf(created ticks: Int = 0, hasPicture: Bool = true) -> [UInt8] {
    func object(_ first: [UInt8], _ content: [UInt8]) -> [UInt8] {
      first + [UInt8](repeating: 1, count: 8) + little(24 + content.count, 8) + content
    }
    let properties = object(
      [0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11], [UInt8](repeating: 0, count: 24) + little(ticks, 8))
    let sound: [UInt8] = [0x40, 0x9E, 0x69, 0xF8, 0x4D, 0x5B, 0xCF, 0x11]
    let picture: [UInt8] = [0xC0, 0xEF, 0x19, 0xBC, 0x4D, 0x5B, 0xCF, 0x11]
    let streams = ([sound] + (hasPicture ? [picture] : [])).flatMap {
      object([0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11], $0 + [UInt8](repeating: 0, count: 40))
    }
    let objects = properties + streams
    let identifier: [UInt8] = [
      0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0, 0xAA, 0, 0x62, 0xCE, 0x6C,
    ]
    let header = little(30 + objects.count, 8) + little(hasPicture ? 3 : 2, 4) + [1, 2]
    return identifier + header + objects
  }

  /// A PAL frame with `packs` in the blocks that describe the picture. The first pack is in the
  /// last such block of the frame.
  static func dv(_ packs: [[UInt8]] = [[0x62, 0xFF, 0x10, 0x03, 0x09], [0x63, 0xFF, 0x43, 0x04, 0x15]]) -> [UInt8] {
    var frame = [UInt8](repeating: 0xFF, count: 144_000)
    for block in 0..<1800 {
      let kinds: [UInt8] = [0x1F, 0x3F, 0x3F, 0x5F, 0x5F, 0x5F]
      let kind = block % 150 < kinds.count ? kinds[block % 150] : 0x9F
      frame.replaceSubrange(block * 80..<block * 80 + 3, with: [kind, 7, 0])
    }
    frame[3] = 0xBF
    for (index, pack) in packs.enumerated() {
      let start = 400 + 3 + index * 5
      frame.replaceSubrange(start..<start + 5, with: pack)
    }
    return frame
  }

  static func flash(_ flags: UInt8) -> [UInt8] { ascii("FLV") + [1, flags, 0, 0, 0, 9, 0, 0, 0, 0] }

  /// The first pages of streams whose first packets begin with these bytes.
  static func ogg(_ packets: String...) -> [UInt8] {
    let pages = packets.map { packet -> [UInt8] in
      let content: [UInt8] = ascii(packet) + [3, 2, 1]
      let header: [UInt8] = ascii("OggS") + [0, 2] + [UInt8](repeating: 0, count: 20) + [1, UInt8(content.count)]
      return header + content
    }
    return pages.flatMap(\.self) + ascii("OggS") + [0, 0]
  }

  static let wtv: [UInt8] = [0xB7, 0xD8, 0, 0x20, 0x37, 0x49, 0xDA, 0x11, 0xA6, 0x4E, 0, 7, 0xE9, 0x5E, 0xAD, 0x8D]
  static let nut: [UInt8] = ascii("nut/multimedia container\0NM")
  static let ivf: [UInt8] = ascii("DKIF") + [0, 0, 32, 0] + ascii("VP80")
  static let roq: [UInt8] = [0x84, 0x10, 0xFF, 0xFF, 0xFF, 0xFF, 30, 0]

  /// A stage of 64 × 48 pixels, and tags of these kinds. The first is long.
  static func swf(_ signature: String = "FWS", _ tags: Int...) -> [UInt8] {
    let head = ascii(signature) + [6] + little(4000, 4) + [0x60, 0, 0x28, 0, 0x1E, 0, 0, 0x19, 0x32, 0]
    let first = little((tags.first ?? 0) << 6 | 63, 2) + little(100, 4) + [UInt8](repeating: 7, count: 100)
    return head + first + tags.dropFirst().flatMap { little($0 << 6 | 2, 2) + [1, 0] } + [0, 0]
  }

  /// A sequence of the High profile and level 1, and a picture's parameters.
  static func h264(_ sequence: [UInt8] = [0x67, 100, 0, 10], picture: [UInt8] = [0x68, 0xEB]) -> [UInt8] {
    [0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1] + sequence + [0xAC, 0xD9, 0, 0, 1] + picture
  }

  /// A video, a sequence and a picture's parameters of the Main profile.
  static func hevc(
    _ video: [UInt8] = [0x40, 1, 12, 1, 0xFF, 0xFF, 1], sequence: [UInt8] = [0x42, 1, 1], picture: [UInt8] = [0x44, 1]
  ) -> [UInt8] {
    [0, 0, 1] + video + [0x60, 0, 0, 0, 1] + sequence + [0, 0, 0, 1] + picture + [0xC1]
  }

  static func realMedia(_ type: String) -> [UInt8] {
    ascii(".RMF") + big(18, 4) + [UInt8](repeating: 0, count: 60) + ascii(type)
  }
}
