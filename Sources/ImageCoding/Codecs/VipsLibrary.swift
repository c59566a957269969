import CVips
import Foundation
import MediaMetadata
import Synchronization

/// The functions of libvips. They can be called if `VipsLibrary.failure` is nil.
// Unsynchronized access is safe, since the functions are loaded once and never change.
nonisolated(unsafe) let vips = UnsafeMutablePointer<calotype_vips>.allocate(capacity: 1)

/// Loads and starts libvips once, with the loaders of photo formats only.
package enum VipsLibrary {
  /// Loaders whose decoders handle untrusted files every day. All others (ImageMagick, SVG, PDF,
  /// MATLAB…) are blocked.
  private static let loaders = ["Png", "Nsgif", "Webp", "Tiff", "Jxl", "Jp2k"]

  /// The reason why libvips can't be loaded or started; nil if it is ready.
  package static let failure: String? = {
    if let loadingFailure { return loadingFailure }
    guard calotype_vips_init(vips) == 0 else { return takeError("libvips did not start") }
    // Callers decode several files at once, and no file twice.
    vips.pointee.concurrency_set(1)
    vips.pointee.cache_set_max(0)
    vips.pointee.operation_block_set("VipsForeignLoad", 1)
    for loader in loaders { vips.pointee.operation_block_set("VipsForeignLoad\(loader)", 0) }
    // Warnings are reported as errors and notes, not on standard error.
    g_log_set_handler(
      "VIPS", GLogLevelFlags(rawValue: G_LOG_LEVEL_WARNING.rawValue | G_LOG_LEVEL_MESSAGE.rawValue),
      { _, _, _, _ in VipsLibrary.warnings.add(1, ordering: .relaxed) },
      nil)
    return nil
  }()

  /// The loader's error, which names the missing file or function; `nil` if libvips is loaded.
  private static let loadingFailure = calotype_vips_load(vips).map { String(cString: $0) }

  /// Loads libvips and the libraries of its module for JPEG XL.
  package static func preload() {
    if loadingFailure == nil { calotype_vips_preload(vips) }
  }

  /// The number of warnings that libvips has logged, about any file.
  package static var warningCount: Int { warnings.load(ordering: .relaxed) }
  private static let warnings = Atomic(0)

  /// Returns the errors of libvips and empties their buffer, which all threads share.
  package static func takeError(_ operation: String) -> String {
    guard let text = vips.pointee.error_buffer_copy() else { return operation }
    defer { g_free(text) }
    let lines = String(cString: text).split(whereSeparator: \.isNewline).prefix(3)
    return lines.isEmpty ? operation : "\(operation): \(lines.joined(separator: "; "))"
  }
}

/// A file as a source of libvips, read through its descriptor at explicit offsets.
package final class VipsFileSource {
  package let source: UnsafeMutablePointer<VipsSource>
  private let reader: Reader

  private final class Reader {
    let file: MediaFile
    let replaced: [Int: UInt8]
    var offset = 0
    init(_ file: MediaFile, _ replaced: [Int: UInt8]) { (self.file, self.replaced) = (file, replaced) }
  }

  /// - Parameter replaced: bytes that libvips reads instead of the file's, by their offsets.
  package init?(_ file: MediaFile, replacing replaced: [Int: UInt8] = [:]) {
    guard let custom = vips.pointee.source_custom_new() else { return nil }
    reader = Reader(file, replaced)
    source = UnsafeMutableRawPointer(custom).assumingMemoryBound(to: VipsSource.self)
    let data = Unmanaged.passUnretained(reader).toOpaque()
    _ = vips.pointee.signal_connect_data(
      custom, "read", unsafeBitCast(Self.read, to: GCallback.self), data, nil, GConnectFlags(rawValue: 0))
    _ = vips.pointee.signal_connect_data(
      custom, "seek", unsafeBitCast(Self.seek, to: GCallback.self), data, nil, GConnectFlags(rawValue: 0))
  }

  deinit { vips.pointee.object_unref(source) }

  private typealias Read = @convention(c) (gpointer?, UnsafeMutableRawPointer?, Int64, gpointer?) -> Int64
  private typealias Seek = @convention(c) (gpointer?, Int64, Int32, gpointer?) -> Int64

  private static let read: Read = { _, buffer, count, data in
    guard let buffer, let data, count > 0 else { return 0 }
    let reader = Unmanaged<Reader>.fromOpaque(data).takeUnretainedValue()
    while true {
      let got = pread(reader.file.descriptor, buffer, Int(count), off_t(reader.offset))
      if got < 0, errno == EINTR { continue }
      for (offset, byte) in reader.replaced where (reader.offset..<reader.offset + max(0, got)).contains(offset) {
        buffer.storeBytes(of: byte, toByteOffset: offset - reader.offset, as: UInt8.self)
      }
      reader.offset += max(0, got)
      return Int64(got)
    }
  }

  private static let seek: Seek = { _, offset, origin, data in
    guard let data else { return -1 }
    let reader = Unmanaged<Reader>.fromOpaque(data).takeUnretainedValue()
    let base: Int
    switch origin {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = reader.offset
    case SEEK_END: base = reader.file.byteCount
    default: return -1
    }
    let (target, overflow) = base.addingReportingOverflow(Int(offset))
    guard !overflow, target >= 0 else { return -1 }
    reader.offset = target
    return Int64(target)
  }
}
