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

  private static let keys = ["duration", "tracks", "metadata", "commonMetadata", "creationDate", "playable"]

  private func status(_ asset: AVAsset, _ key: String) -> (AVKeyValueStatus, NSError?) {
    var error: NSError?
    let status = asset.statusOfValue(forKey: key, error: &error)
    return (status, error)
  }

  @Test(arguments: keys) func `a property is loaded when the handler is called`(key: String) async throws {
    try await withFile("a.mov", SampleMedia.movie(duration: 0.2)) { url in
      let asset = AVURLAsset(url: url)
      #expect(status(asset, key).0 == .unknown)
      let seen = try await answer("the loading of a property") { done in
        asset.loadValuesAsynchronously(forKeys: [key]) { done(asset.statusOfValue(forKey: key, error: nil)) }
      }
      #expect(seen == .loaded)
      #expect(status(asset, key).1 == nil)
    }
  }

  @Test func `a property that a getter has read is loaded`() async throws {
    try await withFile("a.mov", SampleMedia.movie(duration: 0.2)) { url in
      let asset = AVURLAsset(url: url)
      #expect(asset.duration.isNumeric)
      #expect(status(asset, "duration").0 == .loaded && status(asset, "tracks").0 == .unknown)
      asset.cancelLoading()
      #expect(status(asset, "duration").0 == .loaded && status(asset, "tracks").0 == .unknown)
      await asset.loadValues(forKeys: [])
      #expect(status(asset, "tracks").0 == .unknown)
      await asset.loadValues(forKeys: ["tracks"])
      #expect(status(asset, "tracks").0 == .loaded)
    }
  }

  @Test(arguments: keys.dropLast()) func `a property of no movie fails with the error of load`(key: String)
    async throws
  {
    try await withFile("a.jpg", SampleMedia.jpeg(size: .small)) { url in
      let asset = AVAsset(url: url)
      await asset.loadValues(forKeys: [key])
      let (status, error) = status(asset, key)
      #expect(status == .failed)
      await #expect { try await asset.load(.tracks) } throws: {
        error == ($0 as NSError) || error?.localizedDescription == $0.localizedDescription
      }
      #expect(error?.domain == AVFoundationErrorDomain && error?.code == -11828)
    }
  }

  @Test func `an unknown key fails`() async throws {
    let asset = AVMutableComposition()
    await asset.loadValues(forKeys: ["tracks", "weight"])
    #expect(status(asset, "tracks").0 == .loaded)
    let (status, error) = status(asset, "weight")
    #expect(status == .failed && error?.code == -11800)
  }

  @Test func `every handler is called, even if the loading is canceled`() async throws {
    try await withFile("a.mov", SampleMedia.movie(duration: 0.2)) { url in
      let asset = AVURLAsset(url: url)
      let seen = try await answer("the end of a canceled loading") { done in
        asset.loadValuesAsynchronously(forKeys: Self.keys) { done(asset.statusOfValue(forKey: "tracks", error: nil)) }
        asset.cancelLoading()
      }
      // The thread may have read the tracks before.
      #expect([.cancelled, .loaded].contains(seen))
      await asset.loadValues(forKeys: Self.keys)
      #expect(Self.keys.allSatisfy { status(asset, $0).0 == .loaded })
    }
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
