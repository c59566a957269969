// The values that SwiftUI's picker takes. There is no SwiftUI here, so nothing takes them: code
// that chooses among them compiles.

extension PhotosPickerItem {
  /// The form in which items are handed over.
  public struct EncodingDisambiguationPolicy: Hashable, Sendable {
    private let mode: PHPickerConfiguration.AssetRepresentationMode

    public static let automatic = EncodingDisambiguationPolicy(mode: .automatic)
    public static let current = EncodingDisambiguationPolicy(mode: .current)
    public static let compatible = EncodingDisambiguationPolicy(mode: .compatible)
  }
}

/// The way in which items are selected.
public struct PhotosPickerSelectionBehavior: Hashable, Sendable {
  private let selection: PHPickerConfiguration.Selection

  public static let `default` = PhotosPickerSelectionBehavior(selection: .default)
  public static let ordered = PhotosPickerSelectionBehavior(selection: .ordered)
  public static let continuous = PhotosPickerSelectionBehavior(selection: .continuous)
  public static let continuousAndOrdered = PhotosPickerSelectionBehavior(selection: .continuousAndOrdered)
}

/// The place of a picker: in a window of its own, or within another view.
public struct PhotosPickerStyle: Hashable, Sendable {
  private let name: String

  public static let presentation = PhotosPickerStyle(name: "presentation")
  public static let inline = PhotosPickerStyle(name: "inline")
  public static let compact = PhotosPickerStyle(name: "compact")
}
