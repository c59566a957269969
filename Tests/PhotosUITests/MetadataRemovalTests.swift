import PhotosTesting
import Testing

@testable import PhotosUI

@Suite @MainActor struct MetadataRemovalTests {
  private let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  nonisolated private static let everything: PHPickerMetadataOptions = [.removeLocation, .removeCaptions]
  nonisolated private static let tiny = PictureSize(width: 64, height: 48)

  nonisolated private static var metadata: SampleMetadata {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_558_428_352), offset: 7200)
    metadata.place = SampleMetadata.Place(latitude: 48.8584, longitude: 2.2945, altitude: 35)
    metadata.camera = .iPhone
    metadata.contentIdentifier = "3B1C5F9E-6D1C-4C52-9C6E-1B8A2D3E4F50"
    return metadata
  }

  nonisolated private static func number(_ value: Int) -> Data {
    Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
  }

  nonisolated private static func box(_ type: String, _ content: Data...) -> Data {
    let joined = Data(content.joined())
    return number(joined.count + 8) + Data(type.utf8) + joined
  }

  /// A description of samples with values for one key.
  nonisolated private static func timed(_ key: String) -> Data {
    box("mebx", Data(count: 8), box("keys", box("\0\0\0\u{1}", box("keyd", Data("mdta\(key)".utf8)))))
  }

  nonisolated private static let timedPlace = "com.apple.quicktime.location.ISO6709"

  /// A movie with three places between its frames. They are the samples of the second track, in two
  /// chunks.
  nonisolated private static func movie(
    placesIn description: Data, and others: Data = Data(), isFragmented: Bool = false
  ) -> Data {
    func track(_ tables: Data...) -> Data { box("trak", box("mdia", box("minf", box("stbl", Data(tables.joined()))))) }
    func table(_ type: String, _ numbers: Int...) -> Data { box(type, Data(numbers.map(number).joined())) }
    func describing(_ samples: Data) -> Data { box("stsd", number(0), number(1), samples) }
    let places = ["+48.8584+002.2945/", "+48.8585+002.2946+35/", "+48.8586+002.2947/"].map { Data($0.utf8) }
    let (beginning, frame, rest) = (box("ftyp", Data("qt  ".utf8)), Data("a frame".utf8), Data("another".utf8))
    let first = beginning.count + 8 + frame.count
    let second = first + places[0].count + places[1].count + rest.count
    let index = box(
      "moov", track(describing(box("avc1", Data(count: 8)))),
      track(
        describing(description), table("stsc", 0, 2, 1, 2, 1, 2, 1, 1),
        table("stsz", 0, 0, 3, places[0].count, places[1].count, places[2].count),
        table("stco", 0, 2, first, second), others),
      isFragmented ? box("mvex") : Data())
    return beginning + box("mdat", frame, places[0], places[1], rest, places[2]) + index
  }

  /// Files with a place, by their names.
  nonisolated private static func sample(_ name: String) throws -> Data {
    if name == "TIMED.MOV" { return movie(placesIn: timed(timedPlace)) }
    return switch (name as NSString).pathExtension {
    case "JPG": try SampleMedia.jpeg(size: tiny, metadata: metadata)
    case "HEIC": try SampleMedia.heic(size: tiny, metadata: metadata)
    case "AVIF": try SampleMedia.avif(size: tiny, metadata: metadata)
    case "PNG": try SampleMedia.png(size: tiny, metadata: metadata)
    case "TIFF": try SampleMedia.tiff(size: tiny, metadata: metadata)
    default: try SampleMedia.movie(duration: 1, size: tiny, metadata: metadata)
    }
  }

  private func results(_ asset: PHAsset, _ options: PHPickerMetadataOptions) async -> [PHPickerResult] {
    let identifier = asset.localIdentifier
    var configuration = temporary.configuration()
    configuration.metadataOptions = options
    return await temporary.pick(configuration) { $0.pick([identifier]) }
  }

  @Test(
    "R-23: a file is handed over without its place, and is not encoded again",
    arguments: ["A.JPG", "A.HEIC", "A.AVIF", "A.PNG", "A.MOV"])
  func place(name: String) async throws {
    let data = try Self.sample(name)
    let asset = try temporary.add(SampleFile(name, data))[0]
    let type = asset.mediaType == .image ? UTType.image : .movie
    let provider = try #require(await results(asset, .removeLocation).first).itemProvider
    let copy = try await provider.data(type)
    #expect(copy.count == data.count)
    // Only the place, its directory and XMP change.
    #expect(zip(copy, data).count { $0 != $1 } < 4000)
    #expect(copy != data)
    let other = try TemporaryLibrary()
    let copied = try other.add(SampleFile(name, copy))[0]
    #expect(asset.location != nil)
    #expect(copied.location == nil)
    #expect(copied.creationDate == asset.creationDate)
    #expect(copied.pixelWidth == asset.pixelWidth)
  }

  @Test("R-23: without options a file is handed over byte for byte", arguments: ["A.JPG", "A.HEIC", "A.PNG", "A.MOV"])
  func unchanged(name: String) async throws {
    let data = try Self.sample(name)
    let asset = try temporary.add(SampleFile(name, data))[0]
    let provider = try #require(await results(asset, []).first).itemProvider
    #expect(try await provider.data(asset.mediaType == .image ? .image : .movie) == data)
  }

  @Test("R-23: captions are removed, and the place stays") func captions() async throws {
    var metadata = Self.metadata
    metadata.userComment = "At the tower"
    let data = try SampleMedia.jpeg(size: Self.tiny, metadata: metadata)
    let asset = try temporary.add(SampleFile("A.JPG", data))[0]
    let provider = try #require(await results(asset, .removeCaptions).first).itemProvider
    let copy = try await provider.data(.image)
    #expect(data.range(of: Data("At the tower".utf8)) != nil)
    #expect(copy.range(of: Data("At the tower".utf8)) == nil)
    let other = try TemporaryLibrary()
    #expect(try other.add(SampleFile("A.JPG", copy))[0].location != nil)
  }

  @Test("R-23: a Live Photo without its place is still a Live Photo") func livePhoto() async throws {
    let asset = try temporary.add(SampleMedia.livePhoto(size: Self.tiny), named: "L")
    let provider = try #require(await results(asset, Self.everything).first).itemProvider
    let live = try #require(try await provider.object(PHLivePhoto.self))
    #expect(PHAssetResource.assetResources(for: live).map(\.type) == [.photo, .pairedVideo])
  }

  @Test("A picture whose format has no known place for metadata is drawn as a JPEG") func drawn() async throws {
    let asset = try temporary.add(SampleFile("A.TIFF", Self.sample("A.TIFF")))[0]
    let provider = try #require(await results(asset, .removeLocation).first).itemProvider
    #expect(provider.registeredTypeIdentifiers == ["public.jpeg"])
    let other = try TemporaryLibrary()
    let copied = try other.add(SampleFile("A.JPG", try await provider.data(.image)))[0]
    #expect(copied.location == nil)
  }

  @Test("Bytes after a JPEG's picture are not handed over") func trailer() throws {
    let data = try SampleMedia.jpeg(size: Self.tiny)
    let copy = try PrivateFile.data(data + Data("a movie with a place".utf8), removing: .removeLocation)
    #expect(copy.count == data.count)
  }

  @Test("A text of a PNG is removed, and the picture is still whole") func text() throws {
    let data = try SampleMedia.png(size: Self.tiny)
    // A text after the header, of which the removal has to compute a checksum.
    let chunk = Data([0, 0, 0, 9]) + Data("tEXtTitle\0Sea".utf8) + Data([0, 0, 0, 0])
    let copy = try PrivateFile.data(data[..<33] + chunk + data[33...], removing: .removeCaptions)
    #expect(copy.range(of: Data("Title".utf8)) == nil)
    #expect(copy.count == data.count + chunk.count)
    #expect(UIImage(data: copy)?.size == CGSize(width: 64, height: 48))
  }

  @Test("A damaged file is an error, and never handed over", arguments: ["A.JPG", "A.PNG", "A.HEIC", "A.MOV"])
  func damaged(name: String) throws {
    let data = try Self.sample(name)
    #expect(throws: PHPhotosError.self) { try PrivateFile.data(data[..<20], removing: .removeLocation) }
  }

  @Test(
    "Places in the samples of a track are removed, and the frames between them stay",
    arguments: [
      timed(timedPlace), box("gpmd", Data(count: 8)), box("camm", Data(count: 8)),
    ])
  func places(description: Data) throws {
    let data = Self.movie(placesIn: description)
    let copy = try PrivateFile.data(data, removing: .removeLocation)
    #expect(copy.count == data.count)
    #expect(data.range(of: Data("+48.858".utf8)) != nil)
    for removed in ["+48.858", Self.timedPlace, "gpmd", "camm"] { #expect(copy.range(of: Data(removed.utf8)) == nil) }
    for kept in ["a frame", "another", "avc1"] {
      #expect(copy.range(of: Data(kept.utf8)) == data.range(of: Data(kept.utf8)))
    }
  }

  /// Returns the box that newer cameras of Canon have in a movie's index.
  private static func canonBox(_ content: Data) -> Data {
    let uuid: [UInt8] = [
      0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]
    return box("uuid", Data(uuid) + content)
  }

  @Test("Only the places in Canon's box are removed; a damaged box is removed whole")
  func boxOfCanon() throws {
    let (version, place) = (Self.box("CNCV", Data("CanonAVC0010".utf8)), Data("+48.8584+002.2945".utf8))
    let frames = Self.box("ftyp", Data("mp42".utf8)) + Self.box("mdat", Data("a frame".utf8))
    for (content, isKept) in [(version + Self.box("CMT4", place), true), (version + place, false)] {
      let movie = frames + Self.box("moov", Self.canonBox(content))
      let copy = try PrivateFile.data(movie, removing: .removeLocation)
      #expect(copy.count == movie.count)
      #expect(copy.range(of: place) == nil)
      #expect((copy.range(of: Data("CanonAVC0010".utf8)) != nil) == isKept)
      if isKept { #expect(try PrivateFile.data(movie, removing: .removeCaptions) == movie) }
    }
  }

  /// The meta box of Sony's cameras follows the movie's index.
  @Test(
    "The boxes in which makers of cameras keep a place are removed",
    arguments: ["@xyz", "CNTH", "CMT4", "NCDT", "MVTG", "PANA", "LEIC", "GPMF", "xml "])
  func makers(type: String) throws {
    let frames = Self.box("ftyp", Data("qt  ".utf8)) + Self.box("mdat", Data("a frame".utf8))
    let found = Self.box(type, Data("+48.8584+002.2945".utf8))
    let handler = Self.box("hdlr", Data(count: 24))
    let movie =
      switch type {
      case "xml ": frames + Self.box("moov", Self.box("trak")) + Self.box("meta", Self.number(0), handler, found)
      case "CMT4": frames + Self.box("moov", Self.canonBox(found))
      default: frames + Self.box("moov", Self.box("udta", found))
      }
    let copy = try PrivateFile.data(movie, removing: .removeLocation)
    #expect(copy.count == movie.count)
    #expect(copy.range(of: Data("+48.8584".utf8)) == nil)
    #expect(copy.range(of: Data("a frame".utf8)) == movie.range(of: Data("a frame".utf8)))
  }

  @Test("A PNG's compressed EXIF is removed") func compressedEXIF() throws {
    let png = try SampleMedia.png(size: PictureSize(width: 32, height: 24))
    let place = Data("a compressed place".utf8)
    let chunk = Self.number(place.count) + Data("zxIf".utf8) + place + Self.number(0)
    // The header has 33 bytes.
    let data = png.prefix(33) + chunk + png.dropFirst(33)
    let copy = try PrivateFile.data(data, removing: .removeLocation)
    #expect(copy.count == data.count)
    #expect(data.range(of: place) != nil)
    #expect(copy.range(of: place) == nil)
  }

  /// Bytes with a place that may follow a picture: a movie, Samsung's data, vivo's text.
  nonisolated private static var followers: [Data] {
    let place = Data("+48.8584+002.2945".utf8)
    let movie = box("ftyp", Data("mp42".utf8)) + box("moov", box("udta", place))
    return [movie, Data([0, 0, 1, 10, 14, 0, 0, 0]) + place, Data(#"vivo{"a":1}"#.utf8) + place + movie]
  }

  @Test("A HEIC ends with its picture, whatever follows it", arguments: [false, true])
  func heicWithMovie(isOpen: Bool) throws {
    var picture = try SampleMedia.heic(size: PictureSize(width: 32, height: 24), metadata: Self.metadata)
    if isOpen {
      // A box without a size reaches to the end of the file.
      let name = try #require(picture.range(of: Data("mdat".utf8)))
      picture.replaceSubrange(name.lowerBound - 4..<name.lowerBound, with: Self.number(0))
    }
    let alone = try PrivateFile.data(picture, removing: .removeLocation)
    #expect(alone.count == picture.count)
    #expect(alone != picture)
    for rest in Self.followers {
      #expect(try PrivateFile.data(picture + rest, removing: .removeLocation) == alone)
    }
  }

  /// A sequence of two pictures in one chunk, with `others` before its data.
  nonisolated private static func sequence(others: Data = Data(), isOpen: Bool) -> Data {
    let frames = Data("a frameanother".utf8)
    let beginning = box("ftyp", Data("msf1".utf8), number(0), Data("msf1heic".utf8))
    func index(at offset: Int) -> Data {
      let tables = [
        box("stsd", number(0), number(1), box("hvc1", Data(count: 78))),
        box("stsc", number(0), number(1), number(1), number(2), number(1)),
        box("stsz", number(0), number(0), number(2), number(7), number(7)),
        box("stco", number(0), number(1), number(offset)),
      ]
      return box("moov", box("trak", box("mdia", box("minf", box("stbl", Data(tables.joined()))))))
    }
    let offset = beginning.count + index(at: 0).count + others.count + 8
    let data = isOpen ? number(0) + Data("mdat".utf8) + frames : box("mdat", frames)
    return beginning + index(at: offset) + others + data
  }

  @Test("A sequence of pictures ends with its data, whatever follows it", arguments: [false, true])
  func sequenceWithMovie(isOpen: Bool) throws {
    let items = Self.box("meta", Self.number(0), Self.box("hdlr", Data(count: 8), Data("pict".utf8), Data(count: 13)))
    for others in [Data(), items] {
      let sequence = Self.sequence(others: others, isOpen: isOpen)
      #expect(try PrivateFile.data(sequence, removing: .removeLocation) == sequence)
      for rest in Self.followers {
        #expect(try PrivateFile.data(sequence + rest, removing: .removeLocation) == sequence)
      }
    }
  }

  @Test("A sequence in fragments whose data has no end is an error") func openFragments() {
    let sequence = Self.sequence(others: Self.box("moof"), isOpen: true)
    #expect(throws: PHPhotosError.self) { try PrivateFile.data(sequence, removing: .removeLocation) }
  }

  @Test("A movie that is written in place loses the places in its samples") func placesOfFile() throws {
    let data = Self.movie(placesIn: Self.timed(Self.timedPlace))
    let file = temporary.folder.appending(path: "A.mov")
    try data.write(to: file)
    try PrivateFile.clear(file, removing: .removeLocation)
    #expect(try Data(contentsOf: file) == PrivateFile.data(data, removing: .removeLocation))
  }

  @Test("Timed metadata that names neither a removed place nor a removed text stays")
  func timedMetadata() throws {
    let moment = Self.movie(placesIn: Self.timed("com.apple.quicktime.still-image-time"))
    #expect(try PrivateFile.data(moment, removing: Self.everything) == moment)
    let place = Self.movie(placesIn: Self.timed(Self.timedPlace))
    #expect(try PrivateFile.data(place, removing: .removeCaptions) == place)
    let title = Self.movie(placesIn: Self.timed("com.apple.quicktime.title"))
    #expect(try PrivateFile.data(title, removing: .removeCaptions) != title)
  }

  @Test(
    "A movie with places in samples that can't be found is an error",
    arguments: [
      movie(placesIn: timed(timedPlace), isFragmented: true), movie(placesIn: timed(timedPlace)) + box("moof"),
      movie(placesIn: timed(timedPlace), and: box("stsd", number(0), number(1), box("avc1", Data(count: 8)))),
      movie(placesIn: timed(timedPlace), and: box("stco", number(0), number(0))),
    ])
  func lostSamples(data: Data) {
    #expect(throws: PHPhotosError.self) { try PrivateFile.data(data, removing: .removeLocation) }
  }

  @Test("A movie with a compressed index is an error, since its place can't be removed") func compressedIndex() {
    let data = Self.box("ftyp", Data("qt  ".utf8)) + Self.box("moov", Self.box("cmov", Data(count: 20)))
    #expect(throws: PHPhotosError.self) { try PrivateFile.data(data, removing: .removeLocation) }
  }

  @Test(
    "No bytes make the removal fail other than by an error",
    arguments: ["A.JPG", "A.PNG", "A.HEIC", "A.MOV", "TIMED.MOV"])
  func hostile(name: String) throws {
    let data = try Self.sample(name)
    var state: UInt64 = 7
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    for _ in 0..<400 {
      var bytes = data
      for _ in 0..<8 {
        bytes[random(min(bytes.count, 4000))] = [0, 1, 0x7F, 0xFF, UInt8(random(256))][random(5)]
      }
      let copy = try? PrivateFile.data(
        bytes.prefix(random(2) == 0 ? bytes.count : random(bytes.count)), removing: Self.everything)
      #expect(copy.map { $0.count <= bytes.count } ?? true)
    }
  }
}
