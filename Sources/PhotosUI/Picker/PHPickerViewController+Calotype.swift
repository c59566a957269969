extension PHPickerViewController {
  /// The reason that the picker could not be shown, or that it ended without a person's answer;
  /// `nil` if there is none. The delegate gets the preselected items then, as if the person had
  /// canceled, and a line on standard error says why.
  public var pickerProblem: PHPhotosError? { problem }
}
