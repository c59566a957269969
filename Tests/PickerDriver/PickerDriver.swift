import PhotosUI
import Synchronization

/// Shows pickers as the lines of standard input say, and prints what the delegate gets. Tests of
/// the picker's page run it.
///
///     show limit=3 selection=ordered preselected=ID,ID removes=location representation=current
///     show filter=livePhotos,videos search=fjord disabled=search,stagingArea library=none
///     update limit=2 search=fjord
///     deselect ID,ID
///     move ID [ID]
///     zoomIn | zoomOut | scroll | dismiss
///     save INDEX PATH            writes the file of a result, and prints its type and size
///     load INDEX image|file      loads a result, and prints what its progress and its handler did
///     cancel                     cancels the progress of the latest load
///     limited                    lets the owner choose what the program sees, and prints what is new
///     ask                        asks for access, and prints the answer
///     access                     prints the access, and how many of the results can be fetched
@main
struct PickerDriver {
  @MainActor static func main() async {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
    let app = DrivenApp()
    for await line in lines { await app.obey(line.split(separator: " ").map(String.init)) }
  }
}

@MainActor private final class DrivenApp: UIViewController, PHPickerViewControllerDelegate {
  private var shown: PHPickerViewController?
  private var results: [PHPickerResult] = []
  private var loading: WatchedLoad?

  func obey(_ words: [String]) async {
    guard let command = words.first else { return }
    let arguments = Array(words.dropFirst())
    switch command {
    case "show":
      let picker = PHPickerViewController(configuration: configuration(named(arguments)))
      picker.delegate = self
      shown = picker
      present(picker, animated: true)
    case "update":
      var update = PHPickerConfiguration.Update()
      update.selectionLimit = named(arguments)["limit"].flatMap { Int($0) }
      update.searchText = named(arguments)["search"].map { PHPickerSearchText($0) }
      shown?.updatePicker(using: update)
    case "deselect": shown?.deselectAssets(withIdentifiers: list(arguments.first))
    case "move" where !arguments.isEmpty:
      shown?.moveAsset(withIdentifier: arguments[0], afterAssetWithIdentifier: arguments.dropFirst().first)
    case "zoomIn": shown?.zoomIn()
    case "zoomOut": shown?.zoomOut()
    case "scroll": shown?.scrollToInitialPosition()
    case "dismiss": dismiss(animated: true)
    case "save" where arguments.count == 2: save(Int(arguments[0]) ?? 0, to: arguments[1])
    case "load" where arguments.count == 2: load(Int(arguments[0]) ?? 0, asImage: arguments[1] == "image")
    case "cancel": loading?.cancel()
    case "limited":
      _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
      let added = await PHPhotoLibrary.shared().presentLimitedLibraryPicker(from: self)
      say("added \(added.joined(separator: ",")), sees \(PHAsset.fetchAssets(with: nil).count)")
    case "ask":
      let answer = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
      say("answer: \(answer)")
    case "access":
      let status = PHPhotoLibrary.authorizationStatus(for: .readWrite)
      let found = PHAsset.fetchAssets(withLocalIdentifiers: results.compactMap(\.assetIdentifier), options: nil)
      say("access: \(status), fetches \(found.count) of \(results.count)")
    default: say("unknown: \(words.joined(separator: " "))")
    }
  }

  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    self.results = results
    let identifiers = results.map { $0.assetIdentifier ?? "?" }
    say("picked \(identifiers.joined(separator: ","))")
    if let problem = picker.pickerProblem { say("problem \(problem.localizedDescription)") }
  }

  private func configuration(_ values: [String: String]) -> PHPickerConfiguration {
    var configuration =
      values["library"] == "none" ? PHPickerConfiguration() : PHPickerConfiguration(photoLibrary: .shared())
    configuration.selectionLimit = values["limit"].flatMap { Int($0) } ?? 0
    configuration.preselectedAssetIdentifiers = list(values["preselected"])
    switch values["selection"] {
    case "ordered": configuration.selection = .ordered
    case "continuous": configuration.selection = .continuous
    case "continuousAndOrdered": configuration.selection = .continuousAndOrdered
    default: break
    }
    switch values["representation"] {
    case "automatic": configuration.preferredAssetRepresentationMode = .automatic
    case "compatible": configuration.preferredAssetRepresentationMode = .compatible
    default: configuration.preferredAssetRepresentationMode = .current
    }
    let filters = list(values["filter"]).compactMap { Self.filters[$0] }
    if !filters.isEmpty { configuration.filter = .any(of: filters) }
    configuration.searchText = values["search"].map { PHPickerSearchText($0) }
    for name in list(values["disabled"]) { configuration.disabledCapabilities.formUnion(Self.capabilities[name] ?? []) }
    switch values["removes"] {
    case "location": configuration.metadataOptions = .removeLocation
    case "captions": configuration.metadataOptions = .removeCaptions
    default: break
    }
    return configuration
  }

  private static let filters: [String: PHPickerFilter] = ["videos": .videos, "livePhotos": .livePhotos]
  private static let capabilities: [String: PHPickerCapabilities] = [
    "search": .search, "stagingArea": .stagingArea, "collectionNavigation": .collectionNavigation,
    "selectionActions": .selectionActions,
  ]

  private func save(_ index: Int, to path: String) {
    guard results.indices.contains(index), let type = results[index].itemProvider.registeredContentTypes.last else {
      return say("failed: there is no such result")
    }
    let provider = results[index].itemProvider
    provider.loadDataRepresentation(for: type) { data, error in
      do {
        if let error { throw error }
        try (data ?? Data()).write(to: URL(fileURLWithPath: path))
        say("saved \(type.identifier) \(data?.count ?? 0)")
      } catch {
        say("failed: \(error.localizedDescription)")
      }
    }
  }

  private func load(_ index: Int, asImage: Bool) {
    guard results.indices.contains(index) else { return say("failed: there is no such result") }
    let provider = results[index].itemProvider
    let load = WatchedLoad()
    loading = load
    guard asImage else {
      let progress = provider.loadFileRepresentation(forTypeIdentifier: "public.data") { url, error in
        load.end(url.flatMap { try? Data(contentsOf: $0).count }.map { "\($0) bytes" }, error)
      }
      return load.watch(progress)
    }
    let progress = provider.loadObject(ofClass: UIImage.self) { image, error in
      let size = (image as? UIImage)?.size
      load.end(size.map { "\(Int($0.width))x\(Int($0.height))" }, error)
    }
    load.watch(progress)
  }

  private func named(_ arguments: [String]) -> [String: String] {
    let pairs = arguments.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }.filter { $0.count == 2 }
    return Dictionary(pairs.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
  }

  private func list(_ text: String?) -> [String] { text?.split(separator: ",").map(String.init) ?? [] }
}

