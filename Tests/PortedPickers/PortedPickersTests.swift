import AVFoundation
import ImageIO
import Photos
import PhotosTesting
import PhotosTestingTraits
import PhotosUI
import Synchronization
import TestSupport
import Testing
import UIKit

/// Operates a library's pickers while something shows them.
@MainActor private struct Answers {
  let library: PHPhotoLibrary
  let operate: @Sendable (OpenPicker) -> Void

  func during<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    library.answerPickers(operate)
    defer { library.answerPickers(nil) }
    return try await work()
  }
}

/// Runs the files of `Programs`, which are written as programs for iOS are, in Swift 5 mode.
@Suite(.photoLibrary(photos: 3)) @MainActor struct PortedPickersTests {
  private let temporary: TemporaryLibrary
  private let controller = UIViewController()

  init() throws { temporary = try #require(TemporaryLibrary.current) }

  private func answering(_ operate: @escaping @Sendable (OpenPicker) -> Void) -> Answers {
    Answers(library: temporary.library, operate: operate)
  }

  private func picked(_ assets: [PHAsset]) async -> [PHPickerResult] {
    let identifiers = assets.map(\.localIdentifier)
    let sheet = SheetWithContinuation(presenter: controller)
    return await answering { $0.pick(identifiers) }.during { await sheet.pick(nil, limit: 0) }
  }

  // MARK: Pictures

  @Test("Loaded pictures have the order of picking") func order() async throws {
    let small = try temporary.add(.photo(size: PictureSize(width: 60, height: 40)))
    let large = try temporary.add(.photo(size: PictureSize(width: 120, height: 80)))
    let identifiers = [large, small].map(\.localIdentifier)
    let chooser = AvatarChooser()
    let widths: [CGFloat] = try await answering { $0.pick(identifiers) }.during {
      try await answer("the avatars") { done in
        chooser.onFinish = { images, _ in done(images.map(\.size.width)) }
        controller.present(chooser.makePicker(limit: 0), animated: true)
      }
    }
    #expect(widths == [120, 60])
  }

  @Test("An awaited picker returns its results, and is dismissed") func awaited() async throws {
    let results = await picked(try temporary.add(.photos(2)))
    #expect(results.count == 2)
    #expect(controller.presentedViewController == nil)
  }

  @Test("An awaited picker returns no results if it is canceled") func cancelled() async {
    let sheet = SheetWithContinuation(presenter: controller)
    let results = await answering { $0.cancel() }.during { await sheet.pick(.images) }
    #expect(results.isEmpty)
  }

  @Test("An awaited picture has the size of its asset") func awaitedPicture() async throws {
    let photo = try temporary.add(.photo(size: PictureSize(width: 120, height: 80)))
    let result = try #require(await picked([photo]).first)
    #expect(try await result.itemProvider.loadPicture().size == CGSize(width: 120, height: 80))
  }

  @Test("A task group loads the bytes of all results in their order") func grouped() async throws {
    let photos = try temporary.add([.photo(named: "A"), .photo(named: "B"), .photo(named: "C")])
    let loaded = try await GroupedLoading.load(await picked(photos))
    #expect(loaded.map(\.name) == ["A", "B", "C"])
    #expect(loaded.allSatisfy { $0.data.prefix(2) == Data([0xFF, 0xD8]) })
  }

  @Test("A stream has a picture of each result") func streamed() async throws {
    let photos = try temporary.add([
      .photo(size: PictureSize(width: 60, height: 40)), .photo(size: PictureSize(width: 120, height: 80)),
    ])
    var widths: [CGFloat] = []
    for try await image in GroupedLoading.pictures(await picked(photos)) { widths.append(image.size.width) }
    #expect(widths == [60, 120])
  }

  @Test("A picked picture is read in a smaller size, with its properties") func downsampled() async throws {
    let photo = try temporary.add(.photo(size: PictureSize(width: 120, height: 80)))
    let result = try #require(await picked([photo]).first)
    let (image, width): (UIImage?, Int?) = try await answer("the picture") { done in
      DownsampledImage.load(result.itemProvider, maximumPixels: 60) { image, properties in
        done((image, properties[kCGImagePropertyPixelWidth as String] as? Int))
      }
    }
    #expect(image?.size == CGSize(width: 60, height: 40))
    #expect(width == 120)
    #expect(image.flatMap(DownsampledImage.jpeg)?.prefix(2) == Data([0xFF, 0xD8]))
  }

  @Test("An upload of a picture is a JPEG file") func pictureUpload() async throws {
    let result = try #require(await picked([try temporary.add(.photo(named: "P"))]).first)
    let upload = try await upload(of: result.itemProvider)
    #expect(upload.name == "P")
    #expect(upload.mimeType == "image/jpeg")
    #expect(UIImage(data: upload.data) != nil)
  }

  @Test("An upload of a movie is its file") func movieUpload() async throws {
    let result = try #require(await picked([try temporary.add(.video())]).first)
    let upload = try await upload(of: result.itemProvider)
    #expect(upload.mimeType == "video/quicktime")
    #expect(upload.data.count > 1000)
  }

  private func upload(of provider: NSItemProvider) async throws -> UploadQueue.Upload {
    let result: Result<UploadQueue.Upload, Error> = try await answer("an upload") { done in
      UploadQueue(maximumBytes: 100_000).prepare(provider) { done($0) }
    }
    return try result.get()
  }

  @Test("A picked item has no preview, and one with a handler has the handler's") func previews() async throws {
    let photo = try temporary.add(.photo())
    let loader = PreviewLoader()
    #expect(await loader.preview(of: try #require(await picked([photo]).first).itemProvider) == nil)
    let drawn = UIGraphicsImageRenderer(size: CGSize(width: 30, height: 20)).image { _ in }
    let url = temporary.folder.appendingPathComponent("a.jpg")
    try SampleMedia.jpeg(size: PictureSize(width: 60, height: 40)).write(to: url)
    let provider = PreviewLoader.provider(of: url, preview: drawn)
    #expect(await loader.preview(of: provider)?.size == drawn.size)
  }

  // MARK: Movies

  @Test("A copied movie stays, and lasts a second") func movie() async throws {
    let result = try #require(await picked([try temporary.add(.video())]).first)
    let copier = MovieCopier(folder: temporary.folder)
    let copied: Result<URL, Error> = try await answer("the movie") { done in
      copier.copyMovie(from: result.itemProvider) { done($0) }
    }
    let duration = try await MovieCopier.duration(of: copied.get())
    #expect(abs(duration - 1) < 0.2)
    try await eventually("the end of the progress") { copier.overall.fractionCompleted == 1 }
  }

  @Test("A copy of a movie is canceled with its progress") func cancelledMovie() async throws {
    let provider = NSItemProvider()
    // The handler never answers.
    provider.registerFileRepresentation(forTypeIdentifier: UTType.movie.identifier, visibility: .all) { _ in nil }
    let copier = MovieCopier(folder: temporary.folder)
    let copied: Result<URL, Error> = try await answer("the error") { done in
      copier.copyMovie(from: provider) { done($0) }
      copier.cancel()
    }
    #expect(throws: CocoaError(.userCancelled)) { try copied.get() }
  }

  @Test("A picked movie is converted to MPEG-4, and has a poster") func exported() async throws {
    let result = try #require(await picked([try temporary.add(.video())]).first)
    let copier = MovieCopier(folder: temporary.folder)
    let copied: Result<URL, Error> = try await answer("the movie") { done in
      copier.copyMovie(from: result.itemProvider) { done($0) }
    }
    let export = MovieExport(input: try copied.get())
    let output = temporary.folder.appendingPathComponent("small.mp4")
    let exported: Result<URL, Error> = try await answer("the export") { done in
      export.export(to: output) { done($0) }
    }
    #expect(try await abs(MovieCopier.duration(of: exported.get()) - 1) < 0.2)
    #expect(try export.poster().size == CGSize(width: 160, height: 120))
  }

  @Test("An item loads a movie as the program's own value") func transferredMovie() async throws {
    let result = try #require(await picked([try temporary.add(.video())]).first)
    let model = PickedMediaModel()
    await model.load(PhotosPickerItem(result))
    guard case .movie(let url) = model.state else {
      Issue.record("the state is \(model.state)")
      return
    }
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(try Data(contentsOf: url).count > 1000)
  }

  @Test("An item with a progress loads a picture") func transferredPicture() async throws {
    let photo = try temporary.add(.photo(size: PictureSize(width: 60, height: 40)))
    let result = try #require(await picked([photo]).first)
    let model = PickedMediaModel()
    model.loadWithProgress(PhotosPickerItem(result))
    try await eventually("the picture") {
      if case .picture(let image) = model.state { image.size.width == 60 } else { false }
    }
  }

  @Test("A picture's file is written by its value, and so is its address") func sentPicture() async throws {
    let url = temporary.folder.appendingPathComponent("a.jpg")
    try SampleMedia.jpeg(size: PictureSize(width: 60, height: 40)).write(to: url)
    let picture = OriginalPicture(url: url)
    let provider = NSItemProvider()
    provider.register(picture)
    #expect(provider.registeredTypeIdentifiers == ["public.image", "public.url"])
    #expect(try await provider.loadPicture().size == CGSize(width: 60, height: 40))
  }

  // MARK: The old picker

  @Test("A helper shows only movies, and its delegate gets one") func mediaBrowser() async throws {
    let identifier = try temporary.add(.video()).localIdentifier
    let controller = ClipController()
    try await answering { picker in
      #expect(picker.assets.map(\.localIdentifier) == [identifier])
      picker.select(identifier)
    }.during {
      MediaBrowserHelper.startMediaBrowser(delegate: controller, sourceType: .photoLibrary)
      try await eventually("the movie") { controller.clip != nil }
    }
    #expect(controller.clip?.type == "public.movie")
    #expect(try Data(contentsOf: #require(controller.clip?.movieURL)).count > 1000)
  }

  @Test("There is no picker of a camera") func camera() {
    #expect(UIImagePickerController(for: .camera) == nil)
    #expect(UIImagePickerController(for: .photoLibrary)?.mediaTypes == ["public.image", "public.movie"])
  }

  @Test("The old picker gives a picture with its file and its asset") func clip() async throws {
    let photo = try temporary.add(.photo(size: PictureSize(width: 120, height: 80)))
    let identifier = photo.localIdentifier
    let controller = ClipController()
    try await answering { $0.select(identifier) }.during {
      controller.chooseClip()
      try await eventually("the picture") { controller.clip != nil }
    }
    let clip = try #require(controller.clip)
    #expect(clip.picture?.size == CGSize(width: 120, height: 80))
    #expect(clip.identifier == identifier)
    #expect(clip.pictureURL.map { FileManager.default.fileExists(atPath: $0.path) } == true)
    #expect(clip.referenceURL?.scheme == "assets-library")
    #expect(clip.crop == nil)
    #expect(controller.presentedViewController == nil)
  }

  @Test("The old picker tells that it was canceled") func cancelledClip() async throws {
    let controller = ClipController()
    try await answering { $0.cancel() }.during {
      controller.chooseClip()
      try await eventually("the cancellation") { controller.isCancelled }
    }
    #expect(controller.clip == nil)
  }

  @Test("A picker that is made when it is needed is shown twice") func shelf() async throws {
    let shelf = PickerShelf()
    for _ in 1...2 {
      let count: Int = try await answering { $0.pick($0.assets.prefix(2)) }.during {
        try await answer("the count") { done in
          shelf.onPick = { done($0) }
          shelf.show(from: controller)
        }
      }
      #expect(count == 2)
    }
  }

  // MARK: Child controllers

  @Test("A picker in a controller reports each change") func embedded() async throws {
    let identifiers = try temporary.add(.photos(2)).map(\.localIdentifier)
    let chat = EmbeddedPickerController()
    try await answering { picker in
      picker.select(identifiers[1])
      picker.select(identifiers[0])
    }.during {
      chat.embed()
      try await eventually("two changes") { chat.selectionCounts.count == 2 }
    }
    #expect(chat.selectionCounts == [1, 2])
    #expect(chat.selection == [identifiers[1], identifiers[0]])
    chat.unembed()
    #expect(chat.children.isEmpty)
  }

  @Test("A controller deselects in its picker, and limits it") func commanded() async throws {
    let identifiers = try temporary.add(.photos(2)).map(\.localIdentifier)
    let opened = Mutex<OpenPicker?>(nil)
    let chat = EmbeddedPickerController()
    try await answering { picker in
      picker.select(identifiers[0])
      picker.select(identifiers[1])
      opened.withLock { $0 = picker }
    }.during {
      chat.embed()
      try await eventually("two changes") { chat.selectionCounts.count == 2 }
    }
    let picker = try #require(opened.withLock { $0 })
    chat.removeLast()
    chat.limit(to: 1)
    #expect(picker.selection == [identifiers[0]])
    #expect(picker.selectionLimit == 1)
    chat.unembed()
    #expect(!picker.isOpen)
  }

  // MARK: Live Photos

  @Test("A picked Live Photo is played once, and its movie is written") func livePhoto() async throws {
    let result = try #require(await picked([try temporary.add(.livePhoto())]).first)
    let stage = LivePhotoStage()
    stage.loadViewIfNeeded()
    let livePhoto: PHLivePhoto = try await answer("the Live Photo") { done in
      stage.onShow = { done($0) }
      stage.show(result)
    }
    #expect(stage.playbackCount == 1)
    #expect(livePhoto.size.width > 0)
    let url = temporary.folder.appendingPathComponent("motion.mov")
    let error: Error? = try await answer("the movie") { done in
      LivePhotoStage.writeMovie(of: livePhoto, to: url) { done($0) }
    }
    #expect(error == nil)
    #expect(try Data(contentsOf: url).count > 1000)
  }

  // MARK: Selections

  @Test("A second picker opens with the first one's selection") func remembered() async throws {
    let identifiers = try temporary.add(.photos(2)).map(\.localIdentifier)
    let album = RememberedSelection()
    var assets = try await assets(of: album) { $0.pick([identifiers[1], identifiers[0]]) }
    #expect(assets.map(\.localIdentifier) == [identifiers[1], identifiers[0]])
    assets = try await self.assets(of: album) { picker in
      #expect(picker.selection == [identifiers[1], identifiers[0]])
      picker.deselect(identifiers[1])
      picker.add()
    }
    #expect(assets.map(\.localIdentifier) == [identifiers[0]])
  }

  private func assets(
    of album: RememberedSelection, _ operate: @escaping @Sendable (OpenPicker) -> Void
  ) async throws -> [PHAsset] {
    try await answering(operate).during {
      try await answer("the assets") { done in
        album.onFinish = { done($0) }
        album.openPicker()
      }
    }
  }

  @Test("The picker of a search gives the assets that were picked") func searched() async throws {
    let identifiers = try temporary.add(.photos(2)).map(\.localIdentifier)
    let sheet = SearchSheet()
    try await answering { picker in
      #expect(picker.selectionLimit == 10)
      picker.pick(identifiers)
    }.during {
      sheet.showSearch()
      try await eventually("the found assets") { sheet.found != nil }
    }
    #expect(sheet.heading == "Found 2")
    #expect(Set(sheet.found?.objects(at: [0, 1]).map(\.localIdentifier) ?? []) == Set(identifiers))
  }

  @Test("Thumbnails of the picked assets come from the library") func thumbnails() async throws {
    let identifiers = try temporary.add(.photos(2)).map(\.localIdentifier)
    let album = RememberedSelection()
    _ = try await assets(of: album) { $0.pick(identifiers) }
    var images: [String: UIImage] = [:]
    album.onThumbnail = { images[$0] = $1 }
    album.requestThumbnails(size: CGSize(width: 20, height: 20))
    try await eventually("two thumbnails") { images.count == 2 }
    #expect(Set(images.keys) == Set(identifiers))
  }

  @Test("A kept item is loaded from the first result that it had") func kept() async throws {
    let photo = try temporary.add(.photo(size: PictureSize(width: 60, height: 40)))
    let identifier = photo.localIdentifier
    let cache = ResultsByIdentifier()
    for _ in 1...2 {
      let count: Int = try await answering { picker in
        picker.select(identifier)
        picker.add()
      }.during {
        try await answer("the results") { done in
          cache.onChange = { [unowned cache] in done(cache.count) }
          controller.present(cache.makePicker(), animated: true)
        }
      }
      #expect(count == 1)
    }
    let width: CGFloat? = try await answer("the picture") { done in
      cache.loadNext { object, _ in done((object as? UIImage)?.size.width) }
    }
    #expect(width == 60)
  }

  @Test("A person with limited access chooses one more asset") func limited() async throws {
    let identifier = try temporary.add(.photo()).localIdentifier
    let client = LibraryClient(identifier: "com.example.limited")
    try temporary.library.setAuthorization(.limited, for: client, accessLevel: .readWrite)
    let library = temporary.library.photoLibrary(for: client)
    let access = LimitedAccess()
    let added = await answering { picker in
      picker.select(identifier)
      picker.add()
    }.during {
      await library.asShared { await access.chooseMore(from: controller) }
    }
    #expect(added == [identifier])
    #expect(library.asShared { access.newestAssets.map(\.localIdentifier) } == [identifier])
    let answered: LimitedAccess.Access = try await answer("the access") { done in
      library.asShared { access.request { done($0) } }
    }
    #expect(answered == .some)
  }

  // MARK: Providers

  @Test("A shared item of a picture is read as a file") func attachment() async throws {
    let result = try #require(await picked([try temporary.add(.photo())]).first)
    let isFile: Bool = try await answer("the attachment") { done in
      AttachmentReader().read(result.itemProvider) { attachment, _ in
        if case .file(let url)? = attachment {
          done(FileManager.default.fileExists(atPath: url.path))
        } else {
          done(false)
        }
      }
    }
    #expect(isFile)
  }

  @Test("An item of an address gives the address") func address() async {
    let url = URL(fileURLWithPath: "/tmp/a.jpg")
    #expect(await AttachmentReader().address(of: OfferedItems.coded(url)) == url)
  }

  @Test("A file's provider is called by its new name, with the ending of its type") func names() throws {
    let url = temporary.folder.appendingPathComponent("a.jpg")
    try SampleMedia.jpeg(size: PictureSize(width: 60, height: 40)).write(to: url)
    let provider = try #require(OfferedItems.file(at: url))
    #expect(OfferedItems.mediaType(of: provider) == .jpeg)
    #expect(OfferedItems.fileName(of: provider) == "Offered.jpeg")
  }

  @Test("A file that may be opened where it is is read without a copy", arguments: [true, false])
  func inPlace(isOriginal: Bool) async throws {
    let url = temporary.folder.appendingPathComponent("a.jpg")
    let bytes = try SampleMedia.jpeg(size: PictureSize(width: 60, height: 40))
    try bytes.write(to: url)
    let provider = isOriginal ? OfferedItems.originalFile(at: url) : try #require(OfferedItems.file(at: url))
    let (data, isInPlace): (Data?, Bool) = try await answer("the file") { done in
      ScopedFileReader().loadInPlace(provider) { done(($0, $1)) }
    }
    #expect(data == bytes)
    #expect(isInPlace == isOriginal)
  }

  @Test("Files are copied from where access is asked for") func copies() throws {
    let url = temporary.folder.appendingPathComponent("a.txt")
    try Data("text".utf8).write(to: url)
    let copies = ScopedFileReader().copies(of: [url], in: temporary.folder)
    #expect(try copies.map { try String(contentsOf: $0, encoding: .utf8) } == ["text"])
  }

  @Test("Offered objects have the types in which they are written") func offered() {
    let image = UIGraphicsImageRenderer(size: CGSize(width: 30, height: 20)).image { _ in }
    #expect(OfferedItems.mediaType(of: OfferedItems.picture(image)) == .png)
    #expect(OfferedItems.text("a").canLoadObject(ofClass: String.self))
    #expect(OfferedItems.late { Data() }.registeredTypeIdentifiers == ["public.png"])
  }

  @Test("Offered data and files have the bytes of their handlers") func offeredBytes() async throws {
    let bytes = try SampleMedia.png(size: PictureSize(width: 60, height: 40))
    let url = temporary.folder.appendingPathComponent("a.png")
    try bytes.write(to: url)
    let providers = [
      OfferedItems.data(bytes, type: .png, name: "N"), OfferedItems.late { bytes }, OfferedItems.file(.png) { url },
    ]
    for provider in providers { #expect(try await GroupedLoading.data(of: provider) == bytes) }
  }
}
