import CHeif
import CVips
import Foundation
import ImageCoding
import MediaMetadata

/// Opens what the decoders would open on their way, before a worker gives up opening files: libvips' module for JPEG XL, libheif's
/// plug-ins, the table of time zones.
///
/// One small picture of each format is decoded. One that fails is of a decoder that is not installed.
enum WarmUp {
  static func run() {
    // Its libraries take as long to load as libvips to start.
    let isLoaded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      calotype_vips_preload()
      isLoaded.signal()
    }
    // Without a thread it is loaded with libvips.
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
    // Encoders, and the way of a picture that has to be shrunk.
    let clear = PixelBuffer(width: 2600, height: 2, channels: 4, bytes: [UInt8](repeating: 90, count: 2600 * 2 * 4))
    if let data = try? encode(clear, as: "public.png", quality: 100),
      let file = try? MediaFile(data: data, name: "warm-up"), let metadata = try? MediaMetadata(parsing: file)
    {
      _ = try? MakeRenditions(metadata: metadata, kinds: [.grid], limits: limits).perform(on: file)
    }
  }

  /// Zones come from tables on the disk, or from within Foundation.
  private static func readClocks() {
    let now = Date()
    _ = TimeZone.current.secondsFromGMT(for: now)
    _ = TimeZoneLocator.shared.timeZone(at: Location(latitude: 52.5, longitude: 13.4), on: now)?
      .secondsFromGMT(for: now)
  }
}