private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// A load whose progress and handler are watched.
private final class WatchedLoad: Sendable {
  private struct State {
    var callCount = 0
    var line = ""
    var cancelTime: ContinuousClock.Instant?
    var shares: [Double] = []
  }

  private let state = Mutex(State())
  private let progress = Mutex<Progress?>(nil)
  /// Signaled by each call of the handler.
  private let called = DispatchSemaphore(value: 0)

  /// Prints the total at once, and the load once its handler was called. A second call prints
  /// another line, which no test expects.
  func watch(_ watched: Progress) {
    progress.withLock { $0 = watched }
    say("loading \(watched.totalUnitCount)")
    Thread.detachNewThread { [self] in
      repeat {
        state.withLock { $0.shares.append(watched.fractionCompleted) }
      } while called.wait(timeout: .now() + .milliseconds(1)) == .timedOut  // waits: looks at the progress until then
      let state = state.withLock(\.self)
      let shares = state.shares + [watched.fractionCompleted]
      let grew = shares == shares.sorted()
      say("\(state.line), calls: \(state.callCount), share: \(watched.fractionCompleted), grew: \(grew)")
    }
  }

  func cancel() {
    state.withLock { $0.cancelTime = .now }
    progress.withLock { $0?.cancel() }
  }

  func end(_ result: String?, _ error: (any Error)?) {
    let isMain = Thread.isMainThread
    state.withLock { state in
      state.callCount += 1
      let wait = state.cancelTime.map { Int((ContinuousClock.now - $0) / .milliseconds(1)) }
      let isCancelled = (error as? CocoaError)?.code == .userCancelled
      let failure = isCancelled ? "canceled after \(wait ?? -1) ms" : "failed: \(error?.localizedDescription ?? "")"
      state.line = "\(result ?? failure), on the main thread: \(isMain)"
      if state.callCount > 1 { say("called again: \(state.line)") }
    }
    called.signal()
  }
}
