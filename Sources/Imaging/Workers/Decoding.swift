import Foundation

extension MediaMetadata {
  /// Reads what a file says of itself, from its headers: 64 KB of most files, and never more than 4 MB.
  ///
  ///     let metadata = try MediaMetadata(of: file)
  ///
  /// A file of a known type always gives metadata, however broken it is inside: what could be read, `notes` on the rest,
  /// and the file's own date where it has no other. Throws for a file of no known type, for one that can't be read from disk, and
  /// for one that its reader did not survive.
  ///
  /// The file is read in a worker process if there is one. `ffprobe` reads what a movie's container
  /// stores only in its streams.
  public init(of file: MediaFile, machineTimeZone: TimeZone = .current) throws(ImagingError) {
    if let pool = try WorkerPool.current(reading: file),
      case .metadata(let metadata) = try pool.answer(to: .metadata(machineTimeZone: machineTimeZone), on: file)
    {
      self = metadata
    } else {
      try self.init(readingHere: file, machineTimeZone: machineTimeZone)
    }
    addFacts(ofStreamsIn: file, machineTimeZone: machineTimeZone)
  }

  /// What can be said of a file whose headers its reader did not survive: its type and its own date.
  ///
  ///     let metadata = try MediaMetadata(bareOf: file)
  public init(bareOf file: MediaFile, machineTimeZone: TimeZone = .current) throws(ImagingError) {
    guard let pool = try WorkerPool.current(reading: file),
      case .metadata(let metadata) = try pool.answer(to: .bareMetadata(machineTimeZone: machineTimeZone), on: file)
    else {
      try self.init(readingBare: file, machineTimeZone: machineTimeZone)
      return
    }
    self = metadata
  }
}

/// Makes the renditions of one file in one decode.
///
///     let set = try makeRenditions(of: file, metadata: MediaMetadata(of: file), kinds: [.grid, .screen])
///     set.renditions.first { $0.kind == .grid }?.data
///
/// - A still is decoded at the smallest size that serves; a movie gives a frame of its beginning.
/// - Pictures come out upright and in sRGB: JPEG, or WebP where parts are transparent. None is larger than its original.
/// - A damaged file gives what can be read of it, and `notes` says so; it throws if that is nothing.
/// - The placeholder is made in any case, so `kinds` may be empty.
/// - Keeps no state and may be called from many threads at once; it blocks its thread, mostly for less than half a second.
/// - A still is decoded in a worker process where there is one; a movie by `ffmpeg`, which is a process of its own.
public func makeRenditions(
  of file: MediaFile, metadata: MediaMetadata, kinds: Set<RenditionKind>, limits: DecodingLimits? = nil
) throws(ImagingError) -> RenditionSet {
  let limits = limits ?? (kinds.contains(.full) ? .whole(metadata.type) : .standard)
  guard let pool = try WorkerPool.current(reading: file, metadata),
    case .renditions(let set) = try pool.answer(to: .renditions(metadata, kinds: kinds, limits), on: file)
  else { return try makeRenditionsHere(of: file, metadata: metadata, kinds: kinds, limits: limits) }
  return set
}

/// Decodes a still, or the poster of a movie, in full: upright, in sRGB.
///
///     let pixels = try decodePicture(of: file, metadata: MediaMetadata(of: file))
///
/// As `makeRenditions`, and what it has to say of a damaged file is not told here.
public func decodePicture(of file: MediaFile, metadata: MediaMetadata, limits: DecodingLimits? = nil)
  throws(ImagingError) -> PixelBuffer
{
  try makePicture(of: file, metadata: metadata, PictureRequest(.whole), limits: limits)
}

/// Decodes a still, or the poster of a movie, in the size that is asked for: upright, in sRGB.
///
///     let pixels = try makePicture(of: file, metadata: MediaMetadata(of: file), PictureRequest(.fitting(width: 200, height: 200)))
///
/// The decoder leaves out what a smaller picture does not show. A raw file's preview serves where it is large enough; else the sensor's
/// data are developed, which takes seconds.
public func makePicture(
  of file: MediaFile, metadata: MediaMetadata, _ request: PictureRequest, limits: DecodingLimits? = nil
) throws(ImagingError) -> PixelBuffer {
  let limits = limits ?? .whole(metadata.type)
  guard let pool = try WorkerPool.current(reading: file, metadata),
    case .picture(let pixels) = try pool.answer(to: .picture(metadata, request, limits), on: file)
  else { return try makePictureHere(of: file, metadata: metadata, request, limits: limits) }
  return pixels
}

/// Decodes a still in full: upright, in its own colours.
///
///     let picture = try decodeInOwnColors(file, metadata: MediaMetadata(of: file))
///     let edited = picture.pixels.filtered(by: sepia)      // to be written with `picture.profile`
public func decodeInOwnColors(
  _ file: MediaFile, metadata: MediaMetadata, limits: DecodingLimits? = nil
) throws(ImagingError) -> ColoredPicture {
  let limits = limits ?? .whole(metadata.type)
  guard let pool = try WorkerPool.current(reading: file, metadata),
    case .coloredPicture(let picture) = try pool.answer(to: .coloredPicture(metadata, limits), on: file)
  else { return try decodeInOwnColorsHere(file, metadata: metadata, limits: limits) }
  return picture
}

/// The small picture that a camera put into a JPEG or HEIF file beside the photo, or a raw file's preview: upright, in sRGB; `nil` where
/// there is none, and for a movie.
///
///     let thumbnail = try embeddedThumbnail(of: file)      // 160 × 120, in a millisecond
///
/// What a thumbnail shows beyond its photo, as black bars, is cut off. Thumbnails are taken on trust: an edited file may have kept the
/// thumbnail of what it was.
public func embeddedThumbnail(of file: MediaFile, limits: DecodingLimits = .standard)
  throws(ImagingError) -> PixelBuffer?
{
  guard let pool = try WorkerPool.current(reading: file) else {
    return try embeddedThumbnailHere(of: file, limits: limits)
  }
  guard case .picture(let pixels) = try pool.answer(to: .thumbnail(limits), on: file) else { return nil }
  return pixels
}
