/// Memory for the pixels that a worker is about to answer, provided while it decodes: the kernel takes as long to provide it as to copy
/// them.
///
///     var room = PixelRoom(for: request, on: file)
///     // … the answer's head says how many bytes there are …
///     let bytes = room.taken(byteCount: count)
struct PixelRoom {
  private(set) var bytes: [UInt8] = []

  /// As much as the file's headers promise; none where the answer is small or no picture, and where so few bytes hardly hold so many
  /// pixels.
  init(for request: WorkerRequest, on file: MediaFile) {
    let (size, limits): (PixelSize?, DecodingLimits)
    switch request {
    case .coloredPicture(let metadata, let itsLimits): (size, limits) = (metadata.reliableSize, itsLimits)
    case .picture(let metadata, let picture, let itsLimits):
      let told = metadata.reliableSize
      (size, limits) = (picture.size == .whole ? told : told.flatMap { picture.plan(for: $0).result }, itsLimits)
    case .converted(let conversion):
      (size, limits) = (PixelSize(width: conversion.width, height: conversion.height), conversion.limits)
    default: return
    }
    guard let size else { return }
    let (pixels, isTooLarge) = size.width.multipliedReportingOverflow(by: size.height)
    let most = min(limits.pixels, file.byteCount * Self.mostOfAByte)
    guard !isTooLarge, pixels >= Self.worthIt, pixels <= most else { return }
    bytes = Self.uninitialized(pixels * 3)
    // Each page, by its first byte.
    bytes.withUnsafeMutableBytes { bytes in
      for offset in stride(from: 0, to: bytes.count, by: 4096) { bytes[offset] = 0 }
    }
  }

  /// So many bytes, of whatever value.
  mutating func taken(byteCount: Int) -> [UInt8] {
    defer { bytes = [] }
    if bytes.count == byteCount { return bytes }
    bytes = []
    return Self.uninitialized(byteCount)
  }

  private static let worthIt = 1_000_000
  /// Pixels: of a photo a byte holds four to ten.
  private static let mostOfAByte = 50

  private static func uninitialized(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      UnsafeMutableRawBufferPointer(buffer).takeLargePages()
      filled = count
    }
  }
}
