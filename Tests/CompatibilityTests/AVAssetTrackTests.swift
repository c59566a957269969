import AVFoundation
import PhotosTesting
import TestSupport
import Testing

@Suite struct AVAssetTrackTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tracks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func movie(_ name: String = "a.mov", metadata: SampleMetadata = SampleMetadata(), rotation: Int = 0) throws
    -> AVAsset
  {
    let url = folder.appendingPathComponent(name)
    try SampleMedia.movie(
      duration: 0.5, size: PictureSize(width: 64, height: 48), metadata: metadata, rotation: rotation
    ).write(to: url)
    return AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
  }

  @Test func `a movie has a picture and a sound`() async throws {
    let asset = try movie()
    #expect(asset.tracks.map(\.mediaType) == [.video, .audio])
    #expect(asset.tracks.map(\.trackID) == [1, 2])
    let picture = try #require(try await asset.loadTracks(withMediaType: .video).first)
    #expect(picture == asset.track(withTrackID: 1) && picture.asset === asset)
    let (size, rate) = try await picture.load(.naturalSize, .nominalFrameRate)
    #expect(size == CGSize(width: 64, height: 48) && rate == 30)
    #expect(abs(picture.timeRange.duration.seconds - 0.5) < 0.05)
    #expect(asset.tracks(withMediaType: .audio).first?.naturalSize == .zero)
    let (duration, tracks) = try await asset.load(.duration, .tracks)
    #expect(duration == asset.duration && tracks.count == 2)
    try? FileManager.default.removeItem(at: folder)
  }

  @Test(arguments: [0, 90, 180, 270])
  func `the transform makes the stored picture upright`(rotation: Int) throws {
    let asset = try movie(rotation: rotation)
    let track = try #require(asset.tracks(withMediaType: .video).first)
    #expect(track.naturalSize == (rotation % 180 == 0 ? CGSize(width: 64, height: 48) : CGSize(width: 48, height: 64)))
    let stored = CGRect(origin: .zero, size: track.naturalSize)
    #expect(stored.applying(track.preferredTransform) == CGRect(x: 0, y: 0, width: 64, height: 48))
    // The position of the stored picture's upper left corner.
    let corner = CGPoint.zero.applying(track.preferredTransform)
    #expect(
      corner
        == [
          0: CGPoint(x: 0, y: 0), 90: CGPoint(x: 64, y: 0), 180: CGPoint(x: 64, y: 48), 270: CGPoint(x: 0, y: 48),
        ][rotation])
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `a file that is no movie has no tracks`() async throws {
    let url = folder.appendingPathComponent("a.jpg")
    try SampleMedia.jpeg(size: .small).write(to: url)
    let asset = AVAsset(url: url)
    #expect(asset.tracks.isEmpty && asset.metadata.isEmpty)
    await #expect(throws: (any Error).self) { try await asset.loadTracks(withMediaType: .video) }
    await #expect(throws: (any Error).self) { try await asset.load(.metadata) }
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `a movie says where and when it was taken, and with what`() async throws {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_558_428_352), offset: 7200)
    metadata.place = SampleMetadata.Place(latitude: 48.8584, longitude: 2.2945, altitude: 35)
    metadata.camera = .iPhone
    metadata.contentIdentifier = "9A1C"
    let asset = try movie(metadata: metadata)
    let items = try await asset.load(.metadata)
    func text(_ identifier: AVMetadataIdentifier) -> String? {
      AVMetadataItem.metadataItems(from: items, filteredByIdentifier: identifier).first?.stringValue
    }
    #expect(text(.quickTimeMetadataLocationISO6709)?.hasPrefix("+48.8584+002.2945") == true)
    #expect(text(.quickTimeMetadataMake) == "Apple" && text(.commonIdentifierMake) == "Apple")
    #expect(text(.quickTimeMetadataContentIdentifier) == "9A1C")
    #expect(try await asset.load(.creationDate)?.dateValue == Date(timeIntervalSince1970: 1_558_428_352))
    let models = AVMetadataItem.metadataItems(from: items, withKey: AVMetadataKey.commonKeyModel, keySpace: .common)
    #expect(models.map(\.stringValue) == [SampleMetadata.Camera.iPhone.model])
    #expect(asset.commonMetadata.allSatisfy { $0.commonKey != nil })
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `an item loads as a text, a date and bytes`() async throws {
    let metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_558_428_352), offset: 7200)
    let asset = try movie(metadata: metadata)
    let item = try #require(try await asset.load(.creationDate))
    let text = try #require(try await item.load(.stringValue))
    #expect(text.hasPrefix("2019-05-21"))
    let (date, bytes) = try await item.load(.dateValue, .dataValue)
    #expect(date == Date(timeIntervalSince1970: 1_558_428_352))
    #expect(bytes == Data(text.utf8) && item.dataValue == bytes)
    let (again, number, value) = try await item.load(.stringValue, .numberValue, .value)
    #expect(again == text && number == nil)
    #expect(value as? NSString == text as NSString)
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `a track that begins with its movie is one segment`() async throws {
    let track = try #require(try movie().tracks(withMediaType: .video).first)
    let segments = try await track.load(.segments)
    #expect(segments.map(\.isEmpty) == [false])
    #expect(segments.map(\.timeMapping.target) == [track.timeRange])
    #expect(segments.map(\.timeMapping.source) == [CMTimeRange(start: .zero, duration: track.timeRange.duration)])
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func `a track that begins later has an empty segment first`() throws {
    let url = folder.appendingPathComponent("late.mov")
    try Child.check(
      "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "sine=d=2", "-itsoffset", "1", "-f", "lavfi", "-i",
      "testsrc=s=64x48:r=30:d=1", "-map", "0:a", "-map", "1:v", "-c:v", "mpeg4", "-fps_mode", "passthrough", "-c:a",
      "pcm_s16le", url.path)
    let track = try #require(AVAsset(url: url).tracks(withMediaType: .video).first)
    let second = CMTime(value: 1, timescale: 1)
    #expect(track.segments.map(\.isEmpty) == [true, false])
    #expect(
      track.segments.map(\.timeMapping.target) == [
        CMTimeRange(start: .zero, duration: second), CMTimeRange(start: second, duration: second),
      ])
    #expect(
      track.segments.map(\.timeMapping.source) == [.invalid, CMTimeRange(start: .zero, duration: second)])
    try? FileManager.default.removeItem(at: folder)
  }
}
