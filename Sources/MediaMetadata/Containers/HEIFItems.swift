/// The item tables of a HEIF `meta` box.
package struct HEIFItems {
  package struct Item {
    package var id: Int
    package var type: FourCC
    package var contentType: String?
  }

  /// The position of an item's bytes: in the file, or in the `meta` box.
  private struct Location {
    var method: Int
    var extents: [(offset: Int, count: Int)] = []
  }

  private static let itemLimit = 2000
  private static let extentLimit = 64
  /// The largest number of properties of one item, which has about six. The limit bounds the search
  /// for each of a thousand tiles.
  private static let associationLimit = 64
  /// The longest plausible side in pixels, far beyond any camera's.
  private static let longestSide = 32_768

  package private(set) var items: [Item] = []
  package private(set) var auxiliaryTypes: [String] = []
  package private(set) var hasStereoPair = false
  package private(set) var primary: Int?
  private var properties: [Box] = []
  /// The properties of each item, as 1-based indexes in the order of their application.
  private var associations: [Int: [Int]] = [:]
  private let references: ByteReader?
  private var locations: [Int: Location] = [:]
  private let itemData: ByteReader?

  /// Reads the items of a whole file. Nil if there is no `meta` box, or if it is larger than any
  /// real one.
  package init?(of file: ByteReader) {
    guard let meta = file.box("meta"), meta.count <= MediaBytes.readLimit else { return nil }
    self.init(meta)
  }

  package init(_ meta: ByteReader) {
    var boxes: [FourCC: ByteReader] = [:]
    for box in meta.boxes(from: meta.metaHeaderByteCount) where boxes[box.type] == nil { boxes[box.type] = box.content }
    itemData = boxes["idat"]
    references = boxes["iref"]
    if let pitm = boxes["pitm"] { primary = pitm.u8(0) == 0 ? pitm.u16(4) : pitm.u32(4) }
    if let iinf = boxes["iinf"] { readItemInfos(iinf) }
    if let iprp = boxes["iprp"] { readProperties(iprp) }
    if let iloc = boxes["iloc"] { readLocations(iloc) }
    hasStereoPair = boxes["grpl"]?.boxes().contains { $0.type == "ster" } ?? false
  }

  private mutating func readItemInfos(_ iinf: ByteReader) {
    for box in iinf.boxes(from: iinf.u8(0) == 0 ? 6 : 8).prefix(Self.itemLimit) where box.type == "infe" {
      guard let version = box.content.u8(0), version >= 2 else { continue }
      let typeAt = version == 2 ? 8 : 10
      guard let id = version == 2 ? box.content.u16(4) : box.content.u32(4), let type = box.content.fourCC(typeAt)
      else { continue }
      var item = Item(id: id, type: type)
      if type == "mime", let strings = box.content.bytes(typeAt + 4, min(256, max(0, box.content.count - typeAt - 4))) {
        // An item's name precedes its content type and is usually empty.
        let fields = strings.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        if fields.count > 1 { item.contentType = String(decoding: fields[1], as: UTF8.self) }
      }
      items.append(item)
    }
  }

  private mutating func readProperties(_ iprp: ByteReader) {
    if let container = iprp.box("ipco") { properties = Array(container.boxes().prefix(Self.itemLimit)) }
    for property in properties where property.type == "auxC" {
      if let type = property.content.text(4, min(128, max(0, property.content.count - 4))) {
        auxiliaryTypes.append(type)
      }
    }
    for box in iprp.boxes() where box.type == "ipma" { readAssociations(box.content) }
  }

  private mutating func readAssociations(_ ipma: ByteReader) {
    guard let version = ipma.u8(0), let flags = ipma.u24(1), let count = ipma.u32(4) else { return }
    let idByteCount = version < 1 ? 2 : 4
    var position = 8
    for _ in 0..<min(count, Self.itemLimit) {
      guard let id = ipma.number(position, idByteCount), let associationCount = ipma.u8(position + idByteCount)
      else {
        return
      }
      position += idByteCount + 1
      for _ in 0..<associationCount {
        guard let value = flags & 1 == 1 ? ipma.u16(position) : ipma.u8(position) else { return }
        position += flags & 1 == 1 ? 2 : 1
        guard associations[id]?.count ?? 0 < Self.associationLimit else { continue }
        associations[id, default: []].append(value & (flags & 1 == 1 ? 0x7FFF : 0x7F))
      }
    }
  }

  package func type(of id: Int) -> FourCC? { items.first { $0.id == id }?.type }

  /// The descriptive and transformative properties of a picture, in the order of their application.
  package func properties(of id: Int) -> [Box] {
    (associations[id] ?? []).filter { $0 >= 1 && $0 <= properties.count }.map { properties[$0 - 1] }
  }

  /// A picture's size in pixels before rotation and cropping; nil if it is missing or too large for
  /// any camera.
  package func codedSize(of id: Int) -> PixelSize? {
    guard let property = properties(of: id).last(where: { $0.type == "ispe" })?.content,
      let width = property.u32(4), let height = property.u32(8), max(width, height) <= Self.longestSide,
      min(width, height) > 0
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// Returns the items in an item's first reference of a type. For `dimg`, these are the tiles of a
  /// grid in rows.
  package func references(from wanted: Int, as type: FourCC) -> [Int] {
    references(as: type).first { $0.from == wanted }?.to ?? []
  }

  /// Returns the items that refer to this one. For `thmb`, these are a picture's thumbnails.
  package func items(referringTo wanted: Int, as type: FourCC) -> [Int] {
    references(as: type).filter { $0.to.contains(wanted) }.map(\.from)
  }

  /// Whether a picture contains itself, directly or through other pictures. A decoder would follow
  /// such a loop without end.
  package var hasLoop: Bool {
    var parts: [Int: [Int]] = [:]
    for (item, references) in references(as: "dimg") { parts[item, default: []] += references }
    var uses: [Int: Int] = [:]
    for part in parts.values.joined() { uses[part, default: 0] += 1 }
    // Removes each picture that no remaining one contains. Pictures in a loop are never removed.
    var unused = parts.keys.filter { uses[$0] == nil }
    while let item = unused.popLast() {
      for part in parts.removeValue(forKey: item) ?? [] {
        let rest = (uses[part] ?? 0) - 1
        uses[part] = rest
        if rest == 0 { unused.append(part) }
      }
    }
    return !parts.isEmpty
  }

  private func references(as type: FourCC) -> [(from: Int, to: [Int])] {
    guard let references, let version = references.u8(0) else { return [] }
    let idByteCount = version == 0 ? 2 : 4
    return references.boxes(from: 4).filter { $0.type == type }.compactMap { reference in
      let box = reference.content
      guard let from = box.number(0, idByteCount), let count = box.u16(idByteCount), count <= Self.itemLimit else {
        return nil
      }
      return (from, (0..<count).compactMap { box.number(idByteCount + 2 + $0 * idByteCount, idByteCount) })
    }
  }

  /// The size in pixels of the primary picture as displayed: cropped and rotated by its properties.
  package var primarySize: (Int, Int)? {
    var size: (Int, Int)?
    // An identity item has the properties of the item that it shows, and some of its own.
    var shown: [Int] = primary.map { [$0] } ?? []
    while let last = shown.last, shown.count < 4, type(of: last) == "iden",
      let next = references(from: last, as: "dimg").first
    {
      shown.append(next)
    }
    for property in shown.reversed().flatMap(properties(of:)) {
      switch property.type {
      case "ispe":
        if let width = property.content.u32(4), let height = property.content.u32(8) { size = (width, height) }
      case "clap":
        if let (width, height) = size, let cropped = Self.cropped(property.content, width: width, height: height) {
          size = cropped
        }
      case "irot":
        if let angle = property.content.u8(0), angle & 1 == 1, let (width, height) = size { size = (height, width) }
      default: break
      }
    }
    return size
  }

  private static func cropped(_ clap: ByteReader, width: Int, height: Int) -> (Int, Int)? {
    guard let newWidth = clap.u32(0), let widthUnit = clap.u32(4), let newHeight = clap.u32(8),
      let heightUnit = clap.u32(12), widthUnit > 0, heightUnit > 0
    else { return nil }
    let size = (newWidth / widthUnit, newHeight / heightUnit)
    return size.0 > 0 && size.1 > 0 && size.0 <= width && size.1 <= height ? size : nil
  }

  /// Returns an item's bytes, assembled if the file contains them in several parts.
  package func data(of id: Int, in file: ByteReader, limit: Int) -> ByteReader? {
    guard let location = locations[id] else { return nil }
    guard let container = location.method == 0 ? file : location.method == 1 ? itemData : nil else { return nil }
    if location.extents.count == 1, let extent = location.extents.first {
      return container.slice(extent.offset, extent.count == 0 ? .max : extent.count)
    }
    var bytes: [UInt8] = []
    for extent in location.extents {
      guard extent.count <= limit - bytes.count, let part = container.bytes(extent.offset, extent.count) else {
        return nil
      }
      bytes += part
    }
    return bytes.isEmpty ? nil : MediaBytes(bytes).all
  }

  private mutating func readLocations(_ iloc: ByteReader) {
    guard let version = iloc.u8(0), version <= 2, let sizes = iloc.u16(4) else { return }
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    // With sizes of 0, the file could claim any number of extents.
    guard offsetSize + lengthSize > 0 else { return }
    var position = version < 2 ? 8 : 10
    guard let count = version < 2 ? iloc.u16(6) : iloc.u32(6) else { return }
    func field(_ size: Int) -> Int? {
      defer { position += size }
      return switch size {
      case 0: 0
      case 4: iloc.u32(position)
      case 8: iloc.u64(position)
      default: nil
      }
    }
    for _ in 0..<min(count, Self.itemLimit) {
      guard let id = version < 2 ? iloc.u16(position) : iloc.u32(position) else { return }
      position += version < 2 ? 2 : 4
      let method = version == 0 ? 0 : (iloc.u16(position) ?? 0) & 15
      position += version == 0 ? 2 : 4
      guard let base = field(baseSize), let extentCount = iloc.u16(position) else { return }
      position += 2
      var location = Location(method: method)
      for _ in 0..<extentCount {
        guard field(indexSize) != nil, let offset = field(offsetSize), let length = field(lengthSize) else { return }
        if location.extents.count < Self.extentLimit { location.extents.append((base &+ offset, length)) }
      }
      if locations[id] == nil { locations[id] = location }
    }
  }
}
