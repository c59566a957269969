import AVFoundation
import PhotosTesting
import Testing

@Suite struct AVCompositionTests {
  private let folder: URL
  private let asset: AVAsset

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("composition-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("movie.mov")
    try SampleMedia.movie(size: PictureSize(width: 64, height: 48)).write(to: file)
    asset = AVURLAsset(url: file)
  }

  private func remove() { try? FileManager.default.removeItem(at: folder) }

  private func exported(_ asset: AVAsset, _ preset: String, limit: Int64 = 0) async throws -> AVURLAsset {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
    session.fileLengthLimit = limit
    let url = folder.appendingPathComponent("\(UUID().uuidString).mov")
    try await session.export(to: url, as: .mov)
    return AVURLAsset(url: url)
  }

  private let part = CMTimeRange(start: CMTime(value: 1, timescale: 2), duration: CMTime(value: 1, timescale: 1))

  @Test(arguments: [AVAssetExportPresetPassthrough, AVAssetExportPresetHighestQuality])
  func `a part of a movie is exported without its sound`(preset: String) async throws {
    let composition = AVMutableComposition()
    let track = try #require(asset.tracks(withMediaType: .video).first)
    let target = composition.addMutableTrack(
      withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
    try target?.insertTimeRange(part, of: track, at: .zero)
    target?.preferredTransform = track.preferredTransform
    #expect(composition.duration == part.duration)
    #expect(target?.naturalSize == track.naturalSize && target?.nominalFrameRate == track.nominalFrameRate)
    #expect(
      target?.segments.map(\.timeMapping) == [
        CMTimeMapping(source: part, target: CMTimeRange(start: .zero, duration: part.duration))
      ])
    let made = try await exported(composition, preset)
    #expect(made.tracks.map(\.mediaType) == [.video])
    // A copied stream begins with a key frame, at or before the requested time.
    #expect(abs(made.duration.seconds - 1) < (preset == AVAssetExportPresetPassthrough ? 0.6 : 0.1))
    remove()
  }

  @Test func `a part of a movie has its sound if all is inserted`() async throws {
    let composition = AVMutableComposition()
    try composition.insertTimeRange(part, of: asset, at: .zero)
    #expect(composition.tracks.map(\.mediaType) == [.video, .audio])
    let made = try await exported(composition, AVAssetExportPresetMediumQuality)
    #expect(made.tracks.map(\.mediaType) == [.video, .audio])
    #expect(abs(made.duration.seconds - 1) < 0.1)
    remove()
  }

  @Test func `a second part is refused`() throws {
    let composition = AVMutableComposition()
    try composition.insertTimeRange(part, of: asset, at: .zero)
    #expect(throws: NSError.self) { try composition.insertTimeRange(part, of: asset, at: .zero) }
    #expect(throws: NSError.self) { try composition.insertTimeRange(part, of: asset, at: part.duration) }
    #expect(composition.duration == part.duration)
    remove()
  }

  @Test func `a movie of PhotoKit's is no composition`() {
    #expect((asset as Any) as? AVComposition == nil)
    #expect((AVMutableComposition() as AVAsset) is AVComposition)
    remove()
  }

  @Test func `sound alone and nothing can't be exported`() async throws {
    #expect(AVAssetExportSession(asset: AVMutableComposition(), presetName: AVAssetExportPresetPassthrough) == nil)
    let composition = AVMutableComposition()
    let sound = try #require(asset.tracks(withMediaType: .audio).first)
    try composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0)?
      .insertTimeRange(part, of: sound, at: .zero)
    await #expect(throws: NSError.self) { try await exported(composition, AVAssetExportPresetHighestQuality) }
    remove()
  }

  @Test(arguments: [AVAssetExportPresetHEVCHighestQuality, AVAssetExportPresetHEVC1920x1080])
  func `an HEVC preset encodes HEVC`(preset: String) async throws {
    let made = try await exported(asset, preset)
    let data = try Data(contentsOf: made.url)
    #expect(data.range(of: Data("hvc1".utf8)) != nil && data.range(of: Data("avc1".utf8)) == nil)
    #expect(abs(made.duration.seconds - asset.duration.seconds) < 0.1)
    remove()
  }

  @Test func `a movie keeps to its length as far as it can`() async throws {
    let file = folder.appendingPathComponent("large.mov")
    try SampleMedia.movie(size: PictureSize(width: 640, height: 480), hasAudio: false).write(to: file)
    let large = AVURLAsset(url: file)
    func byteCount(_ asset: AVURLAsset) throws -> Int { try Data(contentsOf: asset.url).count }
    let free = try byteCount(try await exported(large, AVAssetExportPresetHighestQuality))
    let limit = Int64(free / 3)
    let bounded = try byteCount(try await exported(large, AVAssetExportPresetHighestQuality, limit: limit))
    #expect(bounded < free / 2)
    await #expect { try await exported(large, AVAssetExportPresetPassthrough, limit: 1000) } throws: {
      ($0 as NSError).code == -11811
    }
    remove()
  }

  @Test func `the types of a file that can be written are told`() async throws {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
    #expect(await session.compatibleFileTypes == [.mov, .mp4, .m4v])
    #expect([AVFileType.heic, .jpg, .tif, .dng, .avci].allSatisfy { !session.supportedFileTypes.contains($0) })
    remove()
  }
}
