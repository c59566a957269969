import AVFoundation
import PhotosTesting
import TestSupport
import Testing

@testable import PhotosUI

@Suite @MainActor struct LimitedLibraryTests {
  private let temporary: TemporaryLibrary
  private let assets: [PHAsset]
  private let client = LibraryClient(identifier: "com.example.limited")
  private let library: PHPhotoLibrary
  private var identifiers: [String] { assets.map(\.localIdentifier) }

  init() throws {
    temporary = try TemporaryLibrary()
    assets = try temporary.add(.photos(4))
    try temporary.library.setAuthorization(limitedTo: Array(assets[..<2]), for: client)
    library = temporary.library.photoLibrary(for: client)
  }

  private var seen: [String] {
    let options = PHFetchOptions()
    options.photoLibrary = library
    let found = PHAsset.fetchAssets(with: options)
    return found.objects(at: IndexSet(0..<found.count)).map(\.localIdentifier)
  }

  @Test("B-01, B-02, B-03: the owner changes what the program sees, and it learns what is new") func changed() async {
    let identifiers = identifiers
    library.answerPickers { picker in
      #expect(picker.assets.count == 4)
      #expect(picker.selection == [identifiers[0], identifiers[1]])
      picker.deselect(identifiers[0])
      picker.select(identifiers[3])
      picker.add()
    }
    let added = await library.presentLimitedLibraryPicker(from: UIViewController())
    #expect(added == [identifiers[3]])
    #expect(seen == [identifiers[1], identifiers[3]])
    library.answerPickers(nil)
  }

  @Test("B-04: if the owner cancels, nothing changes") func cancelled() async {
    let identifiers = identifiers
    library.answerPickers { picker in
      picker.select(identifiers[3])
      picker.cancel()
    }
    #expect(await library.presentLimitedLibraryPicker(from: UIViewController()) == [])
    #expect(seen == Array(identifiers[..<2]))
    library.answerPickers(nil)
  }

  @Test("B-01: the picker learns that the owner decides about access, and that no files are wanted") func request()
    async throws
  {
    let server = try PickerServer(inLibraryAt: temporary.url) { request in
      request.method == "POST"
        ? .json(#"{"session":"S","picker":"http://127.0.0.1:1/"}"#) : .json(#"{"revision":1,"state":"cancelled"}"#)
    }
    #expect(await library.presentLimitedLibraryPicker(from: UIViewController()) == [])
    let body = try #require(server.requests.first?.body)
    #expect(body.contains(#""choosesAccess":true"#))
    #expect(body.contains(#""representation":"current""#))
  }

  @Test("A hidden asset that the program sees stays, since the picker does not show it") func hidden() async throws {
    let asset = assets[0]
    try temporary.library.performChangesAndWait { PHAssetChangeRequest(for: asset).isHidden = true }
    library.answerPickers { $0.add() }
    #expect(await library.presentLimitedLibraryPicker(from: UIViewController()) == [])
    #expect(try temporary.library.selectedAssets(for: client).count == 2)
    library.answerPickers(nil)
  }

  @Test("B-07: with other access nothing is shown", arguments: [PHAuthorizationStatus.authorized, .denied])
  func notLimited(status: PHAuthorizationStatus) async throws {
    try temporary.library.setAuthorization(status, for: client, accessLevel: .readWrite)
    library.answerPickers { _ in Issue.record("the picker was shown") }
    #expect(await library.presentLimitedLibraryPicker(from: UIViewController()) == [])
    library.answerPickers(nil)
  }
}

@Suite @MainActor struct ImagePickerTests {
  private let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  private typealias Info = [UIImagePickerController.InfoKey: Any]

  @MainActor private final class App: UIViewController, UIImagePickerControllerDelegate, UINavigationControllerDelegate
  {
    var info: Info?
    var isDone = false

    func imagePickerController(_ picker: UIImagePickerController, didFinishPickingMediaWithInfo info: Info) {
      picker.dismiss(animated: true)
      self.info = info
      isDone = true
    }

    func imagePickerControllerDidCancel(_ picker: UIImagePickerController) {
      picker.dismiss(animated: true)
      isDone = true
    }
  }

  /// Picks, and returns what the delegate gets; `nil` if it is told of a cancellation.
  private func pick(
    _ types: [UTType], of library: PHPhotoLibrary? = nil,
    settings: (UIImagePickerController) -> Void = { _ in }, _ operate: @escaping @Sendable (OpenPicker) -> Void
  ) async -> Info? {
    let library = library ?? temporary.library
    library.answerPickers(operate)
    let app = App()
    let picker = UIImagePickerController()
    picker.mediaTypes = types.map(\.identifier)
    settings(picker)
    picker.delegate = app
    library.asShared { app.present(picker, animated: true) }
    #expect(await holds { app.isDone })
    #expect(app.presentedViewController == nil)
    library.answerPickers(nil)
    return app.info
  }

