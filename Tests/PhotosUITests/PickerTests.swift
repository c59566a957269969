import PhotosTesting
import Testing

@testable import PhotosUI

@Suite @MainActor struct PickerTests {
  private let temporary: TemporaryLibrary
  /// Six photos and a video, the oldest first.
  private let assets: [PHAsset]
  private var identifiers: [String] { assets.map(\.localIdentifier) }

  init() throws {
    temporary = try TemporaryLibrary()
    assets = try temporary.add(.photos(6) + .videos(1))
  }

  @Test("R-02: the newest asset comes first, and the filter decides what is shown") func shown() async {
    let identifiers = identifiers
    var configuration = temporary.configuration()
    configuration.filter = .images
    let results = await temporary.pick(configuration) { picker in
      #expect(picker.assets.map(\.localIdentifier) == identifiers.prefix(6).reversed())
      picker.pick(identifiers.suffix(2))
    }
    #expect(results.map(\.assetIdentifier) == [identifiers[5]])
  }

  @Test("R-05: with the limit of one, selecting finishes") func one() async {
    let identifiers = identifiers
    let results = await temporary.pick(temporary.configuration(limit: 1)) { $0.select(identifiers[2]) }
    #expect(results.map(\.assetIdentifier) == [identifiers[2]])
  }

  @Test("R-05: the default limit is one") func defaults() {
    let configuration = PHPickerConfiguration()
    #expect(configuration.selectionLimit == 1)
    #expect(configuration.selection == .default)
    #expect(configuration.preferredAssetRepresentationMode == .automatic)
    #expect(configuration.filter == nil)
    #expect(configuration.mode == .default)
    #expect(configuration.disabledCapabilities == [])
    #expect(configuration.metadataOptions == [])
  }

  @Test("R-07: nothing is picked beyond the limit") func limit() async {
    let identifiers = identifiers
    let results = await temporary.pick(temporary.configuration(limit: 3)) { $0.pick(identifiers) }
    #expect(results.map(\.assetIdentifier) == Array(identifiers[..<3]))
  }

  @Test("R-08: results have the order of selecting") func ordered() async {
    let wanted = [3, 0, 5].map { identifiers[$0] }
    var configuration = temporary.configuration()
    configuration.selection = .ordered
    let results = await temporary.pick(configuration) { $0.pick(wanted) }
    #expect(results.map(\.assetIdentifier) == wanted)
  }

  @Test("R-08: a continuous selection is reported at each change, with everything selected") func continuous() async {
    let (a, b) = (identifiers[0], identifiers[1])
    temporary.library.answerPickers { picker in
      picker.select(a)
      picker.select(b)
      picker.deselect(a)
      picker.add()
    }
    var configuration = temporary.configuration()
    configuration.selection = .continuousAndOrdered
    let host = Host()
    _ = host.show(configuration)
    await host.results(4)
    #expect(host.calls.map { $0.map(\.assetIdentifier) } == [[a], [a, b], [b], [b]])
    // An item keeps its provider.
    #expect(host.calls[1][1] == host.calls[3][0])
    temporary.library.answerPickers(nil)
  }

  @Test("R-09: preselected items that stay have identifiers and providers without types") func preselected() async {
    let (a, b, c) = (identifiers[4], identifiers[0], identifiers[2])
    var configuration = temporary.configuration()
    configuration.preselectedAssetIdentifiers = [a, b]
    let results = await temporary.pick(configuration) { picker in
      #expect(picker.selection == [a, b])
      picker.select(c)
      picker.add()
    }
    #expect(results.map(\.assetIdentifier) == [a, b, c])
    #expect(results.map { $0.itemProvider.registeredTypeIdentifiers } == [[], [], ["public.jpeg"]])
  }

  @Test("R-09: an item that was preselected by its UUID alone stays without types") func preselectedByUUID() async {
    var configuration = temporary.configuration()
    configuration.preselectedAssetIdentifiers = [assets[0].uuid]
    let results = await temporary.pick(configuration) { $0.add() }
    #expect(results.map(\.assetIdentifier) == [assets[0].localIdentifier])
    #expect(results.map { $0.itemProvider.registeredTypeIdentifiers } == [[]])
  }

  @Test("R-10: a canceled picker returns the preselected items, or none") func cancelled() async {
    let (a, b, c) = (identifiers[4], identifiers[0], identifiers[2])
    var configuration = temporary.configuration()
    var results = await temporary.pick(configuration) { picker in
      picker.select(c)
      picker.cancel()
    }
    #expect(results.isEmpty)
    configuration.preselectedAssetIdentifiers = [a, b]
    results = await temporary.pick(configuration) { picker in
      picker.deselect(a)
      picker.select(c)
      picker.cancel()
    }
    #expect(results.map(\.assetIdentifier) == [a, b])
  }

  @Test("R-11: more preselected items than the limit can't be added until some are deselected") func tooMany() async {
    let identifiers = identifiers
    var configuration = temporary.configuration(limit: 3)
    configuration.preselectedAssetIdentifiers = Array(identifiers[..<4])
    let results = await temporary.pick(configuration) { picker in
      picker.add()
      #expect(picker.isOpen)
      picker.deselect(identifiers[1])
      picker.add()
      #expect(!picker.isOpen)
    }
    #expect(results.map(\.assetIdentifier) == [0, 2, 3].map { identifiers[$0] })
  }

