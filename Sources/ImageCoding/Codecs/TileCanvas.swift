import CProcess
import MediaMetadata

/// Assembles tiles into one picture.
struct TileCanvas {
  private let whole: HEVCPicture
  private var tileSize = PixelSize(width: 0, height: 0)
  private var matrix: YCbCrMatrix?
  private var planes: [[UInt8]]
  private let sizes: [PixelSize]
  /// The numbers of the tiles that are still missing.
  private var missing: Set<Int>

  init(_ picture: HEVCPicture) {
    whole = picture
    missing = Set(picture.tiles.indices)
    let half = PixelSize(width: (picture.size.width + 1) / 2, height: (picture.size.height + 1) / 2)
    sizes = [picture.size, half, half]
    // The tiles together write every byte. Filling the planes first would take as long as copying.
    planes = sizes.map { size in
      [UInt8](unsafeUninitializedCapacity: size.pixels) { buffer, count in
        calotype_take_large_pages(buffer.baseAddress, buffer.count)
        count = size.pixels
      }
    }
  }

  /// Copies all complete pictures of the decoder; returns false if one of them does not fit.
  mutating func take(from decoder: HEVCDecoder) -> Bool {
    while let image = decoder.next() {
      guard missing.contains(image.number), let tile = image.picture(whole.matrix), fits(tile) else {
        return false
      }
      let column = image.number % whole.columns
      let row = image.number / whole.columns
      copy(tile.luma, to: 0, left: column * tileSize.width, top: row * tileSize.height)
      for (index, plane) in tile.chroma.enumerated() {
        copy(plane, to: index + 1, left: column * tileSize.width / 2, top: row * tileSize.height / 2)
      }
      missing.remove(image.number)
    }
    return decoder.isUndamaged
  }

  /// Returns whether a tile fits: all tiles have the same even size and together cover the picture,
  /// and each overlaps it.
  private mutating func fits(_ tile: YCbCrPicture) -> Bool {
    if matrix == nil {
      tileSize = tile.luma.size
      matrix = tile.matrix
    }
    return tile.luma.size == tileSize && tile.matrix == matrix
      && tileSize.width.isMultiple(of: 2) && tileSize.height.isMultiple(of: 2)
      && covers(whole.size.width, tileSide: tileSize.width, count: whole.columns)
      && covers(whole.size.height, tileSide: tileSize.height, count: whole.rows)
      && tile.chroma.allSatisfy { $0.width == tileSize.width / 2 && $0.height == tileSize.height / 2 }
  }

  private func covers(_ whole: Int, tileSide side: Int, count: Int) -> Bool {
    side * count >= whole && side * (count - 1) < whole
  }

  private mutating func copy(_ view: PixelView, to plane: Int, left: Int, top: Int) {
    let size = sizes[plane]
    let width = min(view.width, size.width - left)
    guard width > 0 else { return }
    planes[plane].withUnsafeMutableBufferPointer { canvas in
      guard let base = canvas.baseAddress else { return }
      for row in 0..<max(0, min(view.height, size.height - top)) {
        let target: Int = (top + row) * size.width + left
        let source: Int = row * view.stride
        (base + target).update(from: view.base + source, count: width)
      }
    }
  }

  /// Calls `body` with the picture if no tile is missing; else returns nil.
  func picture(_ body: (YCbCrPicture) -> PixelBuffer) -> PixelBuffer? {
    guard missing.isEmpty, let matrix else { return nil }
    return view(0) { luma in
      view(1) { cb in
        view(2) { cr in body(YCbCrPicture(luma: luma, chroma: [cb, cr], matrix: matrix)) }
      }
    }
  }

  private func view(_ plane: Int, _ body: (PixelView) -> PixelBuffer?) -> PixelBuffer? {
    planes[plane].withUnsafeBufferPointer { buffer -> PixelBuffer? in
      guard let base = buffer.baseAddress else { return nil }
      let size = sizes[plane]
      return body(PixelView(base: base, stride: size.width, width: size.width, height: size.height, channels: 1))
    }
  }
}
