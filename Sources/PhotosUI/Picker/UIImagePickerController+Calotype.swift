extension UIImagePickerController {
  /// The reason that the picker could not be shown, or that the picked item could not be loaded;
  /// `nil` if there is none. The delegate’s `imagePickerControllerDidCancel` is called then.
  public var pickerProblem: PHPhotosError? { problem }
}
