/// The configuration of a picker as its process gets it, in JSON.
package struct PickerRequest: Encodable, Hashable, Sendable {
  package var filter: PHPickerFilter?
  package var selectionLimit = 1
  package var selection = PHPickerConfiguration.Selection.default
  package var preselected: [String] = []
  /// Whether items have identifiers.
  package var identifiers = false
  package var representation = PHPickerConfiguration.AssetRepresentationMode.automatic
  package var metadataOptions: PHPickerMetadataOptions = []
  package var mode = PHPickerMode.default
  package var edgesWithoutContentMargins: NSDirectionalRectEdge = []
  package var disabledCapabilities: PHPickerCapabilities = []
  package var searchText: String?
  /// The reason for picking, which the person is shown.
  package var purpose: String?
  /// Whether the choice decides what the program may see. The picker says so, and hands nothing
  /// over.
  package var choosesAccess = false

  package init() {}

  init(_ configuration: PHPickerConfiguration) {
    filter = configuration.filter
    selectionLimit = Self.limit(configuration.selectionLimit)
    selection = configuration.selection
    var known: Set<String> = []
    // A program may name an asset by its UUID alone.
    preselected = configuration.preselectedAssetIdentifiers.filter {
      known.insert(PHObject.uuid(localIdentifier: $0)).inserted
    }
    identifiers = configuration.photoLibrary != nil
    representation = configuration.preferredAssetRepresentationMode
    metadataOptions = configuration.metadataOptions
    mode = configuration.mode
    edgesWithoutContentMargins = configuration.edgesWithoutContentMargins
    disabledCapabilities = configuration.disabledCapabilities
    searchText = configuration.searchText?.text
  }

  /// Returns a limit that the picker's page can count to.
  static func limit(_ wanted: Int) -> Int { min(max(0, wanted), Int(Int32.max)) }

  /// The preselected items as they are handed over again, without files. A picker that could not be
  /// shown leaves them selected.
  var keptItems: [PickedItem] {
    guard identifiers else { return [] }
    return preselected.map {
      let identifier = PHAsset.localIdentifier(uuid: PHObject.uuid(localIdentifier: $0))
      return PickedItem(item: "kept \(identifier)", identifier: identifier, isLivePhoto: false, types: [], name: "")
    }
  }

  private enum Key: String, CodingKey {
    case filter, selectionLimit, selection, preselected, identifiers, representation, mode, edgesWithoutContentMargins,
      disabledCapabilities, searchText, purpose, choosesAccess, includeLocation, includeCaptions
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(filter?.condition, forKey: .filter)
    try container.encode(selectionLimit, forKey: .selectionLimit)
    try container.encode(selection.name, forKey: .selection)
    if !preselected.isEmpty { try container.encode(preselected, forKey: .preselected) }
    try container.encode(identifiers, forKey: .identifiers)
    try container.encode(representation.name, forKey: .representation)
    if mode == .compact { try container.encode("compact", forKey: .mode) }
    if !edgesWithoutContentMargins.isEmpty {
      try container.encode(edgesWithoutContentMargins.names, forKey: .edgesWithoutContentMargins)
    }
    if !disabledCapabilities.isEmpty { try container.encode(disabledCapabilities.names, forKey: .disabledCapabilities) }
    try container.encodeIfPresent(searchText, forKey: .searchText)
    try container.encodeIfPresent(purpose, forKey: .purpose)
    if choosesAccess { try container.encode(true, forKey: .choosesAccess) }
    // A program gets files with their metadata by default, unlike a page.
    try container.encode(!metadataOptions.contains(.removeLocation), forKey: .includeLocation)
    try container.encode(!metadataOptions.contains(.removeCaptions), forKey: .includeCaptions)
  }
}

extension PHPickerFilter.Condition: Encodable {
  private enum Key: String, CodingKey { case any, all, not, playbackStyle }

  func encode(to encoder: any Encoder) throws {
    if case .kind(let kind) = self {
      var container = encoder.singleValueContainer()
      return try container.encode(kind.rawValue)
    }
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .kind: break
    case .playbackStyle(let style): try container.encode(style, forKey: .playbackStyle)
    case .any(let parts): try container.encode(parts, forKey: .any)
    case .all(let parts): try container.encode(parts, forKey: .all)
    case .not(let part): try container.encode(part, forKey: .not)
    }
  }
}

extension PHPickerConfiguration.Selection {
  fileprivate var name: String {
    switch self {
    case .default: "default"
    case .ordered: "ordered"
    case .continuous: "continuous"
    case .continuousAndOrdered: "continuousAndOrdered"
    }
  }
}

extension PHPickerConfiguration.AssetRepresentationMode {
  fileprivate var name: String {
    switch self {
    case .automatic: "automatic"
    case .current: "current"
    case .compatible: "compatible"
    }
  }
}

extension PHPickerCapabilities {
  fileprivate var names: [String] {
    let named: [(PHPickerCapabilities, String)] = [
      (.search, "search"), (.stagingArea, "stagingArea"), (.collectionNavigation, "collectionNavigation"),
      (.selectionActions, "selectionActions"),
    ]
    return named.filter { contains($0.0) }.map(\.1)
  }
}

extension NSDirectionalRectEdge {
  var names: [String] {
    let named: [(NSDirectionalRectEdge, String)] = [
      (.top, "top"), (.leading, "leading"), (.bottom, "bottom"), (.trailing, "trailing"),
    ]
    return named.filter { contains($0.0) }.map(\.1)
  }
}
