import AVFoundation
import CoreImage
import Imaging
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@Suite(.serialized) struct AVAssetExportSessionTests {
  private let folder: URL
  private let asset: AVAsset

  /// The movie of all tests.
  private static let sample = Result { try SampleMedia.movie(size: PictureSize(width: 64, height: 48)) }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("export-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("movie.mov")
    try Self.sample.get().write(to: file)
    asset = AVAsset(url: file)
  }

  private func output() -> URL { folder.appendingPathComponent("\(UUID().uuidString).mov") }

  private func session(_ preset: String = AVAssetExportPresetHighestQuality) throws -> AVAssetExportSession {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
    session.outputURL = output()
    session.outputFileType = .mov
    return session
  }

  /// Waits for the export in another task, so that a test of one that never ends fails.
  private func runToEnd(_ export: AVAssetExportSession) async throws {
    try await answer("the end of an export") { done in
      Task {
        await export.export()
        done(())
      }
    }
  }

  private func firstPixel(_ url: URL?) throws -> [Int] {
    let file = try MediaFile(path: try #require(url).path)
    let pixels = try decodePicture(of: file, metadata: MediaMetadata(of: file))
    return pixels.bytes[0..<3].map(Int.init)
  }

  /// Uses the composition as the app PhotoBrowse does.
  @Test func `a composition filters each frame`() async throws {
    let filterName = "CIPhotoEffectMono"
    let times = Mutex<[Double]>([])
    let composition = AVVideoComposition(
      asset: asset,
      applyingCIFiltersWithHandler: { request in
        times.withLock { $0.append(request.compositionTime.seconds) }
        let img = request.sourceImage.applyingFilter(filterName, parameters: [:])
        request.finish(with: img, context: nil)
      })
    #expect(composition.renderSize == CGSize(width: 64, height: 48))
    let export = try session()
    export.videoComposition = composition
    try await answer("the end of an export") { done in export.exportAsynchronously { done(()) } }
    #expect(export.error == nil)
    #expect(export.status == .completed && export.progress == 1)
    let pixel = try firstPixel(export.outputURL)
    #expect(abs(pixel[0] - pixel[1]) < 4 && abs(pixel[1] - pixel[2]) < 4)
    let seen = times.withLock(\.self)
    #expect(seen.count > 5 && seen == seen.sorted() && seen.first == 0)
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `a handler may answer later, and crop`() async throws {
    let composition = AVMutableVideoComposition(
      asset: asset,
      applyingCIFiltersWithHandler: { request in
        DispatchQueue.global().async {
          request.finish(with: request.sourceImage.cropped(to: CGRect(x: 0, y: 0, width: 32, height: 48)), context: nil)
        }
      })
    composition.renderSize = CGSize(width: 40, height: 30)
    let export = try session()
    export.videoComposition = composition
    try await runToEnd(export)
    #expect(export.status == .completed)
    let metadata = try MediaMetadata(of: MediaFile(path: try #require(export.outputURL).path))
    #expect(metadata.pixelWidth == 40 && metadata.pixelHeight == 30)
    try? FileManager.default.removeItem(at: folder)
  }

  /// Camcorders wrote such movies: 16:9 in 720 × 576 pixels.
  @Test func `a movie whose pixels aren't square has the size that it is shown in`() async throws {
    let url = folder.appendingPathComponent("wide.avi")
    try Child.check(
      "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=s=90x72:d=0.3", "-vf", "setsar=64/45", "-c:v",
      "mpeg4", url.path)
    let sizes = Mutex<Set<[Double]>>([])
    let wide = AVAsset(url: url)
    let composition = AVVideoComposition(asset: wide) { request in
      let extent = request.sourceImage.extent
      sizes.withLock {
        _ = $0.insert([extent.width, extent.height, request.renderSize.width, request.renderSize.height])
      }
      request.finish(with: request.sourceImage, context: nil)
    }
    #expect(composition.renderSize == CGSize(width: 128, height: 72))
    let export = try #require(AVAssetExportSession(asset: wide, presetName: AVAssetExportPresetHighestQuality))
    export.videoComposition = composition
    try await export.export(to: output(), as: .mov)
    #expect(sizes.withLock(\.self) == [[128, 72, 128, 72]])
    try? FileManager.default.removeItem(at: folder)
  }

  @Test(arguments: [CGFloat.nan, .infinity]) func `a size that isn't finite counts as not set`(side: CGFloat)
    async throws
  {
    let composition = AVMutableVideoComposition(asset: asset) { $0.finish(with: $0.sourceImage, context: nil) }
    composition.renderSize = CGSize(width: side, height: 30)
    let export = try session()
    export.videoComposition = composition
    try await runToEnd(export)
    let metadata = try MediaMetadata(of: MediaFile(path: try #require(export.outputURL).path))
    #expect(metadata.pixelWidth == 64 && metadata.pixelHeight == 48)
    try? FileManager.default.removeItem(at: folder)
  }

  private struct Refusal: Error {}

  @Test func `a handler's error fails the export`() async throws {
    let export = try session()
    export.videoComposition = AVVideoComposition(asset: asset) { $0.finish(with: Refusal()) }
    try await runToEnd(export)
    #expect(export.status == .failed && export.error is Refusal)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["movie.mov"])
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `a canceled export leaves nothing, though its handler never answers`() async throws {
    let export = try session()
    export.videoComposition = AVVideoComposition(asset: asset) { [weak export] _ in export?.cancelExport() }
    try await runToEnd(export)
    #expect(export.status == .cancelled)
    #expect((export.error as NSError?)?.code == -11878)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["movie.mov"])
    try? FileManager.default.removeItem(at: folder)
  }

  @Test(arguments: AVAssetExportSession.allExportPresets())
  func `every preset gives a movie`(preset: String) async throws {
    let url = output()
    try await session(preset).export(to: url, as: .mp4)
    let metadata = try MediaMetadata(of: MediaFile(path: url.path))
    #expect(metadata.type.uniformTypeIdentifier == "public.mpeg-4" && metadata.pixelWidth == 64)
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `a file that is there is not overwritten`() async throws {
    let export = try session()
    export.outputURL = (asset as? AVURLAsset)?.url
    try await runToEnd(export)
    #expect((export.error as NSError?)?.code == -11823)
    #expect(AVAssetExportSession(asset: asset, presetName: "none") == nil)
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `a composition can be made asynchronously, and of movies only`() async throws {
    _ = try await AVVideoComposition.videoComposition(with: asset) { $0.finish(with: $0.sourceImage, context: nil) }
    let none = AVAsset(url: folder.appendingPathComponent("none.mov"))
    await #expect(throws: (any Error).self) {
      _ = try await AVVideoComposition.videoComposition(with: none) { $0.finish(with: $0.sourceImage, context: nil) }
    }
    try? FileManager.default.removeItem(at: folder)
  }

  private final class Answer: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }

  @Test func `a second export is refused, and leaves the first alone`() async throws {
    let export = try session()
    let second = Answer()
    let calls = Mutex(0)
    export.videoComposition = AVVideoComposition(asset: asset) { [weak export] request in
      if calls.withLock({
        $0 += 1
        return $0
      }) == 1 {
        let answered = DispatchSemaphore(value: 0)
        let running = export
        Task {
          do {
            try await running?.export(to: URL(fileURLWithPath: "/nowhere/b.mp4"), as: .mp4)
          } catch { second.error.withLock { $0 = error } }
          answered.signal()
        }
        answered.waits(for: "the refusal of a second export")
      }
      request.finish(with: request.sourceImage, context: nil)
    }
    try await runToEnd(export)
    #expect(export.status == .completed && export.error == nil)
    #expect(export.outputURL?.pathExtension == "mov")
    #expect((second.error.withLock(\.self) as NSError?)?.code == -11820)
    try await runToEnd(export)
    #expect(export.status == .completed && export.error == nil)
    try? FileManager.default.removeItem(at: folder)
  }
}
