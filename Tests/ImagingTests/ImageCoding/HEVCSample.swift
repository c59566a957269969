import Foundation
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// A HEIC file assembled from tiles that `ffmpeg` encodes. It can have properties that no available
/// encoder writes.
struct HEVCSample {
  /// Options for `libx265` and for its input pixels.
  struct Coding: Hashable {
    var pixelFormat = "yuv420p"
    var matrix = "smpte170m"
    var isFullRange = false
    /// Whether the coded pictures state their matrix and range.
    var isTold = true
    /// The curve that the coded pictures state, in x265's words. The primaries are then BT.2020's.
    var transfer: String?
  }

  static let side = 128

  var columns = 4
  var rows = 3
  /// The picture's size, which cuts off some columns and rows of the last tiles.
  var size = PixelSize(width: 500, height: 372)
  /// The properties of the picture, after its size and decoder configuration.
  var properties: [[UInt8]] = []
  var tileProperties: [[UInt8]] = []
  /// The sizes stated for the thumbnails. Each thumbnail is the first tile, so the stated size is
  /// false unless it is `side` × `side`.
  var thumbnails: [PixelSize] = []
  /// The properties of all thumbnails, after their size and decoder configuration.
  var thumbnailProperties: [[UInt8]] = []
  /// If set, the primary item shows the picture through an identity item with these properties.
  var identityProperties: [[UInt8]]?
  /// The content of the `hvcC` box.
  var configuration: [UInt8]
  var tiles: [[UInt8]]

  init(
    _ coding: Coding = Coding(), columns: Int = 4, rows: Int = 3,
    color: (_ x: Int, _ y: Int) -> [UInt8] = Self.color
  ) throws {
    self.columns = columns
    self.rows = rows
    size = PixelSize(width: columns * Self.side - 12, height: rows * Self.side - 12)
    let units = try Self.encode(coding, columns, rows, color)
    let parameters = units.filter { (32...34).contains($0[0] >> 1) }
    var seen: Set<[UInt8]> = []
    configuration = Self.configuration(coding, parameters.filter { seen.insert($0).inserted })
    tiles = units.filter { $0[0] >> 1 < 32 }.map { big($0.count, 4) + $0 }
    try #require(tiles.count == columns * rows)
  }

  /// The color of a pixel in a picture with smooth gradients and sharp edges.
  static func color(_ x: Int, _ y: Int) -> [UInt8] {
    let isRing = (x - 250) * (x - 250) + (y - 180) * (y - 180) < 14_000
    return [
      UInt8(40 + x * 150 / 512), UInt8(40 + y * 150 / 384), isRing ? 190 : UInt8(60 + (x / 16 + y / 16) % 2 * 40),
    ]
  }

