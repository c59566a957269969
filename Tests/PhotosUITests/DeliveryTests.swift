import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import PhotosUI

@Suite @MainActor struct DeliveryTests {
  private let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  private func provider(
    of asset: PHAsset, _ mode: PHPickerConfiguration.AssetRepresentationMode = .current
  ) async throws -> NSItemProvider {
    let identifier = asset.localIdentifier
    var configuration = temporary.configuration()
    configuration.preferredAssetRepresentationMode = mode
    let results = await temporary.pick(configuration) { $0.pick([identifier]) }
    return try #require(results.first).itemProvider
  }

  private static let tiny = PictureSize(width: 64, height: 48)

  @Test(
    "NI-01, R-14: the types of a picture are those of the representation",
    arguments: [
      (.current, ["public.heic"]), (.compatible, ["public.jpeg"]), (.automatic, ["public.jpeg"]),
    ] as [(PHPickerConfiguration.AssetRepresentationMode, [String])])
  func pictureTypes(mode: PHPickerConfiguration.AssetRepresentationMode, expected: [String]) async throws {
    let photo = try temporary.add(SampleFile("A.HEIC", SampleMedia.heic(size: Self.tiny)))[0]
    let provider = try await provider(of: photo, mode)
    #expect(provider.registeredTypeIdentifiers == expected)
    #expect(provider.suggestedName == "A")
  }

  @Test("R-14: files that every program reads are not converted", arguments: ["JPG", "PNG", "GIF"])
  func common(ending: String) async throws {
    let data =
      switch ending {
      case "JPG": try SampleMedia.jpeg(size: Self.tiny)
      case "PNG": try SampleMedia.png(size: Self.tiny)
      default: try SampleMedia.gif(size: Self.tiny)
      }
    let photo = try temporary.add(SampleFile("A.\(ending)", data))[0]
    #expect(try await provider(of: photo, .compatible).data(.image) == data)
  }

  @Test("R-14, NI-05: the current representation is the file, byte for byte") func current() async throws {
    let data = try SampleMedia.heic(
      size: Self.tiny, metadata: SampleMetadata(captureDate: Date(timeIntervalSince1970: 0), offset: 0))
    let photo = try temporary.add(SampleFile("A.HEIC", data))[0]
    #expect(try await provider(of: photo).data(.image) == data)
  }

  @Test("R-14: the compatible representation is a JPEG in full size with its date") func compatible() async throws {
    let data = try SampleMedia.heic(
      size: Self.tiny, metadata: SampleMetadata(captureDate: Date(timeIntervalSince1970: 0), offset: 0))
    let photo = try temporary.add(SampleFile("A.HEIC", data))[0]
    let jpeg = try await provider(of: photo, .compatible).data(.jpeg)
    #expect(jpeg.prefix(3) == Data([0xFF, 0xD8, 0xFF]))
    let source = try #require(CGImageSourceCreateWithData(jpeg as CFData, nil))
    let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    #expect(properties[kCGImagePropertyPixelWidth] as? Int == 64)
    let exif = try #require(properties[kCGImagePropertyExifDictionary] as? [CFString: Any])
    #expect(exif[kCGImagePropertyExifDateTimeOriginal] as? String == "1970:01:01 00:00:00")
  }

  @Test("R-14: an edited photo is handed over as it is displayed") func edited() async throws {
    let photo = try temporary.add(SampleFile("A.JPG", SampleMedia.jpeg(size: Self.tiny)))[0]
    try await photo.edit { @Sendable edit in edit.turn(byQuarters: 1) }
    let image = try await provider(of: photo).object(UIImage.self)
    #expect(image?.size == CGSize(width: 48, height: 64))
  }

  @Test(
    "NI-01, R-14: a movie is handed over as it is, or as browsers play it",
    arguments: [
      (.current, "com.apple.quicktime-movie"), (.compatible, "public.mpeg-4"), (.automatic, "public.mpeg-4"),
    ] as [(PHPickerConfiguration.AssetRepresentationMode, String)])
  func movie(mode: PHPickerConfiguration.AssetRepresentationMode, expected: String) async throws {
    let data = try SampleMedia.movie(duration: 1, size: Self.tiny, codec: .hevc)
    let video = try temporary.add(SampleFile("M.MOV", data))[0]
    let provider = try await provider(of: video, mode)
    #expect(provider.registeredTypeIdentifiers == [expected])
    let (name, bytes) = try await provider.file(.movie) { ($0.lastPathComponent, try Data(contentsOf: $0)) }
    #expect(name == (mode == .current ? "M.mov" : "M.mp4"))
    #expect((bytes == data) == (mode == .current))
  }

