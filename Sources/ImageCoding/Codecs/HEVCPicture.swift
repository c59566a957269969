import MediaMetadata

/// The coded data of an HEVC picture in a HEIF file: one coded picture, or a grid of them (as
/// iPhones write).
///
///     if let picture = HEVCPicture(bytes), let pixels = try decode(picture, named: file, request) { … }
///
/// libheif turns each tile into RGB before it combines them, so this decodes pictures that are
/// shown smaller. Rare cases return nil and are decoded by libheif: a crop, a mirror, tiles of
/// several codecs, turned tiles, and tiles whose colors differ from those of the whole.
package struct HEVCPicture {
  /// The size in pixels as coded, before the picture is turned.
  let size: PixelSize
  /// The EXIF orientation (1–8) to apply to the decoded picture.
  private(set) var orientation = 1
  /// The tiles, row by row.
  package private(set) var tiles: [Tile] = []
  private(set) var columns = 1
  private(set) var rows = 1
  /// The matrix and the range, if the file declares them outside of the coded pictures.
  private(set) var matrix: DeclaredMatrix?

  struct DeclaredMatrix: Equatable {
    var coefficients: Int
    var isFullRange: Bool
  }

  package struct Tile {
    /// NAL units that a decoder needs beforehand.
    var parameters: [[UInt8]]
    /// NAL units of the coded picture.
    var units: [[UInt8]]
    /// The length of the units in the file, in bytes.
    fileprivate var byteCount: Int
    fileprivate var parameterByteCount: Int { parameters.reduce(0) { $0 + HEVCPicture.Tile.cost($1.count) } }
    fileprivate(set) var matrix: DeclaredMatrix?
  }

  private static let tileLimit = 1024
  /// The limit for the parameters of all tiles, in bytes. Mostly they have some hundred bytes a
  /// tile: sizes, profiles and levels.
  fileprivate static let parameterByteLimit = 1 << 20

  /// Reads the primary picture.
  package init?(_ bytes: [UInt8]) {
    let file = MediaBytes(bytes).all
    guard let items = HEIFItems(of: file), let primary = items.primary else { return nil }
    self.init(primary, items, in: file)
  }

  /// - Parameter byteLimit: the limit of the coded data in bytes, if it is less than the file's
  ///   length.
  init?(_ item: Int, _ items: HEIFItems, in file: ByteReader, byteLimit: Int = .max) {
    guard let size = items.codedSize(of: item) else { return nil }
    self.size = size
    guard readProperties(items.properties(of: item)) else { return nil }
    var identifiers = [item]
    switch items.type(of: item) {
    case "hvc1": break
    case "grid":
      guard let grid = items.data(of: item, in: file, limit: 64), readGrid(grid) else { return nil }
      identifiers = items.references(from: item, as: "dimg")
    default: return nil
    }
    guard identifiers.count == columns * rows, identifiers.count <= Self.tileLimit else { return nil }
    // Tiles are different parts of the file, so together they are not longer than the file.
    var remaining = min(file.count, byteLimit)
    var remainingParameters = Self.parameterByteLimit
    for identifier in identifiers {
      guard
        let tile = Tile(
          identifier, isWhole: identifier == item, items: items, file: file, byteLimit: remaining,
          parameterByteLimit: remainingParameters)
      else { return nil }
      remaining -= tile.byteCount
      remainingParameters -= tile.parameterByteCount
      tiles.append(tile)
    }
    // If the tiles declare no matrix, their coded pictures do. A matrix of the whole could then
    // contradict them, so this returns nil.
    guard let first = tiles.first, tiles.allSatisfy({ $0.matrix == first.matrix }),
      matrix == nil || matrix == first.matrix
    else { return nil }
    matrix = first.matrix
  }

  /// Returns false if there is a property that this type does not support.
  private mutating func readProperties(_ properties: [Box]) -> Bool {
    for property in properties {
      switch property.type {
      case "irot":
        // Quarter turns counterclockwise.
        guard orientation == 1, let quarters = property.content.u8(0) else { return false }
        orientation = [1, 8, 3, 6][quarters & 3]
      case "colr":
        guard let declared = DeclaredMatrix(property) else { break }
        matrix = declared
      case "ispe", "hvcC", "pixi", "pasp", "auxC", "clli", "mdcv", "free": break
      default: return false
      }
    }
    return true
  }

  private mutating func readGrid(_ grid: ByteReader) -> Bool {
    guard let flags = grid.u8(1), let rows = grid.u8(2), let columns = grid.u8(3) else { return false }
    let byteCount = flags & 1 == 1 ? 4 : 2
    guard let width = grid.number(4, byteCount), let height = grid.number(4 + byteCount, byteCount) else {
      return false
    }
    self.rows = rows + 1
    self.columns = columns + 1
    return size == PixelSize(width: width, height: height)
  }
}

