import AVFoundation
import Imaging
import PhotosTesting
import TestSupport
import Testing

@Suite struct AVAssetImageGeneratorTests {
  private let file: URL

  init() throws { file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mov") }

  private func generator(rotation: Int = 0) throws -> AVAssetImageGenerator {
    try SampleMedia.movie(
      duration: 1, size: PictureSize(width: 64, height: 48), framesPerSecond: 10, rotation: rotation, hasAudio: false
    ).write(to: file)
    return AVAssetImageGenerator(asset: AVURLAsset(url: file))
  }

  private func remove() { try? FileManager.default.removeItem(at: file) }

  @Test(arguments: [(0, 0), (0.3, 0.3), (0.35, 0.4), (7, 0.9)])
  func `a frame is the one at its time, the next one, or the last`(asked: Double, expected: Double) async throws {
    let (image, time) = try await generator().image(at: CMTime(seconds: asked, preferredTimescale: 600))
    #expect(abs(time.seconds - expected) < 0.01)
    #expect((image.width, image.height) == (64, 48))
    remove()
  }

  @Test func `frames of different times differ`() throws {
    let generator = try generator()
    var time = CMTime.invalid
    let first = try generator.copyCGImage(at: .zero, actualTime: &time)
    #expect(time == .zero)
    let later = try generator.copyCGImage(at: CMTime(value: 1, timescale: 2), actualTime: nil)
    #expect(first.pixels != later.pixels)
    remove()
  }

  @Test(arguments: [90, 180])
  func `a picture is upright if it is asked for`(rotation: Int) throws {
    let generator = try generator(rotation: rotation)
    let stored = try generator.copyCGImage(at: .zero, actualTime: nil)
    #expect((stored.width, stored.height) == (rotation % 180 == 0 ? (64, 48) : (48, 64)))
    generator.appliesPreferredTrackTransform = true
    let upright = try generator.copyCGImage(at: .zero, actualTime: nil)
    #expect(stored.pixels.oriented([90: 6, 180: 3, 270: 8][rotation] ?? 1) == upright.pixels)
    generator.maximumSize = CGSize(width: 32, height: 32)
    let small = try generator.copyCGImage(at: .zero, actualTime: nil)
    #expect((small.width, small.height) == (32, 24))
    generator.maximumSize = CGSize(width: 32, height: CGFloat.greatestFiniteMagnitude)
    #expect(try generator.copyCGImage(at: .zero, actualTime: nil).width == 32)
    remove()
  }

  @Test func `a file that is no movie has no frames`() async throws {
    let generator = AVAssetImageGenerator(asset: AVURLAsset(url: file))
    await #expect {
      try await generator.image(at: .zero)
    } throws: { ($0 as NSError).domain == AVFoundationErrorDomain && ($0 as NSError).code == -11832 }
    let hasFailed = try await answer("a frame's failure") { done in
      generator.generateCGImageAsynchronously(for: .zero) { image, _, error in done(image == nil && error != nil) }
    }
    #expect(hasFailed)
  }
}
