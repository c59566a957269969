import CVips
import Foundation
import MediaMetadata
import Synchronization

/// Starts libvips once, with the loaders of photo formats only.
package enum VipsLibrary {
  /// Loaders whose decoders handle untrusted files every day. All others (ImageMagick, SVG, PDF,
  /// MATLAB…) are blocked.
  private static let loaders = ["Png", "Nsgif", "Webp", "Tiff", "Jxl", "Jp2k"]

  /// Whether libvips could be started.
  package static let isReady: Bool = {
    guard calotype_vips_init() == 0 else { return false }
    // Callers decode several files at once, and no file twice.
    vips_concurrency_set(1)
    vips_cache_set_max(0)
    vips_operation_block_set("VipsForeignLoad", 1)
    for loader in loaders { vips_operation_block_set("VipsForeignLoad\(loader)", 0) }
    // Warnings are reported as errors and notes, not on standard error.
    g_log_set_handler(
      "VIPS", GLogLevelFlags(rawValue: G_LOG_LEVEL_WARNING.rawValue | G_LOG_LEVEL_MESSAGE.rawValue),
      { _, _, _, _ in VipsLibrary.warnings.add(1, ordering: .relaxed) },
      nil)
    return true
  }()

  /// The number of warnings that libvips has logged, about any file.
  package static var warningCount: Int { warnings.load(ordering: .relaxed) }
  private static let warnings = Atomic(0)

  /// Returns the errors of libvips and empties their buffer, which all threads share.
  package static func takeError(_ operation: String) -> String {
    guard let text = vips_error_buffer_copy() else { return operation }
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
    var offset = 0
    init(_ file: MediaFile) { self.file = file }
  }

  package init?(_ file: MediaFile) {
    guard let custom = vips_source_custom_new() else { return nil }
    reader = Reader(file)
    source = UnsafeMutableRawPointer(custom).assumingMemoryBound(to: VipsSource.self)
    let data = Unmanaged.passUnretained(reader).toOpaque()
    g_signal_connect_data(
      custom, "read", unsafeBitCast(Self.read, to: GCallback.self), data, nil, GConnectFlags(rawValue: 0))
    g_signal_connect_data(
      custom, "seek", unsafeBitCast(Self.seek, to: GCallback.self), data, nil, GConnectFlags(rawValue: 0))
  }

  deinit { g_object_unref(source) }

  private typealias Read = @convention(c) (gpointer?, UnsafeMutableRawPointer?, Int64, gpointer?) -> Int64
  private typealias Seek = @convention(c) (gpointer?, Int64, Int32, gpointer?) -> Int64

  private static let read: Read = { _, buffer, count, data in
    guard let buffer, let data, count > 0 else { return 0 }
    let reader = Unmanaged<Reader>.fromOpaque(data).takeUnretainedValue()
    while true {
      let got = pread(reader.file.descriptor, buffer, Int(count), off_t(reader.offset))
      if got < 0, errno == EINTR { continue }
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