extension HEVCPicture.DeclaredMatrix {
  /// Returns `nil` if the property is an ICC profile.
  fileprivate init?(_ color: Box) {
    guard color.content.starts(with: "nclx"), let coefficients = color.content.u16(8),
      let range = color.content.u8(10)
    else { return nil }
    self.init(coefficients: coefficients, isFullRange: range & 0x80 != 0)
  }
}

extension HEVCPicture.Tile {
  private static let unitLimit = 4096
  /// Returns the memory that a unit takes, in bytes, including the array's header.
  fileprivate static func cost(_ byteCount: Int) -> Int { byteCount + 40 }
  /// The properties that a tile may have. Any other might turn or crop it.
  private static let supportedProperties: Set<FourCC> = [
    "ispe", "colr", "hvcC", "pixi", "pasp", "clli", "mdcv", "free",
  ]

  /// Reads a coded picture, whatever its properties are.
  init?(_ item: Int, _ items: HEIFItems, in file: ByteReader) {
    self.init(
      item, isWhole: true, items: items, file: file, byteLimit: file.count,
      parameterByteLimit: HEVCPicture.parameterByteLimit)
  }

  /// - Parameter isWhole: whether the item is the whole picture, whose own properties `HEVCPicture`
  ///   applies.
  fileprivate init?(
    _ item: Int, isWhole: Bool, items: HEIFItems, file: ByteReader, byteLimit: Int, parameterByteLimit: Int
  ) {
    let properties = items.properties(of: item)
    guard items.type(of: item) == "hvc1",
      isWhole || properties.allSatisfy({ Self.supportedProperties.contains($0.type) }),
      let configuration = properties.first(where: { $0.type == "hvcC" })?.content,
      // Lengths of four bytes are the only ones in use.
      configuration.u8(21).map({ $0 & 3 }) == 3,
      let parameters = Self.parameters(configuration, limit: parameterByteLimit),
      let data = items.data(of: item, in: file, limit: byteLimit), data.count <= byteLimit,
      let units = Self.units(data)
    else { return nil }
    self.parameters = parameters
    self.units = units
    byteCount = data.count
    matrix = properties.lazy.filter { $0.type == "colr" }.compactMap { HEVCPicture.DeclaredMatrix($0) }.last
  }

  private static func parameters(_ configuration: ByteReader, limit: Int) -> [[UInt8]]? {
    guard let arrays = configuration.u8(22) else { return nil }
    var units: [[UInt8]] = []
    var remaining = limit
    var at = 23
    for _ in 0..<arrays {
      guard let count = configuration.u16(at + 1) else { return nil }
      at += 3
      for _ in 0..<count {
        guard units.count < unitLimit, let length = configuration.u16(at), cost(length) <= remaining,
          let unit = configuration.bytes(at + 2, length)
        else { return nil }
        units.append(unit)
        remaining -= cost(length)
        at += 2 + length
      }
    }
    return units
  }

  private static func units(_ data: ByteReader) -> [[UInt8]]? {
    var units: [[UInt8]] = []
    var at = 0
    while at < data.count {
      guard units.count < unitLimit, let length = data.u32(at), let unit = data.bytes(at + 4, length) else {
        return nil
      }
      units.append(unit)
      at += 4 + length
    }
    return units.isEmpty ? nil : units
  }
}
