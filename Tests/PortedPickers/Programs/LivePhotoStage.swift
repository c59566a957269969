import Photos
import PhotosUI
import UIKit

/// Loads a Live Photo and plays it.
class LivePhotoStage: UIViewController, PHLivePhotoViewDelegate {
  let livePhotoView = PHLivePhotoView(frame: CGRect(x: 0, y: 0, width: 300, height: 200))
  private(set) var playbackCount = 0
  var onShow: ((PHLivePhoto) -> Void)?

  override func viewDidLoad() {
    super.viewDidLoad()
    livePhotoView.contentMode = .scaleAspectFit
    livePhotoView.isMuted = true
    livePhotoView.delegate = self
    view.addSubview(livePhotoView)
  }

  func show(_ result: PHPickerResult) {
    let provider = result.itemProvider
    guard provider.canLoadObject(ofClass: PHLivePhoto.self) else { return }
    provider.loadObject(ofClass: PHLivePhoto.self) { [weak self] object, error in
      DispatchQueue.main.async {
        guard let self = self, let livePhoto = object as? PHLivePhoto else { return }
        self.livePhotoView.livePhoto = livePhoto
        self.livePhotoView.startPlayback(with: .full)
        self.onShow?(livePhoto)
      }
    }
  }

  /// Writes the movie of a Live Photo to a file.
  static func writeMovie(of livePhoto: PHLivePhoto, to url: URL, completion: @escaping (Error?) -> Void) {
    let resources = PHAssetResource.assetResources(for: livePhoto)
    guard let movie = resources.first(where: { $0.type == .pairedVideo }) else {
      return completion(CocoaError(.fileNoSuchFile))
    }
    let options = PHAssetResourceRequestOptions()
    options.isNetworkAccessAllowed = true
    PHAssetResourceManager.default().writeData(for: movie, toFile: url, options: options) { error in
      completion(error)
    }
  }

  func livePhotoView(
    _ livePhotoView: PHLivePhotoView, didEndPlaybackWith playbackStyle: PHLivePhotoViewPlaybackStyle
  ) {
    playbackCount += 1
  }
}
