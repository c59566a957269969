internal import AVFoundation
import Synchronization

/// A load of what an image picker's delegate gets of an item.
final class LoadedItem: Sendable {
  private let provider: NSItemProvider
  private let isImage: Bool
  private let wantsLivePhoto: Bool
  /// The preset with which a movie is exported; `nil` to leave it as it is.
  private let exportPreset: String?
  private let state = Mutex(State())

  private struct State {
    var file: ItemFile?
    var livePhoto: PHLivePhoto?
    var problem: PHPhotosError?
    var isCancelled = false
    /// Called when the load is canceled.
    var cancellations: [@Sendable () -> Void] = []
  }

  init(_ item: PickedItem, from delivery: PickedDelivery, wantsLivePhoto: Bool, exportPreset: String?) {
    provider = delivery.provider(for: item)
    isImage = provider.hasItemConformingToTypeIdentifier(UTType.image.identifier)
    self.wantsLivePhoto = wantsLivePhoto && item.isLivePhoto
    self.exportPreset = exportPreset
  }

  /// Loads the item, and calls the handler on the main queue unless the load is canceled.
  func begin(_ handler: @escaping @MainActor @Sendable () -> Void) {
    let group = DispatchGroup()
    group.enter()
    let type = isImage ? UTType.image : .movie
    follow(
      provider.loadItemFile(type.identifier, inPlace: false) { [self] file, error in
        keep(file, error) { group.leave() }
      })
    if wantsLivePhoto {
      group.enter()
      follow(
        provider.loadObject(ofClass: PHLivePhoto.self) { [self] object, _ in
          state.withLock { $0.livePhoto = object as? PHLivePhoto }
          group.leave()
        })
    }
    group.notify(queue: .main) { [self] in
      guard !state.withLock(\.isCancelled) else { return }
      MainActor.assumeIsolated(handler)
    }
  }

  /// Cancels the load. The handler is not called any more.
  func cancel() {
    let cancellations = state.withLock { state in
      defer { state.cancellations = [] }
      state.isCancelled = true
      return state.cancellations
    }
    for cancel in cancellations { cancel() }
  }

  private func follow(_ progress: Progress) { onCancel { progress.cancel() } }

  /// Calls the function when the load is canceled, or at once if it was.
  private func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.cancellations.append(cancel) }
      return state.isCancelled
    }
    if isCancelled { cancel() }
  }

  /// Keeps a loaded file until the program ends, and exports a movie first if that is wanted.
  private func keep(_ file: ItemFile?, _ error: (any Error)?, _ done: @escaping @Sendable () -> Void) {
    guard let file, !isImage, let exportPreset else {
      keep(Result { try file ?? { throw error ?? CocoaError(.fileReadUnknown) }() })
      return done()
    }
    let export = Task {
      do { keep(.success(try await exported(file, exportPreset))) } catch { keep(.failure(error)) }
      done()
    }
    onCancel { export.cancel() }
  }

  private func keep(_ result: Result<ItemFile, any Error>) {
    switch result {
    case .success(let file):
      guard !state.withLock(\.isCancelled) else { return }
      _ = file.keptUntilExit()
      state.withLock { $0.file = file }
    case .failure(let error):
      guard !state.withLock(\.isCancelled) else { return }
      state.withLock { $0.problem = PHPhotosError(picking: error) }
      StandardError.write("The picked item could not be loaded: \(error.localizedDescription)\n")
    }
  }

  private func exported(_ file: ItemFile, _ preset: String) async throws -> ItemFile {
    let output = try ItemFile(named: file.url.deletingPathExtension().appendingPathExtension("mov").lastPathComponent)
    guard let session = AVAssetExportSession(asset: AVURLAsset(url: file.url), presetName: preset) else {
      throw PHPhotosError(.invalidResource, picking: "videoExportPreset: there is no preset \(preset)")
    }
    session.outputURL = output.url
    session.outputFileType = .mov
    await withTaskCancellationHandler {
      await session.export()
    } onCancel: {
      session.cancelExport()
    }
    guard session.status == .completed else { throw session.error ?? CocoaError(.userCancelled) }
    return withExtendedLifetime(file) { output }
  }

  /// The reason that the item could not be loaded.
  var problem: PHPhotosError? { state.withLock(\.problem) }

  /// Returns what the delegate gets. It is empty if nothing could be loaded.
  func info(asset: PHAsset?) -> [UIImagePickerController.InfoKey: Any] {
    let (url, livePhoto) = state.withLock { ($0.file?.url, $0.livePhoto) }
    guard let url else { return [:] }
    var info: [UIImagePickerController.InfoKey: Any] = [:]
    if isImage {
      info[.mediaType] = livePhoto == nil ? UTType.image.identifier : UTType.livePhoto.identifier
      info[.imageURL] = url
      info[.originalImage] = UIImage(contentsOfFile: url.path)
      info[.livePhoto] = livePhoto
    } else {
      info[.mediaType] = UTType.movie.identifier
      info[.mediaURL] = url
    }
    info[.phAsset] = asset
    info[.referenceURL] = asset.flatMap { asset in
      let name = PHAssetResource.assetResources(for: asset).first?.originalFilename ?? url.lastPathComponent
      let ending = (name as NSString).pathExtension.uppercased()
      return URL(string: "assets-library://asset/asset.\(ending)?id=\(asset.uuid)&ext=\(ending)")
    }
    return info
  }
}
