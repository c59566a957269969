import CHevc
import MediaMetadata

/// A libde265 decoder for one stream of pictures.
package final class HEVCDecoder {
  private let context: UnsafeMutableRawPointer
  private let deadline: ContinuousClock.Instant
  private var parameters: [[UInt8]] = []
  /// Whether no picture was damaged so far.
  private(set) var isUndamaged = true

  /// Initializes the tables of libde265 once. Otherwise each decoder builds them anew, which takes
  /// longer than a small picture.
  private static let tablesAreReady = de265_init() == DE265_OK

  package init?(withLoopFilters: Bool, until deadline: ContinuousClock.Instant) {
    self.deadline = deadline
    guard Self.tablesAreReady, let context = de265_new_decoder() else { return nil }
    self.context = context
    de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_DEBLOCKING, withLoopFilters ? 0 : 1)
    de265_set_parameter_bool(context, DE265_DECODER_PARAM_DISABLE_SAO, withLoopFilters ? 0 : 1)
  }

  deinit { de265_free_decoder(context) }

  /// Passes a tile to the decoder. Returns false if its data is damaged.
  package func push(_ tile: HEVCPicture.Tile, _ number: Int) -> Bool {
    if tile.parameters != parameters {
      guard tile.parameters.allSatisfy({ push($0, number) }) else { return false }
      parameters = tile.parameters
    }
    return tile.units.allSatisfy { push($0, number) }
  }

  package func finish() -> Bool { de265_flush_data(context) == DE265_OK }

  /// Returns a complete picture, if there is one. It is valid until the next call of any method.
  package func next() -> HEVCImage? {
    var more: Int32 = 1
    while isUndamaged {
      if let image = de265_get_next_picture(context) { return HEVCImage(image: image) }
      guard more != 0, ContinuousClock.now < deadline else { return nil }
      let result = de265_decode(context, &more)
      if result == DE265_ERROR_WAITING_FOR_INPUT_DATA { more = 0 }
      isUndamaged =
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
package struct HEVCImage {
  let image: OpaquePointer

  /// The number of the tile.
  var number: Int { Int(de265_get_image_PTS(image)) }

  /// Returns the picture's planes, if they are 8-bit Y, Cb and Cr with a known matrix.
  func picture(_ declared: HEVCPicture.DeclaredMatrix?) -> YCbCrPicture? {
    guard de265_get_chroma_format(image) == de265_chroma_420,
      (0..<3).allSatisfy({ de265_get_bits_per_pixel(image, Int32($0)) == 8 }),
      let matrix = YCbCrMatrix(
        coefficients: declared?.coefficients ?? Int(de265_get_image_matrix_coefficients(image)),
        isFullRange: declared?.isFullRange ?? (de265_get_image_full_range_flag(image) != 0))
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
