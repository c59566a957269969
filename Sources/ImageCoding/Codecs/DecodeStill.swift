import MediaMetadata

/// Decodes a still in this process.
package func decodeStill(_ file: MediaFile, metadata: MediaMetadata, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  let start = try file.read(16, at: 0)
  switch Decoder(for: metadata.type, start: start) {
  case .libRaw: return try decodeRaw(file, request)
  case .libheif: return try decodeHEIF(file, request)
  case .turboJPEG:
    return try decodeJPEG(
      file, orientation: metadata.orientation, endingAt: metadata.motionVideo?.offset, request)
  case .bmp: return try decodeBMP(file, request)
  // JPEG XL decoders apply the orientation themselves.
  case .libvips(turns: true): return try decodeWithVips(file, orientation: 1, request)
  case .libvips: return try decodeWithVips(file, orientation: metadata.orientation, request)
  case .none:
    throw ImagingError(.unsupported, file.name, reason: "\(metadata.type.uniformTypeIdentifier) is not a still picture")
  }
}

/// The decoder for a type of file.
private enum Decoder {
  case turboJPEG, libheif, libRaw, bmp
  case libvips(turns: Bool)

  init?(for type: MediaType, start: [UInt8]) {
    switch (type.kind, type.uniformTypeIdentifier) {
    case (.audio, _), (.video, _): return nil
    case _ where type.isRaw: self = .libRaw
    case _ where start.starts(with: [0xFF, 0xD8, 0xFF]): self = .turboJPEG
    case _ where start.starts(with: "BM".utf8): self = .bmp
    case (_, "public.jpeg-xl"): self = .libvips(turns: true)
    // An ISO base media file: HEIC, HEIF, AVIF and their sequences.
    case _ where start.dropFirst(4).starts(with: "ftyp".utf8): self = .libheif
    default: self = .libvips(turns: false)
    }
  }
}
