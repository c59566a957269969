import MediaMetadata

/// Decodes an HEVC picture's tiles with libde265 and combines them into one picture, resized as
/// requested. Returns nil if a tile is damaged or of an unusual kind, which libheif may be able to
/// decode.
///
/// The loop filters (deblocking and SAO) change single pixels at the edges of blocks. They are
/// skipped for previews, and if at least 4 × 4 pixels become one. They take a sixth of the time.
/// Later blocks are predicted from pixels before the filter, so skipping them changes nothing else.
func decode(_ picture: HEVCPicture, named file: MediaFile, _ request: DecodingRequest, isPreview: Bool = false)
  throws(ImagingError) -> PixelBuffer?
{
  let wanted = request.size(of: picture.size)
  let shrink = picture.size.longSide / wanted.longSide
  let withLoopFilters = shrink < 4 && !isPreview
  guard let decoder = HEVCDecoder(withLoopFilters: withLoopFilters, until: request.deadline) else { return nil }
  if picture.tiles.count == 1 {
    // The decoder owns the pixels.
    return withExtendedLifetime(decoder) { () -> PixelBuffer? in
      guard decoder.push(picture.tiles[0], 0), decoder.finish(), let image = decoder.next(),
        let planes = image.picture(picture.matrix), planes.luma.size == picture.size
      else { return nil }
      let quickly = isPreview && wanted == picture.size ? planes.convertedWithoutResizing() : nil
      return quickly ?? planes.resized(to: wanted)
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