  @Test("Describing a movie does not ask whether browsers play it, which takes long for many") func knownMovie()
    async throws
  {
    let data = try SampleMedia.movie(duration: 1, size: Self.tiny, container: .mp4)
    let video = try temporary.add(SampleFile("M.MP4", data))[0]
    let picked = PickedAsset(asset: video, representation: .automatic, removing: [])
    #expect(try picked.files() == [PickedItem.File(kind: .main, uniformType: "public.mpeg-4")])
    #expect(try await PHImageManager.default().existingPlayableMovie(for: video) != nil)
    #expect(try picked.files() == [PickedItem.File(kind: .main, uniformType: "public.mpeg-4", bytes: data.count)])
  }

  @Test("NI-01, NI-03: a Live Photo comes first as itself, and then as a picture") func livePhoto() async throws {
    let pair = try SampleMedia.livePhoto(size: Self.tiny)
    let photo = try temporary.add(pair, named: "L")
    let provider = try await provider(of: photo)
    #expect(provider.registeredTypeIdentifiers == ["com.apple.live-photo-bundle", "public.heic"])
    #expect(provider.canLoadObject(ofClass: PHLivePhoto.self))
    #expect(provider.canLoadObject(ofClass: UIImage.self))
    #expect(!provider.canLoadObject(ofClass: String.self))
    let live = try #require(try await provider.object(PHLivePhoto.self))
    #expect(live.size == CGSize(width: 64, height: 48))
    let resources = PHAssetResource.assetResources(for: live)
    #expect(resources.map(\.type) == [.photo, .pairedVideo])
    let read = try resources.map { try PHAssetResourceManager.default().reader(for: $0).data(in: 0..<1 << 24) }
    #expect(read == [pair.still, pair.video])
    #expect(try await provider.data(.image) == pair.still)
  }

  @Test("NI-01: a compatible Live Photo is still a Live Photo, whose picture is a JPEG") func compatibleLive()
    async throws
  {
    let pair = try SampleMedia.livePhoto(size: Self.tiny)
    let provider = try await provider(of: temporary.add(pair, named: "L"), .compatible)
    #expect(provider.registeredTypeIdentifiers == ["com.apple.live-photo-bundle", "public.jpeg"])
    let files = try await provider.file(.livePhoto) {
      try FileManager.default.contentsOfDirectory(atPath: $0.path).sorted()
    }
    #expect(files == ["L.heic", "L.mov"])
    #expect(try await provider.data(.image).prefix(2) == Data([0xFF, 0xD8]))
  }

  @Test("NI-02: types conform, and need not be equal") func conformance() async throws {
    let photo = try temporary.add(SampleFile("A.JPG", SampleMedia.jpeg(size: Self.tiny)))[0]
    let provider = try await provider(of: photo)
    for identifier in ["public.jpeg", "public.image", "public.data", "public.content"] {
      #expect(provider.hasItemConformingToTypeIdentifier(identifier))
    }
    for identifier in ["public.movie", "public.png", "com.apple.live-photo", "unknown"] {
      #expect(!provider.hasItemConformingToTypeIdentifier(identifier))
    }
    #expect(!provider.canLoadObject(ofClass: PHLivePhoto.self))
  }

  @Test("NI-07: a canceled load ends at once, and a later one works") func cancelled() async throws {
    let photo = try temporary.add(SampleFile("A.JPG", SampleMedia.jpeg(size: Self.tiny)))[0]
    let provider = try await provider(of: photo)
    temporary.setOriginalsRemote(of: photo, delay: 20)
    let error = try await answer("the end of a canceled load") { done in
      provider.loadDataRepresentation(for: .image) { _, error in done(error) }.cancel()
    }
    #expect((error as? CocoaError)?.code == .userCancelled)
    temporary.setOriginalsLocal(of: photo)
    let size = try photo.storedResources[0].dataSize
    #expect(try await provider.data(.image).count == size)
  }

  @Test("NI-07: a canceled load ends before its transfer does") func cancelledTransfer() async throws {
    let session = GatedSession()
    let provider = PickedDelivery(session).provider(for: GatedSession.item("A"))
    let error = try await answer("the end of a canceled load") { done in
      let progress = provider.loadDataRepresentation(for: .jpeg) { _, error in done(error) }
      try eventually("the transfer") { session.current == 1 }
      progress.cancel()
    }
    #expect((error as? CocoaError)?.code == .userCancelled)
    #expect(session.current == 1)
    session.open(2)
    #expect(try await provider.data(.jpeg) == Data("A".utf8))
  }

