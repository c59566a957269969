/// The settings of a picker.
///
///     var configuration = PHPickerConfiguration(photoLibrary: .shared())
///     configuration.filter = .any(of: [.livePhotos, .videos])
///     configuration.selectionLimit = 0
public struct PHPickerConfiguration: Hashable, Sendable {
  /// The form in which items are handed over.
  public enum AssetRepresentationMode: Int, Sendable {
    /// Pictures as with `compatible`. Videos too if they have at most thirty seconds, since longer
    /// ones take long to convert.
    case automatic
    /// The bytes of the current version, without a conversion.
    case current
    /// JPEG, PNG or GIF, and movies that browsers play. Files in these formats stay as they are.
    case compatible
  }

  public enum Selection: Int, Sendable {
    case `default`
    /// Numbers show the order, and the results keep it. Here, the results always do.
    case ordered
    /// The delegate is called at each change, with everything that is selected.
    case continuous
    case continuousAndOrdered

    var isContinuous: Bool { self == .continuous || self == .continuousAndOrdered }
  }

  public var preferredAssetRepresentationMode = AssetRepresentationMode.automatic
  public var selection = Selection.default
  /// The most items that can be selected; 0 for no limit.
  public var selectionLimit = 1
  /// The assets that are shown; `nil` for all.
  public var filter: PHPickerFilter?
  /// The assets that are selected when the picker opens, in their order. They may be more than the
  /// limit: then a person has to deselect some. They need a configuration with a photo library.
  public var preselectedAssetIdentifiers: [String] = []
  public var mode = PHPickerMode.default
  public var edgesWithoutContentMargins: NSDirectionalRectEdge = []
  public var disabledCapabilities: PHPickerCapabilities = []
  /// The metadata that files are handed over without. The person may choose otherwise.
  public var metadataOptions: PHPickerMetadataOptions = []
  /// The text in the search field when the picker opens.
  public var searchText: PHPickerSearchText?

  /// The library whose assets are shown, if the results carry identifiers.
  let photoLibrary: PHPhotoLibrary?

  /// Makes a configuration whose results have no identifiers.
  public init() { photoLibrary = nil }

  /// Makes a configuration whose results have identifiers. The program's access to the library
  /// stays as it is.
  public init(photoLibrary: PHPhotoLibrary) { self.photoLibrary = photoLibrary }

  /// Changes of an open picker. `nil` leaves a setting as it is.
  public struct Update: Hashable, Sendable {
    public var selectionLimit: Int?
    public var edgesWithoutContentMargins: NSDirectionalRectEdge?
    public var searchText: PHPickerSearchText?

    public init() {}
  }
}

/// The size of a picker. It has no effect here, since the picker opens in a window of its own, like
/// a sheet.
public struct PHPickerMode: Hashable, Sendable {
  private let isCompact: Bool

  public static let `default` = PHPickerMode(isCompact: false)
  /// One row.
  public static let compact = PHPickerMode(isCompact: true)
}

/// Parts of a picker that a configuration can disable.
public struct PHPickerCapabilities: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let search = PHPickerCapabilities(rawValue: 1 << 0)
  /// The list of everything that is selected.
  public static let stagingArea = PHPickerCapabilities(rawValue: 1 << 1)
  public static let collectionNavigation = PHPickerCapabilities(rawValue: 1 << 2)
  /// The buttons Add and Cancel.
  public static let selectionActions = PHPickerCapabilities(rawValue: 1 << 3)
  /// Has no effect, since nothing is analyzed.
  public static let sensitivityAnalysisIntervention = PHPickerCapabilities(rawValue: 1 << 4)
}

/// Metadata that is removed from what is handed over. Pictures and movies are not encoded again,
/// unless their format has no known place for metadata.
public struct PHPickerMetadataOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The place.
  public static let removeLocation = PHPickerMetadataOptions(rawValue: 1 << 0)
  /// The title, the caption, the keywords and comments.
  public static let removeCaptions = PHPickerMetadataOptions(rawValue: 1 << 1)

  /// Makes options of what is included instead.
  package init(includesLocation: Bool, includesCaptions: Bool) {
    self = []
    if !includesLocation { insert(.removeLocation) }
    if !includesCaptions { insert(.removeCaptions) }
  }
}

/// A text to search for.
public struct PHPickerSearchText: Hashable, Sendable {
  let text: String

  public init(_ text: String) { self.text = text }
}