  private static func encode(
    _ coding: Coding, _ columns: Int, _ rows: Int, _ color: (_ x: Int, _ y: Int) -> [UInt8]
  ) throws -> [[UInt8]] {
    var pixels: [UInt8] = []
    for tile in 0..<columns * rows {
      let (left, top) = (tile % columns * side, tile / columns * side)
      for y in top..<top + side { for x in left..<left + side { pixels += color(x, y) } }
    }
    let folder = try TemporaryFolder()
    let input = try folder.file(pixels, named: "tiles.rgb")
    let output = folder.url.appendingPathComponent("tiles.hevc").path
    let range = coding.isFullRange ? "full" : "limited"
    let scaling = "scale=out_color_matrix=\(coding.matrix):out_range=\(range),"
    let told =
      (coding.isTold ? ":colormatrix=\(coding.matrix):range=\(range)" : "")
      + (coding.transfer.map { ":colorprim=bt2020:transfer=\($0)" } ?? "")
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "\(side)x\(side)", "-i", input.name, "-vf",
        "\(scaling)format=\(coding.pixelFormat),setparams=colorspace=\(coding.isTold ? coding.matrix : "unknown")",
        "-c:v", "libx265", "-x265-params", "keyint=1:qp=18:log-level=none:slices=1\(told)", output,
      ])
    return try Data(contentsOf: URL(fileURLWithPath: output)).annexBUnits
  }

  private static func configuration(_ coding: Coding, _ parameters: [[UInt8]]) -> [UInt8] {
    let chroma =
      coding.pixelFormat.contains("444") ? 3 : coding.pixelFormat.hasPrefix("gray") ? 0 : 1
    let depth = coding.pixelFormat.contains("10") ? 2 : 0
    var bytes: [UInt8] = [1, 1] + big(0x6000_0000, 4) + [0x90, 0, 0, 0, 0, 0, 90, 0xF0, 0, 0xFC]
    bytes += [UInt8(0xFC | chroma), UInt8(0xF8 | depth), UInt8(0xF8 | depth), 0, 0, 0x0F, UInt8(parameters.count)]
    for unit in parameters { bytes += [0x80 | unit[0] >> 1, 0, 1] + big(unit.count, 2) + unit }
    return bytes
  }

  /// Returns the bytes of the file.
  func bytes() -> [UInt8] {
    let grid = tiles.count > 1
    let type = ascii("ftyp")
    let brand = big(24, 4) + type + ascii("heic") + big(0, 4) + ascii("mif1heic")
    // The tiles' items have the numbers 1, 2, …; the grid's item follows them.
    let primary = grid ? tiles.count + 1 : 1
    let last = primary + thumbnails.count
    let identity = identityProperties.map { _ in last + 1 }
    let infos = (1...last + (identity == nil ? 0 : 1)).map { id in
      let type = id == identity ? "iden" : id == primary && grid ? "grid" : "hvc1"
      return fullBox("infe", version: 2, big(id, 2) + big(0, 2) + ascii(type) + [0])
    }
    let whole = fullBox("ispe", big(size.width, 4) + big(size.height, 4))
    let tile = grid ? fullBox("ispe", big(Self.side, 4) + big(Self.side, 4)) : whole
    let thumbnailSizes = thumbnails.map { fullBox("ispe", big($0.width, 4) + big($0.height, 4)) }
    let all =
      [whole, tile, box("hvcC", configuration)] + properties + tileProperties + thumbnailProperties + thumbnailSizes
      + (identityProperties ?? [])
    let ofWhole = [1] + (0..<properties.count).map { 4 + $0 }
    let ofTiles = [2, 3] + (0..<tileProperties.count).map { 4 + properties.count + $0 }
    let beforeThumbnails = 4 + properties.count + tileProperties.count
    let ofThumbnails = [3] + (0..<thumbnailProperties.count).map { beforeThumbnails + $0 }
    var associations = big(infos.count, 4)
    for id in 1...last {
      let list =
        id > primary
        ? [beforeThumbnails + thumbnailProperties.count + id - primary - 1] + ofThumbnails
        : !grid ? [1, 3] + ofWhole.dropFirst() : id == primary ? ofWhole : ofTiles
      associations += big(id, 2) + [UInt8(list.count)] + list.map { UInt8($0) }
    }
    if let identityProperties {
      let first = all.count - identityProperties.count + 1
      let list = [1] + identityProperties.indices.map { first + $0 }
      associations += big(last + 1, 2) + [UInt8(list.count)] + list.map { UInt8($0) }
    }
    let iprp = box("iprp", box("ipco", all.flatMap { $0 }), fullBox("ipma", associations))
    let ofGrid =
      grid ? box("dimg", big(primary, 2) + big(tiles.count, 2) + (1...tiles.count).flatMap { big($0, 2) }) : []
    let toPrimary = (primary + 1..<last + 1).flatMap { box("thmb", big($0, 2) + big(1, 2) + big(primary, 2)) }
    let toShown = identity.map { box("dimg", big($0, 2) + big(1, 2) + big(primary, 2)) } ?? []
    let iref = fullBox("iref", ofGrid + toPrimary + toShown)
    let gridData: [UInt8] = [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + big(size.width, 2) + big(size.height, 2)
    let data = tiles + (grid ? [gridData] : []) + thumbnails.map { _ in tiles[0] }
    func meta(_ start: Int) -> [UInt8] {
      var at = start
      var locations: [UInt8] = [0x44, 0] + big(data.count, 2)
      for (index, item) in data.enumerated() {
        locations += big(index + 1, 2) + big(0, 2) + big(1, 2) + big(at, 4) + big(item.count, 4)
        at += item.count
      }
      return fullBox(
        "meta", fullBox("hdlr", big(0, 4) + ascii("pict") + big(0, 12) + [0]),
        fullBox("pitm", big(identity ?? primary, 2)),
        fullBox("iinf", big(infos.count, 2) + infos.flatMap { $0 }), iref, iprp, fullBox("iloc", locations))
    }
    let start = brand.count + meta(0).count + 8
    return brand + meta(start) + box("mdat", data.flatMap { $0 })
  }
}

extension Data {
  /// The NAL units between the start codes.
  var annexBUnits: [[UInt8]] {
    let bytes = [UInt8](self)
    var starts: [Int] = []
    var at = 0
    while at + 3 <= bytes.count {
      let isStart = bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 1
      if isStart { starts.append(at) }
      at += isStart ? 3 : 1
    }
    return starts.indices.map { index in
      let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
      var unit = Array(bytes[starts[index] + 3..<end])
      while unit.last == 0 { unit.removeLast() }
      return unit
    }
  }
}

/// Runs programs that make samples.
enum Program {
  /// Returns what the program wrote to standard output. It must succeed.
  @discardableResult static func run(_ name: String, _ arguments: [String]) throws -> String {
    let outcome = try Child.run(name, arguments)
    try #require(outcome.status == 0, "\(name) \(arguments): \(outcome.errors)")
    return outcome.output
  }
}

extension PixelBuffer {
  /// Returns the peak signal-to-noise ratio in decibels, which is infinite for equal pictures.
  func likeness(to other: PixelBuffer) -> Double {
    guard size == other.size, channels == other.channels else { return -.infinity }
    var squares = 0
    for index in bytes.indices {
      let difference = Int(bytes[index]) - Int(other.bytes[index])
      squares += difference * difference
    }
    return squares == 0 ? .infinity : 10 * log10(255 * 255 * Double(bytes.count) / Double(squares))
  }
}