  @Test("An image is delivered with its file and its asset") func image() async throws {
    let data = try SampleMedia.jpeg(size: PictureSize(width: 64, height: 48))
    let photo = try temporary.add(SampleFile("A.JPG", data))[0]
    let identifier = photo.localIdentifier
    let info = try #require(await pick([.image]) { $0.select(identifier) })
    #expect(info[.mediaType] as? String == "public.image")
    #expect((info[.originalImage] as? UIImage)?.size == CGSize(width: 64, height: 48))
    let url = try #require(info[.imageURL] as? URL)
    #expect(url.lastPathComponent == "A.jpeg")
    #expect(try Data(contentsOf: url) == data)
    #expect((info[.phAsset] as? PHAsset)?.localIdentifier == identifier)
    #expect(info[.editedImage] == nil)
    #expect(info[.mediaMetadata] == nil)
    let address = try #require(info[.referenceURL] as? URL)
    #expect(address.absoluteString == "assets-library://asset/asset.JPG?id=\(photo.uuid)&ext=JPG")
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let found = PHAsset.fetchAssets(withALAssetURLs: [address], options: options)
    #expect(found.firstObject?.localIdentifier == identifier)
  }

  @Test("A program without access gets no asset") func denied() async throws {
    let photo = try temporary.add(.photo())
    let identifier = photo.localIdentifier
    let client = LibraryClient(identifier: "com.example.denied")
    try temporary.library.setAuthorization(.denied, for: client, accessLevel: .readWrite)
    let library = temporary.library.photoLibrary(for: client)
    let info = try #require(await pick([.image], of: library) { $0.select(identifier) })
    #expect(info[.originalImage] is UIImage)
    #expect(info[.phAsset] == nil)
    #expect(info[.referenceURL] == nil)
  }

  @Test("A movie is delivered as a file") func movie() async throws {
    let video = try temporary.add(.video(named: "M"))
    let identifier = video.localIdentifier
    let info = try #require(await pick([.image, .movie]) { $0.select(identifier) })
    #expect(info[.mediaType] as? String == "public.movie")
    let url = try #require(info[.mediaURL] as? URL)
    #expect(try Data(contentsOf: url).count > 1000)
  }