  @Test("R-11: deselecting everything preselected picks nothing") func emptied() async {
    let identifiers = identifiers
    var configuration = temporary.configuration()
    configuration.preselectedAssetIdentifiers = [identifiers[0]]
    let results = await temporary.pick(configuration) { $0.pick([String]()) }
    #expect(results.isEmpty)
  }

  @Test("R-12: a preselection without a photo library is an error that names the reason") func withoutLibrary() async {
    let identifiers = identifiers
    var configuration = PHPickerConfiguration()
    configuration.preselectedAssetIdentifiers = [identifiers[0]]
    temporary.library.answerPickers { _ in Issue.record("the picker was shown") }
    let host = Host()
    let picker = temporary.library.asShared { host.show(configuration) }
    #expect(await host.results().isEmpty)
    #expect(picker.pickerProblem?.code == .changeNotSupported)
    #expect(
      picker.pickerProblem?.localizedDescription
        == "preselectedAssetIdentifiers need PHPickerConfiguration(photoLibrary:): results without a photo library have no identifiers"
    )
    temporary.library.answerPickers(nil)
  }

  @Test("R-12: results of a configuration without a photo library have no identifiers") func anonymous() async throws {
    let identifiers = identifiers
    let results = await temporary.pick(PHPickerConfiguration()) { $0.select(identifiers[3]) }
    #expect(results.map(\.assetIdentifier) == [nil])
    let image = try await results[0].itemProvider.object(UIImage.self)
    #expect(image?.size.width == CGFloat(assets[3].pixelWidth))
  }

  @Test("R-13, T-25: unknown, deleted and hidden assets are neither preselected nor shown") func ignored() async throws
  {
    let identifiers = identifiers
    let (hidden, deleted) = (assets[1], assets[2])
    try temporary.library.performChangesAndWait {
      PHAssetChangeRequest(for: hidden).isHidden = true
      PHAssetChangeRequest.deleteAssets([deleted] as NSArray)
    }
    var configuration = temporary.configuration()
    configuration.preselectedAssetIdentifiers = [identifiers[1], "X/L0/001", identifiers[2], identifiers[0]]
    let results = await temporary.pick(configuration) { picker in
      #expect(picker.selection == [identifiers[0]])
      #expect(picker.assets.count == 5)
      picker.select(identifiers[1])
      picker.select(identifiers[2])
      picker.add()
    }
    #expect(results.map(\.assetIdentifier) == [identifiers[0]])
  }

  @Test("R-19: an update of an open picker takes effect without closing it") func update() async throws {
    let identifiers = identifiers
    let host = Host()
    let opened = Inbox<OpenPicker>()
    temporary.library.answerPickers { opened.add($0) }
    let picker = host.show(temporary.configuration(limit: 4))
    let open = try await opened.next("the picker")
    for identifier in identifiers[..<4] { open.select(identifier) }
    var update = PHPickerConfiguration.Update()
    update.selectionLimit = 2
    picker.updatePicker(using: update)
    #expect(open.selectionLimit == 2)
    #expect(open.selection == Array(identifiers[..<4]))
    #expect(open.canAdd == false)
    update.selectionLimit = 5
    update.searchText = PHPickerSearchText("IMG_0007")
    picker.updatePicker(using: update)
    #expect(open.assets.map(\.localIdentifier) == [identifiers[6]])
    open.select(identifiers[6])
    open.add()
    #expect(await host.results().map(\.assetIdentifier) == Array(identifiers[..<4]) + [identifiers[6]])
    temporary.library.answerPickers(nil)
  }

  @Test("R-20, R-21: the app deselects and moves assets, and the delegate is not called") func rearranged() async throws
  {
    let (a, b, c) = (identifiers[0], identifiers[1], identifiers[2])
    let host = Host()
    let opened = Inbox<OpenPicker>()
    temporary.library.answerPickers { opened.add($0) }
    var configuration = temporary.configuration()
    configuration.preselectedAssetIdentifiers = [a, b, c]
    configuration.selection = .continuous
    let picker = host.show(configuration)
    let open = try await opened.next("the picker")
    picker.deselectAssets(withIdentifiers: [b, "unknown"])
    #expect(open.selection == [a, c])
    picker.moveAsset(withIdentifier: c, afterAssetWithIdentifier: nil)
    #expect(open.selection == [c, a])
    picker.moveAsset(withIdentifier: c, afterAssetWithIdentifier: a)
    #expect(open.selection == [a, c])
    picker.moveAsset(withIdentifier: b, afterAssetWithIdentifier: a)
    picker.scrollToInitialPosition()
    picker.zoomIn()
    picker.zoomOut()
    open.add()
    #expect(await host.results().map(\.assetIdentifier) == [a, c])
    #expect(host.calls.count == 1)
    temporary.library.answerPickers(nil)
  }

  @Test("R-26: a client without access picks, and its access stays as it is") func denied() async throws {
    let identifiers = identifiers
    let client = LibraryClient(identifier: "com.example.denied")
    try temporary.library.setAuthorization(.denied, for: client, accessLevel: .readWrite)
    let library = temporary.library.photoLibrary(for: client)
    library.answerPickers { $0.pick([identifiers[1]]) }
    var configuration = PHPickerConfiguration(photoLibrary: library)
    configuration.preferredAssetRepresentationMode = .current
    let host = Host()
    _ = host.show(configuration)
    let result = try #require(await host.results().first)
    #expect(result.assetIdentifier == identifiers[1])
    let bytes = try await result.itemProvider.data(.image)
    let size = try assets[1].storedResources[0].dataSize
    #expect(bytes.count == size)
    #expect(library.authorizationStatus(for: .readWrite) == .denied)
    let options = PHFetchOptions()
    options.photoLibrary = library
    #expect(PHAsset.fetchAssets(withLocalIdentifiers: [identifiers[1]], options: options).count == 0)
    library.answerPickers(nil)
  }

  @Test("R-29: the delegate is called once, and the app dismisses the picker") func dismissal() async throws {
    let identifiers = identifiers
    let host = Host()
    let answered = Inbox<OpenPicker>()
    temporary.library.answerPickers { picker in
      picker.pick([identifiers[0]])
      picker.pick([identifiers[1]])
      picker.cancel()
      answered.add(picker)
    }
    let picker = host.show(temporary.configuration())
    await host.results()
    #expect(host.presentedViewController === picker)
    #expect(picker.presentingViewController === host)
    picker.dismiss(animated: true)
    #expect(host.presentedViewController == nil)
    try await answered.next("the end of the answer").hasToldItsDelegate()
    #expect(host.calls.count == 1)
    temporary.library.answerPickers(nil)
  }

  @Test("A picker that the app dismisses is closed, and its delegate is not called") func dismissed() async throws {
    let identifiers = identifiers
    let host = Host()
    let opened = Inbox<OpenPicker>()
    temporary.library.answerPickers { opened.add($0) }
    _ = host.show(temporary.configuration())
    let open = try await opened.next("the picker")
    host.dismiss(animated: true)
    #expect(open.isOpen == false)
    open.pick([identifiers[0]])
    try await open.hasToldItsDelegate()
    #expect(host.calls.isEmpty)
    temporary.library.answerPickers(nil)
  }

  @Test("A picker within another controller is shown with its didMove, and closed with its removal") func child()
    async throws
  {
    let opened = Inbox<OpenPicker>()
    let host = Host()
    temporary.library.answerPickers { opened.add($0) }
    let picker = PHPickerViewController(configuration: temporary.configuration())
    picker.delegate = host
    temporary.library.asShared {
      host.addChild(picker)
      host.view.addSubview(picker.view)
      picker.didMove(toParent: host)
    }
    let open = try await opened.next("the picker")
    #expect(host.children == [picker] && picker.parent === host)
    #expect(picker.view.superview === host.view)
    #expect(open.isOpen)
    picker.willMove(toParent: nil)
    picker.view.removeFromSuperview()
    picker.removeFromParent()
    #expect(!open.isOpen)
    #expect(host.children == [] && picker.parent == nil && host.view.subviews == [])
    temporary.library.answerPickers(nil)
  }

  @Test("A picker within a controller closes when that is dismissed, and opens when that is shown again")
  func childOfDismissed() async throws {
    let opened = Inbox<OpenPicker>()
    let (root, middle, host) = (UIViewController(), UIViewController(), Host())
    temporary.library.answerPickers { opened.add($0) }
    let picker = PHPickerViewController(configuration: temporary.configuration())
    picker.delegate = host
    temporary.library.asShared {
      root.present(middle, animated: true)
      middle.addChild(picker)
      picker.didMove(toParent: middle)
    }
    let open = try await opened.next("the picker")
    #expect(open.isOpen)
    // A child's own dismissal is that of the controller that it is in.
    picker.dismiss(animated: true)
    #expect(root.presentedViewController == nil)
    #expect(!open.isOpen)
    temporary.library.asShared { root.present(middle, animated: true) }
    let again = try await opened.next("the picker, again")
    #expect(again.isOpen)
    again.pick([identifiers[0]])
    #expect(await host.results().map(\.assetIdentifier) == [identifiers[0]])
    root.dismiss(animated: true)
    temporary.library.answerPickers(nil)
  }

  @Test("The delegate's code sees the picker's library as the shared one") func shared() async {
    let identifiers = identifiers
    temporary.library.answerPickers { $0.pick([identifiers[0]]) }
    let delegate = LibraryNotingDelegate()
    let picker = PHPickerViewController(configuration: temporary.configuration())
    picker.delegate = delegate
    let host = UIViewController()
    host.present(picker, animated: true)
    #expect(await holds { delegate.library != nil })
    #expect(delegate.library === temporary.library)
    temporary.library.answerPickers(nil)
  }
}

@MainActor private final class LibraryNotingDelegate: PHPickerViewControllerDelegate {
  var library: PHPhotoLibrary?

  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) { library = .shared() }
}
