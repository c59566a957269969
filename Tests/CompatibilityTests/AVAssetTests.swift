import AVFoundation
import PhotosTesting
import TestSupport
import Testing

@Suite struct AVAssetTests {
  private func withFile(_ name: String, _ data: Data, _ body: (URL) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)-\(name)")
    try data.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url)
  }

  @Test func `a movie has a file and a length`() async throws {
    try await withFile("a.mov", SampleMedia.movie(duration: 1)) { url in
      let asset = AVAsset(url: url)
      #expect((asset as? AVURLAsset)?.url == url)
      let duration = try await asset.load(.duration)
      #expect(abs(duration.seconds - 1) < 0.1)
      #expect(asset.duration == AVURLAsset(url: url).duration)
      #expect(asset.isPlayable)
      #expect(AVPlayerItem(url: url).duration == asset.duration)
    }
  }

  @Test func `a live recording has the length of its frames`() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).webm")
    defer { try? FileManager.default.removeItem(at: url) }
    try Child.check(
      "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=20:d=3", "-pix_fmt", "yuv420p", "-c:v",
      "libvpx", "-live", "1", url.path)
    #expect(abs(try await AVAsset(url: url).load(.duration).seconds - 3) < 0.1)
  }

  @Test func `a file that is no movie has no length`() async throws {
    try await withFile("a.jpg", SampleMedia.jpeg(size: .small)) { url in
      let asset = AVAsset(url: url)
      #expect(asset.duration == .invalid)
      #expect(!asset.isPlayable)
      await #expect(throws: (any Error).self) { try await asset.load(.duration) }
    }
    #expect(AVAsset(url: URL(fileURLWithPath: "/nowhere/a.mov")).duration == .invalid)
  }
}
