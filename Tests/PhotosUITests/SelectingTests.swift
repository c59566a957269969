import PhotosTesting
import PhotosUI
import Testing

/// A part of an app that lets a person pick, as it is written for a device: with force unwraps,
/// handlers that hop to the main queue, and no `async`.
@MainActor private final class Selector: UIViewController, PHPickerViewControllerDelegate {
  private var picked: [String: PHPickerResult] = [:]
  private var order: [String] = []
  private var rest: IndexingIterator<[String]>?
  private(set) var shown: [String] = []
  private(set) var progresses: [Progress] = []

  func pick(_ filter: PHPickerFilter?) {
    var configuration = PHPickerConfiguration(photoLibrary: .shared())
    configuration.filter = filter
    configuration.preferredAssetRepresentationMode = .current
    configuration.selection = .ordered
    configuration.selectionLimit = 0
    configuration.preselectedAssetIdentifiers = order
    let controller = PHPickerViewController(configuration: configuration)
    controller.delegate = self
    present(controller, animated: true)
  }

  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    dismiss(animated: true)
    let before = picked
    picked = [:]
    for result in results { picked[result.assetIdentifier!] = before[result.assetIdentifier!] ?? result }
    order = results.map(\.assetIdentifier!)
    rest = order.makeIterator()
    showNext()
  }

  private func showNext() {
    guard let identifier = rest?.next(), let provider = picked[identifier]?.itemProvider else { return }
    if provider.canLoadObject(ofClass: PHLivePhoto.self) {
      let progress = provider.loadObject(ofClass: PHLivePhoto.self) { [weak self] object, error in
        let livePhoto = object as? PHLivePhoto
        DispatchQueue.main.async { self?.show(livePhoto.map { _ in "Live Photo" }, error) }
      }
      progresses.append(progress)
    } else if provider.canLoadObject(ofClass: UIImage.self) {
      let progress = provider.loadObject(ofClass: UIImage.self) { [weak self] object, error in
        let image = object as? UIImage
        DispatchQueue.main.async { self?.show(image.map { _ in "image" }, error) }
      }
      progresses.append(progress)
      guard provider.hasItemConformingToTypeIdentifier(UTType.image.identifier) else { return }
      provider.loadDataRepresentation(forTypeIdentifier: UTType.image.identifier) { data, _ in
        let source = data.flatMap { CGImageSourceCreateWithData($0 as CFData, nil) }
        let properties = source.flatMap { CGImageSourceCopyPropertiesAtIndex($0, 0, nil) }
        #expect(properties?[kCGImagePropertyPixelWidth] != nil)
      }
    } else {
      let progress = provider.loadFileRepresentation(forTypeIdentifier: UTType.movie.identifier) {
        [weak self] url, error in
        let kind = url.map {
          UTType(filenameExtension: $0.pathExtension)?.conforms(to: .movie) == true ? "movie" : "file"
        }
        DispatchQueue.main.async { self?.show(kind, error) }
      }
      progresses.append(progress)
    }
  }

  private func show(_ text: String?, _ error: (any Error)?) {
    shown.append(text ?? error?.localizedDescription ?? "nothing")
    showNext()
  }
}

@Suite @MainActor struct SelectingTests {
  @Test("An app that is written for a device picks, loads one after the other, and picks again") func selecting()
    async throws
  {
    let temporary = try TemporaryLibrary()
    let identifiers = try temporary.add(.photos(1) + .videos(1) + [.livePhoto()]).map(\.localIdentifier)
    temporary.library.answerPickers { $0.pick(identifiers.reversed()) }
    let app = Selector()
    temporary.library.asShared { app.pick(.any(of: [.images, .videos])) }
    #expect(await holds { app.shown.count == 3 })
    #expect(app.shown == ["Live Photo", "movie", "image"])
    #expect(app.progresses.map(\.isFinished) == [true, true, true])
    // The picker begins with what is selected, and the first results keep their providers.
    temporary.library.answerPickers { picker in
      #expect(picker.selection == identifiers.reversed())
      picker.deselect(identifiers[1])
      picker.deselect(identifiers[2])
      picker.add()
    }
    temporary.library.asShared { app.pick(nil) }
    #expect(await holds { app.shown.count == 4 })
    #expect(app.shown.last == "image")
    temporary.library.answerPickers(nil)
  }
}
