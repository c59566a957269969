import Synchronization

/// The files that an image picker has loaded of an item.
final class LoadedItem: Sendable {
  private let state = Mutex(State())

  private struct State {
    var url: URL?
    var livePhoto: PHLivePhoto?
  }

  /// The folders of loaded files, which exist until the program ends.
  private static let folders = Mutex<[ItemFolder]>([])
  private static let removalAtExit: Int32 = atexit { LoadedItem.folders.withLock { $0.removeAll() } }

  /// Moves a loaded file to a folder of its own.
  func keep(_ url: URL?, _ error: (any Error)?) {
    do {
      if let error { throw error }
      guard let url else { return }
      let folder = try ItemFolder()
      let kept = folder.url.appendingPathComponent(url.lastPathComponent)
      try FileManager.default.moveItem(at: url, to: kept)
      _ = Self.removalAtExit
      Self.folders.withLock { $0.append(folder) }
      state.withLock { $0.url = kept }
    } catch {
      StandardError.write("The picked item could not be loaded: \(error.localizedDescription)\n")
    }
  }

  func keep(_ livePhoto: PHLivePhoto?) { state.withLock { $0.livePhoto = livePhoto } }

  /// Returns what the delegate gets. It is empty if nothing could be loaded.
  func info(isImage: Bool, asset: PHAsset?) -> [UIImagePickerController.InfoKey: Any] {
    let (url, livePhoto) = state.withLock { ($0.url, $0.livePhoto) }
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
    return info
  }
}
