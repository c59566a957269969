import CHeif
import Foundation
import ImageCoding
import MediaMetadata

/// Opens the files that a worker needs before its sandbox forbids it: libvips and its module for
/// JPEG XL, libheif's plug-ins, the tables of time zones.
///
/// For a worker with decoders, it decodes one small picture of each format. A failure means that
/// the decoder is not installed. A worker that reads only metadata needs only the time zones.
enum WarmUp {
  static func run(loadsDecoders: Bool) {
    guard loadsDecoders else { return readClocks() }
    // libvips takes about as long to start as everything else, and needs none of it.
    var thread = pthread_t()
    let hasThread =
      pthread_create(
        &thread, nil,
        { _ in
          WarmUp.startVips()
          return nil
        }, nil) == 0
    _ = heif_init(nil)
    readClocks()
    decode(samples)
    if hasThread { pthread_join(thread, nil) } else { startVips() }
  }

  private static func startVips() {
    VipsLibrary.preload()
    decode(samplesOfVips)
    // Opens the encoders' files, and those for shrinking a picture.
    let clear = PixelBuffer(width: 2600, height: 2, channels: 4, bytes: [UInt8](repeating: 90, count: 2600 * 2 * 4))
    if let data = try? encode(clear, as: "public.png", quality: 100) { decode(data, [.grid]) }
  }

  private static func decode(_ samples: [String]) {
    for sample in samples {
      if let data = Data(base64Encoded: sample) { decode(data, []) }
    }
  }

  private static func decode(_ data: Data, _ kinds: Set<RenditionKind>) {
    guard let file = try? MediaFile(data: data, name: "warm-up"), let metadata = try? MediaMetadata(parsing: file)
    else { return }
    _ = try? MakeRenditions(metadata: metadata, kinds: kinds, limits: .standard).perform(on: file)
  }

  /// Opens the tables of time zones, which are on the disk or within Foundation.
  private static func readClocks() {
    let now = Date()
    _ = TimeZone.current.secondsFromGMT(for: now)
    _ = TimeZoneLocator.shared.timeZone(at: Location(latitude: 52.5, longitude: 13.4))?
      .secondsFromGMT(for: now)
  }
}
