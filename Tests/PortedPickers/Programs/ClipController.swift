import AVFoundation
import MobileCoreServices
import Photos
import PhotosUI
import UIKit

/// A controller that shows the old picker, and takes a picture or a movie of it.
class ClipController: UIViewController {
  struct Clip {
    var type: String?
    var picture: UIImage?
    var pictureURL: URL?
    var movieURL: URL?
    var referenceURL: URL?
    var identifier: String?
    var metadata: NSDictionary?
    var crop: CGRect?
  }

  private(set) var clip: Clip?
  private(set) var isCancelled = false

  func chooseClip() {
    let chooser = UIImagePickerController()
    chooser.delegate = self
    chooser.sourceType = .photoLibrary
    chooser.mediaTypes = [kUTTypeImage as String, kUTTypeMovie as String]
    chooser.allowsEditing = false
    chooser.videoQuality = .typeMedium
    chooser.videoMaximumDuration = 30
    chooser.videoExportPreset = AVAssetExportPresetPassthrough
    chooser.imageExportPreset = .current
    chooser.modalPresentationStyle = .fullScreen
    present(chooser, animated: true)
  }
}

extension ClipController: UIImagePickerControllerDelegate, UINavigationControllerDelegate {
  func imagePickerController(
    _ picker: UIImagePickerController, didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
  ) {
    picker.dismiss(animated: true, completion: nil)
    var clip = Clip()
    clip.type = info[.mediaType] as? String
    clip.picture = (info[.editedImage] ?? info[.originalImage]) as? UIImage
    clip.pictureURL = info[.imageURL] as? URL
    clip.movieURL = info[UIImagePickerController.InfoKey.mediaURL] as? URL
    clip.referenceURL = info[.referenceURL] as? URL
    clip.identifier = (info[.phAsset] as? PHAsset)?.localIdentifier
    clip.metadata = info[.mediaMetadata] as? NSDictionary
    clip.crop = (info[.cropRect] as? NSValue)?.cgRectValue
    self.clip = clip
  }

  func imagePickerControllerDidCancel(_ picker: UIImagePickerController) {
    isCancelled = true
    picker.dismiss(animated: true)
  }
}