  @Test(
    "A movie is as large as the preset says, or else the quality; it stays as it is until one is set",
    arguments: [
      (nil, nil, 1280), (AVAssetExportPreset640x480, .typeLow, 640), (nil, .typeLow, 480), (nil, .type640x480, 640),
      (nil, .typeIFrame960x540, 960), (nil, .typeHigh, 1280),
    ] as [(String?, UIImagePickerController.QualityType?, Int)])
  func movieQuality(preset: String?, quality: UIImagePickerController.QualityType?, longestSide: Int) async throws {
    let movie = try SampleMedia.movie(
      duration: 0.2, size: PictureSize(width: 1280, height: 720), container: .mp4)
    let identifier = try temporary.add(SampleFile("M.MP4", movie))[0].localIdentifier
    let info = try #require(
      await pick([.movie]) { picker in
        picker.videoExportPreset = preset
        if let quality { picker.videoQuality = quality }
      } _: {
        $0.select(identifier)
      })
    let url = try #require(info[.mediaURL] as? URL)
    let track = try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: .video).first)
    #expect(Int(try await track.load(.naturalSize).width) == longestSide)
  }

  @Test("A preset that does not exist is told as a cancellation, and not as another movie") func unknownPreset()
    async throws
  {
    let identifier = try temporary.add(.video(named: "M")).localIdentifier
    var picker: UIImagePickerController?
    let info = await pick([.movie]) {
      $0.videoExportPreset = "AVAssetExportPresetNone"
      picker = $0
    } _: {
      $0.select(identifier)
    }
    #expect(info == nil)
    #expect(
      picker?.pickerProblem?.localizedDescription == "videoExportPreset: there is no preset AVAssetExportPresetNone")
  }

  /// A server that hands a movie over, and waits until the end of the test before its first byte.
  private func slowServer(until end: DispatchSemaphore) throws -> PickerServer {
    let item =
      #"{"item":"i","isLivePhoto":false,"name":"M.MOV","types":[{"kind":"main","uniformType":"public.mpeg-4"}]}"#
    return try PickerServer(inLibraryAt: temporary.url) { request in
      switch (request.method, request.path.contains("/items/")) {
      case ("POST", _): .json(#"{"session":"S","picker":"http://127.0.0.1:1/"}"#)
      case (_, true): .waiting(until: end)
      default: .json(#"{"revision":1,"state":"picked","items":[\#(item)]}"#)
      }
    }
  }

  @Test("A picker that is dismissed while it loads cancels the load, and tells nothing") func dismissed() async throws {
    let end = DispatchSemaphore(value: 0)
    let server = try slowServer(until: end)
    let app = App()
    let picker = UIImagePickerController()
    picker.mediaTypes = [UTType.movie.identifier]
    picker.delegate = app
    temporary.library.asShared { app.present(picker, animated: true) }
    #expect(await holds { server.requests.contains { $0.path.contains("/items/") } })
    app.dismiss(animated: true)
    // A canceled load takes no more bytes, and then the session ends.
    #expect(await holds { server.requests.contains { $0.method == "DELETE" } })
    end.signal()
    try await handlersHaveReturned()
    await Task.yield()
    #expect(!app.isDone)
  }

  @Test(
    "Movies alone are such that other programs play them, whatever the form of pictures is",
    arguments: [
      ([.movie], .current, "compatible"), ([.movie], .compatible, "compatible"), ([.image], .current, "current"),
      ([.image, .movie], .current, "current"), ([.image], .compatible, "compatible"),
    ] as [([UTType], UIImagePickerController.ImageURLExportPreset, String)])
  func representation(types: [UTType], preset: UIImagePickerController.ImageURLExportPreset, expected: String)
    async throws
  {
    let server = try PickerServer(inLibraryAt: temporary.url) { request in
      request.method == "POST"
        ? .json(#"{"session":"S","picker":"http://127.0.0.1:1/"}"#) : .json(#"{"revision":1,"state":"cancelled"}"#)
    }
    let app = App()
    let picker = UIImagePickerController()
    picker.mediaTypes = types.map(\.identifier)
    picker.imageExportPreset = preset
    picker.delegate = app
    temporary.library.asShared { app.present(picker, animated: true) }
    #expect(await holds { app.isDone })
    #expect(server.requests.first?.body.contains(#""representation":"\#(expected)""#) == true)
  }

  @Test("The camera is told as a cancellation, and nothing is shown") func camera() async throws {
    var picker: UIImagePickerController?
    let info = await pick([.image]) {
      $0.sourceType = .camera
      picker = $0
    } _: { _ in
      Issue.record("the picker was shown")
    }
    #expect(info == nil)
    #expect(picker?.pickerProblem?.code == .changeNotSupported)
  }

  @Test("A Live Photo is delivered as one if its type is wanted", arguments: [true, false])
  func livePhoto(isWanted: Bool) async throws {
    let live = try temporary.add(.livePhoto())
    let identifier = live.localIdentifier
    let info = try #require(await pick(isWanted ? [.image, .livePhoto] : [.image]) { $0.select(identifier) })
    #expect((info[.livePhoto] is PHLivePhoto) == isWanted)
    #expect(info[.mediaType] as? String == (isWanted ? "com.apple.live-photo" : "public.image"))
  }

  @Test("A Live Photo is a picture for a program that takes all available types") func livePhotoAsPicture() async throws
  {
    let identifier = try temporary.add(.livePhoto()).localIdentifier
    let types = try #require(UIImagePickerController.availableMediaTypes(for: .photoLibrary))
    let info = try #require(await pick(types.compactMap { UTType($0) }) { $0.select(identifier) })
    #expect(info[.mediaType] as? String == "public.image")
    #expect(info[.livePhoto] == nil)
  }

  @Test("Only the wanted types are shown, and a cancellation is told") func filtered() async throws {
    let assets = try temporary.add([.photo(), .video()])
    let identifiers = assets.map(\.localIdentifier)
    let info = await pick([.movie]) { picker in
      #expect(picker.assets.map(\.localIdentifier) == [identifiers[1]])
      picker.select(identifiers[0])
      picker.cancel()
    }
    #expect(info == nil)
  }

  @Test("There is no camera") func sources() {
    #expect(UIImagePickerController.isSourceTypeAvailable(.photoLibrary))
    #expect(!UIImagePickerController.isSourceTypeAvailable(.camera))
    #expect(UIImagePickerController.availableMediaTypes(for: .photoLibrary) == ["public.image", "public.movie"])
    #expect(UIImagePickerController.availableMediaTypes(for: .camera) == nil)
  }
}

@Suite @MainActor struct LivePhotoViewTests {
  private final class Delegate: PHLivePhotoViewDelegate {
    var calls: [String] = []
    var allows = true

    func livePhotoView(_ view: PHLivePhotoView, canBeginPlaybackWith style: PHLivePhotoViewPlaybackStyle) -> Bool {
      calls.append("can \(style)")
      return allows
    }
    func livePhotoView(_ view: PHLivePhotoView, willBeginPlaybackWith style: PHLivePhotoViewPlaybackStyle) {
      calls.append("will \(style)")
    }
    func livePhotoView(_ view: PHLivePhotoView, didEndPlaybackWith style: PHLivePhotoViewPlaybackStyle) {
      calls.append("did \(style)")
    }
  }

  @Test("A playback asks and tells its delegate in order, and ends at once") func playback() async throws {
    let temporary = try TemporaryLibrary()
    let live = try temporary.add(.livePhoto())
    let identifier = live.localIdentifier
    let results = await temporary.pick(temporary.configuration()) { $0.pick([identifier]) }
    let view = PHLivePhotoView()
    let delegate = Delegate()
    view.delegate = delegate
    view.startPlayback(with: .full)
    #expect(delegate.calls == [])
    view.livePhoto = try await results[0].itemProvider.object(PHLivePhoto.self)
    view.startPlayback(with: .hint)
    #expect(delegate.calls == ["can hint", "will hint", "did hint"])
    delegate.allows = false
    view.startPlayback(with: .full)
    #expect(delegate.calls.last == "can full")
    view.stopPlayback()
    #expect(delegate.livePhotoView(view, extraMinimumTouchDurationFor: UITouch(), with: .full) == 0)
  }

  @Test("The sign of a Live Photo is drawn, and its options change it") func badge() throws {
    let options: [PHLivePhotoBadgeOptions] = [[], .overContent, .liveOff, [.overContent, .liveOff]]
    let images = options.map { PHLivePhotoView.livePhotoBadgeImage(options: $0) }
    #expect(images.map(\.size) == Array(repeating: CGSize(width: 28, height: 28), count: 4))
    #expect(Set(images.compactMap { $0.pngData() }).count == 4)
  }
}

@Suite @MainActor struct PhotosPickerItemTests {
  @Test("R-32: an item has its identifier only with a library, its types, and its data") func item() async throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let results = await temporary.pick(temporary.configuration()) { $0.pick($0.assets) }
    let item = PhotosPickerItem(results[0])
    #expect(item.itemIdentifier == results[0].assetIdentifier)
    #expect(item.supportedContentTypes == [.jpeg])
    #expect(try await item.loadTransferable(type: Data.self)?.prefix(2) == Data([0xFF, 0xD8]))
    let anonymous = await temporary.pick(PHPickerConfiguration()) { $0.pick($0.assets) }
    #expect(PhotosPickerItem(anonymous[0]).itemIdentifier == nil)
  }

  @Test("NI-07: a canceled task cancels its load, and a later load works") func cancelled() async throws {
    let provider = NSItemProvider()
    let loads = Inbox<@Sendable (Data?, (any Error)?) -> Void>()
    let progress = Progress.discreteProgress(totalUnitCount: 1)
    provider.registerDataRepresentation(for: .jpeg) { completionHandler in
      loads.add(completionHandler)
      return progress
    }
    let item = PhotosPickerItem(identifier: nil, provider: provider)
    let task = Task { try await item.loadTransferable(type: Data.self) }
    _ = try await loads.next("the load")
    task.cancel()
    let error = await #expect(throws: CocoaError.self) { try await task.value }
    #expect(error?.code == .userCancelled)
    #expect(progress.isCancelled)
    provider.registerDataRepresentation(for: .jpeg) { completionHandler in
      completionHandler(Data("later".utf8), nil)
      return nil
    }
    #expect(try await item.loadTransferable(type: Data.self) == Data("later".utf8))
  }

  /// The size of a picture, of which an app makes its own value.
  private struct Portrait: Transferable {
    let size: CGSize

    static var transferRepresentation: some TransferRepresentation {
      DataRepresentation(importedContentType: .image) { data in
        guard let image = UIImage(data: data) else { throw CocoaError(.fileReadCorruptFile) }
        return Portrait(size: image.size)
      }
    }
  }

  /// A movie, which an app copies, and the error if there is something else.
  private struct Movie: Transferable {
    let name: String
    let byteCount: Int
    let isOriginal: Bool

    static var transferRepresentation: some TransferRepresentation {
      FileRepresentation(importedContentType: .movie) { received in
        Movie(
          name: received.file.pathExtension, byteCount: try Data(contentsOf: received.file).count,
          isOriginal: received.isOriginalFile)
      }
    }
  }

  @Test("R-32: an item becomes an app's own value by its data or its file, or nil by its type") func ownValues()
    async throws
  {
    let temporary = try TemporaryLibrary()
    let identifiers = try temporary.add(.photos(1) + .videos(1)).map(\.localIdentifier)
    let items = await temporary.pick(temporary.configuration()) { $0.pick(identifiers) }.map { PhotosPickerItem($0) }
    #expect(items.count == 2)
    let portrait = try await items[0].loadTransferable(type: Portrait.self)
    #expect((portrait?.size.width ?? 0) > 0)
    #expect(try await items[0].loadTransferable(type: Movie.self)?.name == nil)
    #expect(try await items[0].loadTransferable(type: PHLivePhoto.self) == nil)
    let movie = try await items[1].loadTransferable(type: Movie.self)
    #expect(movie?.byteCount == (try await items[1].loadTransferable(type: Data.self))?.count)
    #expect(movie?.isOriginal == false)
    #expect(try await items[1].loadTransferable(type: Portrait.self)?.size == nil)
  }

  @Test("R-32: a Live Photo is loaded as itself, with its movie") func livePhoto() async throws {
    let temporary = try TemporaryLibrary()
    try temporary.add(.livePhoto())
    let results = await temporary.pick(temporary.configuration()) { $0.pick($0.assets) }
    let live = try #require(await PhotosPickerItem(results[0]).loadTransferable(type: PHLivePhoto.self))
    #expect(PHAssetResource.assetResources(for: live).map(\.type) == [.photo, .pairedVideo])
  }

  /// A Live Photo, or else the data of the item.
  private struct Content: Transferable {
    let text: String

    static var transferRepresentation: some TransferRepresentation {
      ProxyRepresentation(importing: { (live: PHLivePhoto) in
        Content(text: "a Live Photo of \(PHAssetResource.assetResources(for: live).count) files")
      })
      ProxyRepresentation(importing: { (data: Data) in Content(text: "\(data.count) bytes") })
    }
  }

  @Test("R-32: an item becomes an app's own value by another type's forms") func proxies() async throws {
    let temporary = try TemporaryLibrary()
    let identifiers = try temporary.add([.livePhoto()] + .photos(1)).map(\.localIdentifier)
    let items = await temporary.pick(temporary.configuration()) { $0.pick(identifiers) }.map { PhotosPickerItem($0) }
    #expect(try await items[0].loadTransferable(type: Content.self)?.text == "a Live Photo of 2 files")
    let data = try #require(await items[1].loadTransferable(type: Data.self))
    #expect(try await items[1].loadTransferable(type: Content.self)?.text == "\(data.count) bytes")
  }

  @Test("R-32: an item without types has no data") func empty() async throws {
    let item = PhotosPickerItem(itemIdentifier: "A/L0/001")
    #expect(item.supportedContentTypes == [])
    #expect(try await item.loadTransferable(type: Data.self) == nil)
    let result: Result<Data?, any Error> = try await answer("no data") { done in
      item.loadTransferable(type: Data.self) { done($0) }
    }
    #expect(try result.get() == nil)
  }
}

@Suite @MainActor struct ViewControllerTests {
  private final class Controller: UIViewController {
    var calls: [String] = []
    override func viewDidLoad() { calls.append("load") }
    override func viewWillAppear(_ animated: Bool) { calls.append("will appear") }
    override func viewDidAppear(_ animated: Bool) { calls.append("appear") }
    override func viewWillDisappear(_ animated: Bool) { calls.append("will disappear") }
    override func viewDidDisappear(_ animated: Bool) { calls.append("disappear") }
  }

  @Test("A controller is shown and dismissed in UIKit's order") func order() {
    let (host, shown) = (UIViewController(), Controller())
    var completions = 0
    host.present(shown, animated: true) { completions += 1 }
    #expect(host.presentedViewController === shown)
    host.present(Controller(), animated: true) { completions += 100 }
    #expect(host.presentedViewController === shown)
    shown.dismiss(animated: false) { completions += 10 }
    #expect(host.presentedViewController == nil)
    #expect(shown.presentingViewController == nil)
    host.present(shown, animated: true)
    #expect(completions == 11)
    #expect(
      shown.calls == ["load", "will appear", "appear", "will disappear", "disappear", "will appear", "appear"])
  }

  @Test("Dismissing a controller dismisses what it shows") func chain() {
    let (host, middle, top) = (UIViewController(), Controller(), Controller())
    host.present(middle, animated: true)
    middle.present(top, animated: true)
    host.dismiss(animated: true)
    #expect(top.calls.last == "disappear")
    #expect(middle.calls.last == "disappear")
    #expect(middle.presentedViewController == nil)
  }
}
