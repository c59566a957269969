import CHeif
import CVips
import Foundation
import ImageCoding
import MediaMetadata

/// Opens the files that the decoders need before the worker's sandbox forbids it: libvips' module
/// for JPEG XL, libheif's plug-ins, the tables of time zones.
///
/// It decodes one small picture of each format. A failure means that the decoder is not installed.
enum WarmUp {
  static func run() {
    // The libraries of the JPEG XL module take as long to load as libvips takes to start.
    let isLoaded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      calotype_vips_preload()
      isLoaded.signal()
    }
    // If the thread can't be started, the module is loaded with libvips.
    defer { _ = isLoaded.wait(timeout: .now() + 10) }
    _ = heif_init(nil)
    readClocks()
    let limits = DecodingLimits.standard
    for sample in samples {
      guard let data = Data(base64Encoded: sample), let file = try? MediaFile(data: data, name: "warm-up"),
        let metadata = try? MediaMetadata(parsing: file)
      else { continue }
      _ = try? MakeRenditions(metadata: metadata, kinds: [], limits: limits).perform(on: file)
    }
    // Opens the encoders' files, and those for shrinking a picture.
    let clear = PixelBuffer(width: 2600, height: 2, channels: 4, bytes: [UInt8](repeating: 90, count: 2600 * 2 * 4))
    if let data = try? encode(clear, as: "public.png", quality: 100),
      let file = try? MediaFile(data: data, name: "warm-up"), let metadata = try? MediaMetadata(parsing: file)
    {
      _ = try? MakeRenditions(metadata: metadata, kinds: [.grid], limits: limits).perform(on: file)
    }
  }

  /// Opens the tables of time zones, which are on the disk or within Foundation.
  private static func readClocks() {
    let now = Date()
    _ = TimeZone.current.secondsFromGMT(for: now)
    _ = TimeZoneLocator.shared.timeZone(at: Location(latitude: 52.5, longitude: 13.4))?
      .secondsFromGMT(for: now)
  }
}