  @Test("NI-04: an original that is elsewhere is fetched with progress") func remote() async throws {
    let photo = try temporary.add(SampleFile("A.JPG", SampleMedia.jpeg(size: Self.tiny)))[0]
    let provider = try await provider(of: photo)
    temporary.setOriginalsRemote(of: photo, delay: 0.1)
    let size = try photo.storedResources[0].dataSize
    #expect(try await provider.data(.image).count == size)
  }

  @Test("NI-08: a missing original is an error that names the file") func missing() async throws {
    let photo = try temporary.add(SampleFile("A.JPG", SampleMedia.jpeg(size: Self.tiny)))[0]
    let provider = try await provider(of: photo)
    try temporary.removeOriginals(of: photo)
    let error = await #expect(throws: PHPhotosError.self) { try await provider.data(.image) }
    #expect(error?.code == .missingResource)
    #expect(error?.localizedDescription.contains("A.JPG") == true)
  }

  @Test("NI-10: a provider outlives its picker by an hour, however long that was open") func expiry() async throws {
    let photo = try temporary.add(SampleFile("A.JPG", SampleMedia.jpeg(size: Self.tiny)))[0]
    let clock = TestClock()
    let opened = Inbox<OpenPicker>()
    temporary.library.answerPickers { opened.add($0) }
    let picked = Inbox<[PickedItem]>()
    var request = PickerRequest()
    request.selectionLimit = 0
    request.selection = .continuous
    let presentation = PickerPresentation(request, of: temporary.library, now: { clock.now })
    presentation.begin { picked.add($0.items) }
    temporary.library.answerPickers(nil)
    let picker = try await opened.next("the picker")
    picker.select(photo.localIdentifier)
    let item = try #require(await picked.next("the selected item").first)
    let provider = try #require(presentation.delivery).provider(for: item)
    clock.advance(by: 4000)
    picker.add()
    #expect(try await picked.next("the picked item").count == 1)
    presentation.end()
    clock.advance(by: 3599)
    let size = try photo.storedResources[0].dataSize
    #expect(try await provider.data(.image).count == size)
    clock.advance(by: 1)
    let error = await #expect(throws: PHPhotosError.self) { try await provider.data(.image) }
    #expect(error?.localizedDescription == "A.JPG: the picker's hour is over; pick it again")
  }

  @Test("NI-09: of twenty loads, at most four run at once, and all complete") func parallel() async throws {
    let session = GatedSession()
    let delivery = PickedDelivery(session)
    let texts = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for number in 0..<20 {
        let provider = delivery.provider(for: GatedSession.item("\(number)"))
        group.addTask { (number, String(decoding: try await provider.data(.jpeg), as: UTF8.self)) }
      }
      #expect(await holds { session.current == 4 })
      session.open(20)
      var texts: [Int: String] = [:]
      for try await (number, text) in group { texts[number] = text }
      return texts
    }
    #expect(texts == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, "\($0)") }))
    #expect(session.most == 4)
  }
}

/// A session whose files have the items' names, and which counts the transfers at the same time.
/// Each transfer waits for an opening of the gate.
private final class GatedSession: PickerSession {
  private let counts = Mutex((current: 0, most: 0))
  private let gate = DispatchSemaphore(value: 0)
  var current: Int { counts.withLock(\.current) }
  var most: Int { counts.withLock(\.most) }

  static func item(_ name: String) -> PickedItem {
    PickedItem(item: name, isLivePhoto: false, types: [.init(kind: .main, uniformType: "public.jpeg")], name: "A.JPG")
  }

  func open(_ count: Int) { for _ in 0..<count { gate.signal() } }

  func open(_ request: PickerRequest, _ handler: @escaping @Sendable (PickerEvent) -> Void) {}
  func send(_ command: PickerCommand) {}
  func close() {}

  func write(_ kind: PickedItem.Kind, of item: PickedItem, to file: URL, _ progress: Progress) throws {
    counts.withLock { counts in
      counts.current += 1
      counts.most = max(counts.most, counts.current)
    }
    gate.waits(for: "the gate of a transfer")
    try Data(item.item.utf8).write(to: file)
    counts.withLock { $0.current -= 1 }
  }
}
