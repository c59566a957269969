import CHevc

/// Decodes an HEVC picture's tiles with libde265 and makes them one, smaller picture; nil where a tile is damaged or of an unusual
/// kind, which libheif may know better.
///
/// Deblocking and its kin work on single pixels at the edges of blocks: they are left out where at least four times four pixels
/// become one. (They take a sixth of the time; later blocks are predicted from what is before them, so nothing else changes.)
func decode(_ picture: HEVCPicture, named file: MediaFile, _ request: DecodingRequest)
  throws(ImagingError) -> PixelBuffer?
{
  let wanted = request.size(of: picture.size)
  let shrink = picture.size.longSide / wanted.longSide
  guard let decoder = HEVCDecoder(withLoopFilters: shrink < 4, until: request.deadline) else { return nil }
  if picture.tiles.count == 1 {
    // The decoder owns the pixels.
    return withExtendedLifetime(decoder) { () -> PixelBuffer? in
      guard decoder.push(picture.tiles[0], 0), decoder.finish(), let image = decoder.next(),
        let planes = image.picture(picture.matrix), planes.luma.size == picture.size
      else { return nil }
      return planes.resized(to: wanted)
    }
  }

  var canvas = TileCanvas(picture)
  for (index, tile) in picture.tiles.enumerated() {
    guard decoder.push(tile, index), canvas.take(from: decoder) else {
      try request.checkDeadline(file)
      return nil
    }
  }
  guard decoder.finish(), canvas.take(from: decoder) else { return nil }
  return canvas.picture { $0.resized(to: wanted) }
}

/// libde265 with one stream of pictures.
private final class HEVCDecoder {
  private let context: UnsafeMutableRawPointer
  private let deadline: ContinuousClock.Instant
  private var parameters: [[UInt8]] = []
  /// No picture was damaged so far.
  private(set) var isSound = true

  init?(withLoopFilters: Bool, until deadline: ContinuousClock.Instant) {
    self.deadline = deadline
    guard let context = de265_new_decoder() else { return nil }
    self.context = context
    de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_DEBLOCKING, withLoopFilters ? 0 : 1)
    de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_SAO, withLoopFilters ? 0 : 1)
  }

  deinit { de265_free_decoder(context) }

  /// False if the picture is damaged.
  func push(_ tile: HEVCPicture.Tile, _ number: Int) -> Bool {
    if tile.parameters != parameters {
      guard tile.parameters.allSatisfy({ push($0, number) }) else { return false }
      parameters = tile.parameters
    }
    return tile.units.allSatisfy { push($0, number) }
  }

  func finish() -> Bool { de265_flush_data(context) == DE265_OK }

  /// A picture that is complete, if there is one; it is valid until the next call of any method.
  func next() -> HEVCImage? {
    var more: Int32 = 1
    while isSound {
      if let image = de265_get_next_picture(context) { return HEVCImage(image: image) }
      guard more != 0, ContinuousClock.now < deadline else { return nil }
      let result = de265_decode(context, &more)
      if result == DE265_ERROR_WAITING_FOR_INPUT_DATA { more = 0 }
      isSound =
        (result == DE265_OK || result == DE265_ERROR_WAITING_FOR_INPUT_DATA)
        && de265_get_warning(context) == DE265_OK
    }
    return nil
  }

  private func push(_ unit: [UInt8], _ number: Int) -> Bool {
    de265_push_NAL(context, unit, Int32(unit.count), de265_PTS(number), nil) == DE265_OK
  }
}

/// A picture that libde265 has decoded and owns.
private struct HEVCImage {
  let image: OpaquePointer

  /// Which tile it is.
  var number: Int { Int(de265_get_image_PTS(image)) }

  /// Its planes, if they are Y, Cb and Cr of bytes with a matrix that is known.
  func picture(_ told: (coefficients: Int, isFullRange: Bool)?) -> YCbCrPicture? {
    guard de265_get_chroma_format(image) == de265_chroma_420,
      (0..<3).allSatisfy({ de265_get_bits_per_pixel(image, Int32($0)) == 8 }),
      let matrix = YCbCrMatrix(
        coefficients: told?.coefficients ?? Int(de265_get_image_matrix_coefficients(image)),
        isFullRange: told?.isFullRange ?? (de265_get_image_full_range_flag(image) != 0))
    else { return nil }
    let planes = (0..<3).compactMap { plane(Int32($0)) }
    guard planes.count == 3 else { return nil }
    return YCbCrPicture(luma: planes[0], chroma: Array(planes[1...]), matrix: matrix)
  }

  private func plane(_ channel: Int32) -> PixelView? {
    var rowBytes: Int32 = 0
    let size = (de265_get_image_width(image, channel), de265_get_image_height(image, channel))
    guard size.0 > 0, size.1 > 0, let base = de265_get_image_plane(image, channel, &rowBytes) else { return nil }
    return PixelView(base: base, stride: Int(rowBytes), width: Int(size.0), height: Int(size.1), channels: 1)
  }
}

/// Where tiles become one picture.
private struct TileCanvas {
  private let whole: HEVCPicture
  private var tileSize = PixelSize(width: 0, height: 0)
  private var matrix: YCbCrMatrix?
  private var planes: [[UInt8]]
  private let sizes: [PixelSize]
  private var missing: Int

  init(_ picture: HEVCPicture) {
    whole = picture
    missing = picture.tiles.count
    let half = PixelSize(width: (picture.size.width + 1) / 2, height: (picture.size.height + 1) / 2)
    sizes = [picture.size, half, half]
    planes = sizes.map { [UInt8](repeating: 128, count: $0.pixels) }
  }

  /// Takes all the pictures that are complete; false if one of them does not fit.
  mutating func take(from decoder: HEVCDecoder) -> Bool {
    while let image = decoder.next() {
      guard whole.tiles.indices.contains(image.number), let tile = image.picture(whole.matrix), fits(tile) else {
        return false
      }
      let column = image.number % whole.columns
      let row = image.number / whole.columns
      copy(tile.luma, to: 0, left: column * tileSize.width, top: row * tileSize.height)
      for (index, plane) in tile.chroma.enumerated() {
        copy(plane, to: index + 1, left: column * tileSize.width / 2, top: row * tileSize.height / 2)
      }
      missing -= 1
    }
    return decoder.isSound
  }

  /// All tiles have one size, which is even, and together cover the picture.
  private mutating func fits(_ tile: YCbCrPicture) -> Bool {
    if matrix == nil {
      tileSize = tile.luma.size
      matrix = tile.matrix
    }
    return tile.luma.size == tileSize && tile.matrix == matrix
      && tileSize.width.isMultiple(of: 2) && tileSize.height.isMultiple(of: 2)
      && tileSize.width * whole.columns >= whole.size.width && tileSize.height * whole.rows >= whole.size.height
      && tile.chroma.allSatisfy { $0.width == tileSize.width / 2 && $0.height == tileSize.height / 2 }
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

  /// Lends the picture, if all tiles are there.
  func picture(_ body: (YCbCrPicture) -> PixelBuffer) -> PixelBuffer? {
    guard missing == 0, let matrix else { return nil }
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
